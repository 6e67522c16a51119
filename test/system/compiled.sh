#!/usr/bin/env bash
# The JVM compiles checked methods with monitors as it compiles the plain ones. It gives up on a method in which it does
# not see that the object that is locked is the one that is unlocked, or in which a handler can come back to itself; such
# a method is interpreted, and nobody is told. Here the JVM says so.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
cd "$work"
find_jdks

for jdk in "${jdks[@]}"; do
    version=$(jdk_version "$jdk")
    compile_by "$jdk" -g -d "classes.$version" "$TURNSTILE_SOURCE/test/java/Compiled.java"
    # With -Xbatch a method that is due is compiled at once.
    program=(-Xbatch -Xlog:monitormismatch=info -XX:+PrintCompilation -cp "classes.$version" Compiled)
    for how in plain checked recorded; do
        case $how in
        plain) "$jdk/bin/java" "${program[@]}" >out 2>&1 ;;
        checked) "$TURNSTILE" run -q "$jdk/bin/java" "${program[@]}" >out 2>&1 ;;
        recorded) "$TURNSTILE" run -q --atomicity off --record trace "$jdk/bin/java" "${program[@]}" >out 2>&1 ;;
        esac || fail "$how on JDK $version: $(tail -n 3 out)"
        grep -xE '[0-9]+ [0-9]+ [0-9]+ [0-9]+' out >"answer.$how" || fail "$how on JDK $version: no answer"
        cmp -s answer.plain "answer.$how" || fail "$how on JDK $version: another answer: $(cat "answer.$how")"
        # What is compiled again at another tier for other reasons does not count.
        refused=$(grep -E 'monitormismatch|COMPILE SKIPPED' out | grep -vE 'out of nodes|stale task' || true)
        [ -z "$refused" ] || fail "$how on JDK $version: not compiled: $(head -n 3 <<<"$refused")"
        grep -qE ' 4 +Compiled::nested ' out || fail "$how on JDK $version: Compiled.nested was never compiled"
    done
done
finish "methods with monitors are compiled, on ${#jdks[@]} JDKs"
