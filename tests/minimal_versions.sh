#!/usr/bin/env bash
# The oldest versions that the manifests of the five published crates allow are enough: in a copy, every direct dependency
# is taken at its lower bound, and everything is built with it. Needs a nightly toolchain and a package registry.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! rustup run nightly rustc --version > /dev/null 2>&1; then
    echo "minimal versions: skipped: no nightly toolchain"
    exit 0
fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R prompt-core prompt-macros README.md "$copy"
sed -e 's|^members = .*|members = ["prompt-core", "prompt-core/agent", "prompt-core/review", "prompt-core/syntax", "prompt-macros"]|' -e '/^exclude = /d' Cargo.toml > "$copy/Cargo.toml"

# What only tests use would raise the bounds of others.
for manifest in "$copy"/prompt-core/Cargo.toml "$copy"/prompt-core/agent/Cargo.toml "$copy"/prompt-core/review/Cargo.toml "$copy"/prompt-core/syntax/Cargo.toml "$copy"/prompt-macros/Cargo.toml; do
    awk '/^\[/ { skip = /dev-dependencies/ || /^\[\[test/ } !skip' "$manifest" > "$copy/manifest"
    mv "$copy/manifest" "$manifest"
done

target=${CARGO_TARGET_DIR:-$PWD/target}/minimal-versions
cd "$copy"
cargo +nightly update -Z direct-minimal-versions
CARGO_TARGET_DIR=$target cargo check --locked -p prompt-core -p prompt-agent -p prompt-macros -p prompt-review -p prompt-syntax --all-features
echo "minimal versions: enough"
