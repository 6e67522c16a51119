/*
 * An instruction names a field by a class, which may have it from a superclass. What that means is
 * for the JVM to say, so it is asked, once for each check method: which class declares the field,
 * and with which flags. Nothing here may start the initialization of a class.
 */
#include <string.h>

#include "agent/runtime.h"
#include "instrument/checks.h"
#include "instrument/collections.h"

/* As TurnstileHook has it. */
enum { UNWATCHED = -1 };

enum { FLAG_STATIC = 0x0008, FLAG_FINAL = 0x0010, FLAG_VOLATILE = 0x0040 };

struct found_field {
    jclass class; /* that declares it; a local reference */
    jfieldID field;
    jint flags;
};

/* The name of the class in the form of signatures equals "L" name ";". */
static bool is_named(jclass class, struct text name)
{
    char *signature = NULL;
    if ((*runtime.jvmti)->GetClassSignature(runtime.jvmti, class, &signature, NULL) !=
        JVMTI_ERROR_NONE)
        return false;
    bool equal =
        strlen(signature) == name.length + 2 && memcmp(signature + 1, name.bytes, name.length) == 0;
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    return equal;
}

static bool is_field(jclass class, jfieldID field, struct text name, struct text descriptor)
{
    char *field_name = NULL, *signature = NULL;
    if ((*runtime.jvmti)
            ->GetFieldName(runtime.jvmti, class, field, &field_name, &signature, NULL) !=
        JVMTI_ERROR_NONE)
        return false;
    bool equal =
        text_is(name, field_name) && (!descriptor.length || text_is(descriptor, signature));
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)field_name);
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    return equal;
}

/* The field that the class itself declares; an empty descriptor fits all. */
static bool find_declared(jclass class, struct text name, struct text descriptor,
                          struct found_field *found)
{
    jvmtiEnv *jvmti = runtime.jvmti;
    jint count = 0;
    jfieldID *fields = NULL;
    bool there = false;
    if ((*jvmti)->GetClassFields(jvmti, class, &count, &fields) != JVMTI_ERROR_NONE)
        return false;
    for (jint i = 0; i < count && !there; i++) {
        if (!is_field(class, fields[i], name, descriptor))
            continue;
        there = true;
        found->class = class;
        found->field = fields[i];
        if ((*jvmti)->GetFieldModifiers(jvmti, class, fields[i], &found->flags) != JVMTI_ERROR_NONE)
            there = false;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
    return there;
}

/* A constant of an interface of the class, or of one that it extends. */
static bool find_in_interfaces(jclass class, const struct accessed *accessed,
                               struct found_field *found)
{
    jint count = 0;
    jclass *interfaces = NULL;
    bool there = false;
    if ((*runtime.jvmti)->GetImplementedInterfaces(runtime.jvmti, class, &count, &interfaces) !=
        JVMTI_ERROR_NONE)
        return false;
    for (jint i = 0; i < count && !there; i++)
        there = find_declared(interfaces[i], accessed->name, accessed->descriptor, found) ||
                find_in_interfaces(interfaces[i], accessed, found);
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)interfaces);
    return there;
}

/* The field that `name` means in the class: its own, of its interfaces, or of the nearest
   superclass. All references are in the local frame of the caller. A field that became static, or
   no longer is, is not what the instruction means: it will fail. */
static bool find_field(JNIEnv *jni, jclass class, const struct accessed *accessed,
                       struct found_field *found)
{
    for (; class; class = (*jni)->GetSuperclass(jni, class))
        if (find_declared(class, accessed->name, accessed->descriptor, found) ||
            (accessed->kind == ACCESSED_STATIC && find_in_interfaces(class, accessed, found)))
            return (accessed->kind == ACCESSED_STATIC) == !!(found->flags & FLAG_STATIC);
    return false;
}

/* The class of the object, or a superclass of it, that the instruction names. */
static jclass find_named(JNIEnv *jni, jobject object, struct text name)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    while (class && !is_named(class, name))
        class = (*jni)->GetSuperclass(jni, class);
    return class;
}

/* What the instruction accesses is the same variable for all that name it differently. */
static uint32_t canonical_variable(const struct accessed *accessed, uint32_t number,
                                   jclass declaring)
{
    char *signature = NULL;
    struct accessed canonical = *accessed;
    if ((*runtime.jvmti)->GetClassSignature(runtime.jvmti, declaring, &signature, NULL) !=
        JVMTI_ERROR_NONE)
        return number;
    canonical.owner = text_slice(text_from(signature), 1, strlen(signature) - 1);
    if (runtime.instrument.object_words && accessed->kind == ACCESSED_FIELD)
        canonical.name = canonical.descriptor = TEXT("");
    uint32_t variable = sites_accessed(&runtime.sites, &canonical);
    (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    if (variable)
        sites_set_variable(&runtime.sites, number, variable);
    return variable ? variable : number;
}

/* Where the shadow of the found field is; UNWATCHED if it has none. */
static jlong shadow_offset(JNIEnv *jni, const struct accessed *accessed,
                           const struct found_field *found)
{
    struct arena arena;
    arena_init(&arena);
    const bool is_static = found->flags & FLAG_STATIC;
    struct text name = checks_shadow_name(&arena, runtime.instrument.object_words && !is_static,
                                          accessed->name, accessed->descriptor);
    struct found_field shadow = {0};
    jlong offset = UNWATCHED;
    if (name.length && find_declared(found->class, name, TEXT("J"), &shadow)) {
        jobject field =
            (*jni)->ToReflectedField(jni, found->class, shadow.field, (jboolean)is_static);
        if (field)
            offset = (*jni)->CallStaticLongMethod(jni, runtime.hook, runtime.offset, field,
                                                  (jboolean)is_static);
    }
    arena_release(&arena);
    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        offset = UNWATCHED;
    }
    return offset;
}

static jlong offset_in_frame(JNIEnv *jni, jobject object, uint32_t site)
{
    struct site place;
    struct accessed accessed;
    struct found_field found = {0};
    if (!object || !sites_get(&runtime.sites, site, &place) ||
        !sites_get_accessed(&runtime.sites, place.accessed, &accessed))
        return UNWATCHED;
    /* For a static field the object is the class that declares it. */
    jclass class =
        accessed.kind == ACCESSED_STATIC ? (jclass)object : find_named(jni, object, accessed.owner);
    if (!class || !find_field(jni, class, &accessed, &found))
        return UNWATCHED;
    uint32_t variable = canonical_variable(&accessed, place.accessed, found.class);
    if (found.flags & FLAG_FINAL)
        return UNWATCHED;
    if (found.flags & FLAG_VOLATILE)
        return -(jlong)variable - 1;
    return shadow_offset(jni, &accessed, &found);
}

jlong resolve_offset(JNIEnv *jni, jobject object, uint32_t site)
{
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        return UNWATCHED;
    }
    jlong offset = offset_in_frame(jni, object, site);
    (*jni)->PopLocalFrame(jni, NULL);
    return offset;
}

/* Adds the offsets of what was added to the objects of the class itself and goes by the object:
   shadows, which are longs, and, negative, the number of the lock, an int. */
static void add_shadows(JNIEnv *jni, jclass class, jlong *offsets, jint *count, jint limit)
{
    jvmtiEnv *jvmti = runtime.jvmti;
    jint field_count = 0;
    jfieldID *fields = NULL;
    if ((*jvmti)->GetClassFields(jvmti, class, &field_count, &fields) != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < field_count && *count < limit; i++) {
        char *name = NULL, *signature = NULL;
        jint flags = 0;
        if ((*jvmti)->GetFieldName(jvmti, class, fields[i], &name, &signature, NULL) !=
            JVMTI_ERROR_NONE)
            continue;
        (*jvmti)->GetFieldModifiers(jvmti, class, fields[i], &flags);
        const bool shadow = text_is(TEXT("J"), signature) &&
                            text_starts_with(text_from(name), TEXT(INSTRUMENT_PREFIX "w"));
        if (!(flags & FLAG_STATIC) && (shadow || text_is(TEXT(INSTRUMENT_PREFIX "lock"), name))) {
            jobject field = (*jni)->ToReflectedField(jni, class, fields[i], JNI_FALSE);
            if (field) {
                jlong offset = (*jni)->CallStaticLongMethod(jni, runtime.hook, runtime.offset,
                                                            field, JNI_FALSE);
                offsets[(*count)++] = shadow ? offset : -offset;
                (*jni)->DeleteLocalRef(jni, field);
            }
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
}

jlongArray resolve_shadows(JNIEnv *jni, jclass type)
{
    enum { LIMIT = 4096 };
    jlong offsets[LIMIT];
    jint count = 0;
    for (jclass class = type; class; class = (*jni)->GetSuperclass(jni, class))
        add_shadows(jni, class, offsets, &count, LIMIT);
    jlongArray array = (*jni)->NewLongArray(jni, count);
    if (array)
        (*jni)->SetLongArrayRegion(jni, array, 0, count, offsets);
    return array;
}

jobject resolve_holder(JNIEnv *jni, jclass named, uint32_t site)
{
    struct site place;
    struct accessed accessed;
    struct found_field found = {0};
    if (!named || !sites_get(&runtime.sites, site, &place) ||
        !sites_get_accessed(&runtime.sites, place.accessed, &accessed))
        return named;
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        return named;
    }
    bool there = find_field(jni, named, &accessed, &found);
    return (*jni)->PopLocalFrame(jni, there ? found.class : named);
}

uint32_t resolve_variable(JNIEnv *jni, jclass declaring, jstring name)
{
    uint32_t variable = 0;
    char *signature = NULL;
    const char *text = declaring && name ? (*jni)->GetStringUTFChars(jni, name, NULL) : NULL;
    if (!text)
        return 0;
    struct found_field found = {0};
    if ((*runtime.jvmti)->GetClassSignature(runtime.jvmti, declaring, &signature, NULL) ==
        JVMTI_ERROR_NONE) {
        if (find_declared(declaring, text_from(text), TEXT(""), &found)) {
            char *descriptor = NULL;
            if ((*runtime.jvmti)
                    ->GetFieldName(runtime.jvmti, declaring, found.field, NULL, &descriptor,
                                   NULL) == JVMTI_ERROR_NONE) {
                struct accessed accessed = {
                    found.flags & FLAG_STATIC ? ACCESSED_STATIC : ACCESSED_FIELD,
                    text_slice(text_from(signature), 1, strlen(signature) - 1), text_from(text),
                    text_from(descriptor)};
                variable = sites_accessed(&runtime.sites, &accessed);
                (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)descriptor);
            }
        }
        (*runtime.jvmti)->Deallocate(runtime.jvmti, (unsigned char *)signature);
    }
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    return variable;
}

/* Bits for the names of the methods that the class itself declares. */
static uint64_t declared_names(jclass class, unsigned part)
{
    jvmtiEnv *jvmti = runtime.jvmti;
    jint count = 0;
    jmethodID *methods = NULL;
    uint64_t names = 0;
    if ((*jvmti)->GetClassMethods(jvmti, class, &count, &methods) != JVMTI_ERROR_NONE)
        return UINT64_MAX;
    for (jint i = 0; i < count; i++) {
        char *name = NULL;
        jint flags = 0;
        if ((*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL) != JVMTI_ERROR_NONE)
            continue;
        (*jvmti)->GetMethodModifiers(jvmti, methods[i], &flags);
        int number = collections_name_number(text_from(name));
        if (!(flags & FLAG_STATIC) && number >= 0 && (unsigned)number / 64 == part)
            names |= UINT64_C(1) << (number % 64);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
    return names;
}

uint64_t resolve_overridden(JNIEnv *jni, jclass class, unsigned part)
{
    uint64_t names = 0;
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        return UINT64_MAX;
    }
    for (; class; class = (*jni)->GetSuperclass(jni, class)) {
        jobject loader = NULL;
        if ((*runtime.jvmti)->GetClassLoader(runtime.jvmti, class, &loader) != JVMTI_ERROR_NONE ||
            !loader)
            break;
        names |= declared_names(class, part);
    }
    (*jni)->PopLocalFrame(jni, NULL);
    return names;
}
