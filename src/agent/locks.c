/*
 * A lock's number is its object's identity hash. What it is called is noted when it is first taken,
 * in a table with a place for each of some of the numbers: a lock that does not find its place free
 * is called by its number alone. When a trace is recorded, the same for other synchronization
 * objects.
 *
 * An object of one of the program's own classes goes by its class, which says what it stands for; a
 * class object by its name. All others, those of the JDK and arrays, go by the field from which the
 * lock was taken that first time, if the code there says which, and objects in that field are its
 * own (instrument/lock_fields.h); else by their class.
 */
#include <stdio.h>
#include <string.h>

#include "agent/class_choice.h"
#include "agent/runtime.h"
#include "classfile/names.h"

enum {
    NAME_SIZE = 120,
    FRAMES_MAX = 16, /* between the place where a lock is taken and what is told of it: some 10 */
};

/* The numbers stand apart from the names: they are looked at whenever a lock is taken. */
static _Atomic uint32_t places[LOCKS_PLACES];
static char names[LOCKS_PLACES][NAME_SIZE];

static uint32_t place_of(uint32_t lock)
{
    return (lock ^ lock >> 16) % LOCKS_PLACES;
}

/* ---- names by class ---- */

/* "Lcom/example/Account;" to "com/example/Account"; an array's signature is its name. */
static struct text internal_name(const char *signature)
{
    const struct text text = text_from(signature);
    return text.length > 2 && text.bytes[0] == 'L' ? text_slice(text, 1, text.length - 1) : text;
}

/* The synchronizer in a lock of the JDK goes by the name of the lock: nobody else has seen it. */
static void copy_class_name(char *to, struct text class)
{
    static const char *const synchronizers[] = {"$NonfairSync", "$FairSync", "$Sync"};
    struct arena arena;
    arena_init(&arena);
    struct text name = names_dotted(&arena, class);
    for (size_t i = 0; i < sizeof synchronizers / sizeof synchronizers[0]; i++) {
        const struct text ending = text_from(synchronizers[i]);
        if (class_choice_is_platform(name) && text_ends_with(name, ending))
            name = text_slice(name, 0, name.length - ending.length);
    }
    snprintf(to, NAME_SIZE, "%.*s", TEXT_ARGUMENTS(name));
    arena_release(&arena);
}

/* Of a class object: "Account.class". */
static void copy_name_of_class(char *to, jclass class)
{
    char *signature = NULL;
    struct arena arena;
    if ((*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) !=
        JVMTI_ERROR_NONE)
        return;
    arena_init(&arena);
    const struct text name = names_dotted(&arena, internal_name(signature));
    snprintf(to, NAME_SIZE, "%.*s.class", TEXT_ARGUMENTS(name));
    arena_release(&arena);
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
}

/* ---- names by field ---- */

/* False if it does not fit, and is cut off. */
static bool copy_field_name(char *to, const struct accessed *field)
{
    struct arena arena;
    arena_init(&arena);
    const struct text owner = names_dotted(&arena, field->owner);
    const int length =
        snprintf(to, NAME_SIZE, "%.*s.%.*s", TEXT_ARGUMENTS(owner), TEXT_ARGUMENTS(field->name));
    const bool fits = owner.length && length < NAME_SIZE;
    arena_release(&arena);
    return fits;
}

static void give_back(char *string)
{
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)string);
}

/* Of the class that the method is in, to be given back. NULL if it cannot be told. */
static char *signature_of(JNIEnv *jni, jmethodID method)
{
    jclass class = NULL;
    char *signature = NULL;
    if ((*runtime.jvmti)->GetMethodDeclaringClass(runtime.jvmti, method, &class) !=
        JVMTI_ERROR_NONE)
        return NULL;
    if ((*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) !=
        JVMTI_ERROR_NONE)
        signature = NULL;
    (*jni)->DeleteLocalRef(jni, class);
    return signature;
}

/* The field of the lock that a method of the program takes in this frame, or 0. False if the frame
   is one of ours that stands in the program's class. */
static bool find_in_frame(const jvmtiFrameInfo *frame, struct text class, uint32_t *field)
{
    char *name = NULL, *descriptor = NULL;
    jlocation start = 0, end = 0;
    *field = 0;
    if ((*runtime.jvmti)->GetMethodName(runtime.jvmti, frame->method, &name, &descriptor, NULL) !=
        JVMTI_ERROR_NONE)
        return true;
    const bool ours = text_starts_with(text_from(name), TEXT(INSTRUMENT_PREFIX));
    if (!ours && frame->location >= 0 &&
        (*runtime.jvmti)->GetMethodLocation(runtime.jvmti, frame->method, &start, &end) ==
            JVMTI_ERROR_NONE) {
        const struct lock_fields_method method = {class, text_from(name), text_from(descriptor),
                                                  (uint32_t)end + 1};
        *field = lock_fields_find(&runtime.lock_fields, &method, (uint32_t)frame->location);
    }
    give_back(name);
    give_back(descriptor);
    return !ours;
}

/* The field that the program takes the lock from at this moment, or 0. In a method of the JDK that
   it calls, only one of the JDK's locks can be what it takes. */
static uint32_t find_field(JNIEnv *jni, bool is_library_lock)
{
    jvmtiFrameInfo frames[FRAMES_MAX];
    jint count = 0;
    uint32_t field = 0;
    bool found = false;
    if ((*runtime.jvmti)->GetStackTrace(runtime.jvmti, NULL, 1, FRAMES_MAX, frames, &count) !=
        JVMTI_ERROR_NONE)
        return 0;
    for (jint i = 0; i < count && !found; i++) {
        char *signature = signature_of(jni, frames[i].method);
        if (!signature)
            return 0;
        const struct text class = internal_name(signature);
        if (!class_choice_is_platform(class))
            found = find_in_frame(&frames[i], class, &field);
        else
            found = !is_library_lock && !text_starts_with(class, TEXT("java/lang/Turnstile"));
        give_back(signature);
    }
    return field;
}

/* A lock with two views goes by a field that holds the lock, not by one that holds a view. */
static bool is_of_view(const struct accessed *field, struct text class)
{
    return (text_starts_with(class, TEXT(LOCK_FIELDS_PACKAGE "ReentrantReadWriteLock")) ||
            text_is(class, LOCK_FIELDS_PACKAGE "StampedLock")) &&
           !text_ends_with(field->descriptor, TEXT("ReadWriteLock;")) &&
           !text_ends_with(field->descriptor, TEXT("StampedLock;"));
}

/* Where a field says more than the class. */
static bool copy_name_by_field(JNIEnv *jni, char *to, struct text class)
{
    struct accessed field;
    if (class.bytes[0] != '[' && !class_choice_is_platform(class))
        return false;
    const uint32_t number = find_field(jni, text_starts_with(class, TEXT(LOCK_FIELDS_PACKAGE)));
    return sites_get_accessed(&runtime.sites, number, &field) &&
           lock_fields_is_own(&runtime.lock_fields, field.owner, field.name) &&
           !is_of_view(&field, class) && copy_field_name(to, &field);
}

/* ---- the table ---- */

const _Atomic uint32_t *locks_places(void)
{
    return places;
}

/* True: the place is the caller's, to be filled and then given its number. */
static bool take_place(uint32_t number, uint32_t *place)
{
    uint32_t nobody = 0;
    *place = place_of(number);
    return !atomic_load_explicit(&places[*place], memory_order_relaxed) &&
           atomic_compare_exchange_strong(&places[*place], &nobody, UINT32_MAX);
}

/* The class of the object, or the field that it is taken from just now if `by_field` and that says
   more; empty if neither can be told. */
static void find_name(JNIEnv *jni, jobject object, bool by_field, char name[NAME_SIZE])
{
    name[0] = 0;
    jclass class = (*jni)->GetObjectClass(jni, object);
    char *signature = NULL;
    if (class && (*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) ==
                     JVMTI_ERROR_NONE) {
        const struct text class_name = internal_name(signature);
        if (text_is(class_name, "java/lang/Class"))
            copy_name_of_class(name, object);
        else if (!by_field || !copy_name_by_field(jni, name, class_name))
            copy_class_name(name, class_name);
        give_back(signature);
    }
    if (class)
        (*jni)->DeleteLocalRef(jni, class);
}

void locks_note(JNIEnv *jni, uint32_t lock, jobject object)
{
    uint32_t place;
    if (!object || !take_place(lock, &place))
        return;
    find_name(jni, object, true, names[place]);
    atomic_store_explicit(&places[place], lock, memory_order_release);
}

void locks_note_volatile(uint32_t sync, uint32_t variable)
{
    uint32_t place;
    struct accessed field;
    if (!take_place(sync, &place))
        return;
    if (sites_get_accessed(&runtime.sites, variable, &field))
        copy_field_name(names[place], &field);
    atomic_store_explicit(&places[place], sync, memory_order_release);
}

void locks_note_element(JNIEnv *jni, uint32_t sync, uint32_t number, jobject collection)
{
    uint32_t place;
    if (!collection || !take_place(sync, &place))
        return;
    struct arena arena;
    char class[NAME_SIZE];
    arena_init(&arena);
    find_name(jni, collection, false, class);
    const struct text name = locks_name(&arena, number, class[0] ? class : "collection");
    snprintf(names[place], NAME_SIZE, "%.*s", TEXT_ARGUMENTS(name));
    arena_release(&arena);
    atomic_store_explicit(&places[place], sync, memory_order_release);
}

/* What has a number already is called by that. */
static bool is_whole(const char *name)
{
    return strchr(name, '@');
}

bool locks_is_noted(uint32_t lock)
{
    return atomic_load_explicit(&places[place_of(lock)], memory_order_acquire) == lock;
}

struct text locks_name(struct arena *arena, uint32_t lock, const char *unknown)
{
    char name[NAME_SIZE + 16];
    const uint32_t place = place_of(lock);
    const bool known = locks_is_noted(lock);
    if (known && is_whole(names[place]))
        return text_copy(arena, text_from(names[place]));
    int length = snprintf(name, sizeof name, "%s@%x",
                          known && names[place][0] ? names[place] : unknown, lock);
    return text_copy(arena, text_of(name, (size_t)length));
}
