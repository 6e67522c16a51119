#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "bytecode/opcode.h"

/* JVMS chapter 6: 0 to 201 without holes, nothing behind. */
static void numbers_have_no_holes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(opcode_infos[i].name != NULL, i < OPCODE_COUNT);
}

static void names_and_numbers_match(void **state)
{
    (void)state;
    /* Spread over the table of JVMS 6.5. */
    static const struct {
        unsigned number;
        const char *name;
    } known[] = {{0, "nop"},       {18, "ldc"},        {21, "iload"},
                 {42, "aload_0"},  {46, "iaload"},     {54, "istore"},
                 {75, "astore_0"}, {79, "iastore"},    {87, "pop"},
                 {95, "swap"},     {96, "iadd"},       {115, "drem"},
                 {116, "ineg"},    {120, "ishl"},      {125, "lushr"},
                 {131, "lxor"},    {132, "iinc"},      {133, "i2l"},
                 {144, "d2f"},     {147, "i2s"},       {148, "lcmp"},
                 {152, "dcmpg"},   {153, "ifeq"},      {166, "if_acmpne"},
                 {167, "goto"},    {169, "ret"},       {170, "tableswitch"},
                 {177, "return"},  {178, "getstatic"}, {186, "invokedynamic"},
                 {191, "athrow"},  {196, "wide"},      {201, "jsr_w"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(opcode_infos[known[i].number].name, known[i].name);
}

static void stack_effects_use_known_letters(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OPCODE_COUNT; i++) {
        const char *const effects[] = {opcode_infos[i].pops, opcode_infos[i].pushes};
        for (unsigned j = 0; j < 2; j++) {
            if (strcmp(effects[j], "*") != 0)
                assert_int_equal(strspn(effects[j], "IJFDAR"), strlen(effects[j]));
        }
    }
}

static void some_stack_effects(void **state)
{
    (void)state;
    assert_string_equal(opcode_infos[OP_LSHL].pops, "JI");
    assert_string_equal(opcode_infos[OP_LSHL].pushes, "J");
    assert_string_equal(opcode_infos[OP_DASTORE].pops, "AID");
    assert_string_equal(opcode_infos[OP_BALOAD].pushes, "I");
    assert_string_equal(opcode_infos[OP_D2L].pops, "D");
    assert_string_equal(opcode_infos[OP_D2L].pushes, "J");
    assert_string_equal(opcode_infos[OP_FCMPG].pops, "FF");
    assert_string_equal(opcode_infos[OP_FCMPG].pushes, "I");
    assert_string_equal(opcode_infos[OP_JSR].pushes, "R");
}

static void only_these_end_a_path(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OPCODE_COUNT; i++) {
        const char *name = opcode_infos[i].name;
        const bool returns = strstr(name, "return") != NULL;
        assert_int_equal(opcode_infos[i].flow == FLOW_RETURN, returns);
        assert_int_equal(opcode_infos[i].flow == FLOW_THROW, i == OP_ATHROW);
        assert_int_equal(opcode_infos[i].flow == FLOW_BRANCH, strncmp(name, "if", 2) == 0);
        assert_int_equal(opcode_infos[i].flow == FLOW_SWITCH, strstr(name, "switch") != NULL);
    }
}

static void inverted_branches(void **state)
{
    (void)state;
    static const enum opcode pairs[][2] = {
        {OP_IFEQ, OP_IFNE},           {OP_IFLT, OP_IFGE},           {OP_IFGT, OP_IFLE},
        {OP_IF_ICMPEQ, OP_IF_ICMPNE}, {OP_IF_ICMPLT, OP_IF_ICMPGE}, {OP_IF_ICMPGT, OP_IF_ICMPLE},
        {OP_IF_ACMPEQ, OP_IF_ACMPNE}, {OP_IFNULL, OP_IFNONNULL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(opcode_inverted(pairs[i][0]), pairs[i][1]);
        assert_int_equal(opcode_inverted(pairs[i][1]), pairs[i][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_no_holes),
        cmocka_unit_test(names_and_numbers_match),
        cmocka_unit_test(stack_effects_use_known_letters),
        cmocka_unit_test(some_stack_effects),
        cmocka_unit_test(only_these_end_a_path),
        cmocka_unit_test(inverted_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
