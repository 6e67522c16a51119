#!/usr/bin/env bash
# What src/program says of Java programs, against expectations that stand beside the lines:
#
#   // expect: CALL & CALL ...   the calls of that line, in the order of the code, and no others
#   // expect: nothing           no call on that line
#   // expect: field ..., static field ..., method ...
#                                what the dump says of that member of some class of the file
#
# A call or member is written as the dump has it. Constructors' calls of java/lang/Object's are left
# out, and so are the numbers of lambdas, which differ between compilers. Then the resolution oracle: see ResolveOracle.java.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
set +e
folder=$work
java="$TURNSTILE_JDK/bin/java"
samples="$TURNSTILE_SOURCE/test/java/program"

dump() { # JDK PATH
    "$TURNSTILE" dump --callgraph --targets 0 --jdk "$1" "$2"
}

# The dump as lines "TOP-LEVEL CLASS|call LINE|TEXT" and "TOP-LEVEL CLASS|member|TEXT".
flatten() {
    awk '
        /^(class|interface) / {
            top = $2
            sub(/\$.*/, "", top)
            next
        }
        /^    [0-9]/ {
            line = $0
            sub(/^[^(]*\(line /, "", line)
            sub(/\).*/, "", line)
            text = $0
            sub(/^[^)]*\): /, "", text)
            if (text != "special java/lang/Object.<init>()V")
                print top "|call " line "|" text
            next
        }
        /^  / {
            sub(/^  /, "")
            print top "|member|" $0
        }' "$1" | sed 's/\(lambda\$[a-zA-Z]*\)\$[0-9]*/\1/g'
}

# The expectations of a source file, in the same form; several calls of a line stay in order.
expectations() {
    awk -v top="$2" '
        index($0, "// expect: ") {
            text = substr($0, index($0, "// expect: ") + 11)
            if (text ~ /^(static field|field|method) /) {
                print top "|member|" text
                next
            }
            print top "|line|" NR
            if (text == "nothing")
                next
            count = split(text, calls, / & /)
            for (i = 1; i <= count; i++)
                print top "|call " NR "|" calls[i]
        }' "$1"
}

check_file() {
    local source=$1 top=$2
    expectations "$source" "$top" > "$folder/all"
    grep -c '// expect: ' "$source" > "$folder/count"
    # Members: each expected one must be there.
    grep '|member|' "$folder/all" | while IFS= read -r line; do
        grep -qxF -- "$line" "$folder/flat" || echo "$line"
    done > "$folder/missing"
    while IFS= read -r line; do
        fail "$source: not found: ${line#*|member|}"
    done < "$folder/missing"
    # Calls: of the lines with an expectation, all and only those.
    grep '|line|' "$folder/all" | sed 's/|line|\(.*\)/|call \1|/' > "$folder/lines"
    grep '|call ' "$folder/all" > "$folder/expected"
    grep -F "$top|call " "$folder/flat" | grep -F -f "$folder/lines" | sort -s -t '|' -k 2,2 \
        > "$folder/actual"
    sort -s -t '|' -k 2,2 "$folder/expected" > "$folder/sorted"
    if ! diff "$folder/sorted" "$folder/actual" > "$folder/difference"; then
        fail "$source: calls differ (< expected, > found):"
        cat "$folder/difference"
    fi
    echo "$source: $(cat "$folder/count") expectations"
}

sources=$(find "$samples" -name '*.java' -not -path '*/changed/*' | sort)
mkdir "$folder/classes"
# shellcheck disable=SC2086
compile_by "$TURNSTILE_JDK" -g -nowarn -Xlint:none --release 17 -d "$folder/classes" $sources 2> "$folder/javac" || {
    cat "$folder/javac"
    exit 1
}
dump "$TURNSTILE_JDK" "$folder/classes" > "$folder/dump" || fail "turnstile dump failed"
flatten "$folder/dump" > "$folder/flat"
for source in $sources; do
    relative=${source#"$samples"/}
    if grep -q '// expect: ' "$source"; then
        check_file "$source" "${relative%.java}"
    fi
done

# No call is lost: javap counts the same instructions.
find "$folder/classes" -name '*.class' -exec "$TURNSTILE_JDK/bin/javap" -c -p {} + > "$folder/javap"
theirs=$(grep -cE '^ +[0-9]+: invoke(virtual|special|static|interface) ' "$folder/javap")
ours=$(grep -cE '^ +[0-9]+ \(line [0-9]+\): (virtual|special|static|interface) ' "$folder/dump")
[ "$theirs" -eq "$ours" ] || fail "javap counts $theirs calls, the dump has $ours"
echo "$ours call instructions, as javap counts them"

# The same program in a jar gives the same text.
(cd "$folder/classes" && "$TURNSTILE_JDK/bin/jar" cf "$folder/classes.jar" .)
dump "$TURNSTILE_JDK" "$folder/classes.jar" > "$folder/dump2"
cmp "$folder/dump" "$folder/dump2" || fail "a jar gives another call graph than its directory"

# Without a JDK everything still works, with its classes missing.
dump "" "$folder/classes" > "$folder/dump3" || fail "turnstile dump without a JDK failed"
grep -q 'supertypes missing' "$folder/dump3" || fail "missing supertypes are not shown"

# What the JVM says of the samples, after some of their supertypes have changed, and of a real jar.
changed=$(find "$samples" -path '*/changed/*.java')
# shellcheck disable=SC2086
compile_by "$TURNSTILE_JDK" -nowarn --release 17 -cp "$folder/classes" -d "$folder/classes" $changed || exit 1
oracle() {
    local what=$1 path=$2
    shift 2
    "$java" -cp "$folder/classes:$path" ResolveOracle "$@" > "$folder/oracle" 2> "$folder/errors" || {
        tail -5 "$folder/errors"
        fail "the oracle failed on $what"
    }
    "$TURNSTILE_TOOLS" program_resolve --platform "$TURNSTILE_JDK" "$folder/oracle" \
        "$folder/classes" "$path" > "$folder/ours" || fail "program_resolve failed on $what"
    if ! diff "$folder/oracle" "$folder/ours" > "$folder/difference"; then
        fail "$what: resolution differs from the JVM's (< the JVM, > ours):"
        head -40 "$folder/difference"
    fi
    echo "$what: $(grep -c '^method' "$folder/oracle") methods and" \
        "$(grep -c '^field' "$folder/oracle") fields resolved," \
        "$(grep -c '^select' "$folder/oracle") calls selected, as by the JVM"
}
nested() {
    (cd "$folder/classes" && find one two -name '*.class' | sed 's/\.class$//; s|/|.|g' | sort)
}
# shellcheck disable=SC2046
oracle samples "$folder/classes" $(nested)
for jar in "$java_folder"/{guava,hsqldb}.jar; do
    need "$jar"
    oracle "$(basename "$jar")" "$jar" --jar "$jar"
done

finish "all expectations hold"
