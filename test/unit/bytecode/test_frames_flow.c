/* Frames of whole methods: by data flow, and from the StackMapTable. */
#include "frames_fixture.h"

#define BOTH(high, low) (high), (low)
#define AHEAD(distance) 0, (distance)

/* ---- joins in the flow ---- */

/* Two branches put different objects, and different kinds of things, into the same locals. */
static void branches_meet(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(ILA;LB;)V", 1, 5);
    FIXTURE_CODE(&fixture,                                        /* */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(11),                  /*  0 -> 12 */
                 OP_ALOAD_1, OP_ASTORE_3,                         /*  4 */
                 OP_ICONST_0, OP_ISTORE, 4, OP_GOTO, AHEAD(7),    /*  6 -> 16 */
                 OP_ALOAD_2, OP_ASTORE_3, OP_ACONST_NULL, OP_POP, /* 12 */
                 OP_RETURN,                                       /* 16 */
                 OP_NOP, OP_RETURN);                              /* 17: dead */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 9, "int A B A int | ");
    assert_frame(&fixture, 14, "int A B B top | ");
    assert_frame(&fixture, 16, "int A B Base top | ");
    assert_frame(&fixture, 18, "not reached");
    fixture_release(&fixture);
}

/* In files up to version 50 it may lack the flag. */
static void class_initializers_have_no_this(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, 0, "<clinit>", "()V", 1, 1);
    FIXTURE_CODE(&fixture, OP_ICONST_0, OP_ISTORE_0, OP_RETURN);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 0, "top | ");
    assert_frame(&fixture, 2, "int | ");
    fixture_method(&fixture, 0, "<clinit>", "()V", 0, 0);
    FIXTURE_CODE(&fixture, OP_RETURN);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    fixture_release(&fixture);
}

/* In the second round of a loop a variable holds what the first round left. */
static void loops_widen(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(LC;LB;)V", 1, 3);
    FIXTURE_CODE(&fixture,                           /* */
                 OP_ACONST_NULL, OP_ASTORE_2,        /* 0 */
                 OP_ALOAD_2, OP_IFNONNULL, AHEAD(8), /* 2 -> 11 */
                 OP_ALOAD_0, OP_ASTORE_2,            /* 6 */
                 OP_GOTO, BOTH(0xff, 0xfa),          /* 8 -> 2 */
                 OP_ALOAD_1, OP_ASTORE_0,            /* 11 */
                 OP_GOTO, BOTH(0xff, 0xf5));         /* 13 -> 2 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    /* local 0 is C, then also B: Base; local 2 is null, C, then what local 0 may be */
    assert_frame(&fixture, 2, "Base B Base | ");
    assert_frame(&fixture, 13, "B B Base | ");
    fixture_release(&fixture);
}

static void stack_depths_must_agree(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(I)V", 2, 1);
    FIXTURE_CODE(&fixture, OP_ILOAD_0, OP_IFEQ, AHEAD(4), OP_ICONST_0, OP_RETURN);
    assert_refused(&fixture, FRAMES_FROM_DATA_FLOW, "deep");
    fixture_release(&fixture);
}

static void kinds_of_operands_must_agree(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(LA;)V", 2, 1);
    FIXTURE_CODE(&fixture, OP_ICONST_0, OP_ALOAD_0, OP_IADD, OP_RETURN);
    assert_refused(&fixture, FRAMES_FROM_DATA_FLOW, "not an int");
    fixture_release(&fixture);
}

/* ---- fresh objects ---- */

/* Objects of two `new` instructions cannot be told apart where they meet: JVMS 4.10.2.4. */
static void fresh_objects_meet(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    assert_int_equal(fixture_class(&fixture, "A"), 6);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(I)V", 1, 3);
    FIXTURE_CODE(&fixture,                                     /* */
                 OP_NEW, 0, 6, OP_ASTORE_2,                    /*  0 */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(10),               /*  4 -> 15 */
                 OP_NEW, 0, 6, OP_ASTORE_1, OP_GOTO, AHEAD(7), /*  8 -> 19 */
                 OP_NEW, 0, 6, OP_ASTORE_1,                    /* 15 */
                 OP_RETURN);                                   /* 19 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 12, "int uninitialized 8 uninitialized 0 | ");
    assert_frame(&fixture, 19, "int top uninitialized 0 | ");
    fixture_release(&fixture);
}

/* When `new` runs again, what its last run left in locals cannot be used any more. */
static void new_forgets_its_last_object(void **state)
{
    (void)state;
    frame_type locals[] = {frame_type_make(VERIFICATION_UNINITIALIZED, 5),
                           frame_type_make(VERIFICATION_UNINITIALIZED, 6)};
    frame_type stack[2];
    struct frame frame = {.locals = locals, .stack = stack, .local_count = 2, .reached = true};
    const struct instruction instruction = {.opcode = OP_NEW};
    struct problem problem;
    problem_clear(&problem);
    assert_true(frame_execute(&frame, NULL, NULL, &instruction, 5, 2, &problem));
    assert_int_equal(locals[0], FRAME_TOP);
    assert_int_equal(frame_type_value(locals[1]), 6);
    assert_int_equal(frame.stack_count, 1);
    assert_false(frame_execute(&frame, NULL, NULL, &instruction, 5, 2, &problem));
}

static void make_constructor(struct fixture *fixture)
{
    fixture_init(fixture, 52);
    assert_int_equal(fixture_member(fixture, CONSTANT_METHOD, "java/lang/Object", "<init>", "(I)V"),
                     10);
    fixture_method(fixture, 0, "<init>", "(I)V", 2, 2);
    FIXTURE_CODE(fixture,                             /* */
                 OP_ALOAD_0, OP_ILOAD_1,              /*  0 */
                 OP_IFEQ, AHEAD(7),                   /*  2 -> 9 */
                 OP_ICONST_1, OP_GOTO, AHEAD(4),      /*  5 -> 10 */
                 OP_ICONST_2,                         /*  9 */
                 OP_INVOKESPECIAL, 0, 10, OP_RETURN); /* 10 */
}

/* super(c ? 1 : 2) */
static void constructor_with_a_branch(void **state)
{
    (void)state;
    struct fixture fixture;
    make_constructor(&fixture);
    static struct verification_type this[] = {{VERIFICATION_UNINITIALIZED_THIS, 0}};
    static struct verification_type this_int[] = {{VERIFICATION_UNINITIALIZED_THIS, 0},
                                                  {VERIFICATION_INTEGER, 0}};
    fixture_entry(&fixture, (struct stack_map_frame){.type = FRAME_SAME_ONE_STACK + 9,
                                                     .offset_delta = 9,
                                                     .stack_count = 1,
                                                     .stack = this});
    fixture_entry(&fixture, (struct stack_map_frame){.type = FRAME_FULL,
                                                     .offset_delta = 0,
                                                     .local_count = 2,
                                                     .locals = this_int,
                                                     .stack_count = 2,
                                                     .stack = this_int});
    for (int source = FRAMES_FROM_STACK_MAP; source <= FRAMES_FROM_DATA_FLOW; source++) {
        assert_computes(&fixture, (enum frames_source)source);
        assert_frame(&fixture, 9, "uninitializedThis int | uninitializedThis");
        assert_frame(&fixture, 10, "uninitializedThis int | uninitializedThis int");
        assert_frame(&fixture, 13, "T int | ");
    }
    fixture_release(&fixture);
}

/* Before super() a constructor may write fields of its class but not read them. */
static void fields_before_super(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 52);
    assert_int_equal(fixture_member(&fixture, CONSTANT_FIELD, "T", "f", "I"), 10);
    fixture_method(&fixture, 0, "<init>", "()V", 2, 1);
    FIXTURE_CODE(&fixture, OP_ALOAD_0, OP_ICONST_0, OP_PUTFIELD, 0, 10, OP_ALOAD_0, OP_GETFIELD, 0,
                 10, OP_RETURN);
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "not an initialised object");
    assert_int_equal(fixture.problem.offset, 6);
    fixture_release(&fixture);
}

/* ---- handlers ---- */

/* A handler sees the locals as they were before each protected instruction: the store of a String
   over null, and of a float over an int, inside the range; not the store that ends the range. */
static void handlers_see_stores(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    assert_int_equal(fixture_named(&fixture, CONSTANT_STRING, "s"), 6);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 1, 3);
    FIXTURE_CODE(&fixture,                    /* */
                 OP_ACONST_NULL, OP_ASTORE_0, /*  0 */
                 OP_ICONST_0, OP_ISTORE_1,    /*  2 */
                 OP_ICONST_0, OP_ISTORE_2,    /*  4 */
                 OP_LDC, 6, OP_ASTORE_0,      /*  6: the range starts */
                 OP_FCONST_0, OP_FSTORE_1,    /*  9 */
                 OP_FCONST_0, OP_FSTORE_2,    /* 11: and ends behind this */
                 OP_RETURN,                   /* 13 */
                 OP_POP, OP_RETURN);          /* 14: the handler */
    fixture_handler(&fixture, 6, 13, 14, 0);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 13, "java/lang/String float float | ");
    assert_frame(&fixture, 14, "java/lang/String top int | java/lang/Throwable");
    fixture_release(&fixture);
}

/* A long that is stored over protected locals takes its neighbour with it. */
static void handlers_see_longs(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(JI)V", 2, 3);
    FIXTURE_CODE(&fixture,                 /* */
                 OP_ICONST_0, OP_ISTORE_1, /* 0: the range: into the long's second half */
                 OP_NOP, OP_RETURN,        /* 2 */
                 OP_POP, OP_RETURN);       /* 4: the handler */
    fixture_handler(&fixture, 0, 3, 4, 0);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 2, "top int int | ");
    assert_frame(&fixture, 4, "top top int | java/lang/Throwable");
    fixture_release(&fixture);
}

/* One handler for two exception types, as for catch (A | C e). */
static void handlers_join_what_they_catch(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    assert_int_equal(fixture_class(&fixture, "B"), 6);
    assert_int_equal(fixture_class(&fixture, "C"), 8);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 1, 0);
    FIXTURE_CODE(&fixture, OP_NOP, OP_RETURN, OP_POP, OP_RETURN);
    fixture_handler(&fixture, 0, 1, 2, 6);
    fixture_handler(&fixture, 0, 1, 2, 8);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 2, " | Base");
    fixture_release(&fixture);
}

/* The JVM looks at handlers before and behind an <init>, also if it ends the range. */
static void handlers_see_initialisation(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 48);
    assert_int_equal(fixture_class(&fixture, "A"), 6);
    assert_int_equal(fixture_member(&fixture, CONSTANT_METHOD, "A", "<init>", "()V"), 12);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 1, 1);
    FIXTURE_CODE(&fixture,                            /* */
                 OP_NEW, 0, 6, OP_ASTORE_0,           /* 0 */
                 OP_ALOAD_0, OP_INVOKESPECIAL, 0, 12, /* 4: the range */
                 OP_RETURN,                           /* 8 */
                 OP_POP, OP_RETURN);                  /* 9: the handler */
    fixture_handler(&fixture, 4, 8, 9, 0);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 8, "A | ");
    assert_frame(&fixture, 9, "top | java/lang/Throwable");
    fixture_release(&fixture);
}

/* ---- subroutines, JVMS 4.10.2.5 ---- */

/* Two callers differ in a local that the subroutine does not write: each gets its own type back. */
static void subroutine_with_two_callers(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 46);
    assert_int_equal(fixture_named(&fixture, CONSTANT_STRING, "s"), 6);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(I)V", 1, 4);
    FIXTURE_CODE(&fixture,                                               /* */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(9),                          /*  0 -> 10 */
                 OP_ICONST_1, OP_ISTORE_1, OP_JSR, AHEAD(14), OP_RETURN, /*  4 -> 20 */
                 OP_LDC, 6, OP_ASTORE_1, OP_JSR, AHEAD(7),               /* 10 -> 20 */
                 OP_ALOAD_1, OP_POP, OP_RETURN, OP_NOP,                  /* 16 */
                 OP_ASTORE_2, OP_FCONST_0, OP_FSTORE_3, OP_RET, 2);      /* 20 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 20, "int top top top | return address 20");
    assert_frame(&fixture, 21, "int top return address 20 top | ");
    assert_frame(&fixture, 9, "int int return address 20 float | ");
    assert_frame(&fixture, 16, "int java/lang/String return address 20 float | ");
    fixture_release(&fixture);
}

/* What a subroutine's own subroutine writes is written for the outermost caller too. */
static void subroutine_in_a_subroutine(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 46);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 1, 5);
    FIXTURE_CODE(&fixture,                                            /* */
                 OP_ICONST_0, OP_ISTORE_3, OP_ICONST_0, OP_ISTORE_1,  /*  0 */
                 OP_JSR, AHEAD(4), OP_RETURN,                         /*  4 -> 8 */
                 OP_ASTORE_2, OP_JSR, AHEAD(6), OP_RET, 2, OP_RETURN, /*  8 -> 15 */
                 OP_ASTORE, 4, OP_FCONST_0, OP_FSTORE_3, OP_RET, 4);  /* 15 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 17, "top int return address 8 int return address 15 | ");
    assert_frame(&fixture, 12, "top int return address 8 float return address 15 | ");
    assert_frame(&fixture, 7, "top int return address 8 float return address 15 | ");
    fixture_release(&fixture);
}

/* One caller keeps a long where the other keeps two ints; the subroutine writes its second half. */
static void subroutine_cuts_a_long(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 46);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(I)V", 2, 4);
    FIXTURE_CODE(&fixture,                                               /* */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(9),                          /*  0 -> 10 */
                 OP_LCONST_0, OP_LSTORE_1, OP_JSR, AHEAD(12), OP_RETURN, /*  4 -> 18 */
                 OP_ICONST_0, OP_ISTORE_1, OP_ICONST_0, OP_ISTORE_2,     /* 10 */
                 OP_JSR, AHEAD(4), OP_RETURN,                            /* 14 -> 18 */
                 OP_ASTORE_3, OP_ICONST_0, OP_ISTORE_2, OP_RET, 3);      /* 18 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 9, "int top int return address 18 | ");
    assert_frame(&fixture, 17, "int int int return address 18 | ");
    fixture_release(&fixture);
}

/* `finally` as old compilers made it: called at the end of the body, and by the handler, which
   throws on. In the body local 1 is an int, in the handler the exception. */
static void subroutine_as_finally(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 46);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(LA;)V", 1, 3);
    FIXTURE_CODE(&fixture,                      /* */
                 OP_ICONST_0, OP_ISTORE_1,      /*  0: the range, up to 5 */
                 OP_JSR, AHEAD(10), OP_RETURN,  /*  2 -> 12 */
                 OP_ASTORE_1, OP_JSR, AHEAD(5), /*  6: the handler -> 12 */
                 OP_ALOAD_1, OP_ATHROW,         /* 10 */
                 OP_ASTORE_2, OP_RET, 2);       /* 12 */
    fixture_handler(&fixture, 0, 5, 6, 0);
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 5, "A int return address 12 | ");
    assert_frame(&fixture, 6, "A top top | java/lang/Throwable");
    assert_frame(&fixture, 13, "A top return address 12 | ");
    assert_frame(&fixture, 10, "A java/lang/Throwable return address 12 | ");
    fixture_release(&fixture);
}

/* A subroutine that is left by a jump, as `continue` in a finally block does: where it lands, the
   code is inside of it no longer, and may call it again. */
static void subroutine_left_by_a_jump(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 46);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(I)V", 1, 2);
    FIXTURE_CODE(&fixture,                              /* */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(6),         /*  0 -> 7 */
                 OP_JSR, AHEAD(8),                      /*  4 -> 12 */
                 OP_ILOAD_0, OP_IFNE, BOTH(0xff, 0xfc), /*  7 -> 4 */
                 OP_RETURN,                             /* 11 */
                 OP_ASTORE_1,                           /* 12 */
                 OP_ILOAD_0, OP_IFEQ, BOTH(0xff, 0xf9), /* 13 -> 7 */
                 OP_RET, 1);                            /* 17 */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 7, "int top | ");
    assert_frame(&fixture, 12, "int top | return address 12");
    assert_frame(&fixture, 17, "int return address 12 | ");
    fixture_release(&fixture);
}

static void subroutine_that_calls_itself(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 46);
    fixture_method(&fixture, ACCESS_STATIC, "m", "()V", 1, 1);
    FIXTURE_CODE(&fixture, OP_JSR, AHEAD(4), OP_RETURN, OP_ASTORE_0, OP_JSR, BOTH(0xff, 0xff),
                 OP_RET, 0);
    assert_refused(&fixture, FRAMES_FROM_DATA_FLOW, "calls itself");
    fixture_release(&fixture);
}

/* ---- StackMapTable ---- */

static struct verification_type float_type[] = {{VERIFICATION_FLOAT, 0}};

/* Branches to 7, 12 and 17, with a local that comes and goes. */
static void make_branches(struct fixture *fixture, uint16_t major)
{
    fixture_init(fixture, major);
    fixture_method(fixture, ACCESS_STATIC, "m", "(IJ)V", 1, 4);
    FIXTURE_CODE(fixture,                               /* */
                 OP_FCONST_0, OP_FSTORE_3,              /*  0 */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(4), OP_NOP, /*  2 -> 7 */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(4), OP_NOP, /*  7 -> 12 */
                 OP_ILOAD_0, OP_IFEQ, AHEAD(4), OP_NOP, /* 12 -> 17 */
                 OP_RETURN);                            /* 17 */
    fixture_entry(fixture, (struct stack_map_frame){.type = FRAME_SAME_EXTENDED + 1,
                                                    .offset_delta = 7,
                                                    .local_count = 1,
                                                    .locals = float_type});
    /* a long counts as one: what remains is the int */
    fixture_entry(fixture,
                  (struct stack_map_frame){.type = FRAME_SAME_EXTENDED - 2, .offset_delta = 4});
    fixture_entry(fixture, (struct stack_map_frame){.type = 4, .offset_delta = 4});
}

static void stack_map_entries(void **state)
{
    (void)state;
    struct fixture fixture;
    make_branches(&fixture, 52);
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    assert_frame(&fixture, 0, "int long top top | ");
    assert_frame(&fixture, 6, "int long top float | ");
    assert_frame(&fixture, 7, "int long top float | ");
    assert_frame(&fixture, 12, "int top top top | ");
    assert_frame(&fixture, 17, "int top top top | ");
    /* Data flow knows what the table does not say. */
    assert_computes(&fixture, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 17, "int long top float | ");
    fixture_release(&fixture);
}

static void stack_map_without_a_needed_frame(void **state)
{
    (void)state;
    struct fixture fixture;
    make_branches(&fixture, 52);
    fixture.map.count = 2;
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "no stack map frame for offset 17");
    fixture_release(&fixture);
}

static void stack_map_that_does_not_fit(void **state)
{
    (void)state;
    struct fixture fixture;
    make_branches(&fixture, 52);
    struct verification_type wrong = {VERIFICATION_INTEGER, 0};
    fixture.map_frames[0].locals = &wrong;
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "for offset 7 does not fit");
    fixture.map_frames[0].locals = float_type;
    fixture.map_frames[0].offset_delta = 4; /* inside the ifeq */
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "no instruction starts");
    fixture.map_frames[0].offset_delta = 7;
    fixture.map_frames[2].type = FRAME_SAME_EXTENDED - 3;
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "more locals than there are");
    struct verification_type fresh = {VERIFICATION_UNINITIALIZED, 6};
    fixture.map_frames[0].locals = &fresh;
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "where there is none");
    struct verification_type wide[] = {{VERIFICATION_DOUBLE, 0}};
    fixture.map_frames[0].locals = wide;
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "larger than the method's frame");
    fixture_release(&fixture);
}

/* For version 50, and only there, the JVM falls back to the old rules. */
static void bad_stack_map_of_version_50(void **state)
{
    (void)state;
    struct fixture fixture;
    make_branches(&fixture, 50);
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    assert_int_equal(fixture.frames.source, FRAMES_FROM_STACK_MAP);
    fixture.map.count = 2;
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    assert_int_equal(fixture.frames.source, FRAMES_FROM_DATA_FLOW);
    assert_frame(&fixture, 17, "int long top float | ");
    fixture_release(&fixture);
}

static void where_frames_come_from(void **state)
{
    (void)state;
    struct fixture fixture;
    make_branches(&fixture, 52);
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    assert_int_equal(frames_default_source(&fixture.bytecode), FRAMES_FROM_STACK_MAP);
    fixture.class_file.major = 50;
    assert_int_equal(frames_default_source(&fixture.bytecode), FRAMES_FROM_STACK_MAP);
    fixture.class_file.major = 49;
    assert_int_equal(frames_default_source(&fixture.bytecode), FRAMES_FROM_DATA_FLOW);
    fixture.class_file.major = 50;
    fixture.code.attributes.count = 0;
    assert_int_equal(frames_default_source(&fixture.bytecode), FRAMES_FROM_DATA_FLOW);
    fixture.class_file.major = 51;
    assert_int_equal(frames_default_source(&fixture.bytecode), FRAMES_FROM_STACK_MAP);
    fixture_release(&fixture);
}

/* Every second instruction is the head of a loop, and every local is in use: the frames of all
   blocks would take gigabytes. They are refused, and what little is needed before that is known is
   soon done. */
static void hostile_sizes_are_refused(void **state)
{
    (void)state;
    static uint8_t bytes[65530];
    struct fixture fixture;
    fixture_init(&fixture, 48);
    fixture_method(&fixture, ACCESS_STATIC, "m", "(I)V", 1, 65535);
    size_t length = 0;
    while (length + 5 <= sizeof bytes) {
        bytes[length++] = OP_ILOAD_0;
        bytes[length++] = OP_IFEQ;
        bytes[length++] = 0xff;
        bytes[length++] = 0xff;
    }
    bytes[length++] = OP_RETURN;
    fixture.code.bytes = bytes;
    fixture.code.length = (uint32_t)length;
    assert_refused(&fixture, FRAMES_FROM_DATA_FLOW, "too many blocks");
    fixture_release(&fixture);
}

enum { PROTECTED_BLOCKS = 500 };

/* So many blocks, each protected by as many handlers, and every local is in use: to compare all of
   them would take minutes. The entry at the first handler is of that kind. */
static void make_many_handlers(struct fixture *fixture, struct stack_map_frame first_handler)
{
    enum { HANDLERS_AT = 4 * PROTECTED_BLOCKS + 1 };
    static uint8_t bytes[HANDLERS_AT + PROTECTED_BLOCKS];
    static struct exception_handler handlers[PROTECTED_BLOCKS];
    static struct stack_map_frame entries[2 * PROTECTED_BLOCKS];
    static struct verification_type thrown = {.tag = VERIFICATION_OBJECT};
    fixture_init(fixture, 52);
    fixture_method(fixture, ACCESS_STATIC, "m", "(I)V", 1, 65535);
    thrown.value = fixture_class(fixture, "java/lang/Throwable");
    for (unsigned i = 0; i < PROTECTED_BLOCKS; i++) {
        memcpy(bytes + i * 4, (const uint8_t[]){OP_ILOAD_0, OP_IFEQ, AHEAD(3)}, 4);
        bytes[HANDLERS_AT + i] = OP_ATHROW;
        handlers[i] =
            (struct exception_handler){0, HANDLERS_AT - 1, (uint16_t)(HANDLERS_AT + i), 0};
        entries[i] =
            (struct stack_map_frame){.type = FRAME_SAME_EXTENDED, .offset_delta = i > 0 ? 3 : 4};
        entries[PROTECTED_BLOCKS + i] = (struct stack_map_frame){
            .type = FRAME_SAME_ONE_STACK_EXTENDED, .stack_count = 1, .stack = &thrown};
    }
    bytes[HANDLERS_AT - 1] = OP_RETURN;
    first_handler.stack = &thrown;
    first_handler.stack_count = 1;
    entries[PROTECTED_BLOCKS] = first_handler;
    fixture->code.bytes = bytes;
    fixture->code.length = sizeof bytes;
    fixture->code.handlers = handlers;
    fixture->code.handler_count = PROTECTED_BLOCKS;
    fixture_entry(fixture, entries[0]);
    fixture->map = (struct stack_map){.count = 2 * PROTECTED_BLOCKS, .frames = entries};
}

static void locals_that_are_the_same_need_no_look(void **state)
{
    (void)state;
    struct fixture fixture;
    make_many_handlers(&fixture, (struct stack_map_frame){.type = FRAME_SAME_ONE_STACK_EXTENDED});
    assert_computes(&fixture, FRAMES_FROM_STACK_MAP);
    fixture_release(&fixture);
}

static void hostile_work_is_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    make_many_handlers(&fixture, (struct stack_map_frame){.type = FRAME_FULL});
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "take too long to find out");
    fixture_release(&fixture);
}

static void parameters_must_fit(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, 52);
    fixture_method(&fixture, 0, "m", "(J)V", 0, 2);
    FIXTURE_CODE(&fixture, OP_RETURN);
    assert_refused(&fixture, FRAMES_FROM_STACK_MAP, "max_locals");
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_meet),
        cmocka_unit_test(class_initializers_have_no_this),
        cmocka_unit_test(loops_widen),
        cmocka_unit_test(stack_depths_must_agree),
        cmocka_unit_test(kinds_of_operands_must_agree),
        cmocka_unit_test(fresh_objects_meet),
        cmocka_unit_test(new_forgets_its_last_object),
        cmocka_unit_test(constructor_with_a_branch),
        cmocka_unit_test(fields_before_super),
        cmocka_unit_test(handlers_see_stores),
        cmocka_unit_test(handlers_see_longs),
        cmocka_unit_test(handlers_join_what_they_catch),
        cmocka_unit_test(handlers_see_initialisation),
        cmocka_unit_test(subroutine_with_two_callers),
        cmocka_unit_test(subroutine_in_a_subroutine),
        cmocka_unit_test(subroutine_cuts_a_long),
        cmocka_unit_test(subroutine_as_finally),
        cmocka_unit_test(subroutine_left_by_a_jump),
        cmocka_unit_test(subroutine_that_calls_itself),
        cmocka_unit_test(stack_map_entries),
        cmocka_unit_test(stack_map_without_a_needed_frame),
        cmocka_unit_test(stack_map_that_does_not_fit),
        cmocka_unit_test(bad_stack_map_of_version_50),
        cmocka_unit_test(where_frames_come_from),
        cmocka_unit_test(hostile_sizes_are_refused),
        cmocka_unit_test(locals_that_are_the_same_need_no_look),
        cmocka_unit_test(hostile_work_is_refused),
        cmocka_unit_test(parameters_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
