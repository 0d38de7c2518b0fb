#!/usr/bin/env bash
# Checks prompt-core with every pair of its features, and none, and all; warnings are errors. With `all`: with every set of
# them, which takes hours.
#
# usage: tests/features.sh [all]
set -euo pipefail
cd "$(dirname "$0")/.."

most=2
if [ "${1:-}" = all ]; then most=99; fi
list=$(sed -n '/^\[features\]/,/^\[dependencies\]/s/^\([a-z]*\) = .*/\1/p' prompt-core/Cargo.toml | grep -v '^default$')
names=($list)

checked=0
for ((set = 0; set < 1 << ${#names[@]}; set++)); do
    list= count=0
    for at in "${!names[@]}"; do
        if ((set >> at & 1)); then
            list=$list,${names[at]}
            count=$((count + 1))
        fi
    done
    if ((count <= most || count == ${#names[@]})); then
        cargo clippy --quiet --locked -p prompt-core --no-default-features --features "$list" -- -D warnings ||
            { echo "features: fails with: $list" >&2; exit 1; }
        checked=$((checked + 1))
    fi
done
echo "features: $checked sets of ${#names[@]} features"
