//! Small trees, each with one thing that a flat text does not have: sections at a slot, a list of nodes, conditions.
//!
//! Each is written by hand for every contestant, as its users would: a tree of types (prompt-core, askama), a tree of
//! functions (maud, `push_str`), and one template with loops and conditions in `templates/` (askama, sailfish, minijinja, tera;
//! handlebars has its own). Three take part in the flat texts only: md-tmpl has other rules for line breaks around blocks,
//! promptml has neither loops nor conditions, and llm-toolkit wants every field of such a type to be a prompt by itself.

use crate::{checked, push_u32, Contestant};
use std::hint::black_box;

/// Contestants that differ in nothing but names: the base, the trees, and the templates that are read at run time.
macro_rules! contestants {
    ($page:ident { $field:ident: $node:ident }, $name:literal, $jinja:literal, $sail:literal, $bars:literal) => {
        /// The same tree as one template.
        #[derive(serde::Serialize, askama::Template)]
        #[template(path = $name, escape = "none")]
        struct $page {
            $field: $node,
        }

        /// And as one of sailfish.
        #[derive(sailfish::Template)]
        #[template(path = $sail)]
        struct Sail {
            $field: &'static $node,
        }

        pub fn contestants() -> Vec<Contestant> {
            let node: &'static $node = Box::leak(Box::new(sample()));
            let page: &'static $page = Box::leak(Box::new($page { $field: sample() }));
            let sail: &'static Sail = Box::leak(Box::new(Sail { $field: node }));
            let mut text = String::new();
            push(node, &mut text);
            let reference: &'static str = Box::leak(text.into_boxed_str());
            let exact = reference.len();

            let mut jinja = minijinja::Environment::new();
            jinja.add_template("p", include_str!(concat!("../", $jinja))).unwrap();
            let jinja: &'static minijinja::Environment<'static> = Box::leak(Box::new(jinja));
            let mut tera = tera::Tera::default();
            tera.add_raw_template("p", include_str!(concat!("../", $jinja))).unwrap();
            tera.autoescape_on(Vec::<&str>::new());
            let mut bars = handlebars::Handlebars::new();
            bars.register_escape_fn(handlebars::no_escape);
            bars.register_template_string("p", include_str!(concat!("../", $bars))).unwrap();

            checked(reference, vec![
                ("push_str, exact capacity", Box::new(move || {
                    let mut s = String::with_capacity(exact);
                    push(black_box(node), &mut s);
                    s
                })),
                ("maud, tree of functions", Box::new(move || markup(black_box(node)).into_string())),
                ("askama, tree of templates", Box::new(move || askama::Template::render(black_box(node)).unwrap())),
                ("prompt-core, tree", Box::new(move || prompt_core::Prompt::new(black_box(node)).text().unwrap())),
                ("prompt-core, tree, render()", Box::new(move || {
                    prompt_core::Prompt::new(black_box(node)).render().unwrap().into_string()
                })),
                ("askama", Box::new(move || askama::Template::render(black_box(page)).unwrap())),
                ("sailfish", Box::new(move || sailfish::Template::render(black_box(sail)).unwrap())),
                ("minijinja, env kept", Box::new(move || {
                    jinja.get_template("p").unwrap().render(minijinja::value::Serde(black_box(page))).unwrap()
                })),
                ("tera 2, kept", Box::new(move || {
                    tera.render("p", &tera::Context::from_serialize(black_box(page)).unwrap()).unwrap()
                })),
                ("handlebars, kept", Box::new(move || bars.render("p", black_box(page)).unwrap())),
            ])
        }
    };
}

/// Pushes pieces of text, one after the other.
macro_rules! push {
    ($s:ident: $($piece:expr),+ $(,)?) => { $( $s.push_str($piece); )+ };
}

pub mod slot {
    //! Sections at a slot in the middle of a text, one of them with a slot of its own.
    use super::*;
    use maud::{html, Markup, PreEscaped};

    /// You keep the harbour of {town}, and {boats} boats are in your care.
    ///
    /// ## Your work
    ///
    /// Read all of this page before you act. What it does not say, ask.
    ///
    /// {PROMPT_SUBTREE}
    ///
    /// ## The log
    ///
    /// One line for each boat that comes or goes. End each of them with {initials}.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "You keep the harbour of {{ town }}, and {{ boats }} boats are in your care.

## Your work

Read all of this page before you act. What it does not say, ask.

### Watch

{{ watch }}

### Radio

{{ radio }}

### Lights

{{ lights }}

## The log

One line for each boat that comes or goes. End each of them with {{ initials }}."
    )]
    struct Keeper {
        town: String,
        boats: u32,
        initials: String,
        #[section]
        watch: Watch,
        #[section]
        radio: Radio,
        #[section]
        lights: Lights,
    }

    /// You stand watch from {from} to {until}.
    ///
    /// {quiet_hours}
    ///
    /// Wake {relief} when your hours are over, and say what is still open.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "You stand watch from {{ from }} to {{ until }}.

#### Quiet Hours

{{ quiet_hours }}

Wake {{ relief }} when your hours are over, and say what is still open."
    )]
    struct Watch {
        from: String,
        until: String,
        relief: String,
        #[section]
        quiet_hours: QuietHours,
    }

    /// Between {from} and four nobody sounds a horn without need. Use the lamp.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "Between {{ from }} and four nobody sounds a horn without need. Use the lamp."
    )]
    struct QuietHours {
        from: String,
    }

    /// Listen on channel {channel}. Answer with "{call}", and never leave a call without a reply.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "Listen on channel {{ channel }}. Answer with \"{{ call }}\", and never leave a call without a reply."
    )]
    struct Radio {
        channel: u32,
        call: String,
    }

    /// The red light stands at {red}, the green one at {green}. Both burn until sunrise.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "The red light stands at {{ red }}, the green one at {{ green }}. Both burn until sunrise."
    )]
    struct Lights {
        red: String,
        green: String,
    }

    fn sample() -> Keeper {
        Keeper {
            town: "Heronsund".into(),
            boats: 41,
            initials: "A. L.".into(),
            watch: Watch {
                from: "midnight".into(),
                until: "eight".into(),
                relief: "Olli".into(),
                quiet_hours: QuietHours { from: "one".into() },
            },
            radio: Radio { channel: 16, call: "Heronsund, go ahead".into() },
            lights: Lights { red: "the mole".into(), green: "the slip".into() },
        }
    }

    fn push(k: &Keeper, s: &mut String) {
        push!(s: "You keep the harbour of ", &k.town, ", and ");
        push_u32(s, k.boats);
        push!(s: " boats are in your care.\n\n## Your work\n\nRead all of this page before you act. What it does not say, ask.\n\n### Watch\n\n");
        push_watch(&k.watch, s);
        push!(s: "\n\n### Radio\n\n");
        push_radio(&k.radio, s);
        push!(s: "\n\n### Lights\n\n");
        push_lights(&k.lights, s);
        push!(s: "\n\n## The log\n\nOne line for each boat that comes or goes. End each of them with ", &k.initials, ".");
    }

    fn push_watch(w: &Watch, s: &mut String) {
        push!(s: "You stand watch from ", &w.from, " to ", &w.until, ".\n\n#### Quiet Hours\n\n");
        push!(s: "Between ", &w.quiet_hours.from, " and four nobody sounds a horn without need. Use the lamp.");
        push!(s: "\n\nWake ", &w.relief, " when your hours are over, and say what is still open.");
    }

    fn push_radio(r: &Radio, s: &mut String) {
        push!(s: "Listen on channel ");
        push_u32(s, r.channel);
        push!(s: ". Answer with \"", &r.call, "\", and never leave a call without a reply.");
    }

    fn push_lights(l: &Lights, s: &mut String) {
        push!(s: "The red light stands at ", &l.red, ", the green one at ", &l.green, ". Both burn until sunrise.");
    }

    fn markup(k: &Keeper) -> Markup {
        html! {
            "You keep the harbour of " (PreEscaped(&k.town)) ", and " (k.boats) " boats are in your care.\n\n## Your work\n\n"
            "Read all of this page before you act. What it does not say, ask.\n\n### Watch\n\n" (watch(&k.watch))
            "\n\n### Radio\n\n" (radio(&k.radio)) "\n\n### Lights\n\n" (lights(&k.lights))
            "\n\n## The log\n\nOne line for each boat that comes or goes. End each of them with " (PreEscaped(&k.initials)) "."
        }
    }

    fn watch(w: &Watch) -> Markup {
        html! {
            "You stand watch from " (PreEscaped(&w.from)) " to " (PreEscaped(&w.until)) ".\n\n#### Quiet Hours\n\n"
            (quiet_hours(&w.quiet_hours))
            "\n\nWake " (PreEscaped(&w.relief)) " when your hours are over, and say what is still open."
        }
    }

    fn quiet_hours(q: &QuietHours) -> Markup {
        html! { "Between " (PreEscaped(&q.from)) " and four nobody sounds a horn without need. Use the lamp." }
    }

    fn radio(r: &Radio) -> Markup {
        html! {
            "Listen on channel " (r.channel) (PreEscaped(". Answer with \"")) (PreEscaped(&r.call))
            (PreEscaped("\", and never leave a call without a reply."))
        }
    }

    fn lights(l: &Lights) -> Markup {
        html! {
            "The red light stands at " (PreEscaped(&l.red)) ", the green one at " (PreEscaped(&l.green))
            ". Both burn until sunrise."
        }
    }

    contestants!(Page { k: Keeper }, "slot.txt", "templates/slot.txt", "slot.stpl", "templates/slot.hbs");
}

pub mod list {
    //! A list of forty nodes, each a section with a title of its own.
    use super::*;
    use maud::{html, Markup, PreEscaped};

    const BOATS: u32 = 40;

    /// These boats lie in {town} today. Call the owner before you move one.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "These boats lie in {{ town }} today. Call the owner before you move one.

# Boats{% for boat in boats %}

## Berth {{ boat.number }}

{{ boat }}{% endfor %}"
    )]
    struct Berths {
        town: String,
        #[section(item_title = "Berth {item.number}")]
        boats: Vec<Boat>,
    }

    /// {name} lies here since {since} and draws {depth} cm.
    ///
    /// Owner: {owner}. Last seen {seen}.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "{{ name }} lies here since {{ since }} and draws {{ depth }} cm.

Owner: {{ owner }}. Last seen {{ seen }}."
    )]
    struct Boat {
        number: u32,
        name: String,
        since: String,
        depth: u32,
        owner: String,
        seen: String,
    }

    fn sample() -> Berths {
        let of = |words: &[&str], i: u32| words[i as usize % words.len()].to_owned();
        let boat = |i| Boat {
            number: i + 1,
            name: of(&["Heron", "Tern", "Curlew", "Black Guillemot", "Wren"], i),
            since: of(&["Monday", "the first of May", "yesterday"], i),
            depth: 80 + 7 * i,
            owner: of(&["Ines Vik", "the ferry office", "O. Lind", "Runa"], i),
            seen: of(&["at the mole", "at noon", "by the night watch, with her lights out"], i),
        };
        Berths { town: "Heronsund".into(), boats: (0..BOATS).map(boat).collect() }
    }

    fn push(b: &Berths, s: &mut String) {
        push!(s: "These boats lie in ", &b.town, " today. Call the owner before you move one.\n\n# Boats");
        for boat in &b.boats {
            push!(s: "\n\n## Berth ");
            push_u32(s, boat.number);
            push!(s: "\n\n");
            push_boat(boat, s);
        }
    }

    fn push_boat(boat: &Boat, s: &mut String) {
        push!(s: &boat.name, " lies here since ", &boat.since, " and draws ");
        push_u32(s, boat.depth);
        push!(s: " cm.\n\nOwner: ", &boat.owner, ". Last seen ", &boat.seen, ".");
    }

    fn markup(b: &Berths) -> Markup {
        html! {
            "These boats lie in " (PreEscaped(&b.town)) " today. Call the owner before you move one.\n\n# Boats"
            @for boat in &b.boats {
                "\n\n## Berth " (boat.number) "\n\n" (berth(boat))
            }
        }
    }

    fn berth(boat: &Boat) -> Markup {
        html! {
            (PreEscaped(&boat.name)) " lies here since " (PreEscaped(&boat.since)) " and draws " (boat.depth)
            " cm.\n\nOwner: " (PreEscaped(&boat.owner)) ". Last seen " (PreEscaped(&boat.seen)) "."
        }
    }

    contestants!(Page { b: Berths }, "list.txt", "templates/list.txt", "list.stpl", "templates/list.hbs");
}

pub mod condition {
    //! Conditions in all their sizes: lines, half-sentences, blocks, whole sections. Half of them hold.
    use super::*;
    use maud::{html, Markup, PreEscaped};

    /// You guide ships into {port}.
    /// {?night}Carry a lamp, and knock twice.
    /// {?!night}Wave until the tower sees you.
    ///
    /// Call the {?night}night{else}day{/night} office on channel {channel}{?has_backup}, or {backup} if nobody answers{/has_backup}.
    ///
    /// {?fog}
    /// ## Fog
    ///
    /// Sound the horn every {seconds} seconds, and stay below {knots} knots.
    /// {else}
    /// ## Clear weather
    ///
    /// Keep the pilot flag up.
    /// {/fog}
    ///
    /// ## Before you leave
    ///
    /// - Read the log of the last watch.
    /// - {?strict}Write down who sent you.
    /// - Check the ropes.
    /// - {?cargo}Ask what the ship carries, and tell the tower.
    /// - Report to {tower}.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[prompt(level = 1)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "You guide ships into {{ port }}.{% if night %}
Carry a lamp, and knock twice.{% else %}
Wave until the tower sees you.{% endif %}

Call the {% if night %}night{% else %}day{% endif %} office on channel {{ channel }}{% if has_backup %}, or {{ backup }} if nobody answers{% endif %}.

{% if fog %}## Fog

Sound the horn every {{ seconds }} seconds, and stay below {{ knots }} knots.{% else %}## Clear weather

Keep the pilot flag up.{% endif %}

## Before you leave

- Read the log of the last watch.{% if strict %}
- Write down who sent you.{% endif %}
- Check the ropes.{% if cargo %}
- Ask what the ship carries, and tell the tower.{% endif %}
- Report to {{ tower }}.{% if icy %}

# Ice

{{ ice }}{% endif %}{% if towed %}

# Tug

{{ tug }}{% endif %}"
    )]
    struct Pilot {
        port: String,
        night: bool,
        channel: u32,
        has_backup: bool,
        backup: String,
        fog: bool,
        seconds: u32,
        knots: u32,
        strict: bool,
        cargo: bool,
        tower: String,
        icy: bool,
        #[section(when = self.icy)]
        ice: Ice,
        towed: bool,
        #[section(when = self.towed)]
        tug: Tug,
    }

    /// Below {degrees} degrees the channel is closed to boats of wood.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "Below {{ degrees }} degrees the channel is closed to boats of wood."
    )]
    struct Ice {
        degrees: u32,
    }

    /// The tug {name} goes ahead. Its master is {master}.
    #[derive(serde::Serialize, askama::Template, prompt_core::PromptNode)]
    #[template(
        ext = "txt",
        escape = "none",
        source = "The tug {{ name }} goes ahead. Its master is {{ master }}."
    )]
    struct Tug {
        name: String,
        master: String,
    }

    fn sample() -> Pilot {
        Pilot {
            port: "Heronsund".into(),
            night: true,
            channel: 16,
            has_backup: true,
            backup: "the lighthouse".into(),
            fog: false,
            seconds: 120,
            knots: 4,
            strict: false,
            cargo: true,
            tower: "the tower at the mole".into(),
            icy: false,
            ice: Ice { degrees: 2 },
            towed: true,
            tug: Tug { name: "Ox".into(), master: "Ines Vik".into() },
        }
    }

    fn push(p: &Pilot, s: &mut String) {
        push!(s: "You guide ships into ", &p.port);
        s.push_str(match p.night {
            true => ".\nCarry a lamp, and knock twice.\n\nCall the night",
            false => ".\nWave until the tower sees you.\n\nCall the day",
        });
        push!(s: " office on channel ");
        push_u32(s, p.channel);
        if p.has_backup {
            push!(s: ", or ", &p.backup, " if nobody answers");
        }
        push!(s: ".\n\n");
        if p.fog {
            push!(s: "## Fog\n\nSound the horn every ");
            push_u32(s, p.seconds);
            push!(s: " seconds, and stay below ");
            push_u32(s, p.knots);
            push!(s: " knots.");
        } else {
            push!(s: "## Clear weather\n\nKeep the pilot flag up.");
        }
        push!(s: "\n\n## Before you leave\n\n- Read the log of the last watch.");
        if p.strict {
            push!(s: "\n- Write down who sent you.");
        }
        push!(s: "\n- Check the ropes.");
        if p.cargo {
            push!(s: "\n- Ask what the ship carries, and tell the tower.");
        }
        push!(s: "\n- Report to ", &p.tower, ".");
        if p.icy {
            push!(s: "\n\n# Ice\n\nBelow ");
            push_u32(s, p.ice.degrees);
            push!(s: " degrees the channel is closed to boats of wood.");
        }
        if p.towed {
            push!(s: "\n\n# Tug\n\nThe tug ", &p.tug.name, " goes ahead. Its master is ", &p.tug.master, ".");
        }
    }

    fn markup(p: &Pilot) -> Markup {
        html! {
            "You guide ships into " (PreEscaped(&p.port)) "."
            @if p.night { "\nCarry a lamp, and knock twice." } @else { "\nWave until the tower sees you." }
            "\n\nCall the " @if p.night { "night" } @else { "day" } " office on channel " (p.channel)
            @if p.has_backup { ", or " (PreEscaped(&p.backup)) " if nobody answers" }
            ".\n\n"
            @if p.fog {
                "## Fog\n\nSound the horn every " (p.seconds) " seconds, and stay below " (p.knots) " knots."
            } @else {
                "## Clear weather\n\nKeep the pilot flag up."
            }
            "\n\n## Before you leave\n\n- Read the log of the last watch."
            @if p.strict { "\n- Write down who sent you." }
            "\n- Check the ropes."
            @if p.cargo { "\n- Ask what the ship carries, and tell the tower." }
            "\n- Report to " (PreEscaped(&p.tower)) "."
            @if p.icy { "\n\n# Ice\n\n" (ice(&p.ice)) }
            @if p.towed { "\n\n# Tug\n\n" (tug(&p.tug)) }
        }
    }

    fn ice(i: &Ice) -> Markup {
        html! { "Below " (i.degrees) " degrees the channel is closed to boats of wood." }
    }

    fn tug(t: &Tug) -> Markup {
        html! { "The tug " (PreEscaped(&t.name)) " goes ahead. Its master is " (PreEscaped(&t.master)) "." }
    }

    contestants!(Page { p: Pilot }, "condition.txt", "templates/condition.txt", "condition.stpl", "templates/condition.hbs");
}
