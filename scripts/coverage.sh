#!/usr/bin/env bash
# Which lines of src/ the tests have reached, folder by folder, then the files below 90 %.
#   scripts/coverage.sh BUILD_FOLDER
set -euo pipefail
build=$(realpath "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
cd "$build"
find . -name '*.gcda' -path '*turnstile_*' -print0 | xargs -0 gcov --no-output 2>/dev/null |
    awk -v prefix="$source/src/" '
        /^File / { name = substr($0, 7, length($0) - 7); own = index(name, prefix) == 1; sub(prefix, "", name) }
        /^Lines executed:/ && own {
            split($0, part, /[:% ]+/)
            percent = part[3]; lines = part[5]
            # A header is counted once for each file that includes it: keep the best.
            if (!(name in total) || percent > best[name]) { best[name] = percent; total[name] = lines }
            own = 0
        }
        END {
            for (name in total) {
                folder = name; sub(/\/.*/, "", folder)
                reached[folder] += best[name] * total[name] / 100; all[folder] += total[name]
            }
            for (folder in all)
                printf "1 %-12s %5.1f %% of %d lines\n", folder, 100 * reached[folder] / all[folder], all[folder]
            for (name in total)
                if (best[name] < 90) printf "2   %-40s %5.1f %% of %d\n", name, best[name], total[name]
        }' | sort | cut -c 3-
