#!/usr/bin/env bash
# `turnstile check --explain`: every rule is explained, and its examples do what is said about them.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
: "${TURNSTILE:?names the built command}" "${TURNSTILE_JDK:?names the JDK of the build}"
cd "$work"
shopt -s nullglob

rules=$(sed -nE 's/^RULE\([A-Z_]+, "([a-z-]+)".*/\1/p' "$TURNSTILE_SOURCE/src/base/rules.def")

section() { # HEADING FILE: the lines below it that are indented more
    awk -v heading="  $1" '$0 == heading { inside = 1; next } inside && /^  [^ ]/ { exit } inside' "$2" | sed '1d; $d; s/^      //'
}
words() { tr -s ' \n' ' ' | sed 's/ $//'; }

compile() { # FOLDER: all its sources, to FOLDER/classes
    compile_by "$TURNSTILE_JDK" -g -nowarn -d "$1/classes" "$1"/*.java >javac 2>&1 || fail "$1: $(cat javac)"
}

check() { # FOLDER NAME STATUS OPTIONS...: what is said of one class, and those inside it
    local folder=$1 name=$2 wanted=$3 status=0 classes
    shift 3
    classes=("$folder/classes/$name.class" "$folder/classes/$name\$"*.class)
    "$TURNSTILE" check --jdk "$TURNSTILE_JDK" --source "$folder" "$@" "${classes[@]}" >out 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "$folder/$name: exit status $status instead of $wanted: $(cat out)"
}

mkdir -p wrong right quiet
declare -A class_of
for rule in $rules; do
    "$TURNSTILE" check --explain "$rule" >"$rule.txt" 2>err || fail "--explain $rule: exit status $?: $(cat err)"
    [ ! -s err ] || fail "--explain $rule complains: $(cat err)"
    head -n 1 "$rule.txt" | grep -q "^$rule: " || fail "--explain $rule explains something else"
    awk 'length > 80 { exit 1 }' "$rule.txt" || fail "--explain $rule has lines over 80 columns"
    grep -q 'no_warn' "$rule.txt" || fail "--explain $rule does not say what silences it"
    section "This breaks the rule:" "$rule.txt" >text
    name=$(sed -nE '1s/^class ([A-Za-z]+).*/\1/p' text)
    [ -n "$name" ] || { fail "$rule: the example begins with no class"; continue; }
    [ ! -e "wrong/$name.java" ] || fail "two examples have a class $name"
    mv text "wrong/$name.java"
    section "This keeps to it:" "$rule.txt" >"right/$name.java"
    class_of[$rule]=$name
done
[ "${#class_of[@]}" -ge 13 ] || fail "only ${#class_of[@]} rules have examples"
compile wrong
compile right

for rule in "${!class_of[@]}"; do
    case $rule in
    race | atomicity | deadlock) continue ;; # found at run time: what is seen there depends on the schedule
    esac
    name=${class_of[$rule]}
    check wrong "$name" 1
    tail -n 1 out | grep -qx "turnstile: 1 warning (1 $rule)" ||
        fail "the example of $rule has not just this one finding: $(tail -n 1 out)"
    said=$(section "What is said about it:" "$rule.txt" | words)
    found=$(sed -n '1s|^wrong/||p' out | words)
    [ "$said" = "$found" ] || fail "$rule: '$said' is said to be found, but it is '$found'"
    check right "$name" 0
done

# What is said to silence a finding does.
rule=guard-not-held
sed "s|^\( *balance = .*;\)|\1 /*# no_warn $rule */|" wrong/Account.java >quiet/Account.java
! cmp -s quiet/Account.java wrong/Account.java || fail "no line of the example was silenced"
compile quiet
check quiet Account 0
check wrong Account 0 --no-warn $rule

# A rule that is not there: one line, with the names of those that are.
status=0
"$TURNSTILE" check --explain frobnicate >out 2>err || status=$?
[ "$status" = 2 ] || fail "an unknown rule: exit status $status"
[ ! -s out ] || fail "an unknown rule is explained: $(cat out)"
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
grep -qF "there is no rule 'frobnicate'" err || fail "the unknown rule is not named: $(cat err)"
for rule in $rules; do
    grep -qw -- "$rule" err || fail "the list of rules has no $rule"
done

status=0
"$TURNSTILE" check --explain race >/dev/full 2>err || status=$?
[ "$status" = 2 ] || fail "a full disk: exit status $status"

finish "$(wc -w <<<"$rules") rules are explained, and their examples do what is said"
