# What the system tests share; each sources this file first.
set -euo pipefail
export LC_ALL=C

# For Java programs that are over before it pays to compile them well: half of the processor time.
briefly=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)

compile_by() { # JDK OPTIONS AND SOURCES...
    local jdk=$1
    shift
    "$jdk/bin/javac" "${briefly[@]/#/-J}" "$@"
}

# A Java program of ours that looks at results, with what it uses of test/java.
java_tool() { # SOURCE ARGUMENTS...
    local source=$1 ours
    shift
    ours=$(dirname "${BASH_SOURCE[0]}")/../java
    compile_by "$TURNSTILE_JDK" -d "$work/tools" -sourcepath "$ours" "$source" || return
    "$TURNSTILE_JDK/bin/java" "${briefly[@]}" -cp "$work/tools" "$(basename "$source" .java)" "$@"
}

# A folder of its own for each test, in memory if there is room: some write ten thousand files.
work_room() { df --output=avail -k /dev/shm 2>/dev/null | tail -n 1; }
if [ -z "${TMPDIR-}" ] && [ -w /dev/shm ] && [ "$(work_room)" -gt 4000000 ]; then
    work=$(mktemp -d -p /dev/shm)
else
    work=$(mktemp -d)
fi
trap 'rm -rf "$work"' EXIT

java_folder=/usr/share/java
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

finish() { # WHAT WAS SHOWN
    [ "$failures" = 0 ] || { echo "$failures failed" >&2; exit 1; }
    echo "$1"
}

need() {
    [ -r "$1" ] || { echo "$1 is missing: 'make test' installs the packages that the tests need" >&2; exit 1; }
}

# Fills `jars` with the jars of hsqldb, h2, derby, Tomcat, Guava and Netty. Most are there twice, with and without
# a version in their name; netty-all has no classes of its own.
find_jars() {
    local jar
    jars=()
    for jar in "$java_folder"/{hsqldb,h2,derby,derbynet,guava}.jar "$java_folder"/{netty,tomcat9}-*.jar; do
        case "$jar" in
        *-[0-9]*.[0-9]*.jar | *-[0-9]*.Final.jar | */netty-all.jar) ;;
        *) jars+=("$jar") ;;
        esac
    done
    for jar in "${jars[@]}"; do
        need "$jar"
    done
}

# Fills `jdks` with the JDK of the build and, if there is another, the newest of the machine, unless TURNSTILE_ONE_JDK is set.
find_jdks() {
    local newest
    jdks=("$TURNSTILE_JDK")
    [ -z "${TURNSTILE_ONE_JDK-}" ] || return 0
    newest=$(for home in /usr/lib/jvm/*; do
        if [ -f "$home/release" ] && [ -x "$home/bin/java" ]; then
            echo "$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release") $(readlink -f "$home")"
        fi
    done | sort -n | tail -n 1 | cut -d ' ' -f 2)
    if [ -n "$newest" ] && [ "$newest" != "$(readlink -f "$TURNSTILE_JDK")" ]; then
        jdks+=("$newest")
    fi
}

jdk_version() { sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$1/release"; }
