#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "agent/agent_options.h"
#include "engine/mover.h"
#include "support.h"

static struct agent_options parse(const char *words)
{
    struct agent_options options;
    struct problem problem;
    problem_clear(&problem);
    if (!agent_options_parse(&options, words, &problem))
        fail_msg("'%s' is refused: %s", words ? words : "NULL", problem.reason);
    assert_false(problem.set);
    return options;
}

/* The words are refused, and the reason has the text in it. */
static void refused(const char *words, const char *text)
{
    struct agent_options options;
    struct problem problem;
    problem_clear(&problem);
    if (agent_options_parse(&options, words, &problem))
        fail_msg("'%s' is accepted", words);
    assert_true(problem.set);
    if (!strstr(problem.reason, text))
        fail_msg("'%s' is refused by '%s', without '%s'", words, problem.reason, text);
    if (strlen(problem.reason) + 1 >= sizeof problem.reason)
        fail_msg("'%s' is refused by a reason that is cut: %s", words, problem.reason);
}

static void without_words_all_is_as_the_header_says(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL, "", ",", ",,"};
    for (size_t i = 0; i < 4; i++) {
        struct agent_options options = parse(nothing[i]);
        assert_int_equal(options.races, AGENT_RACES_HYBRID);
        assert_int_equal(options.granularity, AGENT_GRANULARITY_FIELD);
        assert_int_equal(options.arrays, AGENT_ARRAYS_ELEMENT);
        assert_int_equal(options.format, AGENT_FORMAT_TEXT);
        assert_int_equal(options.color, AGENT_COLOR_AUTO);
        assert_int_equal(options.history, 8);
        assert_int_equal(options.max_reports, 100);
        assert_false(options.discipline || options.stats || options.quiet || options.verbose);
        assert_false(options.rewrite_nop || options.children || options.child);
        assert_int_equal(options.include.items.count + options.exclude.items.count +
                             options.watch.items.count,
                         0);
        assert_int_equal(options.atomic, AGENT_ATOMIC_HEURISTICS);
        assert_text(options.record, "");
        assert_text(options.output, "");
        assert_text(options.log, "");
        agent_options_release(&options);
    }
}

static void flags_are_set_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        size_t offset;
    } flags[] = {
        {"discipline", offsetof(struct agent_options, discipline)},
        {"stats", offsetof(struct agent_options, stats)},
        {"quiet", offsetof(struct agent_options, quiet)},
        {"verbose", offsetof(struct agent_options, verbose)},
        {"children", offsetof(struct agent_options, children)},
        {"child", offsetof(struct agent_options, child)},
        {"rewrite=nop", offsetof(struct agent_options, rewrite_nop)},
    };
    const size_t count = sizeof flags / sizeof flags[0];
    for (size_t i = 0; i < count; i++) {
        struct agent_options options = parse(flags[i].word);
        for (size_t k = 0; k < count; k++)
            assert_int_equal(*(const bool *)((const char *)&options + flags[k].offset), i == k);
        agent_options_release(&options);
    }
}

static void every_choice_is_understood(void **state)
{
    (void)state;
    struct agent_options options = parse("races=lockset,granularity=object,arrays=object");
    assert_int_equal(options.races, AGENT_RACES_LOCKSET);
    assert_int_equal(options.granularity, AGENT_GRANULARITY_OBJECT);
    assert_int_equal(options.arrays, AGENT_ARRAYS_OBJECT);
    agent_options_release(&options);
    options = parse("races=hb,arrays=off,format=json,color=always");
    assert_int_equal(options.races, AGENT_RACES_HB);
    assert_int_equal(options.arrays, AGENT_ARRAYS_OFF);
    assert_int_equal(options.format, AGENT_FORMAT_JSON);
    assert_int_equal(options.color, AGENT_COLOR_ALWAYS);
    agent_options_release(&options);
    /* Later words win, also with what holds unless told. */
    options = parse("races=hb,arrays=off,granularity=object,color=always,"
                    "races=hybrid,arrays=element,granularity=field,color=never");
    assert_int_equal(options.races, AGENT_RACES_HYBRID);
    assert_int_equal(options.arrays, AGENT_ARRAYS_ELEMENT);
    assert_int_equal(options.granularity, AGENT_GRANULARITY_FIELD);
    assert_int_equal(options.color, AGENT_COLOR_NEVER);
    agent_options_release(&options);
}

static void a_result_file_is_json_unless_told(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        enum agent_format format;
    } cases[] = {
        {"output=a.json", AGENT_FORMAT_JSON},
        {"output=a.txt,format=text", AGENT_FORMAT_TEXT},
        {"format=text,output=a.txt", AGENT_FORMAT_TEXT},
        {"format=json", AGENT_FORMAT_JSON},
        {"log=a", AGENT_FORMAT_TEXT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct agent_options options = parse(cases[i].words);
        assert_int_equal(options.format, cases[i].format);
        agent_options_release(&options);
    }
}

static void numbers_have_limits(void **state)
{
    (void)state;
    struct agent_options options = parse("history=2,max-reports=1");
    assert_int_equal(options.history, 2);
    assert_int_equal(options.max_reports, 1);
    agent_options_release(&options);
    options = parse("history=32,max-reports=1000000");
    assert_int_equal(options.history, 32);
    assert_int_equal(options.max_reports, 1000000);
    agent_options_release(&options);
    refused("history=1", "history takes a whole number from 2 to 32, not '1'");
    refused("history=33", "not '33'");
    refused("history=-8", "not '-8'");
    refused("history= 8", "not ' 8'");
    refused("history=8x", "not '8x'");
    refused("max-reports=0", "max-reports takes a whole number from 1 to 1000000, not '0'");
    refused("max-reports=1000001", "not '1000001'");
    /* 2^32 + 5: would be 5 if it were cut to 32 bits. */
    refused("max-reports=4294967301", "not '4294967301'");
}

static void patterns_add_up(void **state)
{
    (void)state;
    struct agent_options options =
        parse("include=java.util.*,exclude=*Test,include=sun,watch=Account.balance");
    assert_int_equal(options.include.items.count, 2);
    assert_text(options.include.items.items[0].text, "java.util.*");
    assert_text(options.include.items.items[1].text, "sun");
    assert_int_equal(options.exclude.items.count, 1);
    assert_true(pattern_list_matches(&options.exclude, TEXT("a.BTest")));
    assert_int_equal(options.watch.items.count, 1);
    assert_true(pattern_list_matches(&options.watch, TEXT("Account.balance")));
    agent_options_release(&options);
}

static void a_backslash_takes_the_next_character_as_it_is(void **state)
{
    (void)state;
    struct agent_options options = parse("output=/a\\,b/c\\\\d e=f.json,log=x\\y,watch=\\*");
    assert_text(options.output, "/a,b/c\\d e=f.json");
    assert_text(options.log, "xy");
    assert_text(options.watch.items.items[0].text, "*");
    agent_options_release(&options);
    /* At the end there is nothing to take, so it stands for itself. */
    options = parse("output=a\\");
    assert_text(options.output, "a\\");
    agent_options_release(&options);
}

static void texts_do_not_depend_on_the_words(void **state)
{
    (void)state;
    char words[] = "output=result.json,watch=Account";
    struct agent_options options = parse(words);
    memset(words, 'x', sizeof words - 1);
    assert_text(options.output, "result.json");
    assert_int_equal(options.output.bytes[options.output.length], 0);
    assert_text(options.watch.items.items[0].text, "Account");
    agent_options_release(&options);
}

static void wrong_words_say_what_is_allowed(void **state)
{
    (void)state;
    refused("frobnicate", "unknown agent option 'frobnicate': there are races, discipline, "
                          "granularity, arrays, history, max-reports, include, exclude, watch, "
                          "record, events, atomicity, without, atomic, atomic-methods, stats, "
                          "format, output, color, quiet, "
                          "verbose, children, rewrite, config");
    refused("verbose,frobnicate=7,stats", "unknown agent option 'frobnicate'");
    refused("race=hb", "unknown agent option 'race'");
    refused("Races=hb", "unknown agent option 'Races'");
    refused("=hb", "unknown agent option ''");
    refused("races=fasttrack", "races takes one of hybrid|lockset|hb, not 'fasttrack'");
    refused("races=hybrid|lockset", "not 'hybrid|lockset'");
    refused("granularity=class", "granularity takes one of field|object, not 'class'");
    refused("arrays=on", "arrays takes one of element|object|off, not 'on'");
    refused("format=html", "format takes one of text|json, not 'html'");
    refused("color=blue", "color takes one of auto|always|never, not 'blue'");
    refused("rewrite=all", "rewrite takes one of nop, not 'all'");
    refused("stats=yes", "stats takes no value");
    refused("stats=", "stats takes no value");
    refused("races", "races needs a value: races=hybrid|lockset|hb");
    refused("history=", "history needs a value: history=N");
    refused("include", "include needs a value: include=PATTERN");
    refused("output=", "output needs a value: output=FILE");
    refused("config", "config needs a value: config=FILE");
}

static void long_words_leave_room_for_the_reason(void **state)
{
    (void)state;
    char words[500] = "races=";
    memset(words + 6, 'x', sizeof words - 7);
    refused(words, "races takes one of hybrid|lockset|hb, not 'xxxxxxxxxxxx");
    memcpy(words, "log=xx", 6);
    struct agent_options options = parse(words);
    assert_int_equal(options.log.length, sizeof words - 5);
    agent_options_release(&options);
}

/* ---- config files ---- */

/* Parses the words, then config=FILE with this content. */
static struct agent_options parse_file(const struct support_folder *folder, const char *first,
                                       const char *content)
{
    char words[1200];
    const char *path = support_path(folder, "run.config");
    support_write(path, content, strlen(content));
    snprintf(words, sizeof words, "%s,config=%s", first, path);
    return parse(words);
}

static void a_config_file_has_one_word_on_each_line(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    struct agent_options options = parse_file(&folder, "history=16,include=sun",
                                              "# what to look at\n"
                                              "\n"
                                              "  include=java.util.*  \r\n"
                                              "\twatch=Account.a,b\n"
                                              "   # indented\n"
                                              "output=/a b\\c,d.json\n"
                                              "discipline\n"
                                              "history=4");
    assert_int_equal(options.include.items.count, 2);
    assert_text(options.include.items.items[1].text, "java.util.*");
    assert_text(options.watch.items.items[0].text, "Account.a,b");
    assert_text(options.output, "/a b\\c,d.json");
    assert_int_equal(options.format, AGENT_FORMAT_JSON);
    assert_true(options.discipline);
    assert_int_equal(options.history, 4);
    agent_options_release(&options);
    options = parse_file(&folder, "stats", "");
    assert_true(options.stats);
    agent_options_release(&options);
    support_folder_remove(&folder);
}

static void methods_stand_in_a_file(void **state)
{
    (void)state;
    struct support_folder folder;
    char words[1200];
    support_folder_make(&folder);
    const char *path = support_path(&folder, "methods");
    const char *content = "# ours\nBank.transfer\n !  Bank.audit*  \n\ncom.example\n";
    support_write(path, content, strlen(content));
    snprintf(words, sizeof words, "record=a.trace,events=all,atomic=annotated,atomic-methods=%s",
             path);
    struct agent_options options = parse(words);
    assert_text(options.record, "a.trace");
    assert_int_equal(options.atomic, AGENT_ATOMIC_ANNOTATED);
    assert_int_equal(options.events, AGENT_EVENTS_ALL);
    assert_int_equal(options.atomic_methods.items.count, 3);
    assert_text(options.atomic_methods.items.items[0].text, "Bank.transfer");
    assert_text(options.atomic_methods.items.items[1].text, "!Bank.audit*");
    assert_text(options.atomic_methods.items.items[2].text, "com.example");
    agent_options_release(&options);
    /* From a config file, which goes on behind it. */
    snprintf(words, sizeof words, "atomic-methods=%s\nstats\n", path);
    options = parse_file(&folder, "", words);
    assert_int_equal(options.atomic_methods.items.count, 3);
    assert_true(options.stats);
    assert_int_equal(options.events, AGENT_EVENTS_DISTINCT);
    agent_options_release(&options);
    options = parse("record=a.trace,events=sampled,atomicity=blocks,without=protected-locks,"
                    "without=reentrant-locks");
    assert_int_equal(options.events, AGENT_EVENTS_SAMPLED);
    assert_int_equal(options.atomicity, ANALYSIS_ATOMICITY_BLOCKS);
    assert_int_equal(options.without, MOVER_PROTECTED_LOCKS | MOVER_REENTRANT_LOCKS);
    agent_options_release(&options);
    refused("without=locks", "without takes one of reentrant-locks|");
    refused("events=sampled", "events=sampled needs a file: record=FILE");
    refused("record=a.trace,atomicity=both", "for samples: record=FILE,events=sampled");
    refused("record=a.trace,events=all,without=protected-locks", "for samples");
    refused("atomicity=all", "atomicity takes one of both|reduction|blocks|off, not 'all'");
    support_write(path, "A.b\n!\n", 6);
    snprintf(words, sizeof words, "atomic-methods=%s", path);
    refused(words, "line 2: a '!' needs a pattern behind it");
    support_write(path, "A.b(int)\nA.b(int\n", 17);
    refused(words, "line 2: 'A.b(int': a '(' needs types and a ')' behind it");
    refused("atomic-methods=missing", "atomic-methods=missing cannot be opened");
    support_folder_remove(&folder);
}

static void declarations_stand_in_a_file(void **state)
{
    (void)state;
    struct support_folder folder;
    char words[1200];
    support_folder_make(&folder);
    const char *path = support_path(&folder, "declared");
    const char *content = "method\tatomic\tis\tp/A\tm\t\t0\t0\nblock\tp/A.java\t3\t4\n";
    support_write(path, content, strlen(content));
    snprintf(words, sizeof words, "record=a.trace,declared=%s", path);
    struct agent_options options = parse(words);
    assert_int_equal(options.declared.methods.count, 1);
    assert_int_equal(options.declared.blocks.count, 1);
    assert_text(options.declared.blocks.items[0].file, "p/A.java");
    agent_options_release(&options);
    support_write(path, "block\tp/A.java\t3\n", 17);
    refused(words, "line 1: 'block\tp/A.java\t3' declares nothing");
    refused("declared=missing", "declared=missing cannot be opened");
    support_folder_remove(&folder);
}

static void words_behind_a_config_file_win(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    const char *path = support_path(&folder, "c");
    support_write(path, "races=hb\narrays=off\n", 20);
    char words[1200];
    snprintf(words, sizeof words, "config=%s,races=lockset", path);
    struct agent_options options = parse(words);
    assert_int_equal(options.races, AGENT_RACES_LOCKSET);
    assert_int_equal(options.arrays, AGENT_ARRAYS_OFF);
    agent_options_release(&options);
    support_folder_remove(&folder);
}

/* Short names, so that the reasons show them in full. */
static void in_folder(const struct support_folder *folder, char *before, size_t size)
{
    assert_non_null(getcwd(before, size));
    assert_int_equal(chdir(folder->path), 0);
}

static void wrong_lines_are_told_with_file_and_line(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    char before[1024];
    in_folder(&folder, before, sizeof before);
    support_write("c", "# one\n\nraces=some\n", 18);
    refused("config=c", "c: line 3: races takes one of hybrid|lockset|hb, not 'some'");
    support_write("c", "stats\nfrobnicate\n", 17);
    refused("config=c", "c: line 2: unknown agent option 'frobnicate'");
    support_write("c", "config=c\n", 9);
    refused("config=c", "c: line 1: a config file does not lead to another");
    support_write("c", "output=a\0b\n", 11);
    refused("config=c", "c: line 1: output has a zero byte in its value");
    /* Behind the file its lines are over, and there may be another file. */
    support_write("c", "watch=A\n", 8);
    struct agent_options options = parse("config=c,config=c");
    assert_int_equal(options.watch.items.count, 2);
    agent_options_release(&options);
    assert_int_equal(chdir(before), 0);
    support_folder_remove(&folder);
}

static void config_files_that_cannot_be_read(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    char before[1024];
    in_folder(&folder, before, sizeof before);
    refused("config=missing", "config=missing cannot be opened: No such file or directory");
    refused("config=.", "config=. is a directory");
    support_write("c", "stats\n", 6);
    assert_int_equal(chmod("c", 0), 0);
    /* The superuser may read everything. */
    if (geteuid() != 0)
        refused("config=c", "config=c cannot be opened: Permission denied");
    assert_int_equal(chdir(before), 0);
    support_folder_remove(&folder);
}

static bool parse_much(void *context)
{
    struct agent_options options;
    struct problem problem;
    problem_clear(&problem);
    bool parsed = agent_options_parse(&options, context, &problem);
    assert_int_equal(problem.set, !parsed);
    if (parsed) {
        assert_int_equal(options.watch.items.count, 3);
        assert_text(options.output, "result.json");
    } else {
        /* Told as such, also where reading the file was what failed. */
        assert_non_null(strstr(problem.reason, "memory"));
    }
    /* Also after a failure, where there is nothing left to release. */
    agent_options_release(&options);
    agent_options_release(&options);
    return parsed;
}

static void no_memory_is_told_and_nothing_is_kept(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    const char *path = support_path(&folder, "c");
    support_write(path, "watch=A\nwatch=B\n", 16);
    char words[1200];
    snprintf(words, sizeof words, "races=hb,config=%s,watch=C,output=result.json,include=x", path);
    assert_true(support_fail_each_request(parse_much, words) > 2);
    support_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_words_all_is_as_the_header_says),
        cmocka_unit_test(flags_are_set_one_by_one),
        cmocka_unit_test(every_choice_is_understood),
        cmocka_unit_test(a_result_file_is_json_unless_told),
        cmocka_unit_test(numbers_have_limits),
        cmocka_unit_test(patterns_add_up),
        cmocka_unit_test(a_backslash_takes_the_next_character_as_it_is),
        cmocka_unit_test(texts_do_not_depend_on_the_words),
        cmocka_unit_test(wrong_words_say_what_is_allowed),
        cmocka_unit_test(long_words_leave_room_for_the_reason),
        cmocka_unit_test(a_config_file_has_one_word_on_each_line),
        cmocka_unit_test(methods_stand_in_a_file),
        cmocka_unit_test(declarations_stand_in_a_file),
        cmocka_unit_test(words_behind_a_config_file_win),
        cmocka_unit_test(wrong_lines_are_told_with_file_and_line),
        cmocka_unit_test(config_files_that_cannot_be_read),
        cmocka_unit_test(no_memory_is_told_and_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
