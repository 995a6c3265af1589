#!/usr/bin/env bash
# Installs what the tests in a browser need: Debian's Chromium and its driver, and axe-core, of the version that the tests were
# written with, by npm, into target/axe-core. Run it as root.
set -euo pipefail
cd "$(dirname "$0")/../../.."
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
    apt-get update
    apt-get install --yes --no-install-recommends chromium chromium-driver
fi
command -v npm >/dev/null || apt-get install --yes --no-install-recommends npm
folder=target/axe-core
mkdir -p "$folder"
archive=$(npm pack --silent --pack-destination "$folder" axe-core@4.14.1)
# Its licence, MPL-2.0, goes with it.
tar --extract --gzip --file "$folder/$archive" --directory "$folder" --strip-components=1 package/axe.min.js package/LICENSE
rm "$folder/$archive"
