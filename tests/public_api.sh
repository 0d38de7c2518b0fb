#!/usr/bin/env bash
# Compares the public names of the three crates, all features on, with the lists in tests/api: a change of what users see
# is a change of these files. UPDATE_EXPECT=1 writes them anew. Needs cargo-public-api and a nightly toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo public-api --version > /dev/null 2>&1; then
    echo "public api: skipped: no cargo-public-api"
    exit 0
fi
if ! rustup run nightly rustc --version > /dev/null 2>&1; then
    echo "public api: skipped: no nightly toolchain"
    exit 0
fi

mkdir -p tests/api
changed=
for name in prompt-syntax prompt-macros prompt-core; do
    list=tests/api/$name.txt
    # The methods of common traits say no more than the line of their `impl`.
    found=$(cargo +nightly public-api -p "$name" --all-features --omit blanket-impls,auto-trait-impls 2> /dev/null |
        grep -vE '::(fmt|clone|eq|cmp|partial_cmp|hash|serialize|deserialize|default)(<[^(]*>)?\(')
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
echo "public api: as listed"
