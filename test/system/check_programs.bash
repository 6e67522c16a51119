# Programs that say in comments what `turnstile check` is to find in them: test/check/README.md.
: "${TURNSTILE:?names the built command}" "${TURNSTILE_JDK:?names the JDK of the build}"
suite=$TURNSTILE_SOURCE/test/check

declared() { # WHAT FILE: the rest of `// WHAT: ...` among its first lines
    sed -n "1,3s|^// $1: *||p" "$2"
}

compile() { # CLASSES OPTIONS... SOURCE...
    local classes=$1
    shift
    mkdir -p "$classes"
    compile_by "$TURNSTILE_JDK" -nowarn -Xlint:-options -d "$classes" "$@" >"$work/javac" 2>&1 ||
        { cat "$work/javac" >&2; exit 1; }
}

compile_annotations() {
    local annotations
    mapfile -t annotations < <(find "$suite/annotations" "$TURNSTILE_SOURCE/java/annotation" -name '*.java' | sort)
    compile "$work/annotations" --release 8 "${annotations[@]}"
}

# One run of javac for each release: the names of the classes must be unique.
compile_programs() { # CLASSES SOURCE...: into CLASSES/RELEASE
    local classes=$1 source release chosen options
    local -A of_release=()
    shift
    for source in "$@"; do
        release=$(declared release "$source")
        of_release[${release:-own}]+=$source$'\n'
    done
    for release in "${!of_release[@]}"; do
        mapfile -t chosen <<<"${of_release[$release]%$'\n'}"
        options=(-g -cp "$work/annotations")
        [ "$release" = own ] || options+=(--release "$release")
        compile "$classes/$release" "${options[@]}" "${chosen[@]}"
    done
}

# Each program is checked alone: its class, the classes inside it, and its .locks file. It is then in `$work/plan`.
check_program() { # CLASSES SOURCE RESULT
    local classes=$1 source=$2 result=$3 name release options own status=0 expected=0
    name=$(basename "$source" .java)
    release=$(declared release "$source")
    classes=$classes/${release:-own}
    classes=("$classes/$name".class "$classes/$name"\$*.class)
    [ -e "${classes[1]}" ] || unset 'classes[1]'
    if grep -q 'import turnstile.annotation.Turnstile;' "$source"; then
        classes+=("$work/annotations/turnstile/annotation/Turnstile.class")
    fi
    options=(--format json --source "$(dirname "$source")" -o "$result")
    [ ! -e "${source%.java}.locks" ] || options+=(--locks "${source%.java}.locks")
    read -ra own <<<"$(declared options "$source")"
    mkdir -p "$(dirname "$result")"
    "$TURNSTILE" check "${options[@]}" "${own[@]}" "${classes[@]}" >"$work/out" 2>&1 </dev/null || status=$?
    ! grep -q '"rule":' "$result" 2>/dev/null || expected=1
    [ "$status" = "$expected" ] || fail "$name: exit status $status instead of $expected: $(head -c 800 "$work/out")"
    printf '%s\t%s\n' "$source" "$result" >>"$work/plan"
}

compare_findings() { # what was checked with what is expected; the differences are in `$work/differences`
    java_tool "$suite/CompareFindings.java" "$TURNSTILE_SOURCE/src/base/rules.def" "$work/plan" >"$work/differences" ||
        fail "findings differ from what is expected"
    cat "$work/differences"
}
