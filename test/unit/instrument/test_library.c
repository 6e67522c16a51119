/*
 * library.def against real JDKs: the one of the build and the newest beside it. Every row must be
 * about something that is there in one of them, and the rewritten classes must have their hooks
 * where the rows say. Then a program runs on the rewritten classes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <limits.h>

#include "base/diagnostics.h"
#include "bytecode/decode.h"
#include "classfile/class_reader.h"
#include "classfile/input.h"
#include "instrument/instrument.h"
#include "instrument/library.h"
#include "instrument/library_internal.h"
#include "support.h"

enum { JDKS = 2, CLASSES = 512, ROWS = 64, WORDS = 16 };

struct jdk {
    char home[PATH_MAX];
    struct diagnostics diagnostics;
    struct input_root *root;
};

static struct jdk jdks[JDKS];
static struct sites sites;
static struct instrument instrument;
/* By class, row and name in it: seen in some JDK. */
static bool seen[CLASSES][ROWS][WORDS];

/* ---- the JDKs ---- */

/* The table has rows for JDKs from the one to the other. Where one of the two is not there, a row
   that finds nothing may be for that. */
enum { OLDEST_IN_TABLE = 17, NEWEST_IN_TABLE = 25 };

static bool has_all_jdks(void)
{
    const unsigned oldest = input_jdk_release(text_from(jdks[0].home));
    const unsigned newest = input_jdk_release(text_from(jdks[1].home));
    if (oldest <= OLDEST_IN_TABLE && newest >= NEWEST_IN_TABLE)
        return true;
    print_message(
        "there are JDK %u and %u here, not %d and %d: rows for others are not looked at\n", oldest,
        newest, OLDEST_IN_TABLE, NEWEST_IN_TABLE);
    return false;
}

static void find_newest(char *newest, const char *home)
{
    char folder[PATH_MAX], resolved[PATH_MAX];
    unsigned best = input_jdk_release(text_from(home));
    strcpy(newest, home);
    if (!realpath(home, resolved))
        return;
    *strrchr(resolved, '/') = 0;
    DIR *directory = opendir(resolved);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (snprintf(folder, sizeof folder, "%s/%s", resolved, entry->d_name) >= PATH_MAX)
            continue;
        unsigned release = input_jdk_release(text_from(folder));
        if (release > best) {
            best = release;
            strcpy(newest, folder);
        }
    }
    if (directory)
        closedir(directory);
}

static int open_jdks(void **state)
{
    (void)state;
    const char *home = getenv("TURNSTILE_JDK");
    assert_non_null(home);
    assert_true(strlen(home) < PATH_MAX);
    strcpy(jdks[0].home, home);
    find_newest(jdks[1].home, home);
    for (unsigned i = 0; i < JDKS; i++) {
        struct input_options options = {0};
        diagnostics_init(&jdks[i].diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
        jdks[i].root = input_root_open(jdks[i].home, &options, &jdks[i].diagnostics);
        assert_non_null(jdks[i].root);
    }
    assert_true(library_init());
    assert_true(sites_init(&sites));
    instrument.sites = &sites;
    return 0;
}

static int close_jdks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < JDKS; i++) {
        input_root_close(jdks[i].root);
        diagnostics_release(&jdks[i].diagnostics);
    }
    sites_release(&sites);
    return 0;
}

/* ---- a class before and after ---- */

struct subject {
    const struct library_class *class;
    struct arena arena;
    struct class_rewriter rewriter;
    const uint8_t *bytes;
    size_t size;
    struct class_file *before, *after; /* the same if nothing was to be done */
};

static bool open_subject(struct subject *subject, struct jdk *jdk,
                         const struct library_class *class)
{
    struct problem problem;
    problem_clear(&problem);
    subject->class = class;
    arena_init(&subject->arena);
    class_rewriter_init(&subject->rewriter);
    enum input_found found = input_root_find(jdk->root, library_class_name(class), &subject->arena,
                                             &subject->bytes, &subject->size, &problem);
    assert_int_not_equal(found, INPUT_BROKEN);
    if (found == INPUT_MISSING)
        return false;
    subject->before = class_read(&subject->arena, subject->bytes, subject->size, &problem);
    assert_non_null(subject->before);
    enum class_rewritten result = instrument_class(&instrument, &subject->rewriter, class,
                                                   subject->bytes, subject->size, &problem);
    subject->after = subject->before;
    if (result == CLASS_REWRITTEN)
        subject->after = class_read(&subject->arena, subject->rewriter.writer.bytes,
                                    subject->rewriter.writer.size, &problem);
    else
        assert_int_equal(result, CLASS_UNCHANGED);
    assert_non_null(subject->after);
    return true;
}

static void close_subject(struct subject *subject)
{
    class_rewriter_release(&subject->rewriter);
    arena_release(&subject->arena);
}

static const struct member *find_method(const struct class_file *class_file, struct text name,
                                        struct text descriptor)
{
    for (uint32_t i = 0; i < class_file->method_count; i++) {
        const struct member *method = &class_file->methods[i];
        if (text_equal(class_utf8(class_file, method->name), name) &&
            text_equal(class_utf8(class_file, method->descriptor), descriptor))
            return method;
    }
    return NULL;
}

static struct bytecode decode(struct subject *subject, const struct class_file *class_file,
                              const struct member *method)
{
    struct bytecode bytecode;
    struct problem problem;
    problem_clear(&problem);
    assert_true(bytecode_decode(&bytecode, &subject->arena, class_file, method, &problem));
    return bytecode;
}

/* ---- reading rewritten code ---- */

static bool is_member(const struct bytecode *code, uint32_t number, unsigned opcode,
                      const char *owner, const char *name)
{
    if (number >= code->count || code->instructions[number].opcode != opcode)
        return false;
    struct member_reference member =
        class_member_reference(code->class_file, code->instructions[number].operand);
    return text_is(member.owner, owner) && text_is(member.name, name);
}

/* A guard begins here: the number of the instruction behind what it guards, or 0. */
static uint32_t guarded_end(const struct bytecode *code, uint32_t number)
{
    if (!is_member(code, number, OP_GETSTATIC, "java/lang/Thread", "$turnstile$on") ||
        number + 1 >= code->count || code->instructions[number + 1].opcode != OP_IFEQ)
        return 0;
    return code->instructions[number + 1].target;
}

static bool calls_action(const struct bytecode *code, uint32_t start, uint32_t end,
                         const struct library_row *row)
{
    const struct library_call *call = &library_calls[row->action];
    for (uint32_t i = start; i < end; i++)
        if (is_member(code, i, OP_INVOKESTATIC, call->class_name, call->method))
            return true;
    return false;
}

/* Among the guarded pieces that stand one behind the other from here on. Plain loads and stores,
   which keep values, may stand between. */
static bool is_hooked_from(const struct bytecode *code, uint32_t number,
                           const struct library_row *row)
{
    while (number < code->count) {
        uint32_t end = guarded_end(code, number);
        if (end && calls_action(code, number, end, row))
            return true;
        unsigned opcode = code->instructions[number].opcode;
        bool keeps = opcode <= OP_DUP2_X2 && !end && opcode_infos[opcode].flow == FLOW_NEXT &&
                     opcode_infos[opcode].operands != OPERANDS_FIELD;
        if (!end && !keeps)
            return false;
        number = end ? end : number + 1;
    }
    return false;
}

/* Among those that end one behind the other before this instruction. */
static bool is_hooked_to(const struct bytecode *code, uint32_t number,
                         const struct library_row *row)
{
    for (uint32_t start = number; start-- > 0;) {
        if (guarded_end(code, start) != number)
            continue;
        if (calls_action(code, start, number, row))
            return true;
        number = start;
    }
    return false;
}

static bool is_return(unsigned opcode)
{
    return opcode >= OP_IRETURN && opcode <= OP_RETURN;
}

static bool is_inner(const struct bytecode *code, uint32_t number, const struct library_row *row)
{
    unsigned opcode = code->instructions[number].opcode;
    bool calls = row->place == PLACE_BEFORE_CALL || row->place == PLACE_AFTER_CALL;
    if (calls ? opcode < OP_INVOKEVIRTUAL || opcode > OP_INVOKEINTERFACE : opcode != OP_GETFIELD)
        return false;
    struct member_reference member =
        class_member_reference(code->class_file, code->instructions[number].operand);
    return library_is_what(row->what, &member);
}

static bool is_hooked_at_throw(const struct bytecode *code, const struct library_row *row)
{
    for (uint16_t i = 0; i < code->code->handler_count; i++)
        if (!code->handlers[i].catch_type && is_hooked_from(code, code->handlers[i].handler, row))
            return true;
    return false;
}

/* How often the place occurs in the rewritten code; each time the hook must be there. */
static unsigned check_places(const struct bytecode *code, const struct library_row *row)
{
    unsigned count = 0;
    switch (row->place) {
    case PLACE_ENTRY:
        assert_true(is_hooked_from(code, 0, row));
        return 1;
    case PLACE_THROW:
        assert_true(is_hooked_at_throw(code, row));
        return 1;
    default:
        break;
    }
    for (uint32_t i = 0; i < code->count; i++) {
        switch (row->place) {
        case PLACE_BEFORE_CALL:
        case PLACE_BEFORE_GET:
            if (!is_inner(code, i, row))
                continue;
            assert_true(is_hooked_to(code, i, row));
            break;
        case PLACE_AFTER_CALL:
        case PLACE_AFTER_FIRST_GET:
            if (!is_inner(code, i, row))
                continue;
            assert_true(is_hooked_from(code, i + 1, row));
            break;
        case PLACE_KEEP:
            if (!is_inner(code, i, row))
                continue;
            assert_int_equal(code->instructions[i + 1].opcode, OP_DUP);
            break;
        default:
            if (!is_return(code->instructions[i].opcode))
                continue;
            assert_true(is_hooked_to(code, i, row));
            break;
        }
        count++;
        if (row->place == PLACE_AFTER_FIRST_GET || row->place == PLACE_KEEP)
            break;
    }
    return count;
}

/* Which of the names in the row this is; 0 for "*". */
static unsigned word_number(const char *methods, struct text name)
{
    unsigned number = 0;
    struct text rest = text_from(methods);
    if (methods[0] == '*')
        return 0;
    for (;; number++) {
        ptrdiff_t space = text_find(rest, ' ');
        size_t end = space < 0 ? rest.length : (size_t)space;
        if (text_equal(text_slice(rest, 0, end), name))
            return number;
        assert_true(space >= 0);
        rest = text_slice(rest, end + 1, rest.length);
    }
}

static unsigned count_words(const char *methods)
{
    unsigned count = 1;
    for (; *methods; methods++)
        count += *methods == ' ';
    return count;
}

static void check_rows(struct subject *subject, size_t class_number)
{
    const struct library_class *class = subject->class;
    assert_true(class->row_count <= ROWS);
    for (uint32_t m = 0; m < subject->before->method_count; m++) {
        const struct member *method = &subject->before->methods[m];
        struct text name = class_utf8(subject->before, method->name);
        const struct member *rewritten =
            find_method(subject->after, name, class_utf8(subject->before, method->descriptor));
        assert_non_null(rewritten);
        if (!member_code(method))
            continue;
        struct bytecode code = decode(subject, subject->after, rewritten);
        for (size_t r = 0; r < class->row_count; r++) {
            if (!library_row_fits(&class->rows[r], subject->before, method))
                continue;
            unsigned word = word_number(class->rows[r].methods, name);
            assert_true(word < WORDS);
            if (check_places(&code, &class->rows[r]))
                seen[class_number][r][word] = true;
        }
    }
}

static bool is_hook_class(struct text name)
{
    return text_starts_with(name, TEXT("java/lang/Turnstile"));
}

/* Nothing is called that is not there yet. */
static void check_guards(struct subject *subject)
{
    for (uint32_t m = 0; m < subject->after->method_count; m++) {
        if (!member_code(&subject->after->methods[m]))
            continue;
        struct bytecode code = decode(subject, subject->after, &subject->after->methods[m]);
        uint32_t safe_end = 0;
        for (uint32_t i = 0; i < code.count; i++) {
            uint32_t end = guarded_end(&code, i);
            if (end)
                safe_end = end;
            if (code.instructions[i].opcode == OP_INVOKESTATIC &&
                is_hook_class(
                    class_member_reference(subject->after, code.instructions[i].operand).owner))
                assert_true(i < safe_end);
        }
    }
}

static void check_class(struct jdk *jdk, size_t number)
{
    struct subject subject;
    if (open_subject(&subject, jdk, library_class_at(number))) {
        check_rows(&subject, number);
        check_guards(&subject);
    }
    close_subject(&subject);
}

static void every_row_has_its_place(void **state)
{
    (void)state;
    for (unsigned j = 0; j < JDKS; j++)
        for (size_t i = 0; library_class_at(i); i++)
            check_class(&jdks[j], i);
    if (!has_all_jdks())
        return;
    unsigned missing = 0;
    for (size_t i = 0; library_class_at(i); i++) {
        const struct library_class *class = library_class_at(i);
        assert_true(i < CLASSES);
        for (size_t r = 0; r < class->row_count; r++) {
            const struct library_row *row = &class->rows[r];
            for (unsigned w = 0; w < count_words(row->methods); w++) {
                if (seen[i][r][w])
                    continue;
                print_error("%.*s: name %u of \"%s\" (%s) at %s is in no JDK\n",
                            TEXT_ARGUMENTS(class->name), w + 1, row->methods, row->descriptor,
                            row->what);
                missing++;
            }
        }
    }
    assert_int_equal(missing, 0);
}

/* ---- twins and quiet classes ---- */

static const struct member *find_twin(const struct class_file *class_file, struct text name,
                                      struct text descriptor)
{
    char twin[128];
    int length = snprintf(twin, sizeof twin, "$turnstile$%.*s", TEXT_ARGUMENTS(name));
    assert_true(length > 0 && (size_t)length < sizeof twin);
    return find_method(class_file, text_of(twin, (size_t)length), descriptor);
}

static void twins_have_the_code_as_it_was(void **state)
{
    (void)state;
    unsigned twins = 0;
    for (size_t i = 0; library_class_at(i); i++) {
        struct subject subject;
        const struct library_class *class = library_class_at(i);
        bool there = (class->flags & LIBRARY_TWINS) && open_subject(&subject, &jdks[0], class);
        for (uint32_t m = 0; there && m < subject.before->method_count; m++) {
            const struct member *method = &subject.before->methods[m];
            struct text name = class_utf8(subject.before, method->name);
            struct text descriptor = class_utf8(subject.before, method->descriptor);
            if (!library_has_twin(class, name, descriptor))
                continue;
            const struct member *twin = find_twin(subject.after, name, descriptor);
            assert_non_null(twin);
            assert_true(twin->access & ACCESS_SYNTHETIC);
            const struct code *old = member_code(method), *new = member_code(twin);
            assert_int_equal(new->length, old->length);
            assert_memory_equal(new->bytes, old->bytes, old->length);
            twins++;
        }
        if (class->flags & LIBRARY_TWINS)
            close_subject(&subject);
    }
    assert_true(twins > 30);
}

/* The twins that a rewritten class calls; each must be there in the class that it calls. */
static unsigned check_calls(struct jdk *jdk, struct subject *subject)
{
    unsigned count = 0;
    for (uint32_t c = 1; c < subject->after->constant_count; c++) {
        if (subject->after->constants[c].tag != CONSTANT_METHOD)
            continue;
        struct member_reference callee = class_member_reference(subject->after, (uint16_t)c);
        if (!text_starts_with(callee.name, TEXT("$turnstile$")))
            continue;
        struct subject called;
        assert_non_null(library_find(callee.owner));
        assert_true(open_subject(&called, jdk, library_find(callee.owner)));
        assert_non_null(find_method(called.after, callee.name, callee.descriptor));
        close_subject(&called);
        count++;
    }
    return count;
}

static void check_no_loud_call(struct subject *subject)
{
    for (uint32_t m = 0; m < subject->after->method_count; m++) {
        if (!member_code(&subject->after->methods[m]))
            continue;
        struct bytecode code = decode(subject, subject->after, &subject->after->methods[m]);
        for (uint32_t i = 0; i < code.count; i++) {
            if (code.instructions[i].opcode != OP_INVOKEVIRTUAL)
                continue;
            struct member_reference callee =
                class_member_reference(subject->after, code.instructions[i].operand);
            const struct library_class *class = library_find(callee.owner);
            assert_false(class && library_has_twin(class, callee.name, callee.descriptor));
            if (text_is(callee.name, "newCondition"))
                assert_int_equal(code.instructions[i + 1].opcode, OP_DUP);
        }
    }
}

static void quiet_classes_call_twins(void **state)
{
    (void)state;
    bool all = has_all_jdks();
    for (size_t i = 0; library_class_at(i); i++) {
        const struct library_class *class = library_class_at(i);
        if (!(class->flags & LIBRARY_QUIET))
            continue;
        unsigned calls = 0;
        for (unsigned j = 0; j < JDKS; j++) {
            struct subject subject;
            if (open_subject(&subject, &jdks[j], class)) {
                calls += check_calls(&jdks[j], &subject);
                check_no_loud_call(&subject);
            }
            close_subject(&subject);
        }
        /* A class without rows is in the table for nothing else. */
        if (!all)
            continue;
        if (!calls && !class->row_count)
            print_error("%.*s has nothing to keep quiet\n", TEXT_ARGUMENTS(class->name));
        assert_true(calls || class->row_count);
    }
}

/* ---- monitors ---- */

static unsigned count_calls(const struct bytecode *code, const char *name)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < code->count; i++)
        count += is_member(code, i, OP_INVOKESTATIC, INSTRUMENT_HOOK, name);
    return count;
}

static unsigned count_opcode(const struct bytecode *code, unsigned opcode)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < code->count; i++)
        count += code->instructions[i].opcode == opcode;
    return count;
}

static void monitors_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; library_class_at(i); i++) {
        struct subject subject;
        const struct library_class *class = library_class_at(i);
        if (!(class->flags & LIBRARY_MONITORS))
            continue;
        unsigned told = 0;
        assert_true(open_subject(&subject, &jdks[0], class));
        for (uint32_t m = 0; m < subject.after->method_count; m++) {
            const struct member *method = &subject.after->methods[m];
            if (!member_code(method))
                continue;
            struct bytecode code = decode(&subject, subject.after, method);
            bool synchronized = method->access & ACCESS_SYNCHRONIZED;
            assert_int_equal(count_calls(&code, "acquired"),
                             count_opcode(&code, OP_MONITORENTER) + synchronized);
            assert_true(count_calls(&code, "released") >=
                        count_opcode(&code, OP_MONITOREXIT) + synchronized);
            told += count_calls(&code, "acquired");
        }
        if (!told)
            print_error("%.*s has no monitors\n", TEXT_ARGUMENTS(class->name));
        assert_true(told);
        close_subject(&subject);
    }
}

/* ---- fields ---- */

static bool has_field(const struct class_file *class_file, const char *name, const char *descriptor)
{
    for (uint32_t i = 0; i < class_file->field_count; i++)
        if (text_is(class_utf8(class_file, class_file->fields[i].name), name) &&
            text_is(class_utf8(class_file, class_file->fields[i].descriptor), descriptor))
            return class_file->fields[i].access & ACCESS_SYNTHETIC;
    return false;
}

static void fields_are_added(void **state)
{
    (void)state;
    for (unsigned j = 0; j < JDKS; j++) {
        for (size_t i = 0; library_class_at(i); i++) {
            const struct library_class *class = library_class_at(i);
            struct subject subject;
            if (open_subject(&subject, &jdks[j], class)) {
                for (size_t f = 0; f < class->field_count; f++)
                    assert_true(has_field(subject.after, class->fields[f].name,
                                          class->fields[f].descriptor));
                if (class->word)
                    assert_true(has_field(subject.after, "$turnstile$word", "J"));
            }
            close_subject(&subject);
        }
    }
    /* The switch of all hooks; and what the hooks use of a thread. */
    struct subject thread;
    assert_true(open_subject(&thread, &jdks[0], library_find(TEXT("java/lang/Thread"))));
    assert_true(has_field(thread.after, "$turnstile$on", "Z"));
    assert_true(has_field(thread.after, "$turnstile$expected", "J"));
    assert_true(has_field(thread.after, "$turnstile$pending", "I"));
    close_subject(&thread);
    struct subject list;
    assert_true(open_subject(&list, &jdks[0], library_find(TEXT("java/util/ArrayList"))));
    assert_true(has_field(list.after, "$turnstile$word", "J"));
    close_subject(&list);
}

/* A copy is a variable of its own. */
static void copies_start_anew(void **state)
{
    (void)state;
    static const char *const classes[] = {"java/util/HashMap", "java/util/ArrayList",
                                          "java/util/BitSet"};
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct subject subject;
        assert_true(open_subject(&subject, &jdks[0], library_find(text_from(classes[i]))));
        const struct member *clone =
            find_method(subject.after, TEXT("clone"), TEXT("()Ljava/lang/Object;"));
        assert_non_null(clone);
        struct bytecode code = decode(&subject, subject.after, clone);
        unsigned calls = 0;
        for (uint32_t n = 0; n + 4 < code.count; n++) {
            if (code.instructions[n].opcode != OP_INVOKESPECIAL)
                continue;
            calls++;
            assert_int_equal(code.instructions[n + 1].opcode, OP_DUP);
            assert_int_equal(code.instructions[n + 3].opcode, OP_LCONST_0);
            assert_true(is_member(&code, n + 4, OP_PUTFIELD, classes[i], "$turnstile$word"));
            break;
        }
        assert_int_equal(calls, 1);
        close_subject(&subject);
    }
}

/* ---- the index ---- */

static void only_listed_classes_are_found(void **state)
{
    (void)state;
    assert_null(library_find(TEXT("java/lang/Object")));
    assert_null(library_find(TEXT("")));
    assert_null(library_find(TEXT("java/util/concurrent/CountDownLatch$")));
    assert_non_null(library_find(TEXT("java/util/concurrent/CountDownLatch")));
    for (size_t i = 0; library_class_at(i); i++) {
        assert_ptr_equal(library_find(library_class_name(library_class_at(i))),
                         library_class_at(i));
    }
}

/* ---- no memory ---- */

/* The run-time errors of a missing request are the sanitizers' to find; what comes out is a class.
 */
static void missing_memory_breaks_no_class(void **state)
{
    (void)state;
    struct subject subject;
    const struct library_class *class =
        library_find(TEXT("java/util/concurrent/locks/ReentrantLock"));
    assert_true(open_subject(&subject, &jdks[0], class));
    unsigned whole = 0;
    for (long requests = 0; whole < 3; requests++) {
        struct class_rewriter rewriter;
        struct problem problem;
        problem_clear(&problem);
        class_rewriter_init(&rewriter);
        memory_fail_after(requests);
        enum class_rewritten result =
            instrument_class(&instrument, &rewriter, class, subject.bytes, subject.size, &problem);
        memory_fail_after(-1);
        if (result == CLASS_REWRITTEN)
            assert_non_null(
                class_read(&subject.arena, rewriter.writer.bytes, rewriter.writer.size, &problem));
        if (result == CLASS_REWRITTEN && rewriter.writer.size == subject.rewriter.writer.size)
            whole++;
        class_rewriter_release(&rewriter);
    }
    close_subject(&subject);
}

/* ---- a program on the rewritten classes, without the hooks ---- */

static const char program[] =
    "import java.util.*;\n"
    "import java.util.concurrent.*;\n"
    "import java.util.concurrent.atomic.*;\n"
    "import java.util.concurrent.locks.*;\n"
    "import java.util.stream.*;\n"
    "public class Uses {\n"
    "    static int turns;\n"
    "    public static void main(String[] arguments) throws Exception {\n"
    "        ExecutorService pool = Executors.newFixedThreadPool(3);\n"
    "        List<Future<Integer>> futures = new ArrayList<>();\n"
    "        for (int i = 0; i < 20; i++) { int n = i; futures.add(pool.submit(() -> n)); }\n"
    "        int sum = 0;\n"
    "        for (Future<Integer> future : futures) sum += future.get();\n"
    "        pool.shutdown();\n"
    "        check(pool.awaitTermination(1, TimeUnit.MINUTES) && sum == 190);\n"
    "        ReentrantLock lock = new ReentrantLock();\n"
    "        Condition condition = lock.newCondition();\n"
    "        Thread other = new Thread(() -> { lock.lock(); turns++; condition.signal(); "
    "lock.unlock(); });\n"
    "        lock.lock();\n"
    "        other.start();\n"
    "        while (turns == 0) condition.await();\n"
    "        lock.unlock();\n"
    "        other.join();\n"
    "        check(!other.isAlive());\n"
    "        StampedLock stamped = new StampedLock();\n"
    "        long stamp = stamped.tryOptimisticRead();\n"
    "        check(stamped.validate(stamp));\n"
    "        stamp = stamped.tryConvertToWriteLock(stamp);\n"
    "        stamped.unlock(stamped.tryConvertToReadLock(stamp));\n"
    "        CyclicBarrier barrier = new CyclicBarrier(2, () -> turns++);\n"
    "        Thread party = new Thread(() -> { try { barrier.await(); } catch (Exception e) { } "
    "});\n"
    "        party.start();\n"
    "        barrier.await();\n"
    "        check(turns == 2);\n"
    "        Phaser phaser = new Phaser(1);\n"
    "        check(phaser.arriveAndAwaitAdvance() == 1 && phaser.awaitAdvance(0) == 1);\n"
    "        BlockingQueue<String> queue = new LinkedBlockingQueue<>(2);\n"
    "        new Thread(() -> { for (int i = 0; i < 9; i++) try { queue.put(\"e\" + i); }\n"
    "            catch (InterruptedException e) { } }).start();\n"
    "        for (int i = 0; i < 9; i++) check(queue.take().equals(\"e\" + i));\n"
    "        Map<Integer, Integer> map = new ConcurrentHashMap<>();\n"
    "        IntStream.range(0, 1000).parallel().forEach(i -> map.merge(i % 7, 1, Integer::sum));\n"
    "        check(map.values().stream().mapToInt(i -> i).sum() == 1000);\n"
    "        Map<Integer, Integer> sorted = new ConcurrentSkipListMap<>(map);\n"
    "        check(sorted.computeIfAbsent(99, k -> 5) == 5 && sorted.size() == 8);\n"
    "        CompletableFuture<Integer> stage = CompletableFuture.supplyAsync(() -> 4);\n"
    "        check(stage.thenCombineAsync(stage.thenApply(i -> i + 1), (a, b) -> a * b).get() == "
    "20);\n"
    "        Vector<Integer> vector = new Vector<>(List.of(1, 2));\n"
    "        check(vector.remove(0) == 1 && vector.get(0) == 2);\n"
    "        try { vector.get(7); check(false); } catch (ArrayIndexOutOfBoundsException e) { }\n"
    "        check(new AtomicInteger(3).updateAndGet(i -> i * 2) == 6);\n"
    "        var hidden = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");\n"
    "        hidden.setAccessible(true);\n"
    "        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) hidden.get(null);\n"
    "        long[] cells = new long[1];\n"
    "        long base = unsafe.arrayBaseOffset(long[].class);\n"
    "        unsafe.putOrderedLong(cells, base, 7);\n"
    "        check(unsafe.compareAndSwapLong(cells, base, 7, 8));\n"
    "        check(unsafe.getAndAddLong(cells, base, 1) == 8);\n"
    "        check(unsafe.getLongVolatile(cells, base) == 9);\n"
    "        System.out.println(\"all right\");\n"
    "    }\n"
    "    static void check(boolean right) { if (!right) throw new AssertionError(); }\n"
    "}\n";

static void write_file(const char *path, const void *bytes, size_t size)
{
    char folder[1024];
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(folder, 0777);
        *slash = '/';
    }
    support_write(path, bytes, size);
}

static void write_classes(struct jdk *jdk, const struct support_folder *folder)
{
    for (size_t i = 0; library_class_at(i); i++) {
        struct subject subject;
        struct text name = library_class_name(library_class_at(i));
        if (text_starts_with(name, TEXT("java/util/logging/")))
            continue; /* neither in java.base nor in jdk.unsupported */
        const char *module = text_starts_with(name, TEXT("sun/misc/")) ? "unsupported" : "base";
        if (open_subject(&subject, jdk, library_class_at(i)) && subject.after != subject.before) {
            char entry[256];
            snprintf(entry, sizeof entry, "%s/%.*s.class", module, TEXT_ARGUMENTS(name));
            write_file(support_path(folder, entry), subject.rewriter.writer.bytes,
                       subject.rewriter.writer.size);
        }
        close_subject(&subject);
    }
}

static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int run(const char *format, ...)
{
    char command[8192];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    return system(command);
}

/* Also the compiler that the launcher starts runs on the rewritten classes. */
static void a_program_runs_as_before(void **state)
{
    (void)state;
    for (unsigned j = 0; j < JDKS; j++) {
        struct support_folder folder;
        support_folder_make(&folder);
        write_classes(&jdks[j], &folder);
        support_write(support_path(&folder, "Uses.java"), program, sizeof program - 1);
        int status =
            run("'%s/bin/java' -Xverify:all --patch-module 'java.base=%s/base' "
                "--patch-module 'jdk.unsupported=%s/unsupported' "
                "'%s/Uses.java' > '%s/out' 2> '%s/errors'",
                jdks[j].home, folder.path, folder.path, folder.path, folder.path, folder.path);
        if (status)
            run("cat '%s/errors' >&2", folder.path);
        assert_int_equal(status, 0);
        support_assert_file(support_path(&folder, "out"), "all right\n");
        assert_int_equal(run("rm -rf '%s'", folder.path), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_listed_classes_are_found),
        cmocka_unit_test(every_row_has_its_place),
        cmocka_unit_test(twins_have_the_code_as_it_was),
        cmocka_unit_test(quiet_classes_call_twins),
        cmocka_unit_test(monitors_are_told),
        cmocka_unit_test(fields_are_added),
        cmocka_unit_test(copies_start_anew),
        cmocka_unit_test(missing_memory_breaks_no_class),
        cmocka_unit_test(a_program_runs_as_before),
    };
    return cmocka_run_group_tests(tests, open_jdks, close_jdks);
}
