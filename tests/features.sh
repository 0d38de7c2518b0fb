#!/usr/bin/env bash
# Checks prompt-core and prompt-agent with every pair of their features, and none, and all; warnings are errors. With `all`:
# with every set of them, which takes hours.
#
# usage: tests/features.sh [all]
set -euo pipefail
cd "$(dirname "$0")/.."

most=2
if [ "${1:-}" = all ]; then most=99; fi
for package in prompt-core prompt-agent; do
    folder=${package/prompt-agent/prompt-core/agent}
    list=$(sed -n '/^\[features\]/,/^\[dependencies\]/s/^\([a-z]*\) = .*/\1/p' "$folder/Cargo.toml" | grep -v '^default$')
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
            cargo clippy --quiet --locked -p "$package" --no-default-features --features "$list" -- -D warnings ||
                { echo "features: $package fails with: $list" >&2; exit 1; }
            checked=$((checked + 1))
        fi
    done
    echo "features: $package: $checked sets of ${#names[@]} features"
done
