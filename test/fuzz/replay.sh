#!/usr/bin/env bash
# One fuzz target over its seeds and their mutations.
#   test/fuzz/replay.sh REPLAY_PROGRAM TARGET BUILD_FOLDER
set -euo pipefail
replay=$1 target=$2 seeds=$3/seeds-$2
bash "$(dirname "$0")/seeds.sh" "$target" "$seeds"
"$replay" "${MUTATIONS:-500}" "$seeds"/*
