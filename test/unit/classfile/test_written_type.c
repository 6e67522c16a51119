/* Types as they are written in source (JLS 4, 8.4.1) and descriptors (JVMS 4.3, 4.7.9.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "classfile/names.h"
#include "classfile/written_type.h"

static bool may_be_class(const char *internal, const char *written)
{
    return names_may_be(text_from(internal), text_from(written));
}

static void names_of_classes_end_what_is_meant(void **state)
{
    (void)state;
    const char *const entry = "java/util/Map$Entry";
    assert_true(may_be_class(entry, "Entry"));
    assert_true(may_be_class(entry, "Map.Entry"));
    assert_true(may_be_class(entry, "Map$Entry"));
    assert_true(may_be_class(entry, "java.util.Map.Entry"));
    assert_true(may_be_class(entry, "java/util/Map$Entry"));
    assert_false(may_be_class(entry, "try"));
    assert_false(may_be_class(entry, "Map"));
    assert_false(may_be_class(entry, "a.java.util.Map.Entry"));
    assert_false(may_be_class(entry, ""));
    assert_true(may_be_class("A$1Local", "Local"));
    assert_false(may_be_class("A1Local", "Local"));
}

static bool may_be(const char *name, uint32_t dimensions, const char *descriptor)
{
    return written_type_may_be(text_from(name), dimensions, text_from(descriptor));
}

static void types_of_values(void **state)
{
    (void)state;
    static const struct {
        const char *name, *descriptor;
    } primitives[] = {{"byte", "B"}, {"char", "C"},  {"double", "D"},  {"float", "F"}, {"int", "I"},
                      {"long", "J"}, {"short", "S"}, {"boolean", "Z"}, {"void", "V"}};
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        assert_true(may_be(primitives[i].name, 0, primitives[i].descriptor));
        assert_false(may_be(primitives[i].name, 1, primitives[i].descriptor));
        assert_true(written_type_is_primitive(text_from(primitives[i].name)));
    }
    assert_false(may_be("int", 0, "J"));
    assert_false(may_be("Integer", 0, "I"));
    assert_false(may_be("int", 0, "Lint2;"));
    assert_false(written_type_is_primitive(TEXT("Integer")));
    assert_true(may_be("int", 2, "[[I"));
    assert_false(may_be("int", 1, "[[I"));
    assert_true(may_be("String", 1, "[Ljava/lang/String;"));
    assert_false(may_be("String", 0, "[Ljava/lang/String;"));
    assert_false(may_be("", 0, "I"));
}

static bool take(const char *types, const char *descriptor, const char *signature)
{
    return written_types_may_be(text_from(types), text_from(descriptor), text_from(signature));
}

static void types_of_parameters(void **state)
{
    (void)state;
    const char *const descriptor = "(I[Ljava/lang/String;Ljava/util/Map$Entry;)V";
    assert_true(take("int,String[],Map.Entry", descriptor, ""));
    assert_true(take(" int , String [] , Entry ", descriptor, ""));
    assert_true(take("int, String..., Entry", descriptor, ""));
    assert_true(take("_,_,_", descriptor, ""));
    assert_true(take("*", descriptor, ""));
    assert_true(take("*", "()V", ""));
    assert_true(take("", "()V", ""));
    assert_true(take("  ", "()V", ""));
    assert_false(take("", descriptor, ""));
    assert_false(take("int,String[]", descriptor, ""));
    assert_false(take("int,String[],Entry,int", descriptor, ""));
    assert_false(take("int,String[],Entry,", descriptor, ""));
    assert_false(take("_", "()V", ""));
    assert_false(take("int,String,Entry", descriptor, ""));
    assert_false(take("long,String[],Entry", descriptor, ""));
}

/* <T extends Comparable<T>, U> void m(List<U> l, T t, U[] u, Map<T, U>.Entry<U> e, int i) */
static void type_variables_have_the_descriptor_of_their_bound(void **state)
{
    (void)state;
    const char *const descriptor =
        "(Ljava/util/List;Ljava/lang/Comparable;[Ljava/lang/Object;Lp/Map$Entry;I)V";
    const char *const signature = "<T::Ljava/lang/Comparable<TT;>;U:Ljava/lang/Object;>"
                                  "(Ljava/util/List<TU;>;TT;[TU;Lp/Map<TT;TU;>.Entry<TU;>;I)V";
    assert_true(take("List,T,U[],Entry,int", descriptor, signature));
    assert_true(take("List,Comparable,Object[],Entry,int", descriptor, signature));
    assert_false(take("List,U,U[],Entry,int", descriptor, signature));
    assert_false(take("List,T,U,Entry,int", descriptor, signature));
    assert_false(take("List,T,U[][],Entry,int", descriptor, signature));
    assert_false(take("List,T,U[],Entry,int", descriptor, ""));
    assert_false(take("T,T,U[],Entry,int", descriptor, signature));
}

/* Nobody has looked at them before. */
static void signatures_may_be_anything(void **state)
{
    (void)state;
    const char *const broken[] = {"(",    "(T",     "(TT",       "([",    "([[TT;", "<<<(TT;)V",
                                  ">>>(", "(L<;TT", "(TT;TT;TT", "()TT;", ";",      "<T:(TT;)V"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (size_t length = 0; length <= strlen(broken[i]); length++) {
            const struct text signature = text_of(broken[i], length);
            written_types_may_be(TEXT("U,V[]"), TEXT("(Lp/A;[Lp/B;)V"), signature);
            assert_true(written_types_may_be(TEXT("A,B[]"), TEXT("(Lp/A;[Lp/B;)V"), signature));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_classes_end_what_is_meant),
        cmocka_unit_test(types_of_values),
        cmocka_unit_test(types_of_parameters),
        cmocka_unit_test(type_variables_have_the_descriptor_of_their_bound),
        cmocka_unit_test(signatures_may_be_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
