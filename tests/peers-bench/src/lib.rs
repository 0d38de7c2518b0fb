//! Contestants: what prints a prompt, for prompt-core, for its peers, and by hand. In each group all of them print the same
//! bytes, which is checked before anything is measured, and by the test below.
//!
//! | group | what |
//! |---|---|
//! | `small`, `large` | headings and text with variables, made by the build script: as one text, and as a tree with a node for each heading |
//! | `slot`, `list`, `condition` | small trees written by hand, each with one thing that a flat text does not have |
use std::fmt::Write as _;

mod trees;

pub use trees::{condition, list, slot};

/// One entry of a static element list.
pub enum E {
    Heading(usize, &'static str),
    Text(&'static str),
    Var(usize),
}

#[derive(Clone, Copy)]
pub enum V<'a> {
    Str(&'a str),
    Num(u32),
}

/// Decimal digits without the formatting machinery, by the crate that the derived code uses too.
#[inline]
pub fn push_u32(s: &mut String, n: u32) {
    s.push_str(itoa::Buffer::new().format(n));
}

/// Copies without a capacity check and returns the new end.
///
/// # Safety
/// `p` must have room for `t.len()` bytes.
#[inline(always)]
pub unsafe fn put(p: *mut u8, t: &str) -> *mut u8 {
    std::ptr::copy_nonoverlapping(t.as_ptr(), p, t.len());
    p.add(t.len())
}

/// Walks an element list; the shape of a compile-time prompt with run-time values.
pub fn walk(elems: &[E], vals: &[V<'_>], cap: usize) -> String {
    let mut s = String::with_capacity(cap);
    for (i, e) in elems.iter().enumerate() {
        match *e {
            E::Heading(level, title) => {
                if i > 0 {
                    s.push_str("\n\n");
                }
                s.push_str(&"######"[..level]);
                s.push(' ');
                s.push_str(title);
                s.push_str("\n\n");
            }
            E::Text(t) => s.push_str(t),
            E::Var(k) => match vals[k] {
                V::Str(v) => s.push_str(v),
                V::Num(n) => push_u32(&mut s, n),
            },
        }
    }
    s
}

/// One static blob with cut points; values go in at the cuts.
pub fn splice(blob: &str, cuts: &[(u32, u16)], vals: &[V<'_>], cap: usize) -> String {
    let mut s = String::with_capacity(cap);
    let mut at = 0;
    for &(end, k) in cuts {
        s.push_str(&blob[at..end as usize]);
        at = end as usize;
        match vals[k as usize] {
            V::Str(v) => s.push_str(v),
            V::Num(n) => push_u32(&mut s, n),
        }
    }
    s.push_str(&blob[at..]);
    s
}

pub type Job = Box<dyn Fn() -> usize>;

pub struct Contestant {
    pub name: &'static str,
    pub job: Job,
}

/// The contestants of a group, each of which has printed the same bytes as the one that counts.
fn checked(reference: &str, list: Vec<(&'static str, Box<dyn Fn() -> String>)>) -> Vec<Contestant> {
    let contestant = |(name, print): (&'static str, Box<dyn Fn() -> String>)| {
        assert_eq!(print(), reference, "{name} renders a different prompt");
        Contestant { name, job: Box::new(move || done(print())) }
    };
    list.into_iter().map(contestant).collect()
}

/// Keeps the rendered text alive past the optimiser and returns its length.
fn done(s: String) -> usize {
    std::hint::black_box(&s);
    s.len()
}

macro_rules! prompt_module {
    ($m:ident, $file:literal) => {
        pub mod $m {
            use super::{checked, done, splice, walk, Contestant, E, V};
            use std::hint::black_box;
            include!(concat!(env!("OUT_DIR"), "/", $file));

            pub fn contestants() -> Vec<Contestant> {
                let d: &'static Data = Box::leak(Box::new(Data::sample()));
                let cap = STATIC_LEN + 24 * values(d).len() * 8;
                let mut reference = String::with_capacity(cap);
                push_into(d, &mut reference);
                let reference: &'static str = Box::leak(reference.into_boxed_str());
                let exact = reference.len();

                let mut list: Vec<(&'static str, Box<dyn Fn() -> String>)> = Vec::new();
                list.push(("memcpy (to_owned)", Box::new(move || black_box(reference).to_owned())));
                list.push(("unchecked copies, exact capacity", Box::new(move || {
                    let mut s = Vec::<u8>::with_capacity(exact);
                    // SAFETY: `exact` is the length of this very output.
                    unsafe {
                        let n = raw_into(black_box(d), s.as_mut_ptr());
                        s.set_len(n);
                        String::from_utf8_unchecked(s)
                    }
                })));
                list.push(("push_str, exact capacity", Box::new(move || {
                    let mut s = String::with_capacity(exact);
                    push_into(black_box(d), &mut s);
                    s
                })));
                list.push(("push_str, no capacity", Box::new(move || {
                    let mut s = String::new();
                    push_into(black_box(d), &mut s);
                    s
                })));
                list.push(("write! per piece", Box::new(move || {
                    let mut s = String::with_capacity(exact);
                    write_into(black_box(d), &mut s).unwrap();
                    s
                })));
                list.push(("format! once", Box::new(move || format_all(black_box(d)))));
                list.push(("element list, merged", Box::new(move || {
                    walk(FLAT, &values(black_box(d)), exact)
                })));
                list.push(("element list, per part", Box::new(move || {
                    walk(FINE, &values(black_box(d)), exact)
                })));
                list.push(("one blob + cut table", Box::new(move || {
                    splice(BLOB, CUTS, &values(black_box(d)), exact)
                })));
                let flat: &'static Flat<'static> = Box::leak(Box::new(Flat::of(d)));
                list.push(("prompt-core, flat", Box::new(move || prompt_core::Prompt::new(black_box(flat)).text().unwrap())));
                let tree: &'static Tree<'static> = Box::leak(Box::new(Tree::of(d)));
                let owned: &'static Owned = Box::leak(Box::new(Owned::of(d)));
                list.push(("prompt-core, flat, doc comments, owned", Box::new(move || prompt_core::Prompt::new(black_box(owned)).text().unwrap())));
                list.push(("maud, tree of functions", Box::new(move || maud_tree(black_box(d)).into_string())));
                let askama: &'static AskamaTree<'static> = Box::leak(Box::new(AskamaTree::of(d)));
                list.push(("askama, tree of templates", Box::new(move || askama::Template::render(black_box(askama)).unwrap())));
                list.push(("prompt-core, tree", Box::new(move || prompt_core::Prompt::new(black_box(tree)).text().unwrap())));
                list.push(("prompt-core, tree, render()", Box::new(move || {
                    prompt_core::Prompt::new(black_box(tree)).render().unwrap().into_string()
                })));
                list.push(("askama", Box::new(move || askama::Template::render(black_box(d)).unwrap())));
                let sail: &'static Sail<'static> = Box::leak(Box::new(Sail { d }));
                list.push(("sailfish", Box::new(move || sailfish::Template::render(black_box(sail)).unwrap())));
                list.push(("maud (pre-escaped)", Box::new(move || maud_all(black_box(d)))));

                let md = Box::leak(Box::new(md_params(d)));
                list.push(("md-tmpl", Box::new(move || black_box(&*md).render().unwrap())));

                let pm = promptml_template();
                list.push(("promptml", Box::new(move || promptml_render(&pm, black_box(d)))));

                let mut env = minijinja::Environment::new();
                env.add_template("p", JINJA).unwrap();
                let env: &'static minijinja::Environment<'static> = Box::leak(Box::new(env));
                list.push(("minijinja, env kept", Box::new(move || {
                    env.get_template("p").unwrap().render(minijinja::value::Serde(black_box(d))).unwrap()
                })));
                let mut tera = tera::Tera::default();
                tera.add_raw_template("p", JINJA).unwrap();
                tera.autoescape_on(Vec::<&str>::new());
                list.push(("tera 2, kept", Box::new(move || {
                    tera.render("p", &tera::Context::from_serialize(black_box(d)).unwrap()).unwrap()
                })));
                let mut hb = handlebars::Handlebars::new();
                hb.register_escape_fn(handlebars::no_escape);
                hb.register_template_string("p", JINJA).unwrap();
                list.push(("handlebars, kept", Box::new(move || hb.render("p", black_box(d)).unwrap())));
                list.push(("llm-toolkit ToPrompt", Box::new(move || {
                    llm_toolkit::ToPrompt::to_prompt(black_box(d))
                })));

                let mut out = checked(reference, list);
                // The floor: copy into a buffer that is already there.
                let buf = std::cell::RefCell::new(vec![0u8; exact]);
                out.insert(0, Contestant {
                    name: "memcpy (reused buffer)",
                    job: Box::new(move || {
                        let mut b = buf.borrow_mut();
                        b.copy_from_slice(black_box(reference).as_bytes());
                        black_box(&*b);
                        exact
                    }),
                });
                let buf = std::cell::RefCell::new(String::with_capacity(exact));
                let kept = std::cell::RefCell::new(String::with_capacity(exact));
                out.push(Contestant {
                    name: "prompt-core, flat, reused buffer",
                    job: Box::new(move || {
                        let mut b = kept.borrow_mut();
                        b.clear();
                        prompt_core::Prompt::new(black_box(flat)).render_into(&mut b).unwrap();
                        black_box(&*b);
                        exact
                    }),
                });
                // Another text: every heading a tag, values guarded.
                out.push(Contestant {
                    name: "prompt-core, tree, XML (another text)",
                    job: Box::new(move || {
                        let style = prompt_core::Style::Xml;
                        done(prompt_core::Prompt::new(black_box(tree)).style(style).text().unwrap())
                    }),
                });
                out.insert(2, Contestant {
                    name: "push_str, reused buffer",
                    job: Box::new(move || {
                        let mut b = buf.borrow_mut();
                        b.clear();
                        push_into(black_box(d), &mut b);
                        black_box(&*b);
                        exact
                    }),
                });
                out
            }
        }
    };
}

prompt_module!(small, "small.rs");
prompt_module!(large, "large.rs");

/// Every group, by name.
pub fn groups() -> Vec<(&'static str, Vec<Contestant>)> {
    vec![
        ("small", small::contestants()),
        ("large", large::contestants()),
        ("slot", slot::contestants()),
        ("list", list::contestants()),
        ("condition", condition::contestants()),
    ]
}

/// The sizes of the flat groups.
pub fn describe() -> String {
    let mut s = String::new();
    let n = |e: &[E]| e.iter().filter(|e| matches!(e, E::Heading(..))).count();
    let v = |e: &[E]| e.iter().filter(|e| matches!(e, E::Var(..))).count();
    let _ = write!(
        s,
        "small: {} sections, {} static bytes, {} uses of variables; large: {} sections, {} static bytes, {} uses",
        n(small::FINE), small::STATIC_LEN, v(small::FINE), n(large::FINE), large::STATIC_LEN, v(large::FINE)
    );
    s
}

#[test]
fn all_contestants_of_a_group_print_the_same_bytes() {
    for (group, contestants) in groups() {
        assert!(contestants.len() >= 10, "{group}");
    }
}
