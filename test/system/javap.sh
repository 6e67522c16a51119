#!/usr/bin/env bash
# The instructions that `turnstile dump --code` shows are those that javap shows: offsets, mnemonics,
# operands, resolved constants, switch cases and exception handlers of a sample of classes.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
folder=$work

wanted_per_place=180
least_classes=2000
places=(hsqldb h2 derby tomcat9-catalina guava netty-common netty-buffer netty-transport
    netty-codec-http netty-codec-http2 netty-handler)
jdk_packages='regex:/java.base/java/(lang|util|io|nio)/.*,regex:/java.base/jdk/internal/.*'

normalise="$TURNSTILE_SOURCE/test/system/javap_normalise.awk"

list() { # PLACE: the names of its classes, as `take` wants them
    if [ "$1" = jdk ]; then
        "$TURNSTILE_JDK/bin/jimage" list --include "$jdk_packages" "$TURNSTILE_JDK/lib/modules" |
            awk '/^Module: / { module = $2 } /^    / { print "/" module "/" $1 }'
    else
        need "/usr/share/java/$1.jar"
        "$TURNSTILE_JDK/bin/jar" tf "/usr/share/java/$1.jar" | grep '\.class$'
    fi
}

take() { # PLACE NAMES-FILE: unpacks those classes here
    if [ "$1" = jdk ]; then
        "$TURNSTILE_JDK/bin/jimage" extract --include "$(paste -sd, "$2")" "$TURNSTILE_JDK/lib/modules"
    else
        "$TURNSTILE_JDK/bin/jar" xf "/usr/share/java/$1.jar" "@$2"
    fi
}

# Every n-th class, so that about as many as wanted are spread over the whole.
take_sample() { # PLACE
    local count step
    list "$1" | grep -v -e module-info.class -e '^META-INF/' | sort >"$folder/names"
    count=$(wc -l <"$folder/names")
    step=$((count / wanted_per_place))
    [ "$step" -gt 0 ] || step=1
    awk -v step="$step" 'NR % step == 0' "$folder/names" >"$folder/chosen"
    mkdir -p "$folder/sample/$1"
    (cd "$folder/sample/$1" && take "$1" "$folder/chosen")
}

# Many classes for each start of javap: starting takes longer than showing a hundred classes.
run_javap() {
    (cd "$folder/sample" && find . -name '*.class' | sort | tr '\n' '\0') |
        (cd "$folder/sample" && xargs -0 -n 500 -P 2 bash -c '
            "$0" -J-XX:+UseSerialGC -J-Dfile.encoding=UTF-8 -J-Dstdout.encoding=UTF-8 -c -p -s "$@" > "'"$folder"'/javap.$$"
        ' "$TURNSTILE_JDK/bin/javap")
    cat "$folder"/javap.[0-9]*
}

for place in "${places[@]}" jdk; do
    take_sample "$place"
done
run_javap | awk -v from=javap -f "$normalise" | sort > "$folder/expected"
"$TURNSTILE" dump --code "$folder/sample" | awk -v from=turnstile -f "$normalise" | sort > "$folder/shown"

if ! diff "$folder/expected" "$folder/shown" > "$folder/difference"; then
    echo "javap: turnstile (>) and javap (<) differ:" >&2
    head -40 "$folder/difference" >&2
    echo "javap: $(grep -c '^[<>]' "$folder/difference") lines differ" >&2
    exit 1
fi
classes=$(find "$folder/sample" -name '*.class' | wc -l)
with_methods=$(cut -f 1 "$folder/shown" | uniq | wc -l)
instructions=$(cut -f 5 "$folder/shown" | grep -c '^[0-9]')
echo "javap: $classes classes ($with_methods of them with methods), $instructions instructions agree"
if [ "$classes" -lt "$least_classes" ]; then
    echo "javap: that are fewer than $least_classes classes" >&2
    exit 1
fi
