#!/usr/bin/env bash
# The tests of pages in a browser, which install.sh installs. With `--made` they look at the pages that lie in target/ already;
# with `--screenshots` the pictures of the docs are made, too.
set -euo pipefail
cd "$(dirname "$0")/../../.."
mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(realpath "${CARGO_TARGET_DIR:-target}")
made=no screenshots=no
for option in "$@"; do
    case $option in
        --made) made=yes ;;
        --screenshots) screenshots=yes ;;
        *) echo "run.sh: $option is no option; there are --made and --screenshots" >&2; exit 2 ;;
    esac
done
if [ $made = no ]; then
    cargo test --package simt-view --test view -- pages sizes
    cargo run --package simt-view --example stepper
    cargo run --package simt-examples --example compare -- --quick --output target/compare
fi
manifest=simt-view/tests/browser/Cargo.toml
export CARGO_TARGET_DIR=$target
cargo fmt --manifest-path $manifest --check
# A browser for each test: not more at once than there are processors.
cargo test --manifest-path $manifest
if [ $screenshots = yes ]; then
    cargo run --manifest-path $manifest
fi
