//! What is left of other template languages: told where it holds a known name or belongs to what is open, and text elsewhere.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use prompt_syntax::{Code, Options, Place, Specs, parse, parse_free};

const OPTIONS: Options<'static> = Options {
    names: &["x", "xs", "score"],
    sections: &["rules"],
    ..Options::new(Place::Node)
};

/// What is told, each with its code and the first words of its help.
fn told(text: &str) -> Vec<(&str, &'static str, String)> {
    let parsed = parse(text, &OPTIONS);
    assert_eq!(parsed.elements.to_markdown(), text);
    let told = parsed.problems.iter().map(|problem| {
        let help = problem.help.split(';').next().unwrap_or_default();
        (problem.written(text), problem.code.as_str(), help.into())
    });
    told.collect()
}

fn is_text(text: &str) {
    assert_eq!(told(text), [], "{text:?}");
}

#[test]
fn words_that_hold_a_known_name_are_told_with_what_to_write() {
    for (text, help) in [
        ("{{#if x}}", "a condition is `{?x}..{else}..{/x}`"),
        ("{{#if x.y}}", "a condition is `{?x.y}..{else}..{/x.y}`"),
        ("{{~#if x~}}", "a condition is `{?x}..{else}..{/x}`"),
        ("{{#unless x}}", "a condition is `{?!x}..{else}..{/x}`"),
        (
            "{{^x}}",
            "a condition is `{?!x}..{else}..{/x}`, a loop is `{*x}..{item}..{/x}`",
        ),
        (
            "{{#x}}",
            "a condition is `{?x}..{else}..{/x}`, a loop is `{*x}..{item}..{/x}`",
        ),
        ("{{#each xs}}", "a loop is `{*xs}..{item}..{/xs}`"),
        ("{{#each xs as |r|}}", "a loop is `{*xs as r}..{r}..{/xs}`"),
        ("{{range .xs}}", "a loop is `{*xs}..{item}..{/xs}`"),
        ("{{ if .x }}", "a condition is `{?x}..{else}..{/x}`"),
        ("{% if x %}", "a condition is `{?x}..{else}..{/x}`"),
        ("{%- if not x -%}", "a condition is `{?!x}..{else}..{/x}`"),
        ("{% for r in xs %}", "a loop is `{*xs as r}..{r}..{/xs}`"),
        ("<% if x %>", "a condition is `{?x}..{else}..{/x}`"),
        (
            "{{#if x > 1}}",
            "a condition asks a name, as in `{?name}` or `{?!name}`: give the answer one, `vars(is_large = self.size > 3)`",
        ),
        ("{{ x }}", "write `{x}`"),
        ("{{x }}", "write `{x}`"),
        ("{{- x -}}", "write `{x}`"),
        ("{{&x}}", "write `{x}`"),
        ("{{.x}}", "write `{x}`"),
        ("{{{ x }}}", "write `{x}`"),
        ("{{ x.y.0 }}", "write `{x.y.0}`"),
        ("{{> x}}", "write `{x}`"),
        ("{{> rules}}", "write `{rules}` alone on its line"),
        ("<% x %>", "write `{x}`"),
        ("<%= x %>", "write `{x}`"),
        (
            "{{ x | f }}",
            "give the result a name, `vars(n = ..)`, and write `{n}`",
        ),
        (
            "{{x|f}}",
            "give the result a name, `vars(n = ..)`, and write `{n}`",
        ),
        (
            "{{xs | length}}",
            "give the result a name, `vars(n = ..)`, and write `{n}`",
        ),
        (
            "{{ xs|join(', ') }}",
            "give the result a name, `vars(n = ..)`, and write `{n}`",
        ),
        (
            "{{ f(x) }}",
            "give the result a name, `vars(n = ..)`, and write `{n}`",
        ),
        (
            "{{ x[0] }}",
            "give the result a name, `vars(n = ..)`, and write `{n}`",
        ),
        (
            "{# x is old #}",
            "a note is `<!--# .. -->` on lines of its own",
        ),
        (
            "{{! x is old }}",
            "a note is `<!--# .. -->` on lines of its own",
        ),
        (
            "{{!-- x --}}",
            "a note is `<!--# .. -->` on lines of its own",
        ),
    ] {
        for around in [text, &format!("# A {text} b"), &format!("- a {text}\n\nb")] {
            assert_eq!(
                told(around),
                [(text, "foreign_template", help.into())],
                "{around:?}"
            );
        }
        let allow = &[Code::ForeignTemplate, Code::DoubledBraces];
        let options = Options { allow, ..OPTIONS };
        assert_eq!(parse(text, &options).problems, [], "{text:?}");
        // In code, and where no name is known, it is text.
        let unknown = Options {
            names: &[],
            sections: &[],
            ..OPTIONS
        };
        for text in [text.to_owned(), format!("a {{?y}}{text}{{/y}}")] {
            let options = Options {
                names: &["y"],
                ..unknown
            };
            let problems = parse(&text, &options).problems;
            assert_eq!(problems, [], "{text:?}");
        }
        is_text(&format!(
            "```\n{text}\n```\n\n- ```\n  {text}\n  ```\n\nRun `{text}`."
        ));
    }
}

#[test]
fn a_block_is_one_mistake() {
    for (text, first) in [
        ("{{#if x}}a{{else}}b{{/if}}", "{{#if x}}"),
        (
            "{{#if x}}\na\n{{else if x}}\nb\n{{else}}\nc\n{{/if}}",
            "{{#if x}}",
        ),
        ("{{#unless x}}a{{/unless}}", "{{#unless x}}"),
        ("{{#x}}a{{/x}}", "{{#x}}"),
        (
            "{{#each xs}}{{@index}} {{this}} {{this.y}} {{else}}none{{/each}}",
            "{{#each xs}}",
        ),
        (
            "{% if x %}\na\n{% elif x %}\nb\n{% else %}\nc\n{% endif %}",
            "{% if x %}",
        ),
        (
            "{% for r in xs %}\n- {{ r.name }} {{ r | f }} {r}\n{% endfor %}",
            "{% for r in xs %}",
        ),
        ("{{ range .xs }}{{ end }}", "{{ range .xs }}"),
        ("{{range .xs}}{{end}}", "{{range .xs}}"),
        ("<% if x %>a<% else %>b<% end %>", "<% if x %>"),
        (
            "{{#if x}}{% if y %}a{% else %}b{% endif %}{{else}}c{{/if}}",
            "{{#if x}}",
        ),
        // what is begun in our language and goes on in another
        ("{?x}a{{else}}b{/x}", "{{else}}"),
        ("{?x}\na\n{% else %}\nb\n{/x}", "{% else %}"),
        ("{?x}\na\n{% else %}\nb\n{% endif %}", "{% else %}"),
        (
            "Go {?x}a{% elif xs %}b{% else %}c{% endif %}.",
            "{% elif xs %}",
        ),
        ("{?x}\na\n{{/if}}", "{{/if}}"),
        ("Go {?x}a{% endif %}.", "{% endif %}"),
        ("{*xs}\n- {item}\n{{/each}}", "{{/each}}"),
        ("{*xs}\n- {item}\n{% endfor %}\n\n{xs}", "{% endfor %}"),
        ("{?x}a\n\n{% endif %}", "{% endif %}"),
    ] {
        let told = told(text);
        let told: Vec<_> = told
            .iter()
            .map(|(found, code, _)| (*found, *code))
            .collect();
        assert_eq!(told, [(first, "foreign_template")], "{text:?}");
    }
    let text = "{?x}\na\n{% endif %}";
    assert_eq!(told(text)[0].2, "write `{/x}`");
    // A value of the node is a leftover of its own.
    let text = "{% for r in xs %}{{ x }}{% endfor %} {{ xs }}";
    let all: Vec<_> = told(text).into_iter().map(|(found, ..)| found).collect();
    assert_eq!(all, ["{% for r in xs %}", "{{ x }}", "{{ xs }}"]);
    let text = "{*xs}{{ item }}, {{ item | f }}{/xs}";
    assert_eq!(told(text).len(), 2);
}

#[test]
fn what_holds_no_known_name_is_text() {
    for text in [
        "{{#if y}}a{{else}}b{{/if}}",
        "{% if y %}a{% elif z %}b{% else %}c{% endif %} {% end %} {{ end }}",
        "{{else}} {{/if}} {% else %} {% endif %} {{ y }} {{ y | f }} <% y %> <%= y %> <% } %> <%",
        "{% raw %}{{ y }}{% endraw %} {# y #} {{! y is old }}",
        // within and beside conditions of our own
        "{?x}\n{{#if y}}a{{else}}b{{/if}}\n{/x}",
        "{?x}a{/x}\n\n{% for y in ys %}\n- {{ y }}\n{% else %}\nnone\n{% endfor %}",
        "a {?x}{% if y %}a{% else %}b{% endif %}{/x}",
        // signs and words that mean something else
        "{{\"x\": \"{x}\"}} {{\"score\": 1}} {{ score: 1 }} ${{ x }} ${{ x | f }}",
        "{{ the words of x }} {{ }} {{  }} {{> y}} {{?x}} {{!x}} {{/x}} {{ x }",
        "a <b> 5 <% 3 %% x %> < %x%> <%\nx %>",
    ] {
        let parsed = parse(text, &OPTIONS);
        let problems = parsed
            .problems
            .iter()
            .filter(|problem| problem.code != Code::DoubledBraces);
        assert_eq!(problems.count(), 0, "{text:?}: {:?}", parsed.problems);
    }
    let options = Options {
        specs: Specs::Runtime,
        ..Options::new(Place::Free)
    };
    assert_eq!(
        parse_free("{{ x }} {{#if x}} {% else %}", &options).problems,
        []
    );
    let problems = parse_free("{x} {{ x }}", &options).problems;
    assert_eq!(problems[0].code, Code::ForeignTemplate);
}

#[test]
fn what_python_reads_as_a_variable_is_one_whose_name_is_unknown() {
    for text in [
        "{total:.2f}",
        "{total:,}",
        "{total:,.2f}",
        "{total:_}",
        "{total:d}",
        "{total:s}",
        "{total:+d}",
        "{total:08.3f}",
        "{total:<30s}",
        "{total:*^20}",
        "{total:.1%}",
        "{total:%}",
        "{total:%Y-%m-%d}",
        "{total:>10}",
        "{total.y:.2f}",
        "{total[0]}",
        "{total[name]}",
        "{total['a']}",
        "{total.y[0].z[1]}",
        "{total[-1]:.2f}",
        "{total!r}",
        "{total!s:>5}",
    ] {
        let problems = parse(text, &OPTIONS).problems;
        assert_eq!(problems.len(), 1, "{text:?}");
        assert_eq!(problems[0].message, "unknown variable `total`");
        // What the help says prints the braces.
        let (_, literal) = problems[0].help.rsplit_once("write `").unwrap();
        let (literal, rest) = literal.split_once('`').unwrap();
        let literal = if rest.is_empty() {
            literal.to_owned()
        } else {
            format!("`{literal}`")
        };
        let parsed = parse(&literal, &OPTIONS);
        let is_hint = |code: Code| code == Code::DoubledBraces;
        assert!(
            parsed.problems.iter().all(|problem| is_hint(problem.code)),
            "{literal}"
        );
    }
    for text in [
        "{a: 1}",
        "{key: value}",
        "{\"a\": 1}",
        "{name: str}",
        "{a: .2f}",
        "{color:red}",
        "{display:none}",
        "{width:10px}",
        "{width:50%}",
        "{margin:0 auto}",
        "{color:#fff}",
        "{k:v}",
        "{x1:y1}",
        "{a::b}",
        "{a[]}",
        "{a[i+1]}",
        "{a[0}",
        "{important!}",
        "{a!=b}",
        "{a!r b}",
        "{f[0](1)}",
        "{a [0]}",
        "{a:true}",
        "{a:1,b:2}",
        "`{total:.2f} {total[0]}`",
        "${total[0]}",
    ] {
        is_text(text);
    }
    let near = |text| told(text).remove(0).2;
    assert_eq!(
        near("{scores:.2f}"),
        "a field with a similar name exists: `score`"
    );
    assert_eq!(
        near("{scores[0]}"),
        "a field with a similar name exists: `score`"
    );
    assert_eq!(told("{score[0]}")[0].1, "unsupported_expression");
}
