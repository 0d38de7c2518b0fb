#!/usr/bin/env bash
# What users get: the five crates build from their packages alone, with every feature, carry licences and a README and
# nothing that only we need, and turn on no feature of serde_json that changes a user's own program but `preserve_order`.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "package: $*" >&2; exit 1; }

for folder in prompt-core prompt-core/agent prompt-core/review prompt-core/syntax prompt-macros; do
    for licence in LICENSE-MIT LICENSE-APACHE; do
        cmp "$licence" "$folder/$licence"
    done
done

# Of a crate whose version is the same cargo would take what it unpacked and built before: ours are unpacked and built anew,
# in a cargo home of their own below the target folder. Index and downloads are those of the user.
home=${CARGO_HOME:-$HOME/.cargo}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/packages
mkdir -p "$CARGO_TARGET_DIR/home/registry"
CARGO_TARGET_DIR=$(cd "$CARGO_TARGET_DIR" && pwd)
export CARGO_HOME=$CARGO_TARGET_DIR/home
for part in registry/index registry/cache config.toml; do
    [ ! -e "$home/$part" ] || ln -sfn "$home/$part" "$CARGO_HOME/$part"
done
# They are built, and never run.
export CARGO_PROFILE_DEV_DEBUG=0
rm -rf "$CARGO_TARGET_DIR"/debug/.fingerprint/prompt-* "$CARGO_HOME"/registry/src/-*/prompt-*
cargo package --locked --allow-dirty --all-features -p prompt-syntax -p prompt-macros -p prompt-core -p prompt-agent -p prompt-review

version=$(cargo metadata --locked --no-deps --format-version 1 |
    sed 's/.*"name":"prompt-core","version":"\([^"]*\)".*/\1/')
packages=$CARGO_TARGET_DIR/package
for name in prompt-syntax prompt-macros prompt-core prompt-agent prompt-review; do
    files=$(tar -tzf "$packages/$name-$version.crate" | sed "s|^$name-$version/||")
    for file in LICENSE-MIT LICENSE-APACHE README.md Cargo.toml src/lib.rs; do
        grep -qx "$file" <<< "$files" || fail "$name lacks $file"
    done
    strays=$(grep -vE '^(src/.*|LICENSE-(MIT|APACHE)|README\.md|Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json)$' \
        <<< "$files" || true)
    [ -z "$strays" ] || fail "$name holds $strays"
done
echo "package: five crates of version $version"
