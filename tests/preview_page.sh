#!/bin/sh
# Opens the pages of prompts in a real browser, at a narrow and a wide window, and checks that they fit: nothing overflows
# to the side, every section has a place, text is not squeezed, what changed is on the first screen. Then works them as a reader does: by the keyboard, with the
# filter, with the copy buttons. Where `axe-core` and `html-validate` are installed (npm install -g axe-core
# html-validate), it checks accessibility and markup too. Says so when no Chromium is installed.
#
# usage: tests/preview_page.sh [FOLDER]
#
# With a folder, the pages and their pictures, light and dark, are left there.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

browser=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then
        browser=$name
        break
    fi
done
if [ -z "$browser" ]; then
    echo "preview page: skipped: no Chromium"
    exit 0
fi

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
folder=${1:-$temporary}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

prompt() {
    cargo run --quiet --locked -p prompt-review -- "$@"
}
harbour="--set place=Wick --set reader=Ada --set foggy=false"
cargo run --quiet -p prompt-examples --example quickstart -- examples/src/chart.rs --html "$folder/quickstart.html"
prompt preview examples/data/ferry.toml --set ferry=Heron --set captain=Ada --set fog=true --html "$folder/ferry.html"
# shellcheck disable=SC2086
prompt preview examples/data/harbour.toml $harbour --set "question=Is there a berth & a <pilot>?" --budget 130 \
    --html "$folder/harbour.html"
# What it says is another page than what it said: exit code 1.
sed 's/Two blasts in fog/Three blasts in fog/; s/"history"/"past"/' examples/data/harbour.toml >"$temporary/harbour.toml"
# shellcheck disable=SC2086
prompt diff examples/data/harbour.toml "$temporary/harbour.toml" $harbour --set question=Well? \
    --html "$folder/diff.html" || [ $? -eq 1 ]

# A turn of a conversation, and thirty sections of which two changed.
cargo run --quiet --locked -p prompt-tests --bin pages -- "$folder"

# Runs the browser: no network, no sandbox (it opens our own files only), a profile of its own.
browse() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --allow-file-access-from-files \
        --user-data-dir="$temporary/profile" --virtual-time-budget=5000 "$@" 2>/dev/null
}

# One that is installed but cannot start here (no memory to share, no home) says nothing about the page.
if ! browse --dump-dom about:blank >/dev/null; then
    echo "preview page: skipped: $browser does not start"
    exit 0
fi

# What a page under test says of itself, in an element with the id `found`.
found_by() { # page width scheme
    browse --window-size="$2,1000" --blink-settings=preferredColorScheme="$3" --dump-dom "file://$1" | sed -n 's/.*<pre id="found">\([^<]*\)<.*/\1/p'
}

# Headless windows have a least width, so a frame of the wanted width stands in for the window.
frame() { # page width height
    cat <<HTML
<!DOCTYPE html><meta charset="utf-8"><title>frame</title><style>body{margin:0}iframe{border:0}</style>
<iframe src="file://$1" width="$2" height="$3"></iframe><pre id="found">nothing measured</pre>
<script>
addEventListener("load", () => {
  const page = document.querySelector("iframe").contentDocument, wide = page.documentElement;
  const faults = [];
  if (wide.scrollWidth > wide.clientWidth) faults.push("overflows: " + wide.scrollWidth + " > " + wide.clientWidth);
  for (const element of page.querySelectorAll("body *")) {
    const box = element.getBoundingClientRect();
    if (box.right > wide.clientWidth + 1) faults.push(element.className + " ends at " + box.right);
  }
  for (const element of page.querySelectorAll("caption, p, summary, .prompt > .text, tbody th")) {
    const box = element.getBoundingClientRect();
    if (box.height > 0 && box.width < 60) faults.push(element.tagName + " is squeezed to " + box.width);
  }
  const sections = page.querySelectorAll(".part").length;
  if (sections === 0) faults.push("no sections");
  const prompt = page.querySelector(".prompt-part"), costs = page.querySelector(".costs-part");
  if (prompt) {
    const [left, right] = [prompt.getBoundingClientRect(), costs.getBoundingClientRect()];
    const beside = Math.abs(left.top - right.top) < 60 && right.left >= left.right;
    if (beside !== (wide.clientWidth >= 1024)) faults.push("the costs stand beside the prompt: " + beside);
    if (page.getElementById("bar").hidden) faults.push("the script does not run");
  }
  const changed = page.querySelector(".old, .new");
  if (changed && changed.getBoundingClientRect().bottom > 844) {
    faults.push("the first change ends at " + changed.getBoundingClientRect().bottom);
  }
  document.getElementById("found").textContent =
    faults.length ? "FAULTS " + faults.slice(0, 5).join("; ") : "FITS " + wide.clientWidth + " with " + sections + " sections";
});
</script>
HTML
}

# The same page with a reader in it. Its policy lets run nothing but its own script, so the reader comes without it.
with() { # page script..
    sed 's:<meta http-equiv="Content-Security-Policy"[^>]*>::; s:</body>::; s:</html>::' "$1"
    shift
    echo '<pre id="found">nothing done</pre>'
    for script in "$@"; do
        echo "<script>"
        cat "$script"
        echo "</script>"
    done
    echo '</body></html>'
}

cat >"$temporary/reader.js" <<'JS'
(async () => {
  const all = (css, root = document) => [...root.querySelectorAll(css)];
  const faults = [];
  const expect = (holds, fact) => { if (!holds) faults.push(fact); };
  let copied = null;
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copied = text; } } });
  const bytes = (text) => new TextEncoder().encode(text).length;
  const press = async (button) => { button.click(); await null; await null; };
  if (document.getElementById("bar")) {
    // All that can be worked can be reached by the keyboard, once it is unfolded.
    all("details").forEach((it) => { it.open = true; });
    const stops = all("a[href], button, input, summary").filter((it) => it.offsetParent !== null);
    for (const stop of stops) {
      stop.focus();
      expect(document.activeElement === stop, "no focus for " + stop.outerHTML.slice(0, 60));
    }
    all(".other").forEach((it) => { it.open = false; });
    // The text to the byte, and a section of it.
    const size = Number(/of (\d+) bytes/.exec(document.querySelector(".facts").textContent)[1]);
    await press(document.querySelector("[data-act=copy]"));
    expect(copied !== null && bytes(copied) === size, "copied " + bytes(copied || "") + " of " + size + " bytes");
    const whole = copied;
    const section = document.querySelector("button[data-from]");
    await press(section);
    expect(whole.includes(copied) && bytes(copied) === section.dataset.to - section.dataset.from, "a section is copied");
    const message = all(".message .text").map((it) => it.textContent).join("\n");
    expect(message.length > 0, "messages are on the page");
    // The filter.
    const filter = document.getElementById("filter");
    const type = (words) => { filter.value = words; filter.dispatchEvent(new Event("input", { bubbles: true })); };
    const parts = all(".part");
    type("no such words anywhere");
    expect(parts.every((it) => it.hidden), "nothing holds these words");
    const last = parts[parts.length - 1];
    type(last.querySelector("code").textContent);
    expect(!last.hidden && last.open, "what holds the words is unfolded");
    type("");
    expect(parts.every((it) => !it.hidden), "all is back");
    // Folding, and the texts that are not sent.
    await press(document.querySelector("[data-act=fold]"));
    expect(parts.every((it) => !it.open), "all is folded");
    await press(document.querySelector("[data-act=unfold]"));
    expect(parts.every((it) => it.open), "all is unfolded");
    const swap = document.querySelector("[data-act=swap]");
    await press(swap);
    const reduced = document.querySelector(".other.full");
    if (reduced) {
      const sent = reduced.parentElement.querySelector(":scope > .text");
      expect(reduced.open && getComputedStyle(sent).display === "none", "the full text takes the place of the summary");
      await press(swap);
      expect(!reduced.open && getComputedStyle(sent).display !== "none", "and goes again");
    }
    const short = document.querySelector(".other.short");
    if (short) {
      short.open = true;
      const sent = short.parentElement.querySelector(":scope > .text");
      expect(getComputedStyle(sent).display === "none", "the summary takes the place of the full text");
    }
  }
  let checked = "";
  if (window.axe) {
    all("details").forEach((it) => { it.open = true; });
    const { violations } = await axe.run({ exclude: ["#found"] });
    for (const it of violations) faults.push("axe " + it.id + " x" + it.nodes.length + " at " + it.nodes[0].html.slice(0, 120));
    checked = ", 0 axe violations";
  }
  document.getElementById("found").textContent = faults.length ? "FAULTS " + faults.join("; ") : "WORKS" + checked;
})().catch((error) => { document.getElementById("found").textContent = "FAULTS " + error; });
JS

global=$(npm root -g 2>/dev/null || true)
axe=${AXE:-$global/axe-core/axe.min.js}
[ -f "$axe" ] || { axe=; echo "preview page: accessibility not checked: no axe-core"; }
validator=${HTML_VALIDATE:-html-validate}
command -v "$validator" >/dev/null 2>&1 || { validator=; echo "preview page: markup not checked: no html-validate"; }

failed=0
judge() { # what found
    echo "preview page: $1: ${2:-no answer from $browser}"
    case $2 in
        "FITS "* | "WORKS"*) ;;
        *) failed=1 ;;
    esac
}
for page in quickstart ferry harbour diff turn many; do
    # shellcheck disable=SC2086
    with "$folder/$page.html" $axe "$temporary/reader.js" >"$temporary/read.html"
    if [ -n "$validator" ]; then
        # The style of the generated source is ours: it has few line breaks, attributes of widths stand in the page.
        cat >"$temporary/.htmlvalidate.json" <<'JSON'
{ "extends": ["html-validate:recommended"], "rules": { "no-inline-style": "off", "attribute-boolean-style": "off", "no-trailing-whitespace": "off", "long-title": "off" } }
JSON
        cp "$folder/$page.html" "$temporary/$page.valid.html"
        (cd "$temporary" && "$validator" --config .htmlvalidate.json "$page.valid.html") || failed=1
    fi
    for width in 390 1400; do
        for look in light dark; do
            scheme=1
            [ $look = dark ] && scheme=0
            # A window has a least width, at which the pages are narrow.
            window=$((width > 500 ? width : 500))
            judge "$page at $width, $look, worked" "$(found_by "$temporary/read.html" $window $scheme)"
            frame "$folder/$page.html" "$width" 844 >"$temporary/frame.html"
            judge "$page at $width, $look" "$(found_by "$temporary/frame.html" 1500 $scheme)"
            if [ $# -gt 0 ]; then
                frame "$folder/$page.html" "$width" 2400 >"$temporary/frame.html"
                browse --window-size="$window,2400" --blink-settings=preferredColorScheme=$scheme \
                    --screenshot="$folder/$page-$width-$look.png" "file://$temporary/frame.html" || failed=1
            fi
        done
    done
done
exit $failed
