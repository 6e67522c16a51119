#!/usr/bin/env bash
# share/jdk.locks against the JDK: every class and method that it names is there, every effect fits the method, and no
# public method is forgotten that reads or writes an unguarded object, or is given a function. The file is for several
# JDKs: what the oldest lacks must be in the newest, and the other way round.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
locks=$TURNSTILE_SOURCE/share/jdk.locks
find_jdks
newest=$(jdk_version "${jdks[-1]}")
cd "$work"
compile_by "$TURNSTILE_JDK" --release 17 -d tools "$TURNSTILE_SOURCE/test/java/JdkLocks.java"

compare() { # FILE: fills wrong.txt and missing.txt
    local jdk number=0
    : >wrong.txt
    rm -f missing.txt
    for jdk in "${jdks[@]}"; do
        number=$((number + 1))
        "$jdk/bin/java" -cp tools JdkLocks "$1" >"out.$number" 2>err || fail "on $(jdk_version "$jdk"): $(head -n 3 err)"
        sed -n 's/^wrong //p' "out.$number" >>wrong.txt
        sed -n 's/^missing //p' "out.$number" | sort -u >"missing.$number"
        # Only what all of them lack is missing.
        if [ -f missing.txt ]; then
            comm -12 missing.txt "missing.$number" >both && mv both missing.txt
        else
            mv "missing.$number" missing.txt
        fi
    done
    # What came with a JDK newer than all of these cannot be looked for.
    if [ "${newest%%.*}" -lt 25 ]; then
        : >missing.txt
    fi
}

compare "$locks"
[ ! -s wrong.txt ] || fail "$(sort -u wrong.txt | head -n 20)"
[ ! -s missing.txt ] || fail "in no JDK: $(head -n 20 missing.txt)"
shown=$(for ((i = 1; i <= ${#jdks[@]}; i++)); do sed -n 's/^found //p' "out.$i"; done | tail -n 1)
[[ "$shown" =~ ^([0-9]+)\ classes,\ ([0-9]+)\ methods ]] || fail "nothing was compared: $shown"
if [ "${BASH_REMATCH[1]:-0}" -lt 450 ] || [ "${BASH_REMATCH[2]:-0}" -lt 3000 ]; then
    fail "only $shown"
fi
count=${#jdks[@]}

# The comparison itself: each of these mistakes is seen.
cp "$locks" spoiled.locks
expected=()
spoil() { # SED-EXPRESSION WHAT IS TOLD
    cp spoiled.locks before.locks
    sed "$1" before.locks >spoiled.locks
    ! cmp -s before.locks spoiled.locks || fail "nothing was changed by $1"
    expected+=("$2")
}
spoil 's/java\.util\.ArrayDeque /java.util.ArrayDeck /' "class java.util.ArrayDeck"
spoil 's/clone() reads this; equals/klone() reads this; equals/' ".klone()"
spoil 's/isEmpty() reads this; size() reads this;/size() reads this;/' "no line for java.util.Collection.isEmpty()"
spoil '/^    removeIf(Predicate filter)/d' "no line for java.util.Collection.removeIf(Predicate)"
spoil 's/(Thread hook) starts hook/(Thread hook) starts hood/' "starts hood names nothing"
spoil 's/(Object lock) holds_if lock/(Object lock) holds_if this/' "holds_if this names nothing"
spoil 's/CyclicBarrier(int parties, Runnable action)/CyclicBarrier(Runnable action)/' "CyclicBarrier.CyclicBarrier(Runnable)"
spoil 's/^unguarded interface java\.util\.Set {/&} class java.util.Set {/' "java.util.Set is there twice"
jdks=("$TURNSTILE_JDK")
newest=99
compare spoiled.locks
cat wrong.txt missing.txt >told
for text in "${expected[@]}"; do
    grep -qF -- "$text" told || fail "not seen: $text"
done

finish "$shown, on $count JDKs; ${#expected[@]} mistakes are seen"
