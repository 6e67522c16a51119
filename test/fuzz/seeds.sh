#!/usr/bin/env bash
# Makes seeds for a fuzz target: what javac and jar make of small programs, beside the kept corpus.
#   test/fuzz/seeds.sh TARGET FOLDER
set -euo pipefail
target=$1 folder=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
jdk=${TURNSTILE_JDK:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
rm -rf "$folder" && mkdir -p "$folder"
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT

"$jdk/bin/javac" -g -parameters -proc:none -d "$classes" "$source"/examples/bank/*.java "$source"/test/fuzz/java/*.java
case $target in
class | rewrite)
    find "$classes" -name '*.class' | while read -r file; do
        cp "$file" "$folder/$(basename "$file")"
    done
    ;;
jar)
    "$jdk/bin/jar" --create --file "$folder/plain.jar" -C "$classes" .
    "$jdk/bin/jar" --create --no-compress --file "$folder/stored.jar" -C "$classes" .
    "$jdk/bin/jar" --create --file "$folder/versions.jar" -C "$classes" Account.class --release 11 -C "$classes" Account.class
    "$jdk/bin/jar" --create --file "$folder/nested.jar" -C "$folder" plain.jar
    ;;
jimage) ;; # only the kept corpus: a real image has megabytes
esac
kept="$source/test/fuzz/corpus/$target"
[ ! -d "$kept" ] || cp "$kept"/* "$folder/" 2>/dev/null || true
