const _: () = {
    use ::prompt_core::__private as __p;
    #[allow(unused_imports)]
    use __p::fallbacks::{Displayed as _, Otherwise as _, Present as _, UnknownType as _};
    #[automatically_derived]
    impl __p::PromptNode for Conditions {
        fn embedded(&self) -> __p::Embedded<'_> {
            __p::Embedded::described(self)
        }
    }
    #[automatically_derived]
    impl __p::Node for Conditions {
        fn info(&self) -> &__p::NodeInfo {
            __p::info::<Self>(0)
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
                _ => __p::Ok(()),
            }
        }
        fn ask(&self, entry: usize) -> bool {
            match entry {
                0 => __p::ask(&self.note).holds(),
                _ => false,
            }
        }
        fn each(&self, list: usize, body: &mut __p::Body<'_>) -> __p::Result {
            let around: &dyn __p::Scope = self;
            match list {
                0 => {
                    __p::each(
                        &self.rules,
                        body,
                        |item| __p::answers(
                            move |entry, out| match entry {
                                1 => __p::Value(&item.name).put(out),
                                5 => __p::Value(&item.name).put(out),
                                _ => around.value(entry, out),
                            },
                            move |entry| match entry {
                                2 => __p::ask(&item.short).holds(),
                                _ => around.ask(entry),
                            },
                            move |list, _, body| around.each(list, body),
                        ),
                    )
                }
                1 => {
                    __p::each(
                        &self.stations,
                        body,
                        |item| __p::answers(
                            move |entry, out| match entry {
                                3 => __p::Value(&item.name).put(out),
                                4 => {
                                    match __p::Asked(&item.note).get() {
                                        __p::Some(note) => __p::Value(note).put(out),
                                        __p::None => __p::Ok(()),
                                    }
                                }
                                _ => around.value(entry, out),
                            },
                            move |entry| match entry {
                                3 => __p::ask(&item.note).holds(),
                                _ => around.ask(entry),
                            },
                            move |list, _, body| around.each(list, body),
                        ),
                    )
                }
                _ => __p::Ok(()),
            }
        }
    }
    #[automatically_derived]
    impl __p::StaticType for Conditions {
        fn static_type() -> __p::TypeInfo {
            __p::of_struct(const {
                &[
                    __p::variant({
                            use __p::*;
                            NodeInfo {
                                name: str("Conditions"),
                                text: text(const {
                                    &[
                                        paragraph(
                                            1,
                                            const {
                                                &[
                                                    line(""),
                                                    Inline::If(
                                                        condition_on(
                                                            Form::Inline,
                                                            0,
                                                            false,
                                                            part("{?note}", const { &[value("note", 0)] }),
                                                            None,
                                                            "{/note}",
                                                        ),
                                                    ),
                                                    Inline::If(
                                                        condition_on(
                                                            Form::Inline,
                                                            1,
                                                            true,
                                                            part("{?!rules}", const { &[words("No rules.")] }),
                                                            None,
                                                            "{/rules}",
                                                        ),
                                                    ),
                                                ]
                                            },
                                        ),
                                        slot(3, "rules", Target::Section(0), 1),
                                    ]
                                }),
                                variables: list(const {
                                    &[
                                        variable("note", "").optional(),
                                        variable("item.name", "").item_of(0),
                                        worded(
                                            "stations",
                                            "",
                                            const {
                                                &[
                                                    Inline::Each(
                                                        each_of(
                                                            Form::Inline,
                                                            1,
                                                            spaced_part(
                                                                "{*stations}",
                                                                "",
                                                                const {
                                                                    &[
                                                                        words("- "),
                                                                        value("item.name", 3),
                                                                        Inline::If(
                                                                            condition_on(
                                                                                Form::Inline,
                                                                                3,
                                                                                false,
                                                                                part(
                                                                                    "{?item.note}",
                                                                                    const { &[words(" ("), value("item.note", 4), words(")")] },
                                                                                ),
                                                                                None,
                                                                                "{/item.note}",
                                                                            ),
                                                                        ),
                                                                    ]
                                                                },
                                                                "\n",
                                                            ),
                                                            None,
                                                            None,
                                                            "",
                                                        ),
                                                    ),
                                                ]
                                            },
                                        ),
                                        variable("item.name", "").item_of(1),
                                        variable("item.note", "").item_of(1),
                                        variable("item_key", "").item_of(0),
                                    ]
                                }),
                                conditions: list(const {
                                    &[
                                        condition("note"),
                                        condition("rules").section(0),
                                        condition("item.short").item_of(0),
                                        condition("item.note").item_of(1),
                                    ]
                                }),
                                loops: list(const {
                                    &[loop_over("rules"), loop_over("stations")]
                                }),
                                sections: list(const {
                                    &[
                                        SectionInfo {
                                            key: str("rules"),
                                            field: str("rules"),
                                            title: Title::Fallback(str("Rules")),
                                            intro: text(const {
                                                &[paragraph(1, const { &[value("stations", 2)] })]
                                            }),
                                            said: Said::Static(const {
                                                &SectionKeys {
                                                    summary: Some(
                                                        text(const {
                                                            &[
                                                                paragraph(
                                                                    1,
                                                                    const {
                                                                        &[
                                                                            line(""),
                                                                            Inline::If(
                                                                                condition_on(
                                                                                    Form::Line,
                                                                                    2,
                                                                                    false,
                                                                                    part("{?item.short}", const { &[value("item.name", 1)] }),
                                                                                    None,
                                                                                    "",
                                                                                ),
                                                                            ),
                                                                        ]
                                                                    },
                                                                ),
                                                            ]
                                                        }),
                                                    ),
                                                    placed: true,
                                                    items: Items {
                                                        list: Some(0),
                                                        key: Some(5),
                                                        ..ITEMS
                                                    },
                                                    ..KEYS
                                                }
                                            }),
                                            location: location(__p::file!(), 9),
                                            ..SECTION
                                        },
                                    ]
                                }),
                                ..NODE
                            }
                        })
                        .types(const { &[__p::Type::<Vec<Rule>>::OF] }),
                ]
            })
        }
    }
    #[automatically_derived]
    impl __p::StaticDepth for Conditions {
        const DEPTH: u8 = 1;
    }
};
