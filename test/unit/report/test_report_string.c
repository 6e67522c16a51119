#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "report/report_string.h"
#include "support.h"

/* JVMS 4.4.7 defines modified UTF-8, RFC 3629 UTF-8, RFC 8259 what JSON must escape. */

typedef void (*adder)(struct builder *, struct text);

static void check(adder add, struct text text, const char *expected, const char *file, int line)
{
    struct builder builder;
    builder_init(&builder);
    add(&builder, text);
    support_assert_text(builder_text(&builder), expected, file, line);
    builder_release(&builder);
}

#define assert_json(literal, expected)                                                             \
    check(report_string_add_json, TEXT(literal), expected, __FILE__, __LINE__)
#define assert_plain(literal, expected)                                                            \
    check(report_string_add_plain, TEXT(literal), expected, __FILE__, __LINE__)
#define assert_quoted(literal, expected)                                                           \
    check(report_string_add_quoted, TEXT(literal), expected, __FILE__, __LINE__)

static void json_escapes_what_it_must(void **state)
{
    (void)state;
    assert_json("", "\"\"");
    assert_json("Account.balance", "\"Account.balance\"");
    assert_json("say \"hi\" \\ '/", "\"say \\\"hi\\\" \\\\ '/\"");
    assert_json("\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\"");
    assert_json("\x01\x1b\x1f\x7f", "\"\\u0001\\u001b\\u001f\\u007f\"");
    /* A zero in the middle is a byte as others, and C0 80 is how JVMs write it. */
    assert_json("a\0b", "\"a\\u0000b\"");
    assert_json("a\xc0\x80"
                "b",
                "\"a\\u0000b\"");
    /* Line and paragraph separator. */
    assert_json("\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\"");
}

static void characters_beyond_ascii_stay(void **state)
{
    (void)state;
    /* U+00E9, U+20AC, U+FFFF: the ends of the two- and three-byte ranges are in the next test. */
    assert_json("caf\xc3\xa9 \xe2\x82\xac", "\"caf\xc3\xa9 \xe2\x82\xac\"");
    assert_plain("caf\xc3\xa9 \xe2\x82\xac", "caf\xc3\xa9 \xe2\x82\xac");
    assert_plain("\xc2\xa0\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf",
                 "\xc2\xa0\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
}

/* U+1F512, a lock: D83D DD12 in UTF-16. */
static void surrogate_pairs_are_joined(void **state)
{
    (void)state;
    assert_json("\xed\xa0\xbd\xed\xb4\x92", "\"\xf0\x9f\x94\x92\"");
    assert_plain("a\xed\xa0\xbd\xed\xb4\x92z", "a\xf0\x9f\x94\x92z");
    /* The first and the last pair: U+10000 and U+10FFFF. */
    assert_json("\xed\xa0\x80\xed\xb0\x80", "\"\xf0\x90\x80\x80\"");
    assert_json("\xed\xaf\xbf\xed\xbf\xbf", "\"\xf4\x8f\xbf\xbf\"");
    /* What is UTF-8 already stays. */
    assert_json("\xf0\x9f\x94\x92", "\"\xf0\x9f\x94\x92\"");
}

static void lone_surrogates_do_no_harm(void **state)
{
    (void)state;
    assert_json("a\xed\xa0\xbd", "\"a\xef\xbf\xbd\"");
    assert_json("\xed\xb4\x92z", "\"\xef\xbf\xbdz\"");
    /* Two high halves and a low one: the first is alone. */
    assert_json("\xed\xa0\xbd\xed\xa0\xbd\xed\xb4\x92", "\"\xef\xbf\xbd\xf0\x9f\x94\x92\"");
    assert_plain("a\xed\xa0\xbd", "a\\uD83D");
    assert_plain("\xed\xb4\x92z", "\\uDD12z");
}

#define BAD "\xef\xbf\xbd"

static void bytes_that_are_no_character_are_replaced(void **state)
{
    (void)state;
    assert_json("\x80z", "\"" BAD "z\"");               /* a continuation alone */
    assert_json("\xc3", "\"" BAD "\"");                 /* cut off */
    assert_json("\xe2\x82", "\"" BAD BAD "\"");         /* cut off */
    assert_json("\xe2\"x", "\"" BAD "\\\"x\"");         /* the quote is not swallowed */
    assert_json("\xc1\x81", "\"" BAD BAD "\"");         /* 'A' in two bytes */
    assert_json("\xe0\x80\xaf", "\"" BAD BAD BAD "\""); /* '/' in three */
    assert_json("\xf0\x80\x80\xaf", "\"" BAD BAD BAD BAD "\"");
    assert_json("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""); /* above U+10FFFF */
    assert_json("\xff\xfe", "\"" BAD BAD "\"");
    assert_plain("\xff", BAD);
}

static void a_line_of_text_stays_one_line_and_commands_no_terminal(void **state)
{
    (void)state;
    assert_plain("two\nlines\tand \"quotes\" \\", "two\\nlines\\tand \"quotes\" \\");
    assert_plain("\x1b[31mred\x07", "\\u001B[31mred\\u0007");
    assert_plain("\xc2\x9b"
                 "31m",
                 "\\u009B31m"); /* C1: the other way to write ESC [ */
    assert_plain("\xe2\x80\xae"
                 "txt",
                 "\\u202Etxt"); /* right-to-left override */
    assert_quoted("monday", "\"monday\"");
    assert_quoted("a \"b\" \\ \n", "\"a \\\"b\\\" \\\\ \\n\"");
}

/* Whether the bytes are well-formed UTF-8 as table 3-7 of the Unicode standard has it. */
static bool is_utf8(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        unsigned first = bytes[i++];
        size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || length - i < more)
            return false;
        for (; more > 0; more--, low = 0x80, high = 0xBF, i++)
            if (bytes[i] < low || bytes[i] > high)
                return false;
    }
    return true;
}

static void whatever_comes_in_utf8_goes_out(void **state)
{
    (void)state;
    static const unsigned char likely[] = {0xED, 0xA0, 0xBD, 0xB4, 0x92, 0xC0, 0x80, 0xF0, 0x9F};
    uint64_t random = 7;
    struct builder builder;
    builder_init(&builder);
    for (int round = 0; round < 20000; round++) {
        char bytes[12];
        for (size_t i = 0; i < sizeof bytes; i++) {
            uint64_t number = support_random(&random);
            bytes[i] = (char)(number & 1 ? likely[(number >> 8) % sizeof likely] : number >> 8);
        }
        builder_clear(&builder);
        report_string_add_json(&builder, text_of(bytes, sizeof bytes));
        assert_true(is_utf8((const unsigned char *)builder.bytes, builder.length));
        for (size_t i = 0; i < builder.length; i++)
            assert_true((unsigned char)builder.bytes[i] >= 0x20);
        builder_clear(&builder);
        report_string_add_quoted(&builder, text_of(bytes, sizeof bytes));
        assert_true(is_utf8((const unsigned char *)builder.bytes, builder.length));
    }
    builder_release(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_escapes_what_it_must),
        cmocka_unit_test(characters_beyond_ascii_stay),
        cmocka_unit_test(surrogate_pairs_are_joined),
        cmocka_unit_test(lone_surrogates_do_no_harm),
        cmocka_unit_test(bytes_that_are_no_character_are_replaced),
        cmocka_unit_test(a_line_of_text_stays_one_line_and_commands_no_terminal),
        cmocka_unit_test(whatever_comes_in_utf8_goes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
