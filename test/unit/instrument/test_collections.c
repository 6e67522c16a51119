/*
 * collections: the table against the classes of a JDK; and a program that is rewritten and run,
 * with a hook that prints each access.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/builder.h"
#include "base/file.h"
#include "classfile/class_reader.h"
#include "classfile/input.h"
#include "instrument/collections.h"
#include "instrument/instrument.h"
#include "support.h"

/* ---- the table ---- */

static enum collection_effect effect_of(const char *type, const char *name, const char *descriptor)
{
    const struct collection_type *found = collections_type(text_from(type));
    assert_non_null(found);
    return collections_call(found, text_from(name), text_from(descriptor)).effect;
}

static void test_effects(void **state)
{
    (void)state;
    static const struct {
        const char *type, *name, *descriptor;
        enum collection_effect effect;
    } cases[] = {
        {"java/util/HashMap", "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
         COLLECTION_WRITE},
        {"java/util/HashMap", "get", "(Ljava/lang/Object;)Ljava/lang/Object;", COLLECTION_READ},
        {"java/util/Map", "entrySet", "()Ljava/util/Set;", COLLECTION_NONE},
        {"java/util/ArrayList", "iterator", "()Ljava/util/Iterator;", COLLECTION_READ},
        {"java/util/Iterator", "remove", "()V", COLLECTION_WRITE},
        {"java/util/Iterator", "next", "()Ljava/lang/Object;", COLLECTION_READ},
        {"java/util/Iterator", "nextElement", "()Ljava/lang/Object;", COLLECTION_UNKNOWN},
        {"java/lang/StringBuilder", "length", "()I", COLLECTION_READ},
        {"java/lang/StringBuilder", "append", "(C)Ljava/lang/StringBuilder;", COLLECTION_WRITE},
        {"java/text/SimpleDateFormat", "format", "(Ljava/util/Date;)Ljava/lang/String;",
         COLLECTION_WRITE},
        {"java/text/ChoiceFormat", "format", "(D)Ljava/lang/String;", COLLECTION_READ},
        {"java/text/DecimalFormat", "format", "(D)Ljava/lang/String;", COLLECTION_WRITE},
        /* Relative access moves the position; absolute access does not. */
        {"java/nio/ByteBuffer", "get", "()B", COLLECTION_WRITE},
        {"java/nio/ByteBuffer", "get", "(I)B", COLLECTION_NONE},
        {"java/nio/ByteBuffer", "get", "([B)Ljava/nio/ByteBuffer;", COLLECTION_WRITE},
        {"java/nio/ByteBuffer", "get", "(I[B)Ljava/nio/ByteBuffer;", COLLECTION_NONE},
        {"java/nio/ByteBuffer", "putInt", "(I)Ljava/nio/ByteBuffer;", COLLECTION_WRITE},
        {"java/nio/ByteBuffer", "putInt", "(II)Ljava/nio/ByteBuffer;", COLLECTION_NONE},
        {"java/nio/IntBuffer", "put", "(I)Ljava/nio/IntBuffer;", COLLECTION_WRITE},
        {"java/nio/IntBuffer", "put", "(II)Ljava/nio/IntBuffer;", COLLECTION_NONE},
        {"java/nio/ByteBuffer", "position", "()I", COLLECTION_READ},
        {"java/nio/ByteBuffer", "position", "(I)Ljava/nio/ByteBuffer;", COLLECTION_WRITE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (effect_of(cases[i].type, cases[i].name, cases[i].descriptor) != cases[i].effect)
            fail_msg("%s.%s%s", cases[i].type, cases[i].name, cases[i].descriptor);
    assert_null(collections_type(TEXT("java/util/Random")));
    assert_null(collections_type(TEXT("java/util/Ma")));
}

static void test_arguments(void **state)
{
    (void)state;
    const struct collection_type *list = collections_type(TEXT("java/util/LinkedList"));
    const struct text all = TEXT("(Ljava/util/Collection;)Z"),
                      at = TEXT("(ILjava/util/Collection;)Z");
    assert_int_equal(collections_argument(list, TEXT("addAll"), all, 0), COLLECTION_READ);
    assert_int_equal(collections_argument(list, TEXT("addAll"), at, 0), COLLECTION_UNKNOWN);
    assert_int_equal(collections_argument(list, TEXT("addAll"), at, 1), COLLECTION_READ);
    const struct collection_type *collections = collections_type(TEXT("java/util/Collections"));
    const struct text copy = TEXT("(Ljava/util/List;Ljava/util/List;)V");
    assert_int_equal(collections_argument(collections, TEXT("copy"), copy, 0), COLLECTION_WRITE);
    assert_int_equal(collections_argument(collections, TEXT("copy"), copy, 1), COLLECTION_READ);
}

/* No two methods of maps, or of collections, have the same number: overriding one says nothing
   about the other. */
static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = {"add",         "addAll",       "addFirst",
                                        "addLast",     "clear",        "compute",
                                        "contains",    "containsKey",  "computeIfAbsent",
                                        "entrySet",    "equals",       "firstKey",
                                        "forEach",     "get",          "getOrDefault",
                                        "hashCode",    "indexOf",      "isEmpty",
                                        "iterator",    "keySet",       "listIterator",
                                        "merge",       "offer",        "peek",
                                        "poll",        "pollFirst",    "pop",
                                        "push",        "put",          "putAll",
                                        "remove",      "putIfAbsent",  "removeAll",
                                        "removeIf",    "replace",      "replaceAll",
                                        "retainAll",   "set",          "size",
                                        "spliterator", "stream",       "subList",
                                        "subMap",      "toArray",      "values",
                                        "toString",    "descendingMap"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int number = collections_name_number(text_from(names[i]));
        assert_in_range(number, 0, COLLECTIONS_NAME_LIMIT - 1);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(number, collections_name_number(text_from(names[j])));
    }
    assert_true(collections_name_number(TEXT("putInt")) >= 0); /* is listed with descriptors only */
    assert_int_equal(collections_name_number(TEXT("removeEldestEntry")), COLLECTIONS_NAME_NOTHING);
    assert_false(collections_has_name(TEXT("removeEldestEntry")));
    assert_true(collections_has_name(TEXT("putInt")));
    assert_false(collections_has_name(TEXT("putIn")));
    assert_false(collections_has_name(TEXT("")));
    /* It is listed for its arguments only. */
    assert_true(collections_has_name(TEXT("copyOf")));
    assert_int_equal(collections_name_number(TEXT("copyOf")), COLLECTIONS_NAME_NOTHING);
}

/* ---- the classes of the JDK ---- */

struct jdk {
    const char *home;
    unsigned release;
    struct diagnostics diagnostics;
    struct input_root *root;
    struct arena arena;
    unsigned failures;
};

static bool jdk_open(struct jdk *jdk)
{
    *jdk = (struct jdk){.home = getenv("TURNSTILE_JDK")};
    if (!jdk->home || !jdk->home[0])
        return false;
    jdk->release = input_jdk_release(text_from(jdk->home));
    assert_true(jdk->release);
    diagnostics_init(&jdk->diagnostics, stderr, DIAGNOSTICS_COLOR_NEVER);
    struct input_options options = {.release = jdk->release};
    jdk->root = input_root_open(jdk->home, &options, &jdk->diagnostics);
    assert_non_null(jdk->root);
    arena_init(&jdk->arena);
    return true;
}

static void jdk_close(struct jdk *jdk)
{
    arena_release(&jdk->arena);
    input_root_close(jdk->root);
    diagnostics_release(&jdk->diagnostics);
}

static bool jdk_find(struct jdk *jdk, struct text name, const uint8_t **bytes, size_t *size)
{
    struct problem problem;
    problem_clear(&problem);
    return input_root_find(jdk->root, name, &jdk->arena, bytes, size, &problem) == INPUT_FOUND;
}

static struct class_file *jdk_read(struct jdk *jdk, struct text name)
{
    const uint8_t *bytes;
    size_t size;
    struct problem problem;
    problem_clear(&problem);
    return jdk_find(jdk, name, &bytes, &size) ? class_read(&jdk->arena, bytes, size, &problem)
                                              : NULL;
}

typedef void (*method_function)(void *context, const struct class_file *class_file,
                                const struct member *method);

/* All methods of the class, and those that it inherits from anything but Object. */
static void for_methods(struct jdk *jdk, struct text name, method_function function, void *context)
{
    const struct class_file *class_file = jdk_read(jdk, name);
    assert_non_null(class_file);
    for (uint32_t i = 0; i < class_file->method_count; i++)
        function(context, class_file, &class_file->methods[i]);
    if (class_file->super_class &&
        !text_is(class_name_at(class_file, class_file->super_class), "java/lang/Object"))
        for_methods(jdk, class_name_at(class_file, class_file->super_class), function, context);
    for (uint32_t i = 0; i < class_file->interface_count; i++)
        for_methods(jdk, class_name_at(class_file, class_file->interfaces[i]), function, context);
}

struct classified {
    struct jdk *jdk;
    const struct collection_type *type;
};

static void check_classified(void *context, const struct class_file *class_file,
                             const struct member *method)
{
    struct classified *classified = context;
    const struct text name = class_utf8(class_file, method->name);
    const struct text descriptor = class_utf8(class_file, method->descriptor);
    if (!(method->access & ACCESS_PUBLIC) || (method->access & ACCESS_STATIC) ||
        text_is(name, "<init>"))
        return;
    if (collections_call(classified->type, name, descriptor).effect == COLLECTION_UNKNOWN) {
        print_error("%.*s: %.*s%.*s is not in the table\n", TEXT_ARGUMENTS(classified->type->name),
                    TEXT_ARGUMENTS(name), TEXT_ARGUMENTS(descriptor));
        classified->jdk->failures++;
    }
}

/* No public method is forgotten. */
static void test_all_methods(void **state)
{
    (void)state;
    struct jdk jdk;
    if (!jdk_open(&jdk))
        skip();
    size_t checked = 0;
    for (size_t i = 0; collections_type_at(i); i++) {
        const struct collection_type *type = collections_type_at(i);
        const bool sequenced = text_starts_with(type->name, TEXT("java/util/Sequenced"));
        if (text_is(type->chain, "none") || (sequenced && jdk.release < 21))
            continue;
        struct classified classified = {&jdk, type};
        for_methods(&jdk, type->name, check_classified, &classified);
        checked++;
    }
    assert_true(checked > 60);
    assert_int_equal(jdk.failures, 0);
    jdk_close(&jdk);
}

struct sought {
    struct text word;
    bool found;
};

static void seek_word(void *context, const struct class_file *class_file,
                      const struct member *method)
{
    struct sought *sought = context;
    struct builder whole;
    builder_init(&whole);
    builder_add(&whole, class_utf8(class_file, method->name));
    builder_add(&whole, class_utf8(class_file, method->descriptor));
    const struct text word = sought->word;
    sought->found |= text_starts_with(builder_text(&whole), word) &&
                     (text_find(word, '(') >= 0 || whole.bytes[word.length] == '(');
    builder_release(&whole);
}

struct table_row {
    const char *type; /* NULL: of the type before */
    const char *words;
};

static const struct table_row table_rows[] = {
#define TYPE(class, chain, parents) {class, parents},
#define READ(methods) {NULL, methods},
#define WRITE(methods) {NULL, methods},
#define NONE(methods) {NULL, methods},
#define VIEW(methods) {NULL, methods},
#define READ_VIEW(methods) {NULL, methods},
#define WRITE_SELF(methods) {NULL, methods},
#define ARGUMENT_READ(number, methods) {NULL, methods},
#define ARGUMENT_WRITE(number, methods) {NULL, methods},
#include "instrument/collections.def"
};

static void check_words(struct jdk *jdk, const char *type, const char *words)
{
    char copy[1024];
    assert_true(strlen(words) < sizeof copy);
    snprintf(copy, sizeof copy, "%s", words);
    for (char *rest = NULL, *word = strtok_r(copy, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        struct sought sought = {text_from(word), false};
        for_methods(jdk, text_from(type), seek_word, &sought);
        /* Those of Object, too, whether the type has another or not. */
        if (!sought.found && !strstr(" equals hashCode toString ", word)) {
            print_error("%s has no method %s\n", type, word);
            jdk->failures++;
        }
    }
}

/* There is room for all of the table. */
static void test_all_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table_rows / sizeof table_rows[0]; i++) {
        if (table_rows[i].type)
            continue;
        char copy[1024];
        assert_true(strlen(table_rows[i].words) < sizeof copy);
        snprintf(copy, sizeof copy, "%s", table_rows[i].words);
        for (char *rest = NULL, *word = strtok_r(copy, " ", &rest); word;
             word = strtok_r(NULL, " ", &rest)) {
            word[strcspn(word, "(")] = 0;
            assert_true(collections_has_name(text_from(word)));
        }
    }
}

/* Nothing in the table is misspelt. Only a JDK that is new enough has all of it. */
static void test_no_strangers(void **state)
{
    (void)state;
    struct jdk jdk;
    if (!jdk_open(&jdk))
        skip();
    if (jdk.release < 25) {
        jdk_close(&jdk);
        skip();
    }
    const char *type = NULL;
    for (size_t i = 0; i < sizeof table_rows / sizeof table_rows[0]; i++) {
        if (!table_rows[i].type) {
            check_words(&jdk, type, table_rows[i].words);
            continue;
        }
        type = table_rows[i].type;
        char copy[256];
        snprintf(copy, sizeof copy, "%s", table_rows[i].words);
        for (char *rest = NULL, *parent = strtok_r(copy, " ", &rest); parent;
             parent = strtok_r(NULL, " ", &rest))
            assert_non_null(collections_type(text_from(parent)));
    }
    assert_int_equal(jdk.failures, 0);
    jdk_close(&jdk);
}

/* ---- a program ---- */

struct run {
    struct jdk jdk;
    struct support_folder folder;
    char sources[512]; /* the root of the sources */
    struct sites sites;
    struct builder output;
};

static void command(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs it in the folder; what it prints is in run->output. */
static void command(struct run *run, const char *format, ...)
{
    char line[8192];
    int length = snprintf(line, sizeof line, "cd '%s' && ", run->folder.path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    builder_clear(&run->output);
    char bytes[4096];
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
        builder_add(&run->output, text_of(bytes, size));
    int status = pclose(pipe);
    if (status)
        fail_msg("%s\n%s", line, builder_string(&run->output));
}

/* What the agent does to the classes of the library. */
static bool add_word(void *context, struct class_editor *editor)
{
    (void)context;
    return class_editor_add_field(editor, ACCESS_PUBLIC | ACCESS_TRANSIENT | ACCESS_SYNTHETIC,
                                  TEXT("$turnstile$word"), TEXT("J"));
}

static void patch_library(struct run *run)
{
    struct class_rewriter rewriter;
    class_rewriter_init(&rewriter);
    const struct class_visitor visitor = {.begin = add_word};
    for (size_t i = 0; collections_word_class(i); i++) {
        const char *name = collections_word_class(i);
        const uint8_t *bytes;
        size_t size;
        struct problem problem;
        problem_clear(&problem);
        if (!jdk_find(&run->jdk, text_from(name), &bytes, &size))
            fail_msg("there is no %s", name);
        if (class_rewriter_run(&rewriter, bytes, size, &visitor, &problem) != CLASS_REWRITTEN)
            fail_msg("%s: %s", name, problem.reason);
        char path[256];
        snprintf(path, sizeof path, "base/%s.class", name);
        command(run, "mkdir -p \"$(dirname '%s')\"", path);
        support_write(support_path(&run->folder, path), rewriter.writer.bytes,
                      rewriter.writer.size);
    }
    class_rewriter_release(&rewriter);
}

static void tell_left(void *context, const struct class_file *class_file,
                      const struct member *method, enum class_left reason,
                      const struct problem *problem)
{
    (void)context;
    fail_msg("%.*s.%.*s is left as it was: %s: %s", TEXT_ARGUMENTS(class_this_name(class_file)),
             TEXT_ARGUMENTS(method ? class_utf8(class_file, method->name) : TEXT("")),
             class_left_text(reason), problem && problem->set ? problem->reason : "");
}

static void rewrite_program(struct run *run)
{
    static const char *const classes[] = {"CollectionProgram", "CollectionProgram$Cache"};
    struct class_rewriter rewriter;
    class_rewriter_init(&rewriter);
    struct instrument instrument = {.sites = &run->sites, .left = tell_left};
    command(run, "cp -r plain rewritten");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        char name[128];
        struct file_map map;
        struct problem problem;
        problem_clear(&problem);
        snprintf(name, sizeof name, "plain/%s.class", classes[i]);
        assert_true(file_map_open(&map, support_path(&run->folder, name), &problem));
        if (instrument_class(&instrument, &rewriter, NULL, map.bytes, map.size, &problem) !=
            CLASS_REWRITTEN)
            fail_msg("%s is not rewritten: %s", classes[i], problem.set ? problem.reason : "");
        file_map_close(&map);
        snprintf(name, sizeof name, "rewritten/%s.class", classes[i]);
        support_write(support_path(&run->folder, name), rewriter.writer.bytes,
                      rewriter.writer.size);
    }
    assert_true(instrument.collections > 40);
    class_rewriter_release(&rewriter);
    for (uint32_t i = 1; i <= sites_count(&run->sites); i++) {
        struct site site;
        assert_true(sites_get(&run->sites, i, &site));
        assert_false(text_is(site.method, "kept"));
    }
}

struct rewriting {
    struct file_map map;
    struct class_rewriter rewriter;
    struct sites *sites;
};

static bool rewrite_once(struct rewriting *rewriting)
{
    struct problem problem;
    problem_clear(&problem);
    struct instrument instrument = {.sites = rewriting->sites};
    enum class_rewritten result =
        instrument_class(&instrument, &rewriting->rewriter, NULL, rewriting->map.bytes,
                         rewriting->map.size, &problem);
    class_rewriter_release(&rewriting->rewriter);
    class_rewriter_init(&rewriting->rewriter);
    return result == CLASS_REWRITTEN;
}

/* Whichever request fails: the leak checker watches. A method may stay as it was, or all of the
 * class. */
static void check_without_memory(struct run *run)
{
    struct rewriting rewriting = {.sites = &run->sites};
    struct problem problem;
    problem_clear(&problem);
    assert_true(file_map_open(&rewriting.map,
                              support_path(&run->folder, "plain/CollectionProgram$Cache.class"),
                              &problem));
    class_rewriter_init(&rewriting.rewriter);
    for (long failing = 0; failing < 300; failing++) {
        memory_fail_after(failing);
        rewrite_once(&rewriting);
        memory_fail_after(-1);
    }
    assert_true(rewrite_once(&rewriting));
    class_rewriter_release(&rewriting.rewriter);
    file_map_close(&rewriting.map);
}

/* TurnstileObjects with another way to know what a class overrides: the agent is not there. */
static void compile(struct run *run)
{
    command(run, "mkdir -p source/java/lang base plain");
    command(
        run,
        "sed 's/private static native long overriddenNames(Class<?> type, int part);"
        "/private static long overriddenNames(Class<?> type, int part) "
        "{ return TurnstileHook.overridden(type, part); }/' "
        "'%s/java/hook/java/lang/TurnstileObjects.java' >source/java/lang/TurnstileObjects.java",
        run->sources);
    command(run, "cp '%s/test/java/collections/hook/java/lang/TurnstileHook.java' source/java/lang",
            run->sources);
    command(run,
            "'%s/bin/javac' -nowarn -Xlint:-options -d base --patch-module java.base=source "
            "source/java/lang/*.java 2>&1",
            run->jdk.home);
    command(run,
            "'%s/bin/javac' -nowarn -g -d plain --patch-module java.base=base "
            "'%s'/test/java/collections/*.java 2>&1",
            run->jdk.home, run->sources);
}

static void run_program(struct run *run, const char *classes)
{
    command(run,
            "'%s/bin/java' -Xverify:all -Dname.put=%d -Dname.get=%d "
            "--patch-module java.base=base -cp %s CollectionProgram 2>&1",
            run->jdk.home, collections_name_number(TEXT("put")),
            collections_name_number(TEXT("get")), classes);
}

/* "METHOD read|write OBJECT FIELD TYPE" of an access that the hook has printed. */
static void describe(struct run *run, const char *line, struct builder *to)
{
    char kind[16], object[32];
    unsigned number;
    assert_int_equal(sscanf(line, "@ %15s %31s %u", kind, object, &number), 3);
    struct site site;
    struct accessed accessed;
    assert_true(sites_get(&run->sites, number, &site));
    assert_true(sites_get_accessed(&run->sites, site.accessed, &accessed));
    assert_int_equal(accessed.kind, ACCESSED_COLLECTION);
    assert_true(site.line > 0);
    builder_add_format(to, "%.*s %s %s", TEXT_ARGUMENTS(site.method), kind, object);
    if (accessed.name.length)
        builder_add_format(to, " %.*s.%.*s", TEXT_ARGUMENTS(accessed.owner),
                           TEXT_ARGUMENTS(accessed.name));
    builder_add_format(to, " %.*s\n", TEXT_ARGUMENTS(accessed.descriptor));
}

#define P "CollectionProgram."
#define LIST P "list Ljava/util/List;\n"
#define MAP P "map Ljava/util/Map;\n"

/* By the code of CollectionProgram.java: what each method does, in this order. */
static const char expected_accesses[] =
    "put write map " MAP "size read map " MAP "replace write map " MAP "add write list " LIST
    /* iterator, hasNext, next, hasNext */
    "iterate read list " LIST "iterate read list " LIST "iterate read list " LIST
    "iterate read list " LIST "entries read map " MAP "entries read map " MAP
    "entries read map " MAP "entries read map " MAP "removeOne read list " LIST
    "removeOne read list " LIST "removeOne write list " LIST "add write list " LIST
    "addAll write other " P "other Ljava/util/List;\n"
    "addAll read list " LIST "addAllAt write list " LIST "addAllAt read other " P
    "other Ljava/util/List;\n"
    "copy read list " LIST "sort write list " LIST "join read list " LIST
    "unmodifiable read list " LIST
    /* subList, iterator, hasNext */
    "sub read other " P "other Ljava/util/List;\n"
    "sub read other " P "other Ljava/util/List;\n"
    "sub read other " P "other Ljava/util/List;\n"
    "element read list " P "array Ljava/util/List;\n"
    "sets write tree " P "tree Ljava/util/Set;\n"
    "sets write hashed " P "hashed Ljava/util/Set;\n"
    "sets read tree " P "tree Ljava/util/Set;\n"
    "sets read tree " P "tree Ljava/util/Set;\n"
    "sets read tree " P "tree Ljava/util/Set;\n"
    "sets read tree " P "tree Ljava/util/Set;\n"
    /* three appends and an insert in a row need one check; then by way of an interface */
    "append write builder " P "builder Ljava/lang/StringBuilder;\n"
    "append write builder " P "builder Ljava/lang/StringBuilder;\n"
    "append read builder " P "builder Ljava/lang/StringBuilder;\n"
    "formats write format " P "format Ljava/text/SimpleDateFormat;\n"
    "buffers write buffer " P "buffer Ljava/nio/ByteBuffer;\n"
    "buffers read buffer " P "buffer Ljava/nio/ByteBuffer;\n"
    "lambda write map " MAP "lambda read map " MAP "field write deque " P
    "deque Ljava/util/ArrayDeque;\n"
    "field write deque " P "deque Ljava/util/ArrayDeque;\n"
    /* put is overridden: what counts is super.put in it */
    "put write cache LCollectionProgram$Cache;\n"
    "heirs read cache " P "cache LCollectionProgram$Cache;\n"
    "put write cache LCollectionProgram$Cache;\n"
    "heirs read cache " P "cache LCollectionProgram$Cache;\n"
    "own read cache LCollectionProgram$Cache;\n"
    "silent read map " MAP "escaping write made Ljava/util/ArrayList;\n"
    "main read made Ljava/util/List;\n"
    "captured write made Ljava/util/ArrayList;\n"
    "lambda$captured$N read made Ljava/util/List;\n"
    "lambda$exceptions$N read list " LIST "main read builder " P
    "builder Ljava/lang/StringBuilder;\n";

/* Lambdas are numbered as the compiler likes. */
static void hide_numbers(struct builder *builder)
{
    for (char *name = strstr(builder->bytes, "\nlambda$"); name; name = strstr(name, "\nlambda$")) {
        name = strchr(name + strlen("\nlambda$"), '$');
        assert_non_null(name);
        name[1] = 'N';
    }
}

/* Splits what the program printed: accesses, and the rest. */
static void split(struct run *run, struct builder *accesses, struct builder *rest)
{
    builder_clear(rest);
    for (char *position = NULL, *line = strtok_r(run->output.bytes, "\n", &position); line;
         line = strtok_r(NULL, "\n", &position)) {
        if (line[0] == '@')
            describe(run, line, accesses);
        else if (!strstr(line, "warning: Options -Xverify"))
            builder_add_format(rest, "%s\n", line);
    }
}

/* Every listed class has its word, and views lead to the word of what they are views of. */
static void check_views(struct run *run)
{
    struct builder words;
    builder_init(&words);
    for (size_t i = 0; collections_word_class(i); i++)
        builder_add_format(&words, " '%s'", collections_word_class(i));
    command(run, "'%s/bin/java' --patch-module java.base=base -cp plain CollectionViews %s 2>&1",
            run->jdk.home, builder_string(&words));
    assert_string_equal(builder_string(&run->output), "done\n");
    builder_release(&words);
}

static void compare_lines(const char *found, const char *expected)
{
    for (unsigned number = 1; found[0] || expected[0]; number++) {
        size_t found_length = strcspn(found, "\n"), length = strcspn(expected, "\n");
        if (!text_equal(text_of(found, found_length), text_of(expected, length)))
            fail_msg("access %u: expected \"%.*s\", found \"%.*s\"", number, (int)length, expected,
                     (int)found_length, found);
        found += found_length + (found[found_length] != 0);
        expected += length + (expected[length] != 0);
    }
}

static void test_program(void **state)
{
    (void)state;
    static struct run run;
    if (!jdk_open(&run.jdk))
        skip();
    snprintf(run.sources, sizeof run.sources, "%s", __FILE__);
    char *end = strstr(run.sources, "/test/unit/instrument/");
    assert_non_null(end);
    *end = 0;
    support_folder_make(&run.folder);
    assert_true(sites_init(&run.sites));
    builder_init(&run.output);
    struct builder accesses, plain, rewritten;
    builder_init(&accesses);
    builder_init(&plain);
    builder_init(&rewritten);

    compile(&run);
    patch_library(&run);
    check_views(&run);
    rewrite_program(&run);
    check_without_memory(&run);
    run_program(&run, "plain");
    split(&run, &accesses, &plain);
    assert_int_equal(accesses.length, 0);
    run_program(&run, "rewritten");
    split(&run, &accesses, &rewritten);
    /* Messages of exceptions, too. */
    assert_string_equal(builder_string(&rewritten), builder_string(&plain));
    assert_non_null(strstr(builder_string(&plain), "NullPointerException"));
    hide_numbers(&accesses);
    compare_lines(builder_string(&accesses), expected_accesses);

    command(&run, "rm -r source base plain rewritten");
    support_folder_remove(&run.folder);
    builder_release(&accesses);
    builder_release(&plain);
    builder_release(&rewritten);
    builder_release(&run.output);
    sites_release(&run.sites);
    jdk_close(&run.jdk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effects),   cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_all_methods),
        cmocka_unit_test(test_all_names), cmocka_unit_test(test_no_strangers),
        cmocka_unit_test(test_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
