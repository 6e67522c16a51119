/*
 * A lock's number is its object's identity hash. What class the object is of is noted when the lock
 * is first taken, in a table with a place for each of some of the numbers: a lock that does not
 * find its place free is called by its number alone.
 */
#include <stdio.h>

#include "agent/runtime.h"

enum { CLASS_NAME = 120 };

/* The numbers stand apart from the names: they are looked at whenever a lock is taken. */
static _Atomic uint32_t places[LOCKS_PLACES];
static char names[LOCKS_PLACES][CLASS_NAME];

static uint32_t place_of(uint32_t lock)
{
    return (lock ^ lock >> 16) % LOCKS_PLACES;
}

/* "Lcom/example/Account;" to "com.example.Account" */
static void copy_class_name(char *to, const char *signature)
{
    size_t length = 0;
    const char *from = *signature == 'L' ? signature + 1 : signature;
    while (from[length] && from[length] != ';' && length < CLASS_NAME - 1) {
        to[length] = from[length] == '/' ? '.' : from[length];
        length++;
    }
    to[length] = 0;
}

const _Atomic uint32_t *locks_places(void)
{
    return places;
}

void locks_note(JNIEnv *jni, uint32_t lock, jobject object)
{
    const uint32_t place = place_of(lock);
    uint32_t nobody = 0;
    if (atomic_load_explicit(&places[place], memory_order_relaxed) || !object ||
        !atomic_compare_exchange_strong(&places[place], &nobody, UINT32_MAX))
        return;
    jclass class = (*jni)->GetObjectClass(jni, object);
    char *signature = NULL;
    if (class && (*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) ==
                     JVMTI_ERROR_NONE) {
        copy_class_name(names[place], signature);
        (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    }
    if (class)
        (*jni)->DeleteLocalRef(jni, class);
    atomic_store_explicit(&places[place], lock, memory_order_release);
}

struct text locks_name(struct arena *arena, uint32_t lock)
{
    char name[CLASS_NAME + 16];
    const uint32_t place = place_of(lock);
    bool known = atomic_load_explicit(&places[place], memory_order_acquire) == lock;
    int length = snprintf(name, sizeof name, "%s@%x",
                          known && names[place][0] ? names[place] : "lock", lock);
    return text_copy(arena, text_of(name, (size_t)length));
}
