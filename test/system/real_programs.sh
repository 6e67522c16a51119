#!/usr/bin/env bash
# Programs that we did not write, under the load of eight threads, with everything verified: the results are right, they
# end, and what is found is listed.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
source "$TURNSTILE_SOURCE/test/system/checked.bash"
find_jars
find_jdks
cd "$work"
tomcat=
for jar in "${jars[@]}"; do
    case "$jar" in */tomcat9-*) tomcat=$tomcat:$jar ;; esac
done
compile_by "$TURNSTILE_JDK" -nowarn -g --release 17 -d classes -cp "$tomcat" \
    "$TURNSTILE_SOURCE"/test/java/{JdbcLoad,TomcatLoad}.java 2>javac.err || { cat javac.err >&2; exit 1; }

# Not what a database or a server says when all is well.
trouble='Error|Exception|fatal error|WARNING: .*(thread|leak)|turnstile: '

load() { # NAME JDK ARGUMENTS...
    local name java=$2/bin/java status=0 before
    name="$1 on $(jdk_version "$2")"
    shift 2
    rm -rf base
    mkdir base
    timeout 120 "$java" -Xverify:all "$@" >plain.out 2>plain.err || fail "$name: the plain run: $(head -c 2000 plain.err)"
    rm -rf base result.json
    mkdir base
    checked_by "$work/result.json"
    before=$SECONDS
    # A program that does not end is asked for its stacks first.
    timeout --signal=QUIT --kill-after=5 120 "${checked[@]}" "$java" -Xverify:all "$@" >checked.out 2>checked.err || status=$?
    case $status in
    0 | "$findings_status") ;;
    124 | 137) fail "$name: it does not end: $(tail -n 150 checked.out)" ;;
    *) fail "$name: status $status: $(tail -n 20 checked.out) $(head -c 3000 checked.err)" ;;
    esac
    cmp -s plain.out checked.out || fail "$name: other results: $(diff plain.out checked.out | head -n 10)"
    # What it complains of when nobody watches it is no fault of ours.
    diff <(grep -E "$trouble" plain.err | sed 's/.*WARNING/WARNING/' | sort -u) \
        <(grep -E "$trouble" checked.err | sed 's/.*WARNING/WARNING/' | sort -u) || fail "$name: it complains"
    if [ ! -s result.json ]; then
        fail "$name: no result was written"
        return
    fi
    findings result.json | sort >found
    [ "$status" = 0 ] || [ -s found ] || fail "$name: status $status without findings"
    [ "$status" != 0 ] || [ ! -s found ] || fail "$name: status 0 with findings"
    echo "$name: $((SECONDS - before)) s, $(wc -l <found) findings"
    cut -d ' ' -f 1,2 found | uniq -c
    uniq -c found | sed 's/^/  /'
}

derby=(-Dderby.stream.error.file=derby.log -Dderby.locks.deadlockTimeout=2 -Dderby.locks.waitTimeout=20)
hsqldb() { # JDK NAME URL
    load "$2" "$1" -cp "classes:$java_folder/hsqldb.jar" JdbcLoad "$3" 300 8
}

# The databases on one JDK each, if there are two; the server, which takes least, on both.
first=${jdks[0]} last=${jdks[-1]}
hsqldb "$first" "hsqldb" jdbc:hsqldb:mem:test
hsqldb "$last" "hsqldb, many versions" 'jdbc:hsqldb:mem:test;hsqldb.tx=mvcc'
load "h2" "$last" -cp "classes:$java_folder/h2.jar" JdbcLoad 'jdbc:h2:mem:test;DB_CLOSE_DELAY=-1' 300 8
load "derby" "$first" "${derby[@]}" -cp "classes:$java_folder/derby.jar" JdbcLoad 'jdbc:derby:memory:test;create=true' 150 8
for jdk in "${jdks[@]}"; do
    load "Tomcat" "$jdk" -cp "classes$tomcat" TomcatLoad base 100 8
done
finish "hsqldb, h2, derby and Tomcat give the right results and end"
