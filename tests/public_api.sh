#!/usr/bin/env bash
# Compares the public names of the five crates, all features on, with the lists in tests/api: a change of what users see
# is a change of these files. UPDATE_EXPECT=1 writes them anew. The stable compiler does: only rustdoc is told to write the
# JSON that it keeps for itself otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
mkdir -p tests/api "$target"
rustdoc=$(realpath "$target")/rustdoc-json
printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' > "$rustdoc"
chmod +x "$rustdoc"

# One run for all, with the features of the gate. Its warnings are those of the gate's own run; what it says counts where it
# fails.
said=$(RUSTDOC=$rustdoc RUSTDOCFLAGS="-Z unstable-options --output-format json" \
    cargo doc -q --workspace --lib --no-deps --features prompt-tests/tiktoken --locked 2>&1) ||
    { printf '%s\n' "$said" "public api: rustdoc fails" >&2; exit 1; }
changed=
for name in prompt-syntax prompt-macros prompt-core prompt-agent prompt-review; do
    list=tests/api/$name.txt
    found=$(cargo run -q --locked --features prompt-tests/tiktoken --bin public_api -- "$target/doc/${name//-/_}.json")
    if [ -n "${UPDATE_EXPECT:-}" ]; then
        printf '%s\n' "$found" > "$list"
    elif ! diff -u --label "$list" --label found "$list" - <<< "$found"; then
        changed=yes
    fi
done
if [ -n "$changed" ]; then
    echo "public api: changed. If that is meant, run UPDATE_EXPECT=1 tests/public_api.sh, and see CHANGELOG.md on versions"
    exit 1
fi
cargo run -q --locked --features prompt-tests/tiktoken --bin public_api -- count tests/api/prompt-*.txt
echo "public api: as listed"
