/*
 * A lock's number is its object's identity hash. What class the object is of is noted when the lock is
 * first taken, in a table with a place for each of some of the numbers: a lock that does not find its
 * place free is called by its number alone.
 */
#include <stdio.h>

#include "agent/runtime.h"

enum { PLACES = 1 << 16, CLASS_NAME = 120 };

struct lock_name {
    _Atomic uint32_t lock;
    char class_name[CLASS_NAME];
};

static struct lock_name places[PLACES];

static struct lock_name *place_of(uint32_t lock)
{
    return &places[(lock ^ lock >> 16) % PLACES];
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

void locks_note(JNIEnv *jni, uint32_t lock, jobject object)
{
    struct lock_name *place = place_of(lock);
    uint32_t nobody = 0;
    if (atomic_load_explicit(&place->lock, memory_order_relaxed) || !object ||
        !atomic_compare_exchange_strong(&place->lock, &nobody, UINT32_MAX))
        return;
    jclass class = (*jni)->GetObjectClass(jni, object);
    char *signature = NULL;
    if (class && (*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) ==
                     JVMTI_ERROR_NONE) {
        copy_class_name(place->class_name, signature);
        (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    }
    if (class)
        (*jni)->DeleteLocalRef(jni, class);
    atomic_store_explicit(&place->lock, lock, memory_order_release);
}

struct text locks_name(struct arena *arena, uint32_t lock)
{
    char name[CLASS_NAME + 16];
    const struct lock_name *place = place_of(lock);
    bool known = atomic_load_explicit(&place->lock, memory_order_acquire) == lock;
    int length = snprintf(name, sizeof name, "%s@%x",
                          known && place->class_name[0] ? place->class_name : "lock", lock);
    return text_copy(arena, text_of(name, (size_t)length));
}
