#!/usr/bin/env bash
# Runs every fuzz target for some seconds, starting from its seeds. What makes one fail is kept beside the build.
#   scripts/fuzz.sh BUILD_FOLDER SECONDS
set -euo pipefail
build=$(realpath "$1") seconds=$2
cd "$(dirname "$0")/.."
failed=0
for program in "$build"/test/fuzz/fuzz_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    target=$(basename "$program")
    target=${target#fuzz_}
    bash test/fuzz/seeds.sh "$target" "$build/seeds-$target"
    mkdir -p "$build/corpus-$target" "$build/failures-$target"
    echo "fuzzing $target for $seconds s"
    if ! "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$build/failures-$target/" \
        "$build/corpus-$target" "$build/seeds-$target" >"$build/fuzz-$target.log" 2>&1; then
        tail -n 40 "$build/fuzz-$target.log"
        echo "fuzzing $target FAILED: see $build/fuzz-$target.log and $build/failures-$target/"
        failed=1
    else
        grep -E 'stat::number_of_executed_units|cov:' "$build/fuzz-$target.log" | tail -n 2 | sed 's/^/    /'
    fi
done
exit $failed
