const _: () = {
    use ::prompt_core::__private as __p;
    #[allow(unused_imports)]
    use __p::fallbacks::{Displayed as _, Otherwise as _, Present as _};
    #[automatically_derived]
    impl __p::PromptNode for Planner {
        fn embedded(&self) -> __p::Embedded<'_> {
            __p::Embedded::described(self)
        }
    }
    #[automatically_derived]
    impl __p::Node for Planner {
        fn info(&self) -> &__p::NodeInfo {
            static INFO: __p::NodeInfo = __p::NodeInfo {
                name: __p::str("Planner"),
                text: __p::text(const {
                    &[
                        __p::paragraph(
                            1,
                            const {
                                &[
                                    __p::words("Repairs in "),
                                    __p::value("harbour", 0),
                                    __p::words(":"),
                                ]
                            },
                        ),
                        __p::Element::Each {
                            branches: __p::Each {
                                form: __p::Form::Block,
                                index: 0,
                                body: __p::Part {
                                    marker: __p::str("{*tickets as ticket}"),
                                    lead: __p::str(""),
                                    list: __p::list(const {
                                        &[
                                            __p::directly_below(
                                                __p::paragraph(
                                                    4,
                                                    const {
                                                        &[
                                                            __p::value("index", 1),
                                                            __p::words(". "),
                                                            __p::value("ticket.title", 2),
                                                            __p::Inline::If(__p::If {
                                                                form: __p::Form::Inline,
                                                                index: 0,
                                                                negated: true,
                                                                then: __p::part("{?!last}", const { &[__p::words(";")] }),
                                                                otherwise: __p::None,
                                                                end: __p::str("{/last}"),
                                                            }),
                                                            __p::line_break("\n"),
                                                            __p::Inline::Each(__p::Each {
                                                                form: __p::Form::Line,
                                                                index: 1,
                                                                body: __p::part(
                                                                    "{*ticket.works}",
                                                                    const {
                                                                        &[
                                                                            __p::line("- "),
                                                                            __p::value("item.0", 3),
                                                                            __p::Inline::If(__p::If {
                                                                                form: __p::Form::Inline,
                                                                                index: 1,
                                                                                negated: false,
                                                                                then: __p::part(
                                                                                    "{?item.1}",
                                                                                    const { &[__p::words(", by "), __p::value("item.1", 4)] },
                                                                                ),
                                                                                otherwise: __p::None,
                                                                                end: __p::str("{/item.1}"),
                                                                            }),
                                                                        ]
                                                                    },
                                                                ),
                                                                otherwise: __p::None,
                                                                end: __p::str(""),
                                                            }),
                                                        ]
                                                    },
                                                ),
                                            ),
                                        ]
                                    }),
                                    trail: __p::str("\n"),
                                },
                                otherwise: __p::Some(
                                    __p::part(
                                        "{else}",
                                        const {
                                            &[
                                                __p::directly_below(
                                                    __p::paragraph(8, const { &[__p::words("Nothing.")] }),
                                                ),
                                            ]
                                        },
                                    ),
                                ),
                                end: __p::str("{/tickets}"),
                            },
                            metadata: __p::Metadata::at(3, 1),
                        },
                        __p::Element::If {
                            branches: __p::If {
                                form: __p::Form::Block,
                                index: 2,
                                negated: false,
                                then: __p::part(
                                    "{?boat}",
                                    const {
                                        &[
                                            __p::directly_below(
                                                __p::paragraph(
                                                    11,
                                                    const {
                                                        &[
                                                            __p::words("Berth "),
                                                            __p::value("boat.berth", 5),
                                                            __p::Inline::If(__p::If {
                                                                form: __p::Form::Inline,
                                                                index: 3,
                                                                negated: false,
                                                                then: __p::part(
                                                                    "{?boat.mate}",
                                                                    const {
                                                                        &[__p::words(", ask "), __p::value("boat.mate.name", 6)]
                                                                    },
                                                                ),
                                                                otherwise: __p::None,
                                                                end: __p::str("{/boat.mate}"),
                                                            }),
                                                            __p::words("."),
                                                        ]
                                                    },
                                                ),
                                            ),
                                        ]
                                    },
                                ),
                                otherwise: __p::None,
                                end: __p::str("{/boat}"),
                            },
                            metadata: __p::Metadata::at(10, 0),
                        },
                    ]
                }),
                variables: __p::list(const {
                    &[
                        __p::variable("harbour", ""),
                        __p::variable("index", "").item_of(0),
                        __p::variable("ticket.title", "").item_of(0),
                        __p::variable("item.0", "").item_of(1),
                        __p::variable("item.1", "").item_of(1),
                        __p::variable("boat.berth", ""),
                        __p::variable("boat.mate.name", ""),
                    ]
                }),
                conditions: __p::list(const {
                    &[
                        __p::condition("last").item_of(0),
                        __p::condition("item.1").item_of(1),
                        __p::condition("boat"),
                        __p::condition("boat.mate"),
                    ]
                }),
                loops: __p::list(const {
                    &[
                        __p::loop_over("tickets"),
                        __p::loop_over("ticket.works").item_of(0),
                    ]
                }),
                ..__p::NODE
            };
            &INFO
        }
    }
    #[automatically_derived]
    impl __p::Scope for Planner {
        fn value(&self, entry: usize, out: &mut __p::Output<'_>) -> __p::Result {
            match entry {
                0 => __p::Value(&self.harbour).put(out),
                5 => {
                    match __p::Asked(&self.boat).get() {
                        __p::Some(boat) => __p::Value(&boat.berth).put(out),
                        __p::None => __p::Ok(()),
                    }
                }
                6 => {
                    match __p::Asked(&self.boat).get() {
                        __p::Some(boat) => {
                            match __p::Asked(&boat.mate).get() {
                                __p::Some(mate) => __p::Value(&mate.name).put(out),
                                __p::None => __p::Ok(()),
                            }
                        }
                        __p::None => __p::Ok(()),
                    }
                }
                _ => __p::Ok(()),
            }
        }
        fn ask(&self, entry: usize, _: usize) -> bool {
            match entry {
                2 => __p::holds(&self.boat),
                3 => {
                    match __p::Asked(&self.boat).get() {
                        __p::Some(boat) => __p::holds(&boat.mate),
                        __p::None => false,
                    }
                }
                _ => false,
            }
        }
        fn each(&self, list: usize, _: usize, body: &mut __p::Body<'_>) -> __p::Result {
            let around: &dyn __p::Scope = self;
            match list {
                0 => {
                    __p::each(
                        &self.tickets,
                        body,
                        |ticket, at| __p::answers(
                            move |entry, out| match entry {
                                1 => __p::Value(&at.number()).put(out),
                                2 => __p::Value(&ticket.title).put(out),
                                _ => around.value(entry, out),
                            },
                            move |entry, index| match entry {
                                0 => at.is_last(),
                                _ => around.ask(entry, index),
                            },
                            move |list, _, around, body| match list {
                                1 => {
                                    __p::each(
                                        &ticket.works,
                                        body,
                                        |item, _| __p::answers(
                                            move |entry, out| match entry {
                                                3 => __p::Value(&item.0).put(out),
                                                4 => {
                                                    match __p::Asked(&item.1).get() {
                                                        __p::Some(found) => __p::Value(found).put(out),
                                                        __p::None => __p::Ok(()),
                                                    }
                                                }
                                                _ => around.value(entry, out),
                                            },
                                            move |entry, index| match entry {
                                                1 => __p::holds(&item.1),
                                                _ => around.ask(entry, index),
                                            },
                                            |_, _, _, _| __p::Ok(()),
                                        ),
                                    )
                                }
                                _ => __p::Ok(()),
                            },
                        ),
                    )
                }
                _ => __p::Ok(()),
            }
        }
    }
    impl __p::Phrase for Planner {
        fn node(&self) -> &dyn __p::Node {
            self
        }
    }
};
