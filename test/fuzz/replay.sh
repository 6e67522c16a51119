#!/usr/bin/env bash
# One fuzz target over its seeds and their mutations.
#   test/fuzz/replay.sh TARGET BUILD_FOLDER REPLAY_PROGRAM...
set -euo pipefail
target=$1 seeds=$2/seeds-$1
shift 2
bash "$(dirname "$0")/seeds.sh" "$target" "$seeds"
"$@" "${MUTATIONS:-500}" "$seeds"/*
