# How the tests and measurements run a program checked: what has to change with the command line is here only.
# TURNSTILE is the command, TURNSTILE_AGENT the library that a JVM loads.

# Fills `checked` with the words that stand before the command of a program. Every class that is not the JDK's is looked
# at, also those of libraries. TURNSTILE_OPTIONS may have more options.
checked_by() { # RESULT: the file that gets what is found
    # shellcheck disable=SC2034,SC2206 # for those who source this; a list of words
    checked=("$TURNSTILE" run --exclude none ${TURNSTILE_OPTIONS-} -o "$1" --)
}

# The same without the command, as an option of the JVM.
agent_option() { # RESULT
    echo "-agentpath:$TURNSTILE_AGENT=exclude=none,output=$1"
}

# What a run with findings returns when the program itself returned 0.
findings_status=66

# A line "RULE GRADE CLASS.MEMBER" for each finding of a result.
findings() { # RESULT
    { grep -oE '"(rule|grade|class|member)" *: *"([^"\\]|\\.)*"' "$1" || true; } | awk -F '" *: *"' '
        { name = substr($1, 2); value = substr($2, 1, length($2) - 1) }
        name == "rule" { rule = value; grade = "-" }
        name == "grade" { grade = value }
        name == "class" { class = value }
        name == "member" { print rule, grade, class "." value }'
}
