/*
 * A lock's number is its object's identity hash. What class the object is of is noted when the lock
 * is first taken, in a table with a place for each of some of the numbers: a lock that does not
 * find its place free is called by its number alone. When a trace is recorded, the same for other
 * synchronization objects.
 */
#include <stdio.h>
#include <string.h>

#include "agent/class_choice.h"
#include "agent/runtime.h"
#include "classfile/names.h"

enum { CLASS_NAME = 120 };

/* The numbers stand apart from the names: they are looked at whenever a lock is taken. */
static _Atomic uint32_t places[LOCKS_PLACES];
static char names[LOCKS_PLACES][CLASS_NAME];

static uint32_t place_of(uint32_t lock)
{
    return (lock ^ lock >> 16) % LOCKS_PLACES;
}

/* "Lcom/example/Account;" to "com.example.Account". The synchronizer in a lock of the JDK goes by
   the name of the lock: nobody else has seen it. */
static void copy_class_name(char *to, const char *signature)
{
    static const char *const synchronizers[] = {"$NonfairSync", "$FairSync", "$Sync"};
    struct arena arena;
    arena_init(&arena);
    struct text name = names_dotted(&arena, text_from(signature));
    if (name.length > 2 && name.bytes[0] == 'L')
        name = text_slice(name, 1, name.length - 1);
    for (size_t i = 0; i < sizeof synchronizers / sizeof synchronizers[0]; i++) {
        const struct text ending = text_from(synchronizers[i]);
        if (class_choice_is_platform(name) && text_ends_with(name, ending))
            name = text_slice(name, 0, name.length - ending.length);
    }
    snprintf(to, CLASS_NAME, "%.*s", TEXT_ARGUMENTS(name));
    arena_release(&arena);
}

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

/* Empty if the JVM does not tell. */
static void find_class_name(JNIEnv *jni, jobject object, char name[CLASS_NAME])
{
    name[0] = 0;
    jclass class = (*jni)->GetObjectClass(jni, object);
    char *signature = NULL;
    if (class && (*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) ==
                     JVMTI_ERROR_NONE) {
        copy_class_name(name, signature);
        (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    }
    if (class)
        (*jni)->DeleteLocalRef(jni, class);
}

void locks_note(JNIEnv *jni, uint32_t lock, jobject object)
{
    uint32_t place;
    if (!object || !take_place(lock, &place))
        return;
    find_class_name(jni, object, names[place]);
    atomic_store_explicit(&places[place], lock, memory_order_release);
}

void locks_note_volatile(uint32_t sync, uint32_t variable)
{
    uint32_t place;
    struct accessed field;
    if (!take_place(sync, &place))
        return;
    if (sites_get_accessed(&runtime.sites, variable, &field)) {
        struct arena arena;
        arena_init(&arena);
        snprintf(names[place], CLASS_NAME, "%.*s.%.*s",
                 TEXT_ARGUMENTS(names_dotted(&arena, field.owner)), TEXT_ARGUMENTS(field.name));
        arena_release(&arena);
    }
    atomic_store_explicit(&places[place], sync, memory_order_release);
}

void locks_note_element(JNIEnv *jni, uint32_t sync, uint32_t number, jobject collection)
{
    uint32_t place;
    if (!collection || !take_place(sync, &place))
        return;
    struct arena arena;
    char class[CLASS_NAME];
    arena_init(&arena);
    find_class_name(jni, collection, class);
    const struct text name = locks_name(&arena, number, class[0] ? class : "collection");
    snprintf(names[place], CLASS_NAME, "%.*s", TEXT_ARGUMENTS(name));
    arena_release(&arena);
    atomic_store_explicit(&places[place], sync, memory_order_release);
}

/* What has a number already is called by that. */
static bool is_whole(const char *name)
{
    return strchr(name, '@');
}

struct text locks_name(struct arena *arena, uint32_t lock, const char *unknown)
{
    char name[CLASS_NAME + 16];
    const uint32_t place = place_of(lock);
    bool known = atomic_load_explicit(&places[place], memory_order_acquire) == lock;
    if (known && is_whole(names[place]))
        return text_copy(arena, text_from(names[place]));
    int length = snprintf(name, sizeof name, "%s@%x",
                          known && names[place][0] ? names[place] : unknown, lock);
    return text_copy(arena, text_of(name, (size_t)length));
}
