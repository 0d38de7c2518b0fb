const _: () = {
    use ::prompt_core::__private as __p;
    #[allow(unused_imports)]
    use __p::fallbacks::{Displayed as _, Otherwise as _, Present as _};
    #[automatically_derived]
    impl __p::PromptNode for Conditions {
        fn embedded(&self) -> __p::Embedded<'_> {
            __p::Embedded::described(self)
        }
    }
    #[automatically_derived]
    impl __p::Node for Conditions {
        fn info(&self) -> &__p::NodeInfo {
            static INFO: __p::NodeInfo = __p::NodeInfo {
                name: __p::str("Conditions"),
                text: __p::text(const {
                    &[
                        __p::paragraph(
                            1,
                            const {
                                &[
                                    __p::line(""),
                                    __p::Inline::If(__p::If {
                                        form: __p::Form::Inline,
                                        index: 0,
                                        negated: false,
                                        then: __p::part(
                                            "{?note}",
                                            const { &[__p::value("note", 0)] },
                                        ),
                                        otherwise: __p::None,
                                        end: __p::str("{/note}"),
                                    }),
                                    __p::Inline::If(__p::If {
                                        form: __p::Form::Inline,
                                        index: 1,
                                        negated: true,
                                        then: __p::part(
                                            "{?!rules}",
                                            const { &[__p::words("No rules.")] },
                                        ),
                                        otherwise: __p::None,
                                        end: __p::str("{/rules}"),
                                    }),
                                ]
                            },
                        ),
                        __p::slot(3, "rules", __p::Target::Section(0), 1),
                    ]
                }),
                variables: __p::list(const {
                    &[
                        __p::variable("note", "").optional(),
                        __p::variable("item.name", ""),
                        __p::variable("stations", ""),
                        __p::variable("item_key", ""),
                    ]
                }),
                conditions: __p::list(const {
                    &[
                        __p::condition("note"),
                        __p::condition("rules").section(0),
                        __p::condition("item.short"),
                    ]
                }),
                sections: __p::list(const {
                    &[
                        __p::SectionInfo {
                            key: __p::str("rules"),
                            field: __p::str("rules"),
                            title: __p::Title::Fallback(__p::str("Rules")),
                            intro: __p::text(const {
                                &[
                                    __p::paragraph(
                                        1,
                                        const { &[__p::block_value("stations", 2)] },
                                    ),
                                ]
                            }),
                            said: __p::Said::Static(const {
                                &__p::SectionKeys {
                                    summary: __p::Some(
                                        __p::text(const {
                                            &[
                                                __p::paragraph(
                                                    1,
                                                    const {
                                                        &[
                                                            __p::line(""),
                                                            __p::Inline::If(__p::If {
                                                                form: __p::Form::Line,
                                                                index: 2,
                                                                negated: false,
                                                                then: __p::part(
                                                                    "{?item.short}",
                                                                    const { &[__p::value("item.name", 1)] },
                                                                ),
                                                                otherwise: __p::None,
                                                                end: __p::str(""),
                                                            }),
                                                        ]
                                                    },
                                                ),
                                            ]
                                        }),
                                    ),
                                    placed: true,
                                    items: __p::Items {
                                        key: __p::Some(3),
                                        ..__p::ITEMS
                                    },
                                    ..__p::KEYS
                                }
                            }),
                            location: __p::location(__p::file!(), 9),
                        },
                    ]
                }),
                ..__p::NODE
            };
            &INFO
        }
        fn section(&self, entry: usize) -> __p::Section<'_> {
            match entry {
                0 => __p::embed(&self.rules),
                _ => __p::Section::hidden(),
            }
        }
    }
    #[automatically_derived]
    impl __p::Scope for Conditions {
        fn value(&self, entry: usize, out: &mut __p::Output<'_>) -> __p::Result {
            match entry {
                0 => {
                    match __p::Asked(&self.note).get() {
                        __p::Some(note) => __p::Value(note).put(out),
                        __p::None => __p::Ok(()),
                    }
                }
                1 => {
                    __p::print_item(
                        &self.rules,
                        out,
                        |item, _, out| { __p::Value(&item.name).put(out) },
                    )
                }
                2 => {
                    __p::print_list(
                        &self.stations,
                        ["\n", "\n"],
                        out,
                        |item, _, out| {
                            static TEXT: __p::Text = __p::text(const {
                                &[
                                    __p::paragraph(
                                        1,
                                        const {
                                            &[
                                                __p::line("- "),
                                                __p::value("item.name", 0),
                                                __p::Inline::If(__p::If {
                                                    form: __p::Form::Inline,
                                                    index: 0,
                                                    negated: false,
                                                    then: __p::part(
                                                        "{?item.note}",
                                                        const {
                                                            &[
                                                                __p::words(" ("),
                                                                __p::value("item.note", 1),
                                                                __p::words(")"),
                                                            ]
                                                        },
                                                    ),
                                                    otherwise: __p::None,
                                                    end: __p::str("{/item.note}"),
                                                }),
                                            ]
                                        },
                                    ),
                                ]
                            });
                            out.template(
                                &TEXT,
                                &__p::answers(
                                    |entry, out| match entry {
                                        0 => __p::Value(&item.name).put(out),
                                        1 => {
                                            match __p::Asked(&item.note).get() {
                                                __p::Some(note) => __p::Value(note).put(out),
                                                __p::None => __p::Ok(()),
                                            }
                                        }
                                        _ => __p::Ok(()),
                                    },
                                    |entry, _| match entry {
                                        0 => __p::holds(&item.note),
                                        _ => false,
                                    },
                                    |_, _, _, _| __p::Ok(()),
                                ),
                            )
                        },
                    )
                }
                3 => {
                    __p::print_item(
                        &self.rules,
                        out,
                        |item, _, out| { __p::Value(&item.name).put(out) },
                    )
                }
                _ => __p::Ok(()),
            }
        }
        fn ask(&self, entry: usize, index: usize) -> bool {
            match entry {
                0 => __p::holds(&self.note),
                2 => __p::holds_item(&self.rules, index, |item| __p::holds(&item.short)),
                _ => false,
            }
        }
    }
    #[automatically_derived]
    impl __p::StaticDepth for Conditions {
        const DEPTH: u8 = 1;
    }
};
