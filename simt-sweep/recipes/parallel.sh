#!/bin/sh
# Runs all points of a study by GNU parallel, in eight shards, two at a time: parallel.sh STUDY FOLDER
# `--sshlogin` has shards run on other computers, which must see the same folder.
set -eu
seq 8 | parallel --quote --jobs 2 "$1" run --quiet --threads 1 --shard '{}/8' --folder "$2"
