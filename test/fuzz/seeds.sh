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

briefly=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC) # as in test/system/support.bash

compile() {
    "$jdk/bin/javac" "${briefly[@]/#/-J}" -g -parameters -proc:none -d "$classes" "$source"/examples/bank/*.java \
        "$source"/test/fuzz/java/*.java
    # Old versions, with subroutines, from a compiler that still makes them.
    local old_compiler=/usr/share/java/eclipse-jdt-core.jar version
    [ -r "$old_compiler" ] || return 0
    for version in 1.1 1.4; do
        "$jdk/bin/java" "${briefly[@]}" -jar "$old_compiler" -g -nowarn -source 1.3 -target "$version" \
            -d "$classes/old$version" "$source/test/java/old"
    done
}

case $target in
class | rewrite)
    compile
    find "$classes" -name '*.class' | while read -r file; do
        cp "$file" "$folder/$(tr / _ <<<"${file#"$classes/"}")"
    done
    ;;
jar)
    compile
    "$jdk/bin/jar" --create --file "$folder/plain.jar" -C "$classes" .
    "$jdk/bin/jar" --create --no-compress --file "$folder/stored.jar" -C "$classes" .
    "$jdk/bin/jar" --create --file "$folder/versions.jar" -C "$classes" Account.class --release 11 -C "$classes" Account.class
    "$jdk/bin/jar" --create --file "$folder/nested.jar" -C "$folder" plain.jar
    ;;
*) ;; # only the kept corpus, which are small files; a real image has megabytes
esac
kept="$source/test/fuzz/corpus/$target"
[ ! -d "$kept" ] || cp "$kept"/* "$folder/" 2>/dev/null || true
