const _: () = {
    use ::prompt_core::__private as __p;
    #[allow(unused_imports)]
    use __p::fallbacks::*;
    #[automatically_derived]
    impl __p::PromptNode for Conditions {
        fn embedded(&self) -> __p::Embedded<'_> {
            __p::Embedded::described(self)
        }
    }
    #[automatically_derived]
    impl __p::Describe for Conditions {
        fn info(&self) -> &__p::NodeInfo {
            static INFO: __p::NodeInfo = {
                const VARIABLES: &[__p::Variable] = &[
                    __p::usual("note", "").optional(),
                    __p::usual("item.name", ""),
                    __p::usual("stations", ""),
                    __p::usual("item_key", ""),
                ];
                const SECTIONS: &[__p::SectionInfo] = &[
                    __p::said(
                        ["rules", "rules"],
                        __p::fallback("Rules"),
                        __p::text("", &[__p::paragraph(0, 1), __p::block(0, 2)], 1, 1),
                        (__p::file!(), 9),
                        {
                            const KEYS: &__p::SectionKeys = &__p::SectionKeys {
                                summary: __p::Some(
                                    __p::text(
                                        "",
                                        &[
                                            __p::paragraph(0, 1),
                                            __p::line(0, 0),
                                            __p::cond(0, 2, false, __p::ConditionForm::Line, 4),
                                            __p::variable(0, 1),
                                            __p::end(0, __p::ConditionForm::Line),
                                        ],
                                        1,
                                        1,
                                    ),
                                ),
                                placed: true,
                                items: __p::Items {
                                    key: __p::Some(3),
                                    ..__p::ITEMS
                                },
                                ..__p::KEYS
                            };
                            KEYS
                        },
                    ),
                ];
                __p::NodeInfo {
                    name: __p::s("Conditions"),
                    text: __p::text(
                        "No rules.\n\n",
                        &[
                            __p::paragraph(0, 1),
                            __p::line(0, 0),
                            __p::cond(0, 0, false, __p::ConditionForm::Inline, 4),
                            __p::variable(0, 0),
                            __p::end(0, __p::ConditionForm::Inline),
                            __p::cond(0, 1, true, __p::ConditionForm::Inline, 6),
                            __p::end(9, __p::ConditionForm::Inline),
                            __p::gap(9, 2, true),
                            __p::slot(11, __p::Target::Section(0), 3, 1, 0),
                        ],
                        1,
                        1,
                    ),
                    variables: __p::all(VARIABLES),
                    sections: __p::all(SECTIONS),
                    conditions: __p::all(const {
                        &[
                            __p::asks("note"),
                            __p::asks_section("rules", 0),
                            __p::asks("item.short"),
                        ]
                    }),
                    ..__p::NODE
                }
            };
            &INFO
        }
        #[inline]
        fn variable(&self, entry: usize, out: &mut __p::Output<'_>) -> __p::Result {
            match entry {
                0 => {
                    match __p::Freed(&self.note).get() {
                        __p::Some(value) => __p::Value(value).put(out),
                        __p::None => __p::Ok(()),
                    }
                }
                1 => {
                    __p::item(
                        &self.rules,
                        out,
                        |item, _, out| { __p::Value(&item.name).put(out) },
                    )
                }
                2 => {
                    __p::list(
                        &self.stations,
                        ["\n", "\n"],
                        out,
                        |item, _, out| {
                            static TEXT: __p::Text = __p::text(
                                "-  ()",
                                &[
                                    __p::paragraph(0, 1),
                                    __p::line(0, 2),
                                    __p::variable(2, 0),
                                    __p::cond(2, 0, false, __p::ConditionForm::Inline, 5),
                                    __p::variable(4, 1),
                                    __p::end(5, __p::ConditionForm::Inline),
                                ],
                                1,
                                1,
                            );
                            out.template(
                                &TEXT,
                                &mut |place, out| match place {
                                    0 => __p::Value(&item.name).put(out),
                                    1 => {
                                        match __p::Freed(&item.note).get() {
                                            __p::Some(value) => __p::Value(value).put(out),
                                            __p::None => __p::Ok(()),
                                        }
                                    }
                                    _ => __p::Ok(()),
                                },
                                &|place| match place {
                                    0 => __p::holds(&item.note),
                                    _ => false,
                                },
                            )
                        },
                    )
                }
                3 => {
                    __p::item(
                        &self.rules,
                        out,
                        |item, _, out| { __p::Value(&item.name).put(out) },
                    )
                }
                _ => __p::Ok(()),
            }
        }
        #[allow(unused_variables)]
        fn condition(&self, entry: usize, index: usize) -> bool {
            match entry {
                0 => __p::holds(&self.note),
                1 => false,
                2 => __p::holds_item(&self.rules, index, |item| __p::holds(&item.short)),
                _ => false,
            }
        }
        fn section(&self, entry: usize) -> __p::Section<'_> {
            match entry {
                0 => __p::embed(&self.rules),
                _ => __p::Section::hidden(),
            }
        }
    }
    #[automatically_derived]
    impl __p::StaticDepth for Conditions {
        const DEPTH: u8 = 1;
    }
};
