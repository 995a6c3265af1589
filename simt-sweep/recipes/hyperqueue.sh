#!/bin/sh
# Runs all points of a study by HyperQueue, in eight shards: hyperqueue.sh STUDY FOLDER
# A server and workers must run: `hq server start &` and `hq worker start &`.
set -eu
hq submit --array 1-8 -- \
    sh -c 'exec "$0" run --quiet --threads 1 --shard "$HQ_TASK_ID/8" --folder "$1"' "$1" "$2"
