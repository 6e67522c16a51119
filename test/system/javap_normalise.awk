# Turns the output of `javap -c -p -s` or of `turnstile dump --code` into lines that can be compared:
#
#     class <tab> number of method <tab> number of line <tab> method <tab> what
#
# where `what` is an instruction with its operands and the constant that they stand for, a case of a
# switch, or an exception handler. -v from=javap or -v from=turnstile says which it is.

function emit(what) {
    printf "%s\t%05d\t%06d\t%s\t%s\n", class, method_number, ++line_number, method, what
}

# Both escape some characters that the other shows, and javap cuts spaces off the end.
function plain_string(text) {
    gsub(/\\'/, "'", text)
    gsub(/\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]/, "?", text)
    gsub(/[\200-\377]+/, "?", text)
    gsub(/\?+/, "?", text)
    sub(/ +$/, "", text)
    return text
}

# The digits differ between the shortest and Java's; the number does not.
function plain_number(text, digits) {
    if (text ~ /NaN/)
        return "NaN"
    if (text ~ /Infinity/)
        return text ~ /^-/ ? "-Infinity" : "Infinity"
    # Of the smallest floats even the first digit is a matter of taste.
    if (digits < 10 && text + 0 > -1.2e-38 && text + 0 < 1.2e-38 && text + 0 != 0)
        return "subnormal"
    return sprintf("%." digits "g", text + 0)
}

# javap leaves out the class if it is the one shown, and puts odd names into quotes.
function plain_reference(text,    before) {
    gsub(/"/, "", text)
    before = text
    sub(/:.*/, "", before)
    if (before !~ /\./)
        text = class "." text
    return text
}

function javap_constant(text,    kind) {
    kind = text
    sub(/ .*/, "", kind)
    sub(/^[^ ]* ?/, "", text)
    if (kind == "String")
        return "string " plain_string(text)
    if (kind == "int")
        return "int " text
    if (kind == "long") {
        sub(/l$/, "", text)
        return "long " text
    }
    if (kind == "float") {
        sub(/f$/, "", text)
        return "float " plain_number(text, 6)
    }
    if (kind == "double") {
        sub(/d$/, "", text)
        return "double " plain_number(text, 17)
    }
    if (kind == "class") {
        gsub(/"/, "", text)
        return "class " text
    }
    if (kind == "Field" || kind == "Method" || kind == "InterfaceMethod")
        return plain_reference(text)
    if (kind == "InvokeDynamic" || kind == "Dynamic") {
        gsub(/"/, "", text)
        return "dynamic " text
    }
    return "other"
}

function turnstile_constant(text, mnemonic,    number) {
    if (text ~ /^"/) {
        text = substr(text, 2, length(text) - 2)
        return "string " plain_string(text)
    }
    if (text ~ /^class /)
        return text
    if (text ~ /^method (type|handle) /)
        return "other"
    if (text ~ / bootstrap [0-9]+$/) {
        number = text
        sub(/.* /, "", number)
        sub(/^dynamic /, "", text)
        sub(/ bootstrap [0-9]+$/, "", text)
        return "dynamic #" number ":" text
    }
    if (mnemonic == "ldc2_w" && text ~ /L$/) {
        sub(/L$/, "", text)
        return "long " text
    }
    if (mnemonic == "ldc2_w")
        return "double " plain_number(text, 17)
    if (mnemonic ~ /^ldc/ && text ~ /f$/) {
        sub(/f$/, "", text)
        return "float " plain_number(text, 6)
    }
    if (mnemonic ~ /^ldc/)
        return "int " text
    return text
}

function javap_instruction(line,    at, constant, words, count, mnemonic, operands) {
    at = index(line, "// ")
    constant = ""
    if (at > 0) {
        constant = substr(line, at + 3)
        line = substr(line, 1, at - 1)
    }
    sub(/ +$/, "", line)
    count = split(line, words, /[ ,:]+/)
    mnemonic = words[2]
    if (mnemonic ~ /switch$/)
        return words[1] " " mnemonic
    # javap writes a wide instruction as another mnemonic.
    if (mnemonic ~ /^([ilfda](load|store)|iinc|ret)_w$/) {
        sub(/_w$/, "", mnemonic)
        mnemonic = "wide " mnemonic
    }
    operands = count > 2 ? " " words[3] : ""
    # invokedynamic's zero is always zero.
    if (count > 3 && mnemonic != "invokedynamic")
        operands = operands " " words[4]
    return words[1] " " mnemonic operands (constant == "" ? "" : " " javap_constant(constant))
}

function turnstile_instruction(line,    at, constant, words, count, start, operands) {
    at = index(line, "  ")
    constant = ""
    if (at > 0) {
        constant = substr(line, at + 2)
        line = substr(line, 1, at - 1)
    }
    count = split(line, words, /[ ,:]+/)
    if (words[2] ~ /switch$/)
        return words[1] " " words[2]
    operands = ""
    for (start = 3; start <= count; start++)
        operands = operands " " words[start]
    return words[1] " " words[2] operands \
        (constant == "" ? "" : " " turnstile_constant(constant, words[2]))
}

# A class: the word behind "class" and the like, without its type parameters.
/^[^ }]/ && !/^Compiled from / {
    class = ""
    for (i = 1; i < NF; i++) {
        if ($i ~ /^(class|interface|@interface|enum|record|module)$/) {
            class = $(i + 1)
            break
        }
    }
    sub(/<.*/, "", class)
    gsub(/\./, "/", class)
    method_number = 0
    line_number = 0
    in_handlers = 0
    next
}

# A member: the word before its parameters.
/^  [^ ].*;$/ {
    declaration = $0
    sub(/ = .*/, "", declaration) # a field's value, which javap leaves out
    in_handlers = 0
    next
}

/^ +descriptor:? / && declaration != "" {
    if (declaration ~ /\(/ || declaration ~ /\{\}/) {
        sub(/\(.*/, "", declaration)
        sub(/.* /, "", declaration)
        method = declaration $2
        method_number++
        emit("method")
    }
    declaration = ""
    next
}

/^ +[0-9]+: [a-z]/ {
    line = $0
    sub(/^ +/, "", line)
    emit(from == "javap" ? javap_instruction(line) : turnstile_instruction(line))
    next
}

/^ +(-?[0-9]+|default): [0-9]+$/ {
    emit("case " $1 " " $2)
    next
}

from == "javap" && /^ +Exception table:$/ {
    in_handlers = 1
    next
}

from == "javap" && in_handlers && /^ +[0-9]+ +[0-9]+ +[0-9]+ / {
    type = $NF
    gsub(/"/, "", type)
    emit("handler " $1 " " $2 " " $3 " " type)
    next
}

from == "turnstile" && /^ +handler [0-9]+ to / {
    emit("handler " $2 " " $4 " " $7 " " $9)
    next
}
