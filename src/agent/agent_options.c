#include "agent/agent_options.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/builder.h"
#include "base/file.h"
#include "engine/mover.h"
#include "instrument/atomic_patterns.h"

enum word_kind {
    WORD_FLAG,       /* bool: set by its name alone */
    WORD_SETTING,    /* bool: set by its only value */
    WORD_CHOICE,     /* an enum: the number of the word in `values` */
    WORD_NUMBER,     /* unsigned: from `least` to `most` */
    WORD_PATTERN,    /* struct pattern_list: one more */
    WORD_FILE,       /* struct text */
    WORD_REFINEMENT, /* uint32_t: one more bit */
    WORD_METHODS,    /* a file with patterns of methods */
    WORD_DECLARED,   /* a file of declared_methods.h */
    WORD_CONFIG      /* a file with more words */
};

struct word_rule {
    const char *name;
    enum word_kind kind;
    bool hidden; /* between the parts of the tool, not for people */
    size_t offset;
    const char *values; /* separated by '|', or what the value is called */
    unsigned least, most;
};

#define REFINEMENTS                                                                                \
    "reentrant-locks|thread-local-locks|thread-local-2-locks|protected-locks|write-protected-data"

#define OFFSET(member) offsetof(struct agent_options, member)

static const struct word_rule rules[] = {
    {"races", WORD_CHOICE, false, OFFSET(races), "hybrid|lockset|hb", 0, 0},
    {"discipline", WORD_FLAG, false, OFFSET(discipline), NULL, 0, 0},
    {"granularity", WORD_CHOICE, false, OFFSET(granularity), "field|object", 0, 0},
    {"arrays", WORD_CHOICE, false, OFFSET(arrays), "element|object|off", 0, 0},
    {"history", WORD_NUMBER, false, OFFSET(history), "N", 2, 32},
    {"max-reports", WORD_NUMBER, false, OFFSET(max_reports), "N", 1, 1000000},
    {"include", WORD_PATTERN, false, OFFSET(include), "PATTERN", 0, 0},
    {"exclude", WORD_PATTERN, false, OFFSET(exclude), "PATTERN", 0, 0},
    {"watch", WORD_PATTERN, false, OFFSET(watch), "PATTERN", 0, 0},
    {"record", WORD_FILE, false, OFFSET(record), "FILE", 0, 0},
    {"events", WORD_CHOICE, false, OFFSET(events), "all|distinct|reduction|sampled", 0, 0},
    {"atomicity", WORD_CHOICE, false, OFFSET(atomicity), "both|reduction|blocks|off", 0, 0},
    {"without", WORD_REFINEMENT, false, OFFSET(without), REFINEMENTS, 0, 0},
    {"atomic", WORD_CHOICE, false, OFFSET(atomic), "heuristics|annotated|none", 0, 0},
    {"atomic-methods", WORD_METHODS, false, 0, "FILE", 0, 0},
    {"stats", WORD_FLAG, false, OFFSET(stats), NULL, 0, 0},
    {"format", WORD_CHOICE, false, OFFSET(format), "text|json", 0, 0},
    {"output", WORD_FILE, false, OFFSET(output), "FILE", 0, 0},
    {"color", WORD_CHOICE, false, OFFSET(color), "auto|always|never", 0, 0},
    {"quiet", WORD_FLAG, false, OFFSET(quiet), NULL, 0, 0},
    {"verbose", WORD_FLAG, false, OFFSET(verbose), NULL, 0, 0},
    {"children", WORD_FLAG, false, OFFSET(children), NULL, 0, 0},
    {"rewrite", WORD_SETTING, false, OFFSET(rewrite_nop), "nop", 0, 0},
    {"config", WORD_CONFIG, false, 0, "FILE", 0, 0},
    {"declared", WORD_DECLARED, true, 0, "FILE", 0, 0},
    {"child", WORD_FLAG, true, OFFSET(child), NULL, 0, 0},
    {"log", WORD_FILE, true, OFFSET(log), "FILE", 0, 0},
};

enum { RULE_COUNT = sizeof rules / sizeof rules[0] };

struct parser {
    struct agent_options *options;
    struct problem *problem;
    struct text file; /* the config file; empty outside of one */
    unsigned line;
    bool format_given;
    bool samples_given; /* something that is for samples */
};

static bool parse_config(struct parser *parser, struct text path);
static bool parse_methods(struct parser *parser, struct text path);
static bool parse_declared(struct parser *parser, struct text path);

/* ---- what is wrong ---- */

/* A reason is one line of limited length: what the user wrote must not push out what we say. */
struct shown {
    char bytes[48];
};

static struct shown show(struct text text)
{
    struct shown shown;
    const size_t most = sizeof shown.bytes - 4;
    bool cut = text.length > most;
    snprintf(shown.bytes, sizeof shown.bytes, "%.*s%s", (int)(cut ? most : text.length),
             text.length ? text.bytes : "", cut ? "..." : "");
    return shown;
}

__attribute__((format(printf, 2, 3))) static bool refuse(struct parser *parser, const char *format,
                                                         ...)
{
    char reason[sizeof parser->problem->reason];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (parser->file.length)
        problem_set(parser->problem, PROBLEM_NO_OFFSET, "%s: line %u: %s", show(parser->file).bytes,
                    parser->line, reason);
    else
        problem_set(parser->problem, PROBLEM_NO_OFFSET, "%s", reason);
    return false;
}

static bool refuse_memory(struct parser *parser)
{
    problem_set(parser->problem, PROBLEM_NO_OFFSET, "out of memory for the agent's options");
    return false;
}

static bool refuse_name(struct parser *parser, struct text name)
{
    char names[320];
    size_t length = 0;
    for (size_t i = 0; i < RULE_COUNT && length < sizeof names; i++)
        if (!rules[i].hidden)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                       rules[i].name);
    return refuse(parser, "unknown agent option '%s': there are %s", show(name).bytes, names);
}

static bool refuse_value(struct parser *parser, const struct word_rule *rule, struct text value)
{
    if (rule->kind == WORD_NUMBER)
        return refuse(parser, "%s takes a whole number from %u to %u, not '%s'", rule->name,
                      rule->least, rule->most, show(value).bytes);
    return refuse(parser, "%s takes one of %s, not '%s'", rule->name, rule->values,
                  show(value).bytes);
}

/* ---- values ---- */

/* The number of the value among "first|second|third", or -1. */
static int find_choice(const char *values, struct text value)
{
    struct text rest = text_from(values);
    for (int index = 0; rest.length; index++) {
        ptrdiff_t bar = text_find(rest, '|');
        size_t length = bar < 0 ? rest.length : (size_t)bar;
        if (text_equal(text_slice(rest, 0, length), value))
            return index;
        rest = text_slice(rest, length + 1, rest.length);
    }
    return -1;
}

static bool parse_choice(struct parser *parser, const struct word_rule *rule, struct text value)
{
    int index = find_choice(rule->values, value);
    if (index < 0)
        return refuse_value(parser, rule, value);
    unsigned choice = (unsigned)index;
    /* The members are different enums, all of this size. */
    _Static_assert(sizeof(enum agent_races) == sizeof choice, "enums are as wide as unsigned");
    memcpy((char *)parser->options + rule->offset, &choice, sizeof choice);
    if (rule->offset == OFFSET(format))
        parser->format_given = true;
    if (rule->offset == OFFSET(atomicity))
        parser->samples_given = true;
    return true;
}

static bool parse_number(struct parser *parser, const struct word_rule *rule, struct text value)
{
    unsigned number = 0;
    for (size_t i = 0; i < value.length; i++) {
        char digit = value.bytes[i];
        if (digit < '0' || digit > '9')
            return refuse_value(parser, rule, value);
        number = number * 10 + (unsigned)(digit - '0');
        if (number > rule->most)
            return refuse_value(parser, rule, value);
    }
    if (number < rule->least)
        return refuse_value(parser, rule, value);
    memcpy((char *)parser->options + rule->offset, &number, sizeof number);
    return true;
}

static bool parse_flag(struct parser *parser, const struct word_rule *rule)
{
    bool *target = (bool *)((char *)parser->options + rule->offset);
    *target = true;
    return true;
}

static bool parse_file(struct parser *parser, const struct word_rule *rule, struct text value)
{
    struct text *target = (struct text *)(void *)((char *)parser->options + rule->offset);
    *target = text_copy(&parser->options->arena, value);
    return target->length == value.length || refuse_memory(parser);
}

static bool parse_refinement(struct parser *parser, const struct word_rule *rule, struct text value)
{
    const uint32_t bit = mover_refinement_from(value);
    parser->options->without |= bit;
    parser->samples_given = true;
    return bit || refuse_value(parser, rule, value);
}

static bool parse_pattern(struct parser *parser, const struct word_rule *rule, struct text value)
{
    struct pattern_list *list =
        (struct pattern_list *)(void *)((char *)parser->options + rule->offset);
    return pattern_list_add(list, &parser->options->arena, value) || refuse_memory(parser);
}

static bool parse_value(struct parser *parser, const struct word_rule *rule, struct text value)
{
    switch (rule->kind) {
    case WORD_FLAG:
        return parse_flag(parser, rule);
    case WORD_SETTING:
        return find_choice(rule->values, value) < 0 ? refuse_value(parser, rule, value)
                                                    : parse_flag(parser, rule);
    case WORD_CHOICE:
        return parse_choice(parser, rule, value);
    case WORD_NUMBER:
        return parse_number(parser, rule, value);
    case WORD_PATTERN:
        return parse_pattern(parser, rule, value);
    case WORD_FILE:
        return parse_file(parser, rule, value);
    case WORD_REFINEMENT:
        return parse_refinement(parser, rule, value);
    case WORD_METHODS:
        return parse_methods(parser, value);
    case WORD_DECLARED:
        return parse_declared(parser, value);
    case WORD_CONFIG:
        return parse_config(parser, value);
    }
    return false;
}

/* ---- words ---- */

static const struct word_rule *find_rule(struct text name)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (text_is(name, rules[i].name))
            return &rules[i];
    return NULL;
}

static bool parse_word(struct parser *parser, struct text word)
{
    if (!word.length)
        return true;
    ptrdiff_t equals = text_find(word, '=');
    struct text name = text_slice(word, 0, equals < 0 ? word.length : (size_t)equals);
    struct text value = text_slice(word, name.length + 1, word.length);
    const struct word_rule *rule = find_rule(name);
    if (!rule)
        return refuse_name(parser, name);
    if (rule->kind == WORD_FLAG && equals >= 0)
        return refuse(parser, "%s takes no value", rule->name);
    if (rule->kind != WORD_FLAG && !value.length)
        return refuse(parser, "%s needs a value: %s=%s", rule->name, rule->name, rule->values);
    if (text_find(value, '\0') >= 0)
        return refuse(parser, "%s has a zero byte in its value", rule->name);
    return parse_value(parser, rule, value);
}

static bool parse_declaration(struct parser *parser, struct text line)
{
    struct agent_options *options = parser->options;
    switch (declared_methods_read(&options->declared, &options->arena, line)) {
    case DECLARED_DONE:
        return true;
    case DECLARED_MALFORMED:
        return refuse(parser, "'%s' declares nothing", show(line).bytes);
    case DECLARED_NO_MEMORY:
        break;
    }
    return refuse_memory(parser);
}

static bool parse_lines(struct parser *parser, struct text content,
                        bool (*parse)(struct parser *parser, struct text line))
{
    struct text line;
    for (parser->line = 1; text_next_line(&content, &line); parser->line++)
        if (line.length && line.bytes[0] != '#' && !parse(parser, line))
            return false;
    return true;
}

static bool parse_word_lines(struct parser *parser, struct text content)
{
    return parse_lines(parser, content, parse_word);
}

static bool parse_declaration_lines(struct parser *parser, struct text content)
{
    return parse_lines(parser, content, parse_declaration);
}

static bool parse_pattern_lines(struct parser *parser, struct text content)
{
    struct agent_options *options = parser->options;
    struct problem problem;
    problem_clear(&problem);
    if (atomic_patterns_read(&options->atomic_methods, &options->arena, content, &parser->line,
                             &problem))
        return true;
    return parser->line ? refuse(parser, "%s", problem.reason) : refuse_memory(parser);
}

/* `what`: the name of the option that the file was given by. */
static bool parse_file_of(struct parser *parser, const char *what, struct text path,
                          bool (*parse)(struct parser *parser, struct text content))
{
    const struct text outer = parser->file;
    const unsigned outer_line = parser->line;
    struct text copy = text_copy(&parser->options->arena, path);
    if (copy.length != path.length)
        return refuse_memory(parser);
    struct problem reason;
    problem_clear(&reason);
    struct file_map map;
    if (!file_map_open(&map, copy.bytes, &reason))
        return refuse(parser, "%s=%s %s", what, show(path).bytes, reason.reason);
    parser->file = copy;
    const bool parsed = parse(parser, text_of(map.bytes, map.size));
    parser->file = outer;
    parser->line = outer_line;
    file_map_close(&map);
    return parsed;
}

static bool parse_config(struct parser *parser, struct text path)
{
    if (parser->file.length)
        return refuse(parser, "a config file does not lead to another");
    return parse_file_of(parser, "config", path, parse_word_lines);
}

static bool parse_methods(struct parser *parser, struct text path)
{
    return parse_file_of(parser, "atomic-methods", path, parse_pattern_lines);
}

static bool parse_declared(struct parser *parser, struct text path)
{
    return parse_file_of(parser, "declared", path, parse_declaration_lines);
}

/* Moves one word without its escapes to the builder. The length of what it was made of. */
static size_t unescape(const char *words, struct builder *word)
{
    size_t at = 0;
    while (words[at] && words[at] != ',') {
        if (words[at] == '\\' && words[at + 1])
            at++;
        builder_add_byte(word, words[at++]);
    }
    return at;
}

static bool parse_words(struct parser *parser, const char *words)
{
    struct builder word;
    builder_init(&word);
    bool parsed = true;
    while (parsed && *words) {
        builder_clear(&word);
        words += unescape(words, &word);
        parsed = word.failed ? refuse_memory(parser) : parse_word(parser, builder_text(&word));
        if (*words == ',')
            words++;
    }
    builder_release(&word);
    return parsed;
}

/* What would mean nothing is refused. */
static bool check_samples(struct parser *parser)
{
    const struct agent_options *options = parser->options;
    const bool sampled = options->events == AGENT_EVENTS_SAMPLED;
    if (sampled && !options->record.length)
        return refuse(parser, "events=sampled needs a file: record=FILE");
    if (!sampled && parser->samples_given)
        return refuse(parser, "atomicity and without are for samples: record=FILE,events=sampled");
    return true;
}

bool agent_options_parse(struct agent_options *options, const char *words, struct problem *problem)
{
    *options = (struct agent_options){.history = 8,
                                      .max_reports = 100,
                                      .events = AGENT_EVENTS_DISTINCT,
                                      .record = TEXT(""),
                                      .output = TEXT(""),
                                      .log = TEXT("")};
    arena_init(&options->arena);
    struct parser parser = {.options = options, .problem = problem, .file = TEXT("")};
    if (!parse_words(&parser, words ? words : "")) {
        agent_options_release(options);
        return false;
    }
    if (!check_samples(&parser)) {
        agent_options_release(options);
        return false;
    }
    if (options->output.length && !parser.format_given)
        options->format = AGENT_FORMAT_JSON;
    return true;
}

void agent_options_release(struct agent_options *options)
{
    pattern_list_release(&options->include);
    pattern_list_release(&options->exclude);
    pattern_list_release(&options->watch);
    pattern_list_release(&options->atomic_methods);
    declared_methods_release(&options->declared);
    arena_release(&options->arena);
    options->output = options->log = TEXT("");
}
