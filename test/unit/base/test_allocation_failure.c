#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/file.h"
#include "base/finding.h"
#include "base/intmap.h"
#include "base/memory.h"
#include "base/textmap.h"
#include "base/vector.h"
#include "base/writer.h"
#include "support.h"

/* Every operation here is run with its first request for memory failing, then with its second,
   and so on until none fails. It must say that it failed, keep what it had, and leak nothing: run
   these tests under the address sanitizer. */

static bool use_arena(void *context)
{
    (void)context;
    struct arena arena;
    arena_init(&arena);
    bool all = true;
    uint8_t *kept = arena_allocate_zeroed(&arena, 100, 8);
    for (size_t i = 0; i < 100; i++) {
        all = arena_allocate(&arena, i * 50, 8) && all;
        all = text_copy(&arena, TEXT("name")).length && all;
        all = arena_allocate_array(&arena, i, 100, 4) && all;
    }
    bool failed = arena.failed;
    for (size_t i = 0; kept && i < 100; i++)
        assert_int_equal(kept[i], 0);
    arena_release(&arena);
    assert_int_equal(failed, !(all && kept));
    return !failed;
}

static bool use_vector(void *context)
{
    (void)context;
    VECTOR(size_t) numbers = VECTOR_EMPTY;
    bool all = true;
    for (size_t i = 0; i < 1000; i++)
        all = vector_push(&numbers, i) && all;
    for (size_t i = 1; i < numbers.count; i++)
        assert_true(numbers.items[i - 1] < numbers.items[i]);
    assert_int_equal(numbers.count == 1000, all);
    vector_release(&numbers);
    return all;
}

static bool use_intmap(void *context)
{
    (void)context;
    struct intmap map;
    intmap_init(&map);
    size_t put = 0;
    for (uint64_t i = 0; i < 1000; i++)
        put += intmap_put(&map, i * 7, i);
    assert_int_equal(map.count, put);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t value;
        if (intmap_get(&map, i * 7, &value))
            assert_int_equal(value, i);
        else
            put++;
    }
    assert_int_equal(put, 1000);
    bool all = map.count == 1000;
    intmap_release(&map);
    return all;
}

static bool use_textmap(void *context)
{
    (void)context;
    static char names[300][8];
    struct textmap map;
    textmap_init(&map);
    size_t put = 0;
    for (uint32_t i = 0; i < 300; i++) {
        snprintf(names[i], sizeof names[i], "n%u", (unsigned)i);
        put += textmap_put(&map, text_from(names[i]), i);
    }
    assert_int_equal(map.count, put);
    textmap_release(&map);
    return put == 300;
}

static bool use_writer(void *context)
{
    (void)context;
    struct writer writer;
    writer_init(&writer);
    for (uint32_t i = 0; i < 5000; i++) {
        writer_u1(&writer, 1);
        writer_u8(&writer, i);
        writer_bytes(&writer, "bytes", 5);
    }
    writer_patch_u4(&writer, 0, 1);
    bool all = !writer.failed;
    assert_true(!all || writer.size == (size_t)5000 * 14);
    writer_release(&writer);
    return all;
}

static bool use_builder(void *context)
{
    (void)context;
    struct builder builder;
    builder_init(&builder);
    for (int i = 0; i < 300; i++) {
        builder_add_string(&builder, "abc");
        builder_add_byte(&builder, 'd');
        builder_add_format(&builder, "%04d", i);
        builder_pad_to(&builder, (size_t)(i + 1) * 10, ' ');
    }
    bool all = !builder.failed;
    assert_int_equal(strlen(builder_string(&builder)), builder.length);
    assert_true(!all || builder.length == 3000);
    builder_release(&builder);
    return all;
}

static bool use_files(void *context)
{
    const struct support_folder *folder = context;
    struct problem problem;
    problem_clear(&problem);
    const char *path = support_path(folder, "file");
    support_write(path, "old", 3);
    bool written = file_write(path, "new", 3, &problem);
    assert_int_equal(problem.set, !written);
    struct file_map map;
    bool read = file_map_open(&map, path, &problem);
    if (read)
        assert_memory_equal(map.bytes, written ? "new" : "old", 3);
    file_map_close(&map);
    assert_int_equal(problem.set, !(written && read));
    assert_int_equal(support_folder_count(folder), 1);
    return written && read;
}

/* New findings, one seen again, and one that comes back with a stronger grade. */
static bool use_findings(void *context)
{
    (void)context;
    struct text locks[] = {TEXT("A.lock"), TEXT("B.lock")};
    struct finding_frame frames[30];
    for (uint32_t i = 0; i < 30; i++)
        frames[i] = (struct finding_frame){TEXT("A"), TEXT("run"), TEXT("A.java"), i};
    const struct finding_stack stack = {
        .locks = locks, .lock_count = 2, .frames = frames, .frame_count = 30};
    struct finding_stack stacks[2] = {stack, stack};
    stacks[0].role = TEXT("write");
    stacks[0].thread = TEXT("main");
    stacks[1].role = TEXT("read");
    stacks[1].thread = TEXT("Thread-0");
    struct finding_list list;
    finding_list_init(&list);
    size_t failures = 0;
    for (uint32_t i = 0; i < 40; i++) {
        size_t count = list.items.count;
        struct finding finding = {.rule = FINDING_RACE,
                                  .grade = FINDING_GRADE_PREDICTED,
                                  .class_name = TEXT("A"),
                                  .member = TEXT("x"),
                                  .message = TEXT("race on A.x"),
                                  .line = i % 35 + 100,
                                  .locks = locks,
                                  .lock_count = 2,
                                  .stacks = stacks,
                                  .stack_count = 2};
        if (i == 39)
            finding.grade = FINDING_GRADE_OBSERVED;
        if (!finding_list_add(&list, &finding)) {
            failures++;
            assert_int_equal(list.items.count, count);
        }
    }
    finding_list_sort(&list);
    size_t seen = 0;
    for (size_t i = 0; i < list.items.count; i++) {
        seen += list.items.items[i]->count;
        assert_text(list.items.items[i]->stacks[1].frames[29].file, "A.java");
    }
    /* After one failed request the rest goes on. */
    assert_true(failures <= 1);
    assert_int_equal(seen + failures, 40);
    assert_int_equal(finding_list_count(&list).all, list.items.count);
    finding_list_release(&list);
    return failures == 0;
}

static void every_failed_request_is_survived(void **state)
{
    (void)state;
    struct support_folder folder;
    support_folder_make(&folder);
    const struct {
        const char *name;
        bool (*operation)(void *context);
        long least_requests;
    } operations[] = {
        {"arena", use_arena, 3},       {"vector", use_vector, 3}, {"intmap", use_intmap, 3},
        {"textmap", use_textmap, 3},   {"writer", use_writer, 3}, {"builder", use_builder, 3},
        {"findings", use_findings, 5}, {"files", use_files, 2},
    };
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        long requests = support_fail_each_request(operations[i].operation, &folder);
        print_message("%s: %ld requests\n", operations[i].name, requests);
        assert_true(requests >= operations[i].least_requests);
    }
    support_folder_remove(&folder);
}

static void one_request_fails_then_the_next_succeeds(void **state)
{
    (void)state;
    memory_fail_after(1);
    void *first = memory_allocate(1);
    void *second = memory_allocate(1);
    void *third = memory_allocate(0);
    memory_fail_after(0);
    void *failed = memory_resize(first, 100);
    void *fourth = memory_resize(first, 100);
    memory_fail_after(-1);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_null(failed);
    assert_non_null(fourth);
    memory_release(fourth);
    memory_release(third);
    memory_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_fails_then_the_next_succeeds),
        cmocka_unit_test(every_failed_request_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
