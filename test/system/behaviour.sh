#!/usr/bin/env bash
# Programs do what they do without the tool: each one runs plain and checked, and what it prints to both outputs, and
# its exit status, must be the same to the byte. None of them has a race, so none may be reported either.
# shellcheck disable=SC2094,SC2317
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
source "$TURNSTILE_SOURCE/test/system/checked.bash"
sources=$TURNSTILE_SOURCE/test/behaviour
compiler=$java_folder/eclipse-jdt-core.jar
need "$compiler"
find_jdks
newest=${jdks[-1]}
newest_version=$(jdk_version "$newest")
newest_version=${newest_version%%.*}
cd "$work"
mkdir results failed

compile() { # FOLDER JDK OPTIONS AND SOURCES...
    local folder=$1 jdk=$2 errors
    errors=$(mktemp -p "$work")
    shift 2
    compile_by "$jdk" -proc:none -nowarn -Xlint:none -XDenableSunApiLintControl -d "$folder" "$@" 2>"$errors" ||
        { cat "$errors" >&2; echo "javac failed: $*" >&2; exit 1; }
}

compile generate "$TURNSTILE_JDK" "$sources/generate/Generate.java"
"$TURNSTILE_JDK/bin/java" -cp generate Generate generated
all=("$sources"/{Traces,ArrayValues,Serial,Reflect,Language,Monitors,Threads,Limits,Endings,Initialization,Packages,Loading}.java
    "$sources"/{one,two}/*.java generated/*.java)
compile_classes() {
    compile classes "$TURNSTILE_JDK" -g --release 17 "${all[@]}"
    compile classes "$TURNSTILE_JDK" -g -source 17 -target 17 "$sources/Handles.java" # sun.misc is not in a release
    compile plugin "$TURNSTILE_JDK" --release 17 -cp classes "$sources/loaded/Plugin.java"
    mkdir -p plugin/META-INF/services
    echo Plugin >plugin/META-INF/services/java.util.function.Supplier
}
compile_bare() {
    compile bare "$TURNSTILE_JDK" -g:none --release 17 "${all[@]}"
    compile named "$TURNSTILE_JDK" -parameters --release 17 "$sources/Reflect.java"
    compile eight "$TURNSTILE_JDK" -g --release 8 "$sources"/{ArrayValues,Monitors,Initialization,Packages}.java \
        "$sources"/{one,two}/*.java generated/{NullCases,LargeMethods}.java
}
compile_pairs() {
    compile neighbour "$TURNSTILE_JDK" --release 17 "$sources/agent/Neighbour.java"
    compile beside "$TURNSTILE_JDK" -g --release 17 -cp neighbour "$sources/NeighbourProgram.java"
    printf '%s\n' 'Premain-Class: Neighbour' 'Can-Retransform-Classes: true' 'Can-Redefine-Classes: true' >manifest
    "$TURNSTILE_JDK/bin/jar" cfm neighbour.jar manifest -C neighbour .
    compile linked-before "$TURNSTILE_JDK" --release 17 "$sources/linkage/before/Target.java"
    compile linked "$TURNSTILE_JDK" -g --release 17 -cp linked-before "$sources/linkage/user/LinkageUser.java"
    compile linked "$TURNSTILE_JDK" --release 17 "$sources/linkage/after/Target.java"
}
compile_old() {
    local target
    for target in 1.1 1.4; do
        "$TURNSTILE_JDK/bin/java" "${briefly[@]}" -jar "$compiler" -g -nowarn -source 1.3 -target $target -d "old-$target" \
            "$sources/old"
    done
}
compile_newer() {
    [ "$newest_version" -lt 21 ] || compile new-21 "$newest" -g --release 21 "$sources/newer21/Newer21.java"
    [ "$newest_version" -lt 25 ] || compile new-25 "$newest" -g --release 25 "$sources/newer25/Newer25.java"
}
compiling=()
for what in classes bare pairs old newer; do
    "compile_$what" &
    compiling+=($!)
done
for process in "${compiling[@]}"; do
    wait "$process" || exit 1
done

count=0
at_once=$(nproc)
input=/dev/null
starts=yes # the JVM starts: otherwise there is nobody to write a result

# What is said of a case that failed is kept until all have ended: they run beside each other.
complain() { # NUMBER MESSAGE
    echo "$2" | sed '2,$s/^/    /' >>"failed/$1"
}

same() { # NUMBER NAME SUFFIX WHAT
    cmp -s "results/$1.plain.$3" "results/$1.checked.$3" ||
        complain "$1" "$2: other $4: $(diff -a "results/$1.plain.$3" "results/$1.checked.$3" | head -n 8)"
}

# Runs COMMAND... plain, CHECKED_COMMAND... checked, and compares. With the number of an earlier case instead of COMMAND, its plain
# run serves.
run_both() { # NUMBER NAME COMMAND... --- CHECKED_COMMAND...
    local number=$1 name=$2 plain=() status what
    shift 2
    while [ "$1" != --- ]; do
        plain+=("$1")
        shift
    done
    shift
    status=0
    if [ ${#plain[@]} = 1 ]; then
        for what in out err status; do
            ln -s "${plain[0]}.plain.$what" "results/$number.plain.$what"
        done
    else
        timeout 120 "${plain[@]}" <"$input" >"results/$number.plain.out" 2>"results/$number.plain.err" || status=$?
        echo $status >"results/$number.plain.status"
    fi
    status=0
    timeout 120 "$@" <"$input" >"results/$number.checked.out" 2>"results/$number.checked.err" || status=$?
    echo $status >"results/$number.checked.status"
    same "$number" "$name" out "output"
    same "$number" "$name" err "errors"
    same "$number" "$name" status "exit status"
    if [ $starts = no ]; then
        [ ! -e "results/$number.json" ] || complain "$number" "$name: a result of nothing"
    elif [ -s "results/$number.json" ]; then
        findings "results/$number.json" >"results/$number.findings"
        [ ! -s "results/$number.findings" ] ||
            complain "$number" "$name: findings in a program without races: $(head -n 5 "results/$number.findings")"
    else
        complain "$number" "$name: no result was written"
    fi
}
start() { # FUNCTION ARGUMENTS...: beside the others, two at once on two cores
    while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
        wait -n || true
    done
    "$@" &
}

compare() { # NAME JDK ARGUMENTS...
    local name java=$2/bin/java
    name="$1 on $(jdk_version "$2")"
    shift 2
    count=$((count + 1))
    checked_by "$work/results/$count.json"
    start run_both $count "$name" "$java" "$@" --- "${checked[@]}" "$java" "$@"
}

# What a program says does not depend on how the JVM goes about it: only the checked run has these flags.
compare_flags() { # NUMBER_OF_PLAIN NAME JDK ARGUMENTS...
    local plain=$1 name java=$3/bin/java
    name="$2 on $(jdk_version "$3")"
    shift 3
    count=$((count + 1))
    checked_by "$work/results/$count.json"
    start run_both $count "$name" "$plain" --- "${checked[@]}" "$java" "$@"
}

# The agent named in the command line of the JVM, before or behind another one.
compare_order() { # NAME JDK ORDER ARGUMENTS...
    local name java=$2/bin/java order=$3 ours
    name="$1 on $(jdk_version "$2")"
    shift 3
    count=$((count + 1))
    ours=$(agent_option "$work/results/$count.json")
    if [ "$order" = before ]; then
        start run_both $count "$name" "$java" "$@" --- "$java" "$ours" "$@"
    else
        start run_both $count "$name" "$java" "$@" --- "$java" "$1" "$ours" "${@:2}"
    fi
}

# A stream of one JVM is read by another: all four ways.
serialization() { # NUMBER JDK
    local number=$1 java=$2/bin/java name kind
    name="streams on $(jdk_version "$2")"
    "$java" -cp classes Serial write "results/$number.plain.stream"
    checked_by "$work/results/$number.write.json"
    "${checked[@]}" "$java" -cp classes Serial write "results/$number.checked.stream" ||
        complain "$number" "$name: writing failed"
    same "$number" "$name" stream "stream"
    "$java" -cp classes Serial read "results/$number.plain.stream" >"results/$number.expected"
    "$java" -cp classes Serial read "results/$number.checked.stream" >"results/$number.of-checked" 2>&1 ||
        complain "$number" "$name: a plain JVM cannot read what a checked one wrote"
    checked_by "$work/results/$number.read.json"
    "${checked[@]}" "$java" -cp classes Serial read "results/$number.plain.stream" >"results/$number.in-checked" 2>&1 ||
        complain "$number" "$name: a checked JVM cannot read what a plain one wrote"
    for kind in of-checked in-checked; do
        cmp -s "results/$number.expected" "results/$number.$kind" || complain "$number" "$name: something else is read"
    done
}

# The program is told to end from outside.
terminated() { # NUMBER JDK
    local number=$1 java=$2/bin/java name status kind process line
    name="signal on $(jdk_version "$2")"
    checked=()
    for kind in plain checked; do
        mkfifo "results/$number.$kind.pipe"
        "${checked[@]}" "$java" -cp classes Endings signal >"results/$number.$kind.pipe" 2>"results/$number.$kind.err" &
        process=$!
        {
            read -r line
            echo "$line"
            kill -TERM $process
            cat
        } <"results/$number.$kind.pipe" >"results/$number.$kind.out"
        status=0
        wait $process || status=$?
        echo $status >"results/$number.$kind.status"
        checked_by "$work/results/$number.json"
    done
    same "$number" "$name" out "output"
    same "$number" "$name" err "errors"
    same "$number" "$name" status "exit status"
}

alone() { # FUNCTION JDK
    count=$((count + 1))
    start "$1" $count "$2"
}

declare -A plain_case # of the program on the present JDK
for jdk in "${jdks[@]}"; do
    for program in NullCases LargeMethods ManyConstants Traces ArrayValues Serial Reflect Handles Language Monitors Threads \
        Initialization Packages; do
        compare "$program" "$jdk" -cp classes $program
        plain_case[$program]=$count
    done
    compare "Limits" "$jdk" -Xmx64m -cp classes Limits
    [ "$jdk" != "${jdks[0]}" ] || compare "Limits with 1 GB" "$jdk" -Xmx1g -Xss2m -cp classes Limits 1
    compare "Loading" "$jdk" -cp classes Loading plugin
    compare "Linkage" "$jdk" -cp linked LinkageUser
    for target in 1.1 1.4; do
        compare "code for Java $target" "$jdk" -cp old-$target OldProgram
    done
    for program in NullCases LargeMethods ArrayValues Monitors Initialization Packages; do
        compare "$program for Java 8" "$jdk" "${briefly[@]}" -cp eight $program
    done
    for program in NullCases Traces Serial Reflect Threads; do
        compare "$program without debugging information" "$jdk" "${briefly[@]}" -cp bare $program
    done
    compare "Reflect with parameter names" "$jdk" "${briefly[@]}" -cp named Reflect
    alone serialization "$jdk"

    for ending in return exit hooks failing-hook halt halt-in-hook uncaught uncaught-cause uncaught-overflow uncaught-elsewhere \
        uncaught-initializer exit-elsewhere stuck stuck-exit after-main busy; do
        compare "ending by $ending" "$jdk" "${briefly[@]}" -cp classes Endings $ending
    done
    compare "a class that is not there" "$jdk" -cp classes Missing
    starts=no
    compare "an unknown JVM option" "$jdk" -XX:+NoSuchOption -cp classes Traces
    starts=yes
    alone terminated "$jdk"
    printf 'one\ntwo words\n\nlast' >lines
    input=lines
    # shellcheck disable=SC1003,SC2016 # just as they are
    compare "arguments and input" "$jdk" -ea -Dgiven='a "b" $c' -cp classes Endings echo 'two words' '' '$HOME' '*' '"' '\'
    input=/dev/null

    for options in same none; do
        compare "beside an agent" "$jdk" "-javaagent:neighbour.jar=$options" -cp beside NeighbourProgram
        for order in before behind; do
            compare_order "$order an agent" "$jdk" $order "-javaagent:neighbour.jar=$options" -cp beside NeighbourProgram
        done
    done

    for flags in -Xint -XX:TieredStopAtLevel=1 -XX:-TieredCompilation -XX:+UseG1GC -XX:+UseParallelGC -XX:+UseSerialGC -XX:+UseZGC \
        -XX:-UseCompressedOops -Xverify:all '-XX:+UseSerialGC -Xshare:off -ea -esa'; do
        for program in Traces Monitors Handles; do
            # shellcheck disable=SC2086 # a list of words
            compare_flags "${plain_case[$program]}" "$program with $flags" "$jdk" $flags -cp classes $program
        done
    done
    for program in Traces Monitors; do
        # All of the program and of what it is checked with, and most of what is changed in the JDK, is compiled before
        # it ran. Such code throws exceptions without a trace where it happens to think of it.
        compare "$program with -Xcomp" "$jdk" -Xcomp -XX:CompileCommand=quiet \
            "-XX:CompileCommand=compileonly,$program*::*" '-XX:CompileCommand=compileonly,java.lang.T*::*' \
            '-XX:CompileCommand=compileonly,java.util.concurrent.*::*' -XX:-OmitStackTraceInFastThrow -cp classes $program
    done
done
if [ "$newest_version" -ge 21 ]; then
    compare "Java 21" "$newest" -cp new-21 Newer21
    compare "Java 21, verified" "$newest" -Xverify:all -cp new-21 Newer21
fi
if [ "$newest_version" -ge 25 ]; then
    compare "Java 25" "$newest" -cp new-25 Newer25
    compare "compact headers" "$newest" -XX:+UseCompactObjectHeaders -cp classes Handles
    compare "compact headers" "$newest" -XX:+UseCompactObjectHeaders -cp classes Monitors
fi
wait

# A program that says nothing would compare well with anything.
for number in $(seq 13); do
    [ "$(wc -l <"results/$number.plain.out")" -ge 10 ] ||
        fail "case $number prints next to nothing: $(head -n 5 "results/$number.plain.err")"
done
for number in $(find failed -type f -printf '%f\n' | sort -n); do
    while IFS= read -r line; do
        case "$line" in " "*) echo "$line" >&2 ;; *) fail "$line" ;; esac
    done <"failed/$number"
done
finish "$count comparisons with plain runs on ${#jdks[@]} JDKs: the same output, errors and exit status"
