#include <string.h>

#include "agent/class_choice.h"
#include "agent/runtime.h"
#include "base/memory.h"
#include "classfile/names.h"

enum {
    FRAMES_MAX = 48, /* of one stack */
    NUMBER_BITS = 19,
    STACKS_MAX = 1 << 18, /* kept */
    EXACT_FIRST = 64,     /* so many accesses of a site have stacks of their own */
    TABLE_SIZE = 1 << 19,
    TAKEN_SIZE = 1 << 18, /* threads times lines that are not settled */
    OTHERS_PATIENCE = 16, /* one in so many takes the place of another thread or site */
};

struct stack {
    uint32_t hash;
    uint32_t count;
    jvmtiFrameInfo frames[];
};

static struct {
    pthread_mutex_t lock;
    struct arena arena;
    struct stack **stacks; /* by number */
    uint32_t *table;       /* numbers by hash */
    uint32_t count;
    struct sites_index accesses; /* by site */
    /* The last stack that a thread had at a site: a hash of both, and the stack's number below. Who
       comes to the same place with another hash mostly leaves what is there. */
    _Atomic uint64_t taken[TAKEN_SIZE];
} stacks = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool stacks_init(void)
{
    arena_init(&stacks.arena);
    /* Pages that are never touched cost nothing. */
    stacks.stacks = memory_allocate((STACKS_MAX + 1) * sizeof *stacks.stacks);
    stacks.table = memory_allocate(TABLE_SIZE * sizeof *stacks.table);
    if (!stacks.stacks || !stacks.table)
        return false;
    memset(stacks.table, 0, TABLE_SIZE * sizeof *stacks.table);
    return true;
}

static uint32_t hash_of(const jvmtiFrameInfo *frames, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ (uintptr_t)frames[i].method ^ (uint64_t)frames[i].location << 40) *
                   0x9E3779B97F4A7C15u ^
               hash >> 31;
    return (uint32_t)(hash >> 32);
}

static bool is_same(const struct stack *stack, uint32_t hash, const jvmtiFrameInfo *frames,
                    uint32_t count)
{
    if (stack->hash != hash || stack->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (stack->frames[i].method != frames[i].method ||
            stack->frames[i].location != frames[i].location)
            return false;
    return true;
}

static uint32_t add_stack(uint32_t slot, uint32_t hash, const jvmtiFrameInfo *frames,
                          uint32_t count)
{
    struct stack *stack =
        stacks.count < STACKS_MAX
            ? arena_allocate(&stacks.arena, sizeof *stack + count * sizeof *frames, 8)
            : NULL;
    if (!stack)
        return 0;
    stack->hash = hash;
    stack->count = count;
    memcpy(stack->frames, frames, count * sizeof *frames);
    stacks.stacks[++stacks.count] = stack;
    stacks.table[slot] = stacks.count;
    return stacks.count;
}

static uint32_t intern(const jvmtiFrameInfo *frames, uint32_t count)
{
    const uint32_t hash = hash_of(frames, count);
    uint32_t slot = hash % TABLE_SIZE;
    pthread_mutex_lock(&stacks.lock);
    uint32_t number;
    while ((number = stacks.table[slot]) != 0) {
        if (is_same(stacks.stacks[number], hash, frames, count))
            break;
        slot = (slot + 1) % TABLE_SIZE;
    }
    if (!number)
        number = add_stack(slot, hash, frames, count);
    pthread_mutex_unlock(&stacks.lock);
    return number;
}

uint32_t stacks_capture(void)
{
    jvmtiFrameInfo frames[FRAMES_MAX];
    jint count = 0;
    if ((*runtime.jvmti)->GetStackTrace(runtime.jvmti, NULL, 0, FRAMES_MAX, frames, &count) !=
            JVMTI_ERROR_NONE ||
        count <= 0)
        return 0;
    return intern(frames, (uint32_t)count);
}

/* Whether it is how the JDK's locks wait, and no place in the program. */
static bool is_waiting(jmethodID method)
{
    static const char *const insides[] = {"Ljava/util/concurrent/locks/",
                                          "Ljdk/internal/misc/Unsafe;"};
    jclass class = NULL;
    char *signature = NULL;
    bool inside = false;
    JNIEnv *jni = NULL;
    if ((*runtime.vm)->GetEnv(runtime.vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK ||
        (*runtime.jvmti)->GetMethodDeclaringClass(runtime.jvmti, method, &class) !=
            JVMTI_ERROR_NONE)
        return false;
    if ((*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) ==
        JVMTI_ERROR_NONE) {
        for (size_t i = 0; i < sizeof insides / sizeof insides[0]; i++)
            inside |= strncmp(signature, insides[i], strlen(insides[i])) == 0;
        (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    }
    (*jni)->DeleteLocalRef(jni, class);
    return inside;
}

uint32_t stacks_capture_waiting(jthread thread)
{
    jvmtiFrameInfo frames[FRAMES_MAX];
    jint count = 0, first = 0;
    if ((*runtime.jvmti)->GetStackTrace(runtime.jvmti, thread, 0, FRAMES_MAX, frames, &count) !=
        JVMTI_ERROR_NONE)
        return 0;
    while (first < count && is_waiting(frames[first].method))
        first++;
    return first < count ? intern(frames + first, (uint32_t)(count - first)) : 0;
}

static uint64_t hash_taken(uint32_t site, uint64_t thread)
{
    uint64_t hash = (thread << 32 ^ thread >> 32 ^ site) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD1B54A32D192ED03);
    return hash >> NUMBER_BITS << NUMBER_BITS;
}

static _Atomic uint64_t *taken_at(uint64_t hash)
{
    return &stacks.taken[(hash >> NUMBER_BITS) % TAKEN_SIZE];
}

/* 0 if it is not known. */
static uint32_t number_in(uint64_t taken, uint64_t hash)
{
    const uint64_t number = taken ^ hash;
    return number >> NUMBER_BITS ? 0 : (uint32_t)number;
}

uint32_t stacks_last_of(uint32_t site, uint64_t thread)
{
    const uint64_t hash = hash_taken(site, thread);
    return number_in(atomic_load_explicit(taken_at(hash), memory_order_relaxed), hash);
}

uint32_t stacks_of_site(uint32_t site, uint64_t thread, bool exact)
{
    stacks_count_site(site);
    const uint32_t accesses = sites_index_at(&stacks.accesses, site);
    const uint64_t hash = hash_taken(site, thread);
    const uint64_t taken = atomic_load_explicit(taken_at(hash), memory_order_relaxed);
    const uint32_t last = number_in(taken, hash);
    /* The first ones, then as often as the number of accesses doubles, and a thread's first. */
    if (!exact && accesses > EXACT_FIRST && (accesses & (accesses - 1)) &&
        (last || (taken && accesses % OTHERS_PATIENCE)))
        return last;
    const uint32_t stack = stacks_capture();
    atomic_store_explicit(taken_at(hash), hash | stack, memory_order_relaxed);
    return stack;
}

void stacks_count_site(uint32_t site)
{
    sites_index_set(&stacks.accesses, site, sites_index_at(&stacks.accesses, site) + 1);
}

const struct sites_index *stacks_counts(void)
{
    return &stacks.accesses;
}

/* ---- showing ---- */

static struct text copy_and_free(struct arena *arena, char *string)
{
    struct text text = text_copy(arena, text_from(string ? string : ""));
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)string);
    return text;
}

/* "Lcom/example/Account;" to "com.example.Account" */
static struct text binary_name(struct arena *arena, struct text signature)
{
    const bool class = signature.length > 2 && signature.bytes[0] == 'L';
    return names_dotted(arena, class ? text_slice(signature, 1, signature.length - 1) : signature);
}

static uint32_t line_of(jmethodID method, jlocation location)
{
    jvmtiLineNumberEntry *lines = NULL;
    jint count = 0;
    uint32_t line = 0;
    if ((*runtime.jvmti)->GetLineNumberTable(runtime.jvmti, method, &count, &lines) !=
        JVMTI_ERROR_NONE)
        return 0;
    jlocation best = -1;
    for (jint i = 0; i < count; i++)
        if (lines[i].start_location <= location && lines[i].start_location > best) {
            best = lines[i].start_location;
            line = (uint32_t)lines[i].line_number;
        }
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)lines);
    return line;
}

/* What the JVM leaves out of the traces of exceptions: the classes that it makes for lambdas and
   method handles, whose names differ from run to run. */
static bool is_hidden_from_traces(struct text class_name)
{
    return text_find_part(class_name, TEXT("$$Lambda")) >= 0 ||
           text_starts_with(class_name, TEXT("java.lang.invoke.LambdaForm$"));
}

/* A method that a compiler made to call another of the same name, on the line where the class
   begins. */
static bool is_bridge(jmethodID method)
{
    const jint wanted = ACCESS_BRIDGE | ACCESS_SYNTHETIC;
    jint flags = 0;
    return (*runtime.jvmti)->GetMethodModifiers(runtime.jvmti, method, &flags) ==
               JVMTI_ERROR_NONE &&
           (flags & wanted) == wanted;
}

/* False for a frame of ours, of a method that is gone, or that would tell nobody anything. */
static bool show_frame(struct arena *arena, const jvmtiFrameInfo *info, struct finding_frame *frame)
{
    jvmtiEnv *jvmti = runtime.jvmti;
    char *name = NULL, *signature = NULL, *file = NULL;
    jclass class = NULL;
    JNIEnv *jni = NULL;
    if ((*runtime.vm)->GetEnv(runtime.vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK ||
        (*jvmti)->GetMethodName(jvmti, info->method, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return false;
    *frame = (struct finding_frame){.method = copy_and_free(arena, name)};
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, info->method, &class) != JVMTI_ERROR_NONE)
        return false;
    if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE)
        frame->class_name = binary_name(arena, copy_and_free(arena, signature));
    if ((*jvmti)->GetSourceFileName(jvmti, class, &file) == JVMTI_ERROR_NONE)
        frame->file = copy_and_free(arena, file);
    (*jni)->DeleteLocalRef(jni, class);
    frame->line = line_of(info->method, info->location);
    return !text_starts_with(frame->method, TEXT(INSTRUMENT_PREFIX)) &&
           !text_starts_with(frame->class_name, TEXT("java.lang.Turnstile")) &&
           !is_hidden_from_traces(frame->class_name);
}

static const struct stack *find_stack(uint32_t number)
{
    pthread_mutex_lock(&stacks.lock);
    const struct stack *found = number && number <= stacks.count ? stacks.stacks[number] : NULL;
    pthread_mutex_unlock(&stacks.lock);
    return found;
}

/* `indexes`: where in the stack each frame that is shown stands; NULL if nobody wants to know. */
static size_t show_frames(struct arena *arena, const struct stack *stack,
                          const struct finding_frame **frames, uint32_t *indexes)
{
    const uint32_t all = stack ? stack->count : 0;
    struct finding_frame *shown = all ? ARENA_ARRAY(arena, struct finding_frame, all) : NULL;
    size_t count = 0;
    for (uint32_t i = 0; shown && i < all; i++) {
        if ((count && is_bridge(stack->frames[i].method)) ||
            !show_frame(arena, &stack->frames[i], &shown[count]))
            continue;
        if (indexes)
            indexes[count] = i;
        count++;
    }
    *frames = shown;
    return count;
}

size_t stacks_frames(struct arena *arena, uint32_t stack, const struct finding_frame **frames)
{
    return show_frames(arena, find_stack(stack), frames, NULL);
}

size_t stacks_program_frames(struct arena *arena, uint32_t stack,
                             const struct finding_frame **frames, uint64_t *key)
{
    const struct stack *found = find_stack(stack);
    uint32_t indexes[FRAMES_MAX];
    const size_t count = show_frames(arena, found, frames, indexes);
    size_t skipped = stacks_platform_frames(*frames, count);
    if (skipped == count)
        skipped = 0; /* a thread of the JDK's own */
    *key = 0;
    if (count) {
        const uint32_t left_out = indexes[skipped];
        const uint32_t outer = found->count - left_out;
        *key = (uint64_t)outer << 32 | hash_of(found->frames + left_out, outer);
        *frames += skipped;
    }
    return count - skipped;
}

size_t stacks_platform_frames(const struct finding_frame *frames, size_t count)
{
    size_t platform = 0;
    while (platform < count && class_choice_is_platform(frames[platform].class_name))
        platform++;
    return platform;
}
