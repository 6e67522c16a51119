#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "report/report_json.h"
#include "sample.h"

/*
 * A reader of JSON (RFC 8259) that builds nothing: it says whether the text is right. It shares no
 * code with the writer.
 */

static const char *skip_value(const char *at);

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (*at != '"') {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at++ != '\\')
            continue;
        if (*at == 'u') {
            if (strspn(at + 1, "0123456789abcdefABCDEF") < 4)
                return NULL;
            at += 5;
        } else if (*at && strchr("\"\\/bfnrt", *at)) {
            at++;
        } else {
            return NULL;
        }
    }
    return at + 1;
}

static const char *skip_member(const char *at)
{
    at = skip_string(at);
    at = at ? skip_space(at) : NULL;
    return at && *at == ':' ? skip_value(at + 1) : NULL;
}

static const char *skip_container(const char *at, char end)
{
    bool object = *at == '{';
    at = skip_space(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        at = object ? skip_member(skip_space(at)) : skip_value(at);
        at = at ? skip_space(at) : NULL;
        if (!at || (*at != ',' && *at != end))
            return NULL;
        if (*at++ == end)
            return at;
    }
}

static const char *skip_value(const char *at)
{
    at = skip_space(at);
    if (*at == '{')
        return skip_container(at, '}');
    if (*at == '[')
        return skip_container(at, ']');
    if (*at == '"')
        return skip_string(at);
    if (strncmp(at, "true", 4) == 0)
        return at + 4;
    size_t digits = strspn(at, "0123456789");
    return digits == 0 || (*at == '0' && digits > 1) ? NULL : at + digits;
}

static bool is_json(const char *text)
{
    const char *end = skip_value(text);
    return end && *skip_space(end) == '\0';
}

static struct text write_json(struct fixture *fixture)
{
    builder_clear(&fixture->builder);
    assert_true(report_json_write(&fixture->report, &fixture->builder));
    struct text text = builder_text(&fixture->builder);
    assert_int_equal(strlen(text.bytes), text.length);
    if (!is_json(text.bytes))
        fail_msg("not JSON: %s", text.bytes);
    return text;
}

static void expect_part(struct fixture *fixture, const char *part)
{
    struct text text = write_json(fixture);
    if (!strstr(text.bytes, part)) {
        print_error("expected \"%s\" in \"%s\"\n", part, text.bytes);
        fail();
    }
}

static void expect_no_part(struct fixture *fixture, const char *part)
{
    assert_null(strstr(write_json(fixture).bytes, part));
}

static void the_reader_of_this_test_can_say_no(void **state)
{
    (void)state;
    assert_true(is_json("{\"a\": [1, \"x\\u00e9\", {}], \"b\": []}\n"));
    assert_false(is_json("{\"a\": 1,}"));
    assert_false(is_json("{\"a\": 01}"));
    assert_false(is_json("[1 2]"));
    assert_false(is_json("[1]]"));
    assert_false(is_json("\"a\nb\""));
    assert_false(is_json("\"\\x\""));
    assert_false(is_json("{\"a\""));
}

static void an_empty_report(void **state)
{
    assert_text(
        write_json(*state),
        "{\n"
        "  \"tool\": \"turnstile\",\n"
        "  \"version\": \"0.1.0\",\n"
        "  \"command\": \"run\",\n"
        "  \"findings\": [],\n"
        "  \"summary\": {\"findings\": 0, \"races\": 0, \"atomicity\": 0, \"deadlocks\": 0, "
        "\"warnings\": 0, \"observed\": 0, \"predicted\": 0, \"discipline\": 0, \"not_shown\": 0}\n"
        "}\n");
}

/* Every field of a finding of a run. The fingerprint's own tests say what it is. */
static void a_race(void **state)
{
    struct fixture *fixture = *state;
    const struct report_stat stats[] = {{TEXT("classes"), 3}, {TEXT("events"), UINT64_MAX}};
    fixture->report.stats = stats;
    fixture->report.stat_count = 2;
    fixture->report.not_shown = 3;
    fixture->sample.stacks[0].frame_count = 2;
    fixture->sample.stacks[1].frame_count = 1;
    fixture->sample.race.count = 7;
    add(fixture, &fixture->sample.race);
    char fingerprint[FINDING_FINGERPRINT_SIZE];
    finding_fingerprint_print(finding_fingerprint(&fixture->sample.race), fingerprint);
    struct builder expected;
    builder_init(&expected);
    builder_add_format(
        &expected,
        "{\n"
        "  \"tool\": \"turnstile\",\n"
        "  \"version\": \"0.1.0\",\n"
        "  \"command\": \"run\",\n"
        "  \"findings\": [\n"
        "    {\n"
        "      \"rule\": \"race\",\n"
        "      \"grade\": \"observed\",\n"
        "      \"class\": \"Account\",\n"
        "      \"member\": \"balance\",\n"
        "      \"signature\": \"I\",\n"
        "      \"file\": \"Account.java\",\n"
        "      \"line\": 11,\n"
        "      \"message\": \"Two threads access it at once, and one of them writes.\",\n"
        "      \"help\": \"Hold one lock.\",\n"
        "      \"fingerprint\": \"%s\",\n"
        "      \"count\": 7,\n"
        "      \"locks\": [],\n"
        "      \"stacks\": [\n"
        "        {\n"
        "          \"role\": \"write\",\n"
        "          \"thread\": \"monday\",\n"
        "          \"locks\": [],\n"
        "          \"frames\": [\n"
        "            {\"class\": \"Account\", \"method\": \"deposit\", \"file\": "
        "\"Account.java\", \"line\": 11},\n"
        "            {\"class\": \"Bank$Clerk\", \"method\": \"run\", \"file\": \"Bank.java\", "
        "\"line\": 28}\n"
        "          ]\n"
        "        },\n"
        "        {\n"
        "          \"role\": \"read\",\n"
        "          \"thread\": \"friday\",\n"
        "          \"locks\": [\"Account@1b28cdfa\"],\n"
        "          \"frames\": [\n"
        "            {\"class\": \"Account\", \"method\": \"withdraw\", \"file\": "
        "\"Account.java\", \"line\": 15}\n"
        "          ]\n"
        "        }\n"
        "      ]\n"
        "    }\n"
        "  ],\n"
        "  \"summary\": {\"findings\": 1, \"races\": 1, \"atomicity\": 0, \"deadlocks\": 0, "
        "\"warnings\": 0, \"observed\": 1, \"predicted\": 0, \"discipline\": 0, \"not_shown\": "
        "3},\n"
        "  \"stats\": {\n"
        "    \"classes\": 3,\n"
        "    \"events\": 18446744073709551615\n"
        "  }\n"
        "}\n",
        fingerprint);
    assert_text(write_json(fixture), builder_string(&expected));
    builder_release(&expected);
}

static void what_does_not_apply_is_left_out(void **state)
{
    struct fixture *fixture = *state;
    struct finding_frame frame = FRAME("A", "f", "", 0);
    struct finding_stack stack = {.role = TEXT("called"), .frames = &frame, .frame_count = 1};
    struct finding finding = {.rule = FINDING_REQUIRES_NOT_HELD,
                              .basis = FINDING_BASIS_INFERRED,
                              .class_name = TEXT("A"),
                              .stacks = &stack,
                              .stack_count = 1};
    add(fixture, &finding);
    expect_part(fixture, "\"rule\": \"requires-not-held\",\n"
                         "      \"basis\": \"inferred\",\n"
                         "      \"class\": \"A\",\n"
                         "      \"help\": \"");
    expect_part(fixture, "{\"class\": \"A\", \"method\": \"f\"}\n");
    expect_part(fixture, "\"role\": \"called\",\n          \"locks\": [],\n");
    expect_part(fixture, "\"count\": 1,\n      \"locks\": [],\n");
    expect_part(fixture, "\"warnings\": 1, \"observed\": 0,");
    expect_no_part(fixture, "\"grade\":");
    expect_no_part(fixture, "\"member\":");
    expect_no_part(fixture, "\"thread\":");
    expect_no_part(fixture, "\"locks_unknown\":");
    expect_no_part(fixture, "\"callers_unknown\":");
    expect_no_part(fixture, "\"presumed\":");
    expect_no_part(fixture, "\"line\":");
    expect_no_part(fixture, "\"stats\":");
}

/* The same findings give the same bytes whatever their order of arrival. */
static void findings_are_sorted(void **state)
{
    struct fixture *fixture = *state;
    struct finding early = fixture->sample.race;
    early.file = TEXT("A.java");
    early.class_name = TEXT("A");
    add(fixture, &fixture->sample.race);
    add(fixture, &early);
    struct text text = write_json(fixture);
    const char *first = strstr(text.bytes, "\"class\": \"A\",");
    const char *second = strstr(text.bytes, "\"class\": \"Account\",\n");
    assert_non_null(first);
    assert_non_null(second);
    assert_true(first < second);
    expect_part(fixture, "    },\n    {\n");
}

/* Each text of a finding, with what could end a string, an object or a line. */
static void hostile_names(void **state)
{
    struct fixture *fixture = *state;
    const struct text evil =
        TEXT("\"\\\n\x01\xc0\x80\xed\xa0\xbd\xed\xb4\x92\xed\xa0\xbd\xff\"}],");
    const char *expected = "\"\\\"\\\\\\n\\u0001\\u0000\xf0\x9f\x94\x92\xef\xbf\xbd\xef\xbf\xbd"
                           "\\\"}],\"";
    struct finding_frame frame = {evil, evil, evil, 1};
    struct finding_stack stack = {.role = evil,
                                  .thread = evil,
                                  .locks = &evil,
                                  .lock_count = 1,
                                  .frames = &frame,
                                  .frame_count = 1};
    struct finding finding = {.rule = FINDING_RACE,
                              .class_name = evil,
                              .member = evil,
                              .signature = evil,
                              .file = evil,
                              .message = evil,
                              .help = evil,
                              .locks = &evil,
                              .lock_count = 1,
                              .stacks = &stack,
                              .stack_count = 1};
    const struct report_stat stat = {evil, 1};
    fixture->report = (struct report){.findings = &fixture->list,
                                      .version = evil,
                                      .command = evil,
                                      .stats = &stat,
                                      .stat_count = 1};
    add(fixture, &finding);
    size_t count = 0;
    for (const char *at = write_json(fixture).bytes; (at = strstr(at, expected)) != NULL; at++)
        count++;
    /* version, command, a stat; class, member, signature, file, message, help, lock; role, thread,
       lock; class, method, file of the frame */
    assert_int_equal(count, 3 + 7 + 3 + 3);
}

static void unknown_locks_are_not_no_locks(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[0].locks_unknown = true;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "\"locks\": [],\n          \"locks_unknown\": true,\n");
}

static void unknown_callers_are_told(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[0].callers_unknown = true;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "],\n          \"callers_unknown\": true\n");
}

static void presumed_places_are_told(void **state)
{
    struct fixture *fixture = *state;
    fixture->sample.stacks[0].presumed = true;
    add(fixture, &fixture->sample.race);
    expect_part(fixture, "],\n          \"presumed\": true\n");
}

static bool write_without_memory(void *context)
{
    struct fixture *fixture = context;
    struct builder builder;
    builder_init(&builder);
    bool written = report_json_write(&fixture->report, &builder);
    assert_int_equal(written, is_json(builder_string(&builder)));
    builder_release(&builder);
    return written;
}

static void without_memory_it_says_so(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, &fixture->sample.race);
    assert_true(support_fail_each_request(write_without_memory, fixture) >= 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_of_this_test_can_say_no),
        TEST(unknown_locks_are_not_no_locks),
        TEST(unknown_callers_are_told),
        TEST(presumed_places_are_told),
        TEST(an_empty_report),
        TEST(a_race),
        TEST(what_does_not_apply_is_left_out),
        TEST(findings_are_sorted),
        TEST(hostile_names),
        TEST(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
