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
            __p::info::<Self>(0)
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
        fn ask(&self, entry: usize) -> bool {
            match entry {
                2 => __p::ask(&self.boat).holds(),
                3 => {
                    match __p::Asked(&self.boat).get() {
                        __p::Some(boat) => __p::ask(&boat.mate).holds(),
                        __p::None => false,
                    }
                }
                _ => false,
            }
        }
        fn each(&self, list: usize, body: &mut __p::Body<'_>) -> __p::Result {
            let around: &dyn __p::Scope = self;
            match list {
                0 => {
                    __p::each(
                        &self.tickets,
                        body,
                        |ticket| __p::answers(
                            move |entry, out| match entry {
                                2 => __p::Value(&ticket.title).put(out),
                                _ => around.value(entry, out),
                            },
                            move |entry| around.ask(entry),
                            move |list, inner, body| match list {
                                1 => {
                                    let around = inner;
                                    __p::each(
                                        &ticket.works,
                                        body,
                                        |item| __p::answers(
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
                                            move |entry| match entry {
                                                1 => __p::ask(&item.1).holds(),
                                                _ => around.ask(entry),
                                            },
                                            move |list, _, body| around.each(list, body),
                                        ),
                                    )
                                }
                                _ => around.each(list, body),
                            },
                        ),
                    )
                }
                _ => __p::Ok(()),
            }
        }
    }
    #[automatically_derived]
    impl __p::StaticType for Planner {
        fn static_type() -> __p::TypeInfo {
            __p::of_struct(const {
                &[
                    __p::variant({
                        use __p::*;
                        NodeInfo {
                            name: str("Planner"),
                            text: text(const {
                                &[
                                    paragraph(
                                        1,
                                        const {
                                            &[words("Repairs in "), value("harbour", 0), words(":")]
                                        },
                                    ),
                                    Element::Each {
                                        branches: each_of(
                                            Form::Block,
                                            0,
                                            spaced_part(
                                                "{*tickets as ticket}",
                                                "",
                                                const {
                                                    &[
                                                        directly_below(
                                                            paragraph(
                                                                4,
                                                                const {
                                                                    &[
                                                                        value("index", 1),
                                                                        words(". "),
                                                                        value("ticket.title", 2),
                                                                        Inline::If(
                                                                            condition_on(
                                                                                Form::Inline,
                                                                                0,
                                                                                true,
                                                                                part("{?!last}", const { &[words(";")] }),
                                                                                None,
                                                                                "{/last}",
                                                                            ),
                                                                        ),
                                                                        line_break("\n"),
                                                                        Inline::Each(
                                                                            each_of(
                                                                                Form::Line,
                                                                                1,
                                                                                part(
                                                                                    "{*ticket.works}",
                                                                                    const {
                                                                                        &[
                                                                                            line("- "),
                                                                                            value("item.0", 3),
                                                                                            Inline::If(
                                                                                                condition_on(
                                                                                                    Form::Inline,
                                                                                                    1,
                                                                                                    false,
                                                                                                    part(
                                                                                                        "{?item.1}",
                                                                                                        const { &[words(", by "), value("item.1", 4)] },
                                                                                                    ),
                                                                                                    None,
                                                                                                    "{/item.1}",
                                                                                                ),
                                                                                            ),
                                                                                        ]
                                                                                    },
                                                                                ),
                                                                                None,
                                                                                None,
                                                                                "",
                                                                            ),
                                                                        ),
                                                                    ]
                                                                },
                                                            ),
                                                        ),
                                                    ]
                                                },
                                                "\n",
                                            ),
                                            Some(
                                                part(
                                                    "{else}",
                                                    const {
                                                        &[
                                                            directly_below(paragraph(8, const { &[words("Nothing.")] })),
                                                        ]
                                                    },
                                                ),
                                            ),
                                            None,
                                            "{/tickets}",
                                        ),
                                        metadata: Metadata::at(3, 1),
                                    },
                                    Element::If {
                                        branches: condition_on(
                                            Form::Block,
                                            2,
                                            false,
                                            part(
                                                "{?boat}",
                                                const {
                                                    &[
                                                        directly_below(
                                                            paragraph(
                                                                11,
                                                                const {
                                                                    &[
                                                                        words("Berth "),
                                                                        value("boat.berth", 5),
                                                                        Inline::If(
                                                                            condition_on(
                                                                                Form::Inline,
                                                                                3,
                                                                                false,
                                                                                part(
                                                                                    "{?boat.mate}",
                                                                                    const { &[words(", ask "), value("boat.mate.name", 6)] },
                                                                                ),
                                                                                None,
                                                                                "{/boat.mate}",
                                                                            ),
                                                                        ),
                                                                        words("."),
                                                                    ]
                                                                },
                                                            ),
                                                        ),
                                                    ]
                                                },
                                            ),
                                            None,
                                            "{/boat}",
                                        ),
                                        metadata: Metadata::at(10, 0),
                                    },
                                ]
                            }),
                            variables: list(const {
                                &[
                                    variable("harbour", ""),
                                    variable("index", "").item_of(0).place(LoopName::Index),
                                    variable("ticket.title", "").item_of(0),
                                    variable("item.0", "").item_of(1),
                                    variable("item.1", "").item_of(1),
                                    variable("boat.berth", ""),
                                    variable("boat.mate.name", ""),
                                ]
                            }),
                            conditions: list(const {
                                &[
                                    condition("last").item_of(0).place(LoopName::Last),
                                    condition("item.1").item_of(1),
                                    condition("boat"),
                                    condition("boat.mate"),
                                ]
                            }),
                            loops: list(const {
                                &[
                                    loop_over("tickets"),
                                    loop_over("ticket.works").item_of(0),
                                ]
                            }),
                            ..NODE
                        }
                    }),
                ]
            })
        }
    }
    #[automatically_derived]
    impl __p::Phrase for Planner {}
};
