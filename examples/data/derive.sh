#!/bin/sh
# Derives words.txt, misspelt.txt and debian-depends.txt from Debian packages.
#
# Run it on Debian 12 (bookworm), amd64, with the archive's main component in
# the package lists (`apt-get update`), from any folder:
#
#     sh examples/data/derive.sh
#
# It installs nothing: the packages are unpacked into a temporary folder.
set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

for package in wamerican misspell-fixer; do
    apt-get download "$package"
    dpkg-deb -x "$package"_*.deb unpacked
done

# --- words.txt: the words of lower-case letters only, in alphabetical order ---
{
    echo "# English words, one per line, in alphabetical order."
    echo "# From Debian's wamerican $(dpkg-deb -f wamerican_*.deb Version); source and licence: README.md."
    grep -E '^[a-z]+$' unpacked/usr/share/dict/american-english | sort -u
} > "$here/words.txt"

# --- misspelt.txt: every fourth pair `misspelling meant` whose meant word is
# in words.txt and whose misspelling is not ---
sed -n 's|^s/\(\\b\)\{0,1\}\([a-z]*\)\(\\b\)\{0,1\}/\([a-z]*\)/g$|\2 \4|p' \
    unpacked/usr/share/misspell-fixer/rules/safe.*.sed |
    awk -v words="$here/words.txt" '
        BEGIN { while ((getline word < words) > 0) known[word] = 1 }
        length($1) >= 3 && $2 in known && !($1 in known) && !($1 in meant) { meant[$1] = $2 }
        END { for (misspelt in meant) print misspelt, meant[misspelt] }
    ' | sort | awk 'NR % 4 == 1' > pairs
{
    echo "# Real misspellings of English words: the misspelling, then the word that was meant."
    echo "# From Debian's misspell-fixer $(dpkg-deb -f misspell-fixer_*.deb Version); source and licence: README.md."
    cat pairs
} > "$here/misspelt.txt"

release=$(apt-cache policy | sed -n 's/.*release v=\([0-9.]*\),.*n=bookworm,.*c=main,.*/\1/p' | sort -u)

# --- debian-depends.txt: packages and what they depend on ---
# Depends and Pre-Depends; of alternatives `a | b` the first; versions and
# architectures dropped. Left out: packages that exist for one programming
# language or for developing, virtual packages, and packages without any edge.
apt-cache dumpavail | awk '
    BEGIN {
        n = split("cli-mono debug devel doc gnu-r golang haskell java javascript libdevel lisp " \
                  "localization metapackages ocaml oldlibs perl php python ruby rust tasks", names, " ")
        for (i = 1; i <= n; i++) left_out[names[i]] = 1
    }
    function finish() {
        if (package != "" && !(section in left_out)) depends[package] = wanted
        package = section = wanted = ""
    }
    /^$/                      { finish(); next }
    /^Package: /              { package = $2 }
    /^Section: /              { section = $2; sub(".*/", "", section) }
    /^(Pre-)?Depends: /       { sub("^[^:]*: ", ""); wanted = wanted ", " $0 }
    END {
        finish()
        for (package in depends) {
            line = ""
            split("", seen)
            n = split(depends[package], wishes, ",")
            for (i = 1; i <= n; i++) {
                wish = wishes[i]
                sub("^ *", "", wish)
                sub("[ (:|[<].*", "", wish)
                if (wish in depends && wish != package && !(wish in seen)) {
                    seen[wish] = 1
                    line = line " " wish
                    linked[wish] = 1
                }
            }
            lines[package] = line
            if (line != "") linked[package] = 1
        }
        for (package in linked) print package ":" lines[package]
    }
' | sort > edges
{
    echo "# Debian packages and the packages each one depends on: \`package: dependency dependency ...\`"
    echo "# From the package lists of Debian $release (bookworm), main, amd64; source and licence: README.md."
    cat edges
} > "$here/debian-depends.txt"

wc -lc "$here/words.txt" "$here/misspelt.txt" "$here/debian-depends.txt"
