#!/bin/sh
# Opens the page of a prompt in a real browser, at a narrow and a wide window, and checks that it fits: nothing overflows
# to the side, every section has a place, text is not squeezed. Says so when no Chromium is installed.
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

cargo run --quiet -p prompt-examples --example quickstart -- examples/src/chart.rs --html "$folder/quickstart.html"
cargo run --quiet -p prompt-examples --example prompt -- preview examples/data/ferry.toml \
    --set ferry=Heron --set captain=Ada --set fog=true --html "$folder/ferry.html"

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
  const sections = page.querySelectorAll("[id^=section-]").length;
  if (sections === 0) faults.push("no sections");
  document.getElementById("found").textContent =
    faults.length ? "FAULTS " + faults.slice(0, 5).join("; ") : "FITS " + wide.clientWidth + " with " + sections + " sections";
});
</script>
HTML
}

failed=0
for page in quickstart ferry; do
    for width in 390 1400; do
        frame "$folder/$page.html" "$width" 844 >"$temporary/frame.html"
        found=$(browse --window-size=1500,1000 --dump-dom "file://$temporary/frame.html" |
            sed -n 's/.*<pre id="found">\([^<]*\)<.*/\1/p')
        echo "preview page: $page at $width: ${found:-no answer from $browser}"
        case $found in
            "FITS "*) ;;
            *) failed=1 ;;
        esac
        if [ $# -gt 0 ]; then
            for look in light dark; do
                scheme=1
                [ $look = dark ] && scheme=0
                frame "$folder/$page.html" "$width" 2400 >"$temporary/frame.html"
                browse --window-size="$((width > 500 ? width : 500)),2400" --blink-settings=preferredColorScheme=$scheme \
                    --screenshot="$folder/$page-$width-$look.png" "file://$temporary/frame.html" || failed=1
            done
        fi
    done
done
exit $failed
