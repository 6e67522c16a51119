#!/usr/bin/env bash
# The agent inside JVMs: a program whose classes are rewritten prints, returns and throws what it did before.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jars
find_jdks

compile_by "$TURNSTILE_JDK" -g --release 17 -d "$work/classes" \
    "$TURNSTILE_SOURCE"/test/java/{AgentProgram,JdbcLoad}.java
cd "$work"

compare() { # NAME LEAST JDK ARGUMENTS...: with and without the agent; at least so many classes are rewritten
    local name=$1 least=$2 java=$3/bin/java status_plain=0 status_agent=0
    shift 3
    "$java" "$@" >plain.out 2>plain.err || status_plain=$?
    "$java" -Xverify:all "-agentpath:$TURNSTILE_AGENT=rewrite=nop,verbose" "$@" >agent.out 2>agent.err || status_agent=$?
    [ "$status_plain" = "$status_agent" ] || fail "$name: exit status $status_agent instead of $status_plain: $(head -c 2000 agent.err)"
    cmp -s plain.out agent.out || fail "$name: other output: $(diff plain.out agent.out | head -n 5)"
    summary=$(grep -oE '[0-9]+ classes rewritten, [0-9]+ classes and [0-9]+ methods left' agent.err) ||
        fail "$name: no summary: $(head -c 500 agent.err)"
    [ "${summary%% *}" -ge "$least" ] || fail "$name: $summary, but $least were expected"
    case "$summary" in *" 0 classes and 0 methods left") ;; *) fail "$name: $summary" ;; esac
    echo "$name: $summary as they were"
}

for jdk in "${jdks[@]}"; do
    version=$(jdk_version "$jdk")
    compare "program on $version" 3 "$jdk" -cp classes AgentProgram
    compare "exit status on $version" 3 "$jdk" -cp classes AgentProgram one two three
    compare "interpreted on $version" 3 "$jdk" -Xint -cp classes AgentProgram
    compare "hsqldb on $version" 200 "$jdk" -cp "classes:$java_folder/hsqldb.jar" JdbcLoad jdbc:hsqldb:mem:test 300
    compare "h2 on $version" 400 "$jdk" -cp "classes:$java_folder/h2.jar" JdbcLoad 'jdbc:h2:mem:test;DB_CLOSE_DELAY=-1' 300
    compare "derby on $version" 600 "$jdk" -Dderby.stream.error.file=derby.log -cp "classes:$java_folder/derby.jar" \
        JdbcLoad 'jdbc:derby:memory:test;create=true' 100
done

# A wrong option: one line, and the program is not started.
status=0
"$TURNSTILE_JDK/bin/java" "-agentpath:$TURNSTILE_AGENT=frobnicate" -cp classes AgentProgram >out 2>err || status=$?
[ "$status" != 0 ] || fail "an unknown agent option is accepted"
[ "$(grep -c '^turnstile: error: unknown agent option' err)" = 1 ] || fail "unknown option: $(cat err)"
! grep -q '^6765' out || fail "the program ran in spite of a wrong option"

# Without options the agent checks, and says what it found; a quiet one says only that.
"$TURNSTILE_JDK/bin/java" "-agentpath:$TURNSTILE_AGENT" -cp classes AgentProgram >out 2>err
[ "$(cat err)" = "turnstile: nothing found" ] || fail "without options: $(cat err)"
"$TURNSTILE_JDK/bin/java" "-agentpath:$TURNSTILE_AGENT=quiet" -cp classes AgentProgram >out 2>err
[ ! -s err ] || fail "the agent is not silent: $(cat err)"

finish "programs behave as before on ${#jdks[@]} JDKs"
