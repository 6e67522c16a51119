/*
 * sites: numbers that stay, and what they stand for.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>

#include "instrument/sites.h"
#include "support.h"

static struct accessed field_of(const char *owner, const char *name, const char *descriptor)
{
    return (struct accessed){ACCESSED_FIELD, text_from(owner), text_from(name),
                             text_from(descriptor)};
}

static uint32_t number_of(struct sites *table, enum accessed_kind kind, const char *owner,
                          const char *name, const char *descriptor)
{
    struct accessed accessed = field_of(owner, name, descriptor);
    accessed.kind = kind;
    uint32_t number = sites_accessed(table, &accessed);
    assert_true(number > 0);
    return number;
}

static struct site site_of(const char *class_name, const char *method, uint32_t line,
                           uint32_t accessed)
{
    return (struct site){.class_name = text_from(class_name),
                         .method = text_from(method),
                         .file = TEXT("A.java"),
                         .line = line,
                         .accessed = accessed};
}

static int set_up(void **state)
{
    struct sites *table = malloc(sizeof *table);
    assert_true(sites_init(table));
    *state = table;
    return 0;
}

static int tear_down(void **state)
{
    sites_release(*state);
    free(*state);
    return 0;
}

static void what_is_accessed(void **state)
{
    struct sites *table = *state;
    struct accessed found;
    const uint32_t number = number_of(table, ACCESSED_FIELD, "p/A", "x", "I");
    assert_int_equal(number_of(table, ACCESSED_FIELD, "p/A", "x", "I"), number);
    /* Everything counts. */
    const uint32_t others[] = {
        number_of(table, ACCESSED_STATIC, "p/A", "x", "I"),
        number_of(table, ACCESSED_FIELD, "p/B", "x", "I"),
        number_of(table, ACCESSED_FIELD, "p/A", "y", "I"),
        number_of(table, ACCESSED_FIELD, "p/A", "x", "J"),
    };
    for (size_t i = 0; i < 4; i++) {
        assert_int_not_equal(others[i], number);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(others[i], others[k]);
    }
    assert_true(sites_get_accessed(table, others[0], &found));
    assert_int_equal(found.kind, ACCESSED_STATIC);
    assert_text(found.owner, "p/A");
    assert_text(found.name, "x");
    assert_text(found.descriptor, "I");
    assert_false(sites_get_accessed(table, 0, &found));
    assert_false(sites_get_accessed(table, 1000, &found));
}

static void sites_in_a_row(void **state)
{
    struct sites *table = *state;
    const uint32_t x = number_of(table, ACCESSED_FIELD, "p/A", "x", "I");
    const uint32_t y = number_of(table, ACCESSED_FIELD, "p/A", "y", "I");
    assert_int_equal(sites_count(table), 0);
    const struct site first[] = {site_of("p/A", "m", 3, x), site_of("p/A", "m", 4, y)};
    const struct site second[] = {site_of("p/B", "<init>", 0, y)};
    assert_int_equal(sites_add(table, first, 2), 1);
    assert_int_equal(sites_add(table, second, 1), 3);
    assert_int_equal(sites_count(table), 3);
    struct site found;
    assert_true(sites_get(table, 2, &found));
    assert_text(found.class_name, "p/A");
    assert_text(found.method, "m");
    assert_text(found.file, "A.java");
    assert_int_equal(found.line, 4);
    assert_int_equal(found.accessed, y);
    assert_true(sites_get(table, 3, &found));
    assert_text(found.method, "<init>");
    assert_false(sites_get(table, 0, &found));
    assert_false(sites_get(table, 4, &found));
    assert_int_equal(sites_variable_at(table, 1), x);
    assert_int_equal(sites_variable_at(table, 2), y);
    assert_int_equal(sites_variable_at(table, 0), 0);
    assert_int_equal(sites_variable_at(table, 4), 0);
    assert_int_equal(sites_variable_at(table, UINT32_MAX), 0);
}

/* Places where no variable is accessed: between others, and on both ends. */
static void sites_without_accesses(void **state)
{
    struct sites *table = *state;
    struct site sites[] = {
        site_of("p/A", "m", 10, 0),
        site_of("p/A", "m", 11, number_of(table, ACCESSED_FIELD, "p/A", "x", "I")),
        site_of("p/A", "n", 12, 0),
    };
    sites[2].file = TEXT("");
    const uint32_t first = sites_add(table, sites, 3);
    assert_int_not_equal(first, 0);
    assert_int_equal(sites_count(table), 3);
    for (uint32_t i = 0; i < 3; i++) {
        struct site found;
        struct accessed accessed;
        assert_true(sites_get(table, first + i, &found));
        assert_int_equal(found.line, 10 + i);
        assert_int_equal(found.accessed, sites[i].accessed);
        assert_int_equal(sites_variable_at(table, first + i), sites[i].accessed);
        assert_int_equal(sites_get_accessed(table, found.accessed, &accessed), i == 1);
    }
}

/* Where constructors write a field: the first site, and whether the others are on its line. */
static void starts(void **state)
{
    struct sites *table = *state;
    const uint32_t x = number_of(table, ACCESSED_FIELD, "p/A", "x", "I");
    const uint32_t y = number_of(table, ACCESSED_FIELD, "p/A", "y", "I");
    const uint32_t z = number_of(table, ACCESSED_FIELD, "p/A", "z", "I");
    struct site sites[] = {site_of("p/A", "<init>", 3, x), site_of("p/A", "<init>", 4, y),
                           site_of("p/A", "<init>", 3, x), site_of("p/A", "<init>", 9, y),
                           site_of("p/A", "set", 5, z)};
    for (size_t i = 0; i < 4; i++)
        sites[i].starts = true;
    const uint32_t first = sites_add(table, sites, 5);
    bool only = false;
    assert_int_equal(sites_start_of(table, x, &only), first);
    assert_true(only);
    assert_int_equal(sites_start_of(table, y, &only), first + 1);
    assert_false(only);
    assert_int_equal(sites_start_of(table, z, &only), 0);
    assert_int_equal(sites_start_of(table, z + 1, &only), 0);
    /* The class comes again, in another loader. */
    assert_int_not_equal(sites_add(table, sites, 1), 0);
    assert_int_equal(sites_start_of(table, x, &only), first);
    assert_true(only);
}

/* The caller's bytes may go; equal texts are kept once. */
static void texts_are_copied(void **state)
{
    struct sites *table = *state;
    char name[] = "p/Name", again[] = "p/Name";
    const uint32_t number = number_of(table, ACCESSED_FIELD, name, "x", "I");
    struct site site = site_of(again, "m", 1, number);
    site.file = (struct text){0};
    assert_int_equal(sites_add(table, &site, 1), 1);
    memset(name, '?', sizeof name);
    memset(again, '?', sizeof again);
    struct accessed accessed;
    assert_true(sites_get_accessed(table, number, &accessed));
    assert_true(sites_get(table, 1, &site));
    assert_text(accessed.owner, "p/Name");
    assert_text(site.class_name, "p/Name");
    assert_ptr_equal(accessed.owner.bytes, site.class_name.bytes);
    assert_int_equal(site.file.length, 0);
}

/* A field that is named by a subclass of the one that declares it. */
static void aliases(void **state)
{
    struct sites *table = *state;
    const uint32_t declared = number_of(table, ACCESSED_FIELD, "p/A", "x", "I");
    const uint32_t named = number_of(table, ACCESSED_FIELD, "p/B", "x", "I");
    const struct site sites[] = {site_of("p/B", "m", 1, named), site_of("p/A", "m", 1, declared)};
    assert_int_equal(sites_add(table, sites, 2), 1);
    assert_int_equal(sites_variable_at(table, 1), named);
    sites_set_variable(table, named, declared);
    assert_int_equal(sites_variable_at(table, 1), declared);
    assert_int_equal(sites_variable_at(table, 2), declared);
    /* The site still says what stands there. */
    struct site site;
    assert_true(sites_get(table, 1, &site));
    assert_int_equal(site.accessed, named);
    assert_int_equal(number_of(table, ACCESSED_FIELD, "p/B", "x", "I"), named);
    /* One's own again. */
    sites_set_variable(table, named, named);
    assert_int_equal(sites_variable_at(table, 1), named);
}

/* Elements of arrays are one variable, however they are reached, and so are library objects. */
static void elements_and_objects(void **state)
{
    struct sites *table = *state;
    const struct site sites[] = {
        site_of("p/A", "m", 1, number_of(table, ACCESSED_ELEMENTS, "p/A", "data", "[I")),
        site_of("p/A", "m", 1, number_of(table, ACCESSED_ELEMENTS, "", "", "[I")),
        site_of("p/A", "m", 1,
                number_of(table, ACCESSED_COLLECTION, "p/A", "l", "Ljava/util/List;")),
        site_of("p/A", "m", 1, number_of(table, ACCESSED_COLLECTION, "", "", "Ljava/util/Map;")),
        site_of("p/A", "m", 1, number_of(table, ACCESSED_FIELD, "p/A", "data", "[I")),
    };
    assert_int_equal(sites_add(table, sites, 5), 1);
    const uint32_t elements = sites_variable_at(table, 1), objects = sites_variable_at(table, 3);
    assert_int_equal(sites_variable_at(table, 2), elements);
    assert_int_equal(sites_variable_at(table, 4), objects);
    assert_int_not_equal(elements, objects);
    assert_int_not_equal(sites_variable_at(table, 5), elements);
    assert_int_not_equal(sites_variable_at(table, 5), objects);
    /* Both have numbers, with their kind. */
    struct accessed accessed;
    assert_true(sites_get_accessed(table, elements, &accessed));
    assert_int_equal(accessed.kind, ACCESSED_ELEMENTS);
    assert_true(sites_get_accessed(table, objects, &accessed));
    assert_int_equal(accessed.kind, ACCESSED_COLLECTION);
}

static void more_than_a_chunk(void **state)
{
    enum { COUNT = 3 * SITES_CHUNK + 5 };
    struct sites *table = *state;
    uint32_t *numbers = calloc(COUNT, sizeof *numbers);
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", (unsigned)i);
        numbers[i] = number_of(table, ACCESSED_FIELD, "p/A", name, "I");
        const struct site site = site_of("p/A", "m", i, numbers[i]);
        assert_int_equal(sites_add(table, &site, 1), i + 1);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        struct site site;
        assert_true(sites_get(table, i + 1, &site));
        assert_int_equal(site.line, i);
        assert_int_equal(sites_variable_at(table, i + 1), numbers[i]);
    }
    sites_set_variable(table, numbers[COUNT - 1], numbers[0]);
    assert_int_equal(sites_variable_at(table, COUNT), numbers[0]);
    assert_int_equal(sites_variable_at(table, COUNT - 1), numbers[COUNT - 2]);
    free(numbers);
}

static void numbers_out_of_range(void **state)
{
    (void)state;
    static struct sites_index index;
    assert_false(sites_index_set(&index, (uint32_t)SITES_CHUNK * SITES_CHUNKS, 1));
    assert_int_equal(sites_index_at(&index, (uint32_t)SITES_CHUNK * SITES_CHUNKS), 0);
    assert_int_equal(sites_index_at(&index, SITES_CHUNK), 0);
}

/* ---- without memory ---- */

/* Nothing is half added, and what failed once works when there is memory again. */
static bool add_some(void *context)
{
    (void)context;
    struct sites table;
    bool good = sites_init(&table);
    for (uint32_t i = 0; good && i < 8; i++) {
        char name[8000]; /* so that memory for texts is asked for more than once */
        memset(name, 'f', sizeof name);
        snprintf(name + sizeof name - 16, 16, "%u", (unsigned)i);
        const struct accessed accessed = field_of("p/A", name, "I");
        const uint32_t number = sites_accessed(&table, &accessed);
        struct accessed found;
        good = number;
        if (!good) {
            assert_false(sites_get_accessed(&table, 3 + i, &found));
            assert_int_equal(sites_accessed(&table, &accessed), 3 + i);
            break;
        }
        const struct site sites[] = {site_of("p/A", name, 1, number),
                                     site_of(name, "m", 2, number)};
        good = sites_add(&table, sites, 2);
        if (!good) {
            assert_int_equal(sites_count(&table), 2 * i);
            assert_int_equal(sites_add(&table, sites, 2), 2 * i + 1);
        }
        assert_int_equal(sites_variable_at(&table, 2 * i + 2), number);
    }
    sites_release(&table);
    return good;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(support_fail_each_request(add_some, NULL) > 5);
}

/* ---- at once ---- */

enum { THREADS = 4, ROUNDS = 1500 };

struct adder {
    struct sites *table;
    unsigned number;
    pthread_t thread;
    uint32_t firsts[ROUNDS];
    uint32_t shared[ROUNDS];
    unsigned wrong;
};

static void *add_and_look(void *argument)
{
    struct adder *adder = argument;
    char class_name[16], name[16];
    snprintf(class_name, sizeof class_name, "p/C%u", adder->number);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        snprintf(name, sizeof name, "f%u", (unsigned)i);
        const struct accessed accessed = field_of("p/Shared", name, "I");
        adder->shared[i] = sites_accessed(adder->table, &accessed);
        const struct site sites[] = {site_of(class_name, "m", i, adder->shared[i]),
                                     site_of(class_name, "n", i, adder->shared[i])};
        adder->firsts[i] = sites_add(adder->table, sites, 2);
        /* Without a lock, while others add. */
        adder->wrong += sites_variable_at(adder->table, adder->firsts[i] + 1) != adder->shared[i];
    }
    return NULL;
}

static void at_once(void **state)
{
    struct sites *table = *state;
    struct adder *adders = calloc(THREADS, sizeof *adders);
    for (unsigned i = 0; i < THREADS; i++) {
        adders[i].table = table;
        adders[i].number = i;
        assert_int_equal(pthread_create(&adders[i].thread, NULL, add_and_look, &adders[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(adders[i].thread, NULL);
    assert_int_equal(sites_count(table), 2 * THREADS * ROUNDS);
    for (unsigned i = 0; i < THREADS; i++) {
        char class_name[16];
        snprintf(class_name, sizeof class_name, "p/C%u", i);
        assert_int_equal(adders[i].wrong, 0);
        for (uint32_t k = 0; k < ROUNDS; k++) {
            struct site site;
            assert_int_equal(adders[i].shared[k], adders[0].shared[k]);
            assert_true(sites_get(table, adders[i].firsts[k] + 1, &site));
            assert_text(site.class_name, class_name);
            assert_text(site.method, "n");
            assert_int_equal(site.line, k);
        }
    }
    free(adders);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_accessed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sites_in_a_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sites_without_accesses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(starts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_are_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(aliases, set_up, tear_down),
        cmocka_unit_test_setup_teardown(elements_and_objects, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_than_a_chunk, set_up, tear_down),
        cmocka_unit_test(numbers_out_of_range),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test_setup_teardown(at_once, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
