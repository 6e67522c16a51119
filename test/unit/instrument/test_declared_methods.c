/* declared_methods: lines that the command writes and the agent reads, and what they mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "instrument/declared_methods.h"
#include "support.h"

struct fixture {
    struct declared_methods declared;
    struct arena arena;
    struct builder file;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    arena_init(&fixture->arena);
    builder_init(&fixture->file);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    declared_methods_release(&fixture->declared);
    builder_release(&fixture->file);
    arena_release(&fixture->arena);
    free(fixture);
    return 0;
}

static void write_method(struct fixture *fixture, enum atomicity_claim claim,
                         enum declared_class how, const char *class_name, const char *name,
                         const char *types)
{
    const struct declared_method method = {.claim = claim,
                                           .how = how,
                                           .class_name = text_from(class_name),
                                           .name = text_from(name),
                                           .types = text_from(types)};
    assert_true(declared_methods_write_method(&fixture->file, &method));
}

static bool read_all(struct fixture *fixture)
{
    struct text rest = builder_text(&fixture->file);
    while (rest.length) {
        const size_t end = (size_t)text_find(rest, '\n');
        const enum declared_result result =
            declared_methods_read(&fixture->declared, &fixture->arena, text_slice(rest, 0, end));
        assert_int_not_equal(result, DECLARED_MALFORMED);
        if (result != DECLARED_DONE)
            return false;
        rest = text_slice(rest, end + 1, rest.length);
    }
    return true;
}

static enum atomicity_claim claim_of(const struct fixture *fixture, const char *class_name,
                                     const char *name, const char *descriptor)
{
    const struct declared_asked asked = {.class_name = text_from(class_name),
                                         .name = text_from(name),
                                         .descriptor = text_from(descriptor),
                                         .signature = TEXT("")};
    return declared_methods_find(&fixture->declared, &asked);
}

static void overloads_are_told_apart(void **state)
{
    struct fixture *fixture = *state;
    write_method(fixture, CLAIM_ATOMIC, DECLARED_IS, "p/A", "add", "int");
    write_method(fixture, CLAIM_OTHER, DECLARED_IS, "p/A", "add", "int,String[]");
    write_method(fixture, CLAIM_ATOMIC, DECLARED_IS, "p/A", "none", "");
    assert_true(read_all(fixture));
    assert_int_equal(claim_of(fixture, "p/A", "add", "(I)V"), CLAIM_ATOMIC);
    assert_int_equal(claim_of(fixture, "p/A", "add", "(I[Ljava/lang/String;)V"), CLAIM_OTHER);
    assert_int_equal(claim_of(fixture, "p/A", "add", "(Ljava/lang/String;)V"), CLAIM_NONE);
    assert_int_equal(claim_of(fixture, "p/A", "add", "()V"), CLAIM_NONE);
    assert_int_equal(claim_of(fixture, "p/A", "none", "()I"), CLAIM_ATOMIC);
    assert_int_equal(claim_of(fixture, "p/A", "none", "(I)I"), CLAIM_NONE);
    assert_int_equal(claim_of(fixture, "p/B", "add", "(I)V"), CLAIM_NONE);
    assert_int_equal(claim_of(fixture, "p/A", "sub", "(I)V"), CLAIM_NONE);
}

static void the_first_counts(void **state)
{
    struct fixture *fixture = *state;
    write_method(fixture, CLAIM_OTHER, DECLARED_IS, "p/A", "m", "int");
    write_method(fixture, CLAIM_ATOMIC, DECLARED_ENDS, "A", "m", "*");
    write_method(fixture, CLAIM_OTHER, DECLARED_IS, "p/A", "m", "long");
    assert_true(read_all(fixture));
    assert_int_equal(claim_of(fixture, "p/A", "m", "(I)V"), CLAIM_OTHER);
    assert_int_equal(claim_of(fixture, "p/A", "m", "(J)V"), CLAIM_ATOMIC);
    assert_int_equal(claim_of(fixture, "q/A", "m", "(I)V"), CLAIM_ATOMIC);
}

static void names_of_classes(void **state)
{
    struct fixture *fixture = *state;
    write_method(fixture, CLAIM_ATOMIC, DECLARED_IS, "A", "is", "");
    write_method(fixture, CLAIM_ATOMIC, DECLARED_ENDS, "Map.Entry", "ends", "");
    assert_true(read_all(fixture));
    assert_int_equal(claim_of(fixture, "A", "is", "()V"), CLAIM_ATOMIC);
    assert_int_equal(claim_of(fixture, "p/A", "is", "()V"), CLAIM_NONE);
    assert_int_equal(claim_of(fixture, "A$1", "is", "()V"), CLAIM_NONE);
    assert_int_equal(claim_of(fixture, "java/util/Map$Entry", "ends", "()V"), CLAIM_ATOMIC);
    assert_int_equal(claim_of(fixture, "Map$Entry", "ends", "()V"), CLAIM_ATOMIC);
    assert_int_equal(claim_of(fixture, "java/util/HashMap$Entry", "ends", "()V"), CLAIM_NONE);
}

static void classes_without_names_have_lines(void **state)
{
    struct fixture *fixture = *state;
    const struct declared_method method = {.claim = CLAIM_ATOMIC,
                                           .how = DECLARED_NUMBERED,
                                           .class_name = TEXT("p/A$#$B$#Local"),
                                           .name = TEXT("run"),
                                           .types = TEXT(""),
                                           .first_line = 10,
                                           .last_line = 20};
    assert_true(declared_methods_write_method(&fixture->file, &method));
    assert_true(read_all(fixture));
    static const struct {
        const char *class_name;
        uint32_t first, last;
        enum atomicity_claim claim;
    } rows[] = {
        {"p/A$1$B$2Local", 12, 20, CLAIM_ATOMIC}, {"p/A$10$B$23Local", 10, 10, CLAIM_ATOMIC},
        {"p/A$1$B$2Local", 9, 20, CLAIM_NONE},    {"p/A$1$B$2Local", 12, 21, CLAIM_NONE},
        {"p/A$1$B$2Local", 0, 0, CLAIM_NONE},     {"p/A", 12, 20, CLAIM_NONE},
        {"p/A$1$B$2", 12, 20, CLAIM_NONE},        {"p/A$$B$Local", 12, 20, CLAIM_NONE},
        {"p/A$1$B$2Local$1", 12, 20, CLAIM_NONE}, {"q/A$1$B$2Local", 12, 20, CLAIM_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct declared_asked asked = {.class_name = text_from(rows[i].class_name),
                                             .name = TEXT("run"),
                                             .descriptor = TEXT("()V"),
                                             .signature = TEXT(""),
                                             .first_line = rows[i].first,
                                             .last_line = rows[i].last};
        assert_int_equal(declared_methods_find(&fixture->declared, &asked), rows[i].claim);
    }
}

static void blocks_have_a_file_and_lines(void **state)
{
    struct fixture *fixture = *state;
    const struct declared_block blocks[] = {{TEXT("p/q/A.java"), 5, 6}, {TEXT("B.java"), 7, 7}};
    for (size_t i = 0; i < 2; i++)
        assert_true(declared_methods_write_block(&fixture->file, &blocks[i]));
    assert_true(read_all(fixture));
    const struct declared_methods *declared = &fixture->declared;
    const struct text a = TEXT("A.java"), b = TEXT("B.java");
    assert_true(declared_methods_has_block(declared, TEXT("p/q/Other"), a, 5));
    assert_true(declared_methods_has_block(declared, TEXT("p/q/A$1"), a, 6));
    assert_true(declared_methods_has_block(declared, TEXT("p/q/A"), a, 0));
    assert_false(declared_methods_has_block(declared, TEXT("p/q/A"), a, 4));
    assert_false(declared_methods_has_block(declared, TEXT("p/q/A"), a, 7));
    assert_false(declared_methods_has_block(declared, TEXT("p/A"), a, 5));
    assert_false(declared_methods_has_block(declared, TEXT("p/q/A"), b, 7));
    assert_false(declared_methods_has_block(declared, TEXT("p/q/A"), TEXT(""), 0));
    assert_true(declared_methods_has_block(declared, TEXT("C"), b, 7));
}

static void names_that_no_line_can_have(void **state)
{
    struct fixture *fixture = *state;
    const char *const names[] = {"a\tb", "a\nb", "\r"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct declared_method method = {.claim = CLAIM_ATOMIC,
                                               .class_name = TEXT("A"),
                                               .name = text_from(names[i]),
                                               .types = TEXT("")};
        const struct declared_block block = {.file = text_from(names[i])};
        assert_false(declared_methods_write_method(&fixture->file, &method));
        assert_false(declared_methods_write_block(&fixture->file, &block));
    }
    assert_int_equal(fixture->file.length, 0);
}

static void malformed_lines(void **state)
{
    struct fixture *fixture = *state;
    const char *const lines[] = {
        "",
        "field",
        "method",
        "method\tatomic\tis\tA\tm",
        "method\tatomic\tis\tA\tm\tint",
        "method\tatomic\tis\tA\tm\tint\t0",
        "method\tatomic\tis\tA\tm\tint\t0\t0\t0",
        "method\tatomic\tis\tA\tm\tint\t0\tx",
        "method\tatomic\tis\tA\tm\tint\t0\t",
        "method\tatomic\tis\tA\tm\tint\t-1\t0",
        "method\tatomic\tis\tA\tm\tint\t99999999999\t0",
        "method\tatomic\tis\t\tm\tint\t0\t0",
        "method\tatomic\tis\tA\t\tint\t0\t0",
        "method\tcmpd\tis\tA\tm\tint\t0\t0",
        "method\tatomic\thas\tA\tm\tint\t0\t0",
        "block\tA.java\t1",
        "block\tA.java\t1\t2\t3",
        "block\t\t1\t2",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(
            declared_methods_read(&fixture->declared, &fixture->arena, text_from(lines[i])),
            DECLARED_MALFORMED);
    assert_int_equal(fixture->declared.methods.count, 0);
    assert_int_equal(fixture->declared.blocks.count, 0);
}

static bool read_again(void *context)
{
    struct fixture *fixture = context;
    declared_methods_release(&fixture->declared);
    arena_release(&fixture->arena);
    arena_init(&fixture->arena);
    return read_all(fixture);
}

static void without_memory(void **state)
{
    struct fixture *fixture = *state;
    const struct declared_block block = {TEXT("A.java"), 1, 2};
    for (int i = 0; i < 100; i++) {
        char name[8];
        snprintf(name, sizeof name, "m%d", i % 60);
        write_method(fixture, CLAIM_ATOMIC, DECLARED_IS, "p/A", name, "int");
    }
    assert_true(declared_methods_write_block(&fixture->file, &block));
    assert_true(support_fail_each_request(read_again, fixture) >= 3);
    assert_int_equal(claim_of(fixture, "p/A", "m59", "(I)V"), CLAIM_ATOMIC);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(overloads_are_told_apart),
        TEST(the_first_counts),
        TEST(names_of_classes),
        TEST(classes_without_names_have_lines),
        TEST(blocks_have_a_file_and_lines),
        TEST(names_that_no_line_can_have),
        TEST(malformed_lines),
        TEST(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
