//! Build script: makes two deterministic prompts and writes one module of
//! contestant code per prompt into OUT_DIR (small.rs, large.rs).
use std::fmt::Write as _;
use std::{env, fs, path::Path, path::PathBuf};

const WORDS: &[&str] = &[
    "agent", "answer", "always", "before", "branch", "caller", "change", "check", "clear", "code",
    "commit", "context", "describe", "each", "error", "example", "explain", "file", "find", "first",
    "follow", "format", "function", "given", "goal", "help", "input", "keep", "list", "model",
    "never", "note", "only", "output", "plan", "prefer", "question", "read", "reason", "report",
    "result", "review", "rule", "section", "short", "state", "step", "summary", "task", "test",
    "text", "the", "then", "tool", "use", "user", "value", "verify", "when", "write",
];

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize
    }
    fn words(&mut self, bytes: usize) -> String {
        let mut s = String::new();
        while s.len() < bytes {
            if !s.is_empty() {
                s.push(if self.next() % 14 == 0 { '\n' } else { ' ' });
            }
            s.push_str(WORDS[self.next() % WORDS.len()]);
        }
        s
    }
}

/// What the sections are made of before any merging of static text.
enum Piece {
    Heading(usize, String),
    Text(String),
    Var(usize),
}

fn is_num(k: usize) -> bool {
    k % 5 == 4
}

fn document(sections: usize, body: usize, vars: usize) -> Vec<Piece> {
    const LEVELS: [usize; 8] = [1, 2, 3, 3, 2, 3, 3, 3];
    let mut rng = Rng(0x5eed);
    let (mut out, mut used) = (Vec::new(), 0);
    for i in 0..sections {
        let title = rng.words(14).replace('\n', " ");
        out.push(Piece::Heading(LEVELS[i % 8], title));
        if i % 4 != 3 {
            out.push(Piece::Text(rng.words(body / 2) + " "));
            out.push(Piece::Var(used % vars));
            used += 1;
            out.push(Piece::Text(format!(" {}.", rng.words(body / 2))));
        } else {
            out.push(Piece::Text(rng.words(body) + "."));
        }
    }
    out
}

/// Same document with all neighbouring static text merged.
fn flatten(doc: &[Piece]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut first = true;
    for p in doc {
        let s = match p {
            Piece::Heading(l, t) => {
                let gap = if first { "" } else { "\n\n" };
                first = false;
                format!("{gap}{} {t}\n\n", "#".repeat(*l))
            }
            Piece::Text(t) => t.clone(),
            Piece::Var(k) => {
                out.push(Piece::Var(*k));
                continue;
            }
        };
        if let Some(Piece::Text(t)) = out.last_mut() {
            t.push_str(&s);
        } else {
            out.push(Piece::Text(s));
        }
    }
    out
}

fn template(flat: &[Piece], open: &str, close: &str) -> String {
    let mut s = String::new();
    for p in flat {
        match p {
            Piece::Text(t) => s.push_str(t),
            Piece::Var(k) => write!(s, "{open}{k}{close}").unwrap(),
            Piece::Heading(..) => unreachable!(),
        }
    }
    s
}

fn module(dir: &Path, name: &str, sections: usize, body: usize, vars: usize) -> String {
    let doc = document(sections, body, vars);
    let flat = flatten(&doc);
    let jinja = template(&flat, "{{ v", " }}");
    let inline = template(&flat, "{v", "}");
    let fields = |f: &dyn Fn(usize) -> String| (0..vars).map(f).collect::<String>();
    let ty = |k: usize| if is_num(k) { "u32" } else { "String" };
    let mut o = String::new();

    // Data, shared by every contestant; askama and llm-toolkit derive on it.
    let decl = fields(&|k| format!("pub v{k}: {},\n", ty(k)));
    writeln!(o, "#[derive(Clone, serde::Serialize, askama::Template, llm_toolkit::ToPrompt)]
#[template(source = {jinja:?}, ext = \"txt\", escape = \"none\")]
#[prompt(template = {jinja:?})]
pub struct Data {{ {decl} }}").unwrap();
    let init = fields(&|k| {
        if is_num(k) { format!("v{k}: {},", 1000 + 37 * k) } else { format!("v{k}: \"value number {k}\".to_string(),") }
    });
    writeln!(o, "impl Data {{ pub fn sample() -> Self {{ Data {{ {init} }} }} }}").unwrap();

    let static_len: usize = flat.iter().map(|p| if let Piece::Text(t) = p { t.len() } else { 0 }).sum();
    writeln!(o, "pub const STATIC_LEN: usize = {static_len};").unwrap();
    writeln!(o, "pub const JINJA: &str = {jinja:?};").unwrap();
    writeln!(o, "pub const INLINE: &str = {inline:?};").unwrap();

    // Hand-written: straight pushes. `n` is an exact-enough capacity.
    let mut pushes = String::new();
    let mut writes = String::new();
    let mut raw = String::new();
    let mut maud = String::new();
    for p in &flat {
        match p {
            Piece::Text(t) => {
                writeln!(pushes, "s.push_str({t:?});").unwrap();
                writeln!(raw, "p = crate::put(p, {t:?});").unwrap();
                write!(writes, "write!(s, {t:?})?;").unwrap();
                writeln!(maud, "(maud::PreEscaped({t:?}))").unwrap();
            }
            Piece::Var(k) if is_num(*k) => {
                writeln!(pushes, "crate::push_u32(s, d.v{k});").unwrap();
                writeln!(raw, "p = crate::put(p, itoa::Buffer::new().format(d.v{k}));").unwrap();
                write!(writes, "write!(s, \"{{}}\", d.v{k})?;").unwrap();
                writeln!(maud, "(d.v{k})").unwrap();
            }
            Piece::Var(k) => {
                writeln!(pushes, "s.push_str(&d.v{k});").unwrap();
                writeln!(raw, "p = crate::put(p, &d.v{k});").unwrap();
                write!(writes, "write!(s, \"{{}}\", d.v{k})?;").unwrap();
                writeln!(maud, "(maud::PreEscaped(&d.v{k}))").unwrap();
            }
            Piece::Heading(..) => unreachable!(),
        }
    }
    writeln!(o, "#[inline(never)] pub fn push_into(d: &Data, s: &mut String) {{ {pushes} }}").unwrap();
    // The limit for generated code: no capacity checks at all. The caller owns the bound.
    writeln!(o, "#[inline(never)] pub unsafe fn raw_into(d: &Data, start: *mut u8) -> usize {{ let mut p = start; {raw} p.offset_from(start) as usize }}").unwrap();
    writeln!(o, "#[inline(never)] pub fn write_into(d: &Data, s: &mut String) -> std::fmt::Result {{ use std::fmt::Write; {writes} Ok(()) }}").unwrap();
    let binds = fields(&|k| format!("v{k},"));
    writeln!(o, "pub fn format_all(d: &Data) -> String {{ let Data {{ {binds} }} = d; format!({inline:?}) }}").unwrap();
    writeln!(o, "pub fn maud_all(d: &Data) -> String {{ maud::html! {{ {maud} }}.into_string() }}").unwrap();

    // Static element lists walked at run time: merged and one per section part.
    let elems = |ps: &[Piece]| {
        ps.iter()
            .map(|p| match p {
                Piece::Heading(l, t) => format!("E::Heading({l}, {t:?}),"),
                Piece::Text(t) => format!("E::Text({t:?}),"),
                Piece::Var(k) => format!("E::Var({k}),"),
            })
            .collect::<String>()
    };
    writeln!(o, "pub static FLAT: &[E] = &[{}];", elems(&flat)).unwrap();
    writeln!(o, "pub static FINE: &[E] = &[{}];", elems(&doc)).unwrap();
    // All static text in one blob; each cut says where it ends and which value follows.
    let (mut blob, mut cuts) = (String::new(), String::new());
    for p in &flat {
        match p {
            Piece::Text(t) => blob.push_str(t),
            Piece::Var(k) => write!(cuts, "({}, {k}),", blob.len()).unwrap(),
            Piece::Heading(..) => unreachable!(),
        }
    }
    writeln!(o, "pub static BLOB: &str = {blob:?}; pub static CUTS: &[(u32, u16)] = &[{cuts}];").unwrap();
    let vals = fields(&|k| if is_num(k) { format!("V::Num(d.v{k}),") } else { format!("V::Str(&d.v{k}),") });
    writeln!(o, "#[inline(always)] pub fn values(d: &Data) -> [V<'_>; {vars}] {{ [{vals}] }}").unwrap();

    // sailfish reads its templates from files.
    let file = dir.join(format!("{name}.stpl"));
    fs::write(&file, template(&flat, "<%- self.d.v", " %>")).unwrap();
    writeln!(o, "#[derive(sailfish::Template)] #[template(path = {file:?})] pub struct Sail<'d> {{ pub d: &'d Data }}").unwrap();

    // md-tmpl: inline template with typed front matter.
    let params = fields(&|k| format!("  - v{k} = {}\n", if is_num(k) { "int" } else { "str" }));
    let md = format!("---\nname: {name}\ndescription: bench\nparams:\n{params}---\n{jinja}");
    writeln!(o, "md_tmpl::template!({md:?} => md);").unwrap();
    let md_init = fields(&|k| {
        if is_num(k) { format!("v{k}: d.v{k} as i64,") } else { format!("v{k}: d.v{k}.clone().into(),") }
    });
    writeln!(o, "pub fn md_params(d: &Data) -> md::Params {{ md::Params {{ {md_init} }} }}").unwrap();

    // prompt-core: the flat document as one node, and the same document as a node with one section node per heading.
    let source = template(&flat, "{v", "}");
    writeln!(o, "#[derive(prompt_core::PromptNode)]
#[prompt(template = {source:?}, allow(skipped_level, heading_above_top))]
pub struct Flat<'d> {{ {} }}", borrowed(&flat, vars, ty)).unwrap();
    writeln!(o, "impl<'d> Flat<'d> {{ pub fn of(d: &'d Data) -> Self {{ Flat {{ {} }} }} }}", borrowed_init(&flat, vars)).unwrap();
    // The same as a user writes it: doc comments and owned strings.
    let docs: String = source.lines().map(|line| format!("/// {line}\n")).collect();
    writeln!(o, "{docs}#[derive(prompt_core::PromptNode)]
#[prompt(allow(skipped_level, heading_above_top))]
pub struct Owned {{ {} }}", borrowed(&flat, vars, ty).replace("&'d str", "String")).unwrap();
    let init = borrowed_init(&flat, vars).split_inclusive(',').map(|field| match field.split_once(": &") {
        Some((name, value)) => format!("{name}: {}.clone(),", value.trim_end_matches(',')),
        None => field.to_owned(),
    }).collect::<String>();
    writeln!(o, "impl Owned {{ pub fn of(d: &Data) -> Self {{ Owned {{ {init} }} }} }}").unwrap();
    tree(&mut o, &doc, ty);

    // promptml: checked literal, run-time map.
    writeln!(o, "pub fn promptml_template() -> promptml::PromptTemplate {{ promptml::prompt!({inline:?}) }}").unwrap();
    let sets = fields(&|k| {
        if is_num(k) { format!(".set(\"v{k}\", &d.v{k}.to_string())") } else { format!(".set(\"v{k}\", &d.v{k})") }
    });
    writeln!(o, "pub fn promptml_render(t: &promptml::PromptTemplate, d: &Data) -> String {{ t.render(){sets}.build().unwrap() }}").unwrap();
    o
}

/// Fields for the variables that the document uses.
fn borrowed(flat: &[Piece], vars: usize, ty: impl Fn(usize) -> &'static str) -> String {
    (0..vars)
        .filter(|k| flat.iter().any(|p| matches!(p, Piece::Var(v) if v == k)))
        .map(|k| if ty(k) == "u32" { format!("pub v{k}: u32,") } else { format!("pub v{k}: &'d str,") })
        .collect()
}

fn borrowed_init(flat: &[Piece], vars: usize) -> String {
    (0..vars)
        .filter(|k| flat.iter().any(|p| matches!(p, Piece::Var(v) if v == k)))
        .map(|k| if is_num(k) { format!("v{k}: d.v{k},") } else { format!("v{k}: &d.v{k},") })
        .collect()
}

/// One node per heading: the sections of a level follow the section above them.
fn tree(o: &mut String, doc: &[Piece], ty: impl Fn(usize) -> &'static str + Copy) {
    let mut sections: Vec<(usize, &str, Vec<&Piece>)> = Vec::new();
    for piece in doc {
        match piece {
            Piece::Heading(level, title) => sections.push((*level, title, Vec::new())),
            piece => sections.last_mut().unwrap().2.push(piece),
        }
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); sections.len()];
    let mut tops = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for i in 0..sections.len() {
        while open.last().is_some_and(|&p| sections[p].0 >= sections[i].0) {
            open.pop();
        }
        match open.last() {
            Some(&p) => children[p].push(i),
            None => tops.push(i),
        }
        open.push(i);
    }
    // The same tree as maud functions that call each other.
    for (i, (level, title, body)) in sections.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n\n" };
        let heading = format!("{gap}{} {title}\n\n", "#".repeat(*level));
        let mut pieces = format!("(maud::PreEscaped({heading:?}))");
        for piece in body {
            match piece {
                Piece::Text(t) => write!(pieces, "(maud::PreEscaped({t:?}))").unwrap(),
                Piece::Var(k) if is_num(*k) => write!(pieces, "(d.v{k})").unwrap(),
                Piece::Var(k) => write!(pieces, "(maud::PreEscaped(&d.v{k}))").unwrap(),
                Piece::Heading(..) => {}
            }
        }
        for &c in &children[i] {
            write!(pieces, "(maud_{c}(d))").unwrap();
        }
        writeln!(o, "fn maud_{i}(d: &Data) -> maud::Markup {{ let _ = d; maud::html! {{ {pieces} }} }}").unwrap();
    }
    let calls: String = tops.iter().map(|t| format!("(maud_{t}(d))")).collect();
    writeln!(o, "pub fn maud_tree(d: &Data) -> maud::Markup {{ maud::html! {{ {calls} }} }}").unwrap();
    // And as askama templates that print each other.
    for (i, (level, title, body)) in sections.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n\n" };
        let mut source = format!("{gap}{} {title}\n\n", "#".repeat(*level));
        let (mut fields, mut init) = (String::new(), String::new());
        for piece in body {
            match piece {
                Piece::Text(t) => source.push_str(t),
                Piece::Var(k) => {
                    write!(source, "{{{{ v{k} }}}}").unwrap();
                    let (of, value) = if ty(*k) == "u32" { ("u32", "d.v") } else { ("&'d str", "&d.v") };
                    write!(fields, "v{k}: {of},").unwrap();
                    write!(init, "v{k}: {value}{k},").unwrap();
                }
                Piece::Heading(..) => {}
            }
        }
        for &c in &children[i] {
            write!(source, "{{{{ s{c} }}}}").unwrap();
            write!(fields, "s{c}: A{c}<'d>,").unwrap();
            write!(init, "s{c}: A{c}::of(d),").unwrap();
        }
        writeln!(o, "#[derive(askama::Template)] #[template(source = {source:?}, ext = \"txt\", escape = \"none\")]
struct A{i}<'d> {{ {fields} mark: std::marker::PhantomData<&'d ()> }}
impl<'d> A{i}<'d> {{ fn of(d: &'d Data) -> Self {{ let _ = d; A{i} {{ {init} mark: std::marker::PhantomData }} }} }}").unwrap();
    }
    let (mut source, mut fields, mut init) = (String::new(), String::new(), String::new());
    for &t in &tops {
        write!(source, "{{{{ s{t} }}}}").unwrap();
        write!(fields, "s{t}: A{t}<'d>,").unwrap();
        write!(init, "s{t}: A{t}::of(d),").unwrap();
    }
    writeln!(o, "#[derive(askama::Template)] #[template(source = {source:?}, ext = \"txt\", escape = \"none\")]
pub struct AskamaTree<'d> {{ {fields} }}
impl<'d> AskamaTree<'d> {{ pub fn of(d: &'d Data) -> Self {{ AskamaTree {{ {init} }} }} }}").unwrap();
    let section = |i: usize| format!("#[section(title = {:?})] pub s{i}: N{i}<'d>,", sections[i].1);
    for (i, (_, _, body)) in sections.iter().enumerate() {
        let mut text = String::new();
        let (mut fields, mut init) = (String::new(), String::new());
        for piece in body {
            match piece {
                Piece::Text(t) => text.push_str(t),
                Piece::Var(k) => {
                    write!(text, "{{v{k}}}").unwrap();
                    if ty(*k) == "u32" {
                        write!(fields, "pub v{k}: u32,").unwrap();
                        write!(init, "v{k}: d.v{k},").unwrap();
                    } else {
                        write!(fields, "pub v{k}: &'d str,").unwrap();
                        write!(init, "v{k}: &d.v{k},").unwrap();
                    }
                }
                Piece::Heading(..) => {}
            }
        }
        for &c in &children[i] {
            fields.push_str(&section(c));
            write!(init, "s{c}: N{c}::of(d),").unwrap();
        }
        writeln!(o, "#[derive(prompt_core::PromptNode)] #[prompt(template = {text:?})] pub struct N{i}<'d> {{ {fields} pub mark: std::marker::PhantomData<&'d ()> }}").unwrap();
        writeln!(o, "impl<'d> N{i}<'d> {{ fn of(d: &'d Data) -> Self {{ let _ = d; N{i} {{ {init} mark: std::marker::PhantomData }} }} }}").unwrap();
    }
    let (mut fields, mut init) = (String::new(), String::new());
    for &t in &tops {
        fields.push_str(&section(t));
        write!(init, "s{t}: N{t}::of(d),").unwrap();
    }
    writeln!(o, "#[derive(prompt_core::PromptNode)] pub struct Tree<'d> {{ {fields} }}").unwrap();
    writeln!(o, "impl<'d> Tree<'d> {{ pub fn of(d: &'d Data) -> Self {{ Tree {{ {init} }} }} }}").unwrap();
}

fn main() {
    println!("cargo::rerun-if-changed=src/gen.rs");
    let dir = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    for (name, sections, body, vars) in [("small", 40, 180, 30), ("large", 1000, 175, 100)] {
        fs::write(dir.join(format!("{name}.rs")), module(&dir, name, sections, body, vars)).unwrap();
    }
}
