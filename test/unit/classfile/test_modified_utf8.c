/* The text encoding of JVMS 4.4.7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/builder.h"
#include "classfile/byte_scan.h"
#include "classfile/modified_utf8.h"

static void accepts_every_form(void **state)
{
    (void)state;
    assert_int_equal(modified_utf8_first_bad(TEXT("")), SIZE_MAX);
    assert_int_equal(modified_utf8_first_bad(TEXT("plain ASCII, longer than eight bytes\x7F")),
                     SIZE_MAX);
    assert_int_equal(modified_utf8_first_bad(TEXT("\xC0\x80")), SIZE_MAX);         /* U+0000 */
    assert_int_equal(modified_utf8_first_bad(TEXT("\xC2\x80\xDF\xBF")), SIZE_MAX); /* 2 bytes */
    assert_int_equal(modified_utf8_first_bad(TEXT("\xE0\xA0\x80\xEF\xBF\xBF")), SIZE_MAX);
    assert_int_equal(modified_utf8_first_bad(TEXT("\xED\xA0\x80")), SIZE_MAX); /* lone surrogate */
}

static void finds_the_bad_byte(void **state)
{
    (void)state;
    assert_int_equal(modified_utf8_first_bad(TEXT("\0")), 0);
    assert_int_equal(modified_utf8_first_bad(TEXT("12345678\0")), 8);
    assert_int_equal(modified_utf8_first_bad(TEXT("1234567\0abcdefgh")), 7);
    assert_int_equal(modified_utf8_first_bad(TEXT("abc\x80")), 3);          /* no start */
    assert_int_equal(modified_utf8_first_bad(TEXT("abcdefghij\xC3")), 10);  /* cut */
    assert_int_equal(modified_utf8_first_bad(TEXT("ab\xE2\x82")), 2);       /* cut */
    assert_int_equal(modified_utf8_first_bad(TEXT("\xE2\x41\x80")), 0);     /* no continuation */
    assert_int_equal(modified_utf8_first_bad(TEXT("\xF0\x9F\x98\x80")), 0); /* standard UTF-8 */
    assert_int_equal(modified_utf8_first_bad(TEXT("x\xC1\x81")), 1);        /* longer than needed */
    assert_int_equal(modified_utf8_first_bad(TEXT("x\xE0\x81\x81")), 1);
    assert_int_equal(modified_utf8_first_bad_any_form(TEXT("x\xC1\x81\xE0\x81\x81")), SIZE_MAX);
    assert_int_equal(modified_utf8_first_bad_any_form(TEXT("x\xC1\x81\xFF")), 3);
}

static void gives_utf16_units(void **state)
{
    (void)state;
    struct text text = TEXT("A\xC0\x80\xC3\xA4\xE2\x82\xAC\xED\xA0\xBD\xED\xB8\x80");
    const uint16_t units[] = {0x41, 0, 0xE4, 0x20AC, 0xD83D, 0xDE00};
    size_t position = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        assert_int_equal(modified_utf8_next(text, &position), units[i]);
    assert_int_equal(position, text.length);
}

static void expect_added(struct text text, const char *plain, const char *escaped)
{
    struct builder builder;
    builder_init(&builder);
    modified_utf8_add(&builder, text);
    assert_string_equal(builder_string(&builder), plain);
    builder_clear(&builder);
    modified_utf8_add_escaped(&builder, text);
    assert_string_equal(builder_string(&builder), escaped);
    builder_release(&builder);
}

static void becomes_standard_utf8(void **state)
{
    (void)state;
    expect_added(TEXT("a\xC3\xA4\xE2\x82\xAC"), "a\xC3\xA4\xE2\x82\xAC", "a\xC3\xA4\xE2\x82\xAC");
    /* U+1F600 as a pair; then its halves alone, and swapped */
    expect_added(TEXT("\xED\xA0\xBD\xED\xB8\x80"), "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80");
    expect_added(TEXT("\xED\xA0\xBD"), "\xEF\xBF\xBD", "\\uD83D");
    expect_added(TEXT("\xED\xB8\x80\xED\xA0\xBDx"), "\xEF\xBF\xBD\xEF\xBF\xBDx", "\\uDE00\\uD83Dx");
    expect_added(TEXT("\t\"\\'\n\x1B\x7F"), "\t\"\\'\n\x1B\x7F", "\\t\\\"\\\\\\'\\n\\u001B\\u007F");
    expect_added(TEXT("\xE2\x80\xAE"), "\xE2\x80\xAE", "\\u202E"); /* turns the line around */
}

/* What may be said of a text of `length` bytes in the middle of others. */
static void expect_scan(const uint8_t *bytes, size_t length, size_t readable, bool ascii,
                        bool plain, bool internal)
{
    assert_int_equal(byte_scan_is_ascii(bytes, length, readable), ascii);
    assert_int_equal(byte_scan_is_plain_name(bytes, length, readable), plain);
    assert_int_equal(byte_scan_is_internal_name(bytes, length, readable), internal);
}

/* The scans against their definition, at every length and place. */
static void scan_sees_each_byte(void **state)
{
    (void)state;
    enum { LONGEST = 70, BEHIND = 64 };
    const struct {
        unsigned char byte;
        bool ascii, plain, internal;
    } cases[] = {{'a', true, true, true},   {0x7F, true, true, true},  {0, false, true, true},
                 {0x80, false, true, true}, {0xFF, false, true, true}, {'.', true, false, false},
                 {'/', true, false, true},  {';', true, false, false}, {'[', true, false, false},
                 {'<', true, false, true},  {'>', true, false, true},  {'=', true, true, true},
                 {'(', true, true, true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t length = 1; length <= LONGEST; length++) {
            uint8_t bytes[LONGEST + BEHIND];
            memset(bytes, 'x', sizeof bytes);
            memcpy(bytes + length, ".\xFF/", 3); /* behind the text: must not be seen */
            for (size_t place = 0; place < length; place++) {
                bytes[place] = cases[c].byte;
                bool at_end = place == 0 || place == length - 1;
                expect_scan(bytes, length, sizeof bytes, cases[c].ascii, cases[c].plain,
                            cases[c].internal && !(cases[c].byte == '/' && at_end));
                bytes[place] = 'x';
            }
        }
    }
    expect_scan((const uint8_t *)"................................", 0, 32, true, false, false);
}

static void scan_sees_double_slashes(void **state)
{
    (void)state;
    uint8_t bytes[100];
    for (size_t place = 0; place + 2 < 50; place++) {
        memset(bytes, 'x', sizeof bytes);
        bytes[50] = ';';
        bytes[place] = bytes[place + 1] = '/';
        assert_false(byte_scan_is_internal_name(bytes, 50, sizeof bytes));
        assert_int_equal(byte_scan_name_before_semicolon(bytes, 60, sizeof bytes), 0);
        bytes[place] = 'x';
        assert_true(byte_scan_is_internal_name(bytes, 50, sizeof bytes));
        assert_int_equal(byte_scan_name_before_semicolon(bytes, 60, sizeof bytes), 50);
    }
}

/* At every place, and only if it belongs to the text. */
static void scan_finds_the_semicolon(void **state)
{
    (void)state;
    uint8_t bytes[100];
    for (size_t place = 0; place < 50; place++) {
        memset(bytes, 'x', sizeof bytes);
        memcpy(bytes + place, ";./[;", 5);
        assert_int_equal(byte_scan_name_before_semicolon(bytes, place + 1, sizeof bytes), place);
        assert_int_equal(byte_scan_name_before_semicolon(bytes, place, sizeof bytes), 0);
        const char bad[] = "/.[";
        for (size_t i = 0; place && i < 3; i++) {
            bytes[place - 1] = (uint8_t)bad[i];
            assert_int_equal(byte_scan_name_before_semicolon(bytes, 60, sizeof bytes), 0);
        }
    }
}

/* Where nothing behind the text may be read, no scan says anything. */
static void scan_stays_inside_the_input(void **state)
{
    (void)state;
    const uint8_t bytes[] = {'x', ';'};
    expect_scan(bytes, 1, sizeof bytes, false, false, false);
    assert_int_equal(byte_scan_name_before_semicolon(bytes, 2, sizeof bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_every_form),       cmocka_unit_test(finds_the_bad_byte),
        cmocka_unit_test(gives_utf16_units),        cmocka_unit_test(becomes_standard_utf8),
        cmocka_unit_test(scan_sees_each_byte),      cmocka_unit_test(scan_sees_double_slashes),
        cmocka_unit_test(scan_finds_the_semicolon), cmocka_unit_test(scan_stays_inside_the_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
