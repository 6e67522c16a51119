#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/diagnostics.h"
#include "base/progress.h"
#include "support.h"

/* What was written is read back from memory, from a pipe or from a pseudo-terminal. */
struct capture {
    FILE *stream;
    char *memory;
    size_t size;
    int read_end; /* of a pipe or terminal, or -1 */
    char bytes[8192];
};

static void capture_memory(struct capture *capture)
{
    memset(capture, 0, sizeof *capture);
    capture->read_end = -1;
    capture->stream = open_memstream(&capture->memory, &capture->size);
    assert_non_null(capture->stream);
}

static void capture_pipe(struct capture *capture)
{
    int ends[2];
    memset(capture, 0, sizeof *capture);
    assert_int_equal(pipe(ends), 0);
    capture->read_end = ends[0];
    capture->stream = fdopen(ends[1], "w");
    assert_non_null(capture->stream);
}

/* A terminal of 40 columns that passes bytes on as they are. */
static void capture_terminal(struct capture *capture)
{
    memset(capture, 0, sizeof *capture);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    capture->read_end = posix_openpt(O_RDWR | O_NOCTTY);
    if (capture->read_end < 0 || grantpt(capture->read_end) || unlockpt(capture->read_end))
        skip();
    int terminal = open(ptsname(capture->read_end), O_RDWR | O_NOCTTY);
    if (terminal < 0)
        skip();
    struct termios settings;
    assert_int_equal(tcgetattr(terminal, &settings), 0);
    cfmakeraw(&settings);
    assert_int_equal(tcsetattr(terminal, TCSANOW, &settings), 0);
    struct winsize size = {.ws_row = 10, .ws_col = 40};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    capture->stream = fdopen(terminal, "w");
    assert_non_null(capture->stream);
}

/* What was written since the last call. A terminal passes bytes on in its own time, so a mark is
   written behind them and awaited; diagnostics never write such a byte. */
static const char *captured(struct capture *capture)
{
    const char mark = '\1';
    size_t count = 0;
    if (capture->read_end < 0) {
        fflush(capture->stream);
        assert_in_range(capture->size, 0, sizeof capture->bytes - 1);
        count = capture->size;
        memcpy(capture->bytes, capture->memory, count);
        rewind(capture->stream);
    } else {
        fputc(mark, capture->stream);
        fflush(capture->stream);
        while (count == 0 || capture->bytes[count - 1] != mark) {
            ssize_t more =
                read(capture->read_end, capture->bytes + count, sizeof capture->bytes - count);
            assert_true(more > 0);
            count += (size_t)more;
        }
        count--;
    }
    capture->bytes[count] = '\0';
    return capture->bytes;
}

static void capture_release(struct capture *capture)
{
    fclose(capture->stream);
    free(capture->memory);
    if (capture->read_end >= 0)
        close(capture->read_end);
}

static void each_message_is_one_plain_line(void **state)
{
    (void)state;
    struct capture capture;
    capture_pipe(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    diagnostics.verbose = true;
    diagnostics_error(&diagnostics, "no such command: %s", "chek");
    diagnostics_warning(&diagnostics, "%d classes left as they were", 3);
    diagnostics_note(&diagnostics, "done");
    assert_string_equal(captured(&capture), "turnstile: error: no such command: chek\n"
                                            "turnstile: warning: 3 classes left as they were\n"
                                            "turnstile: note: done\n");
    assert_int_equal(diagnostics.errors, 1);
    assert_int_equal(diagnostics.warnings, 1);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void a_problem_names_place_offset_and_reason(void **state)
{
    (void)state;
    struct capture capture;
    capture_pipe(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    struct problem problem;
    problem_clear(&problem);
    problem_set(&problem, 123, "bad tag");
    diagnostics_problem(&diagnostics, DIAGNOSTICS_ERROR, TEXT("lib/a.jar!B.class"), &problem);
    assert_string_equal(captured(&capture),
                        "turnstile: error: lib/a.jar!B.class: at byte 123: bad tag\n");
    problem_clear(&problem);
    problem_set(&problem, PROBLEM_NO_OFFSET, "is a directory");
    diagnostics_problem(&diagnostics, DIAGNOSTICS_WARNING, TEXT("lib"), &problem);
    assert_string_equal(captured(&capture), "turnstile: warning: lib: is a directory\n");
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void what_a_terminal_would_obey_is_shown(void **state)
{
    (void)state;
    struct capture capture;
    capture_pipe(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    struct problem problem;
    problem_clear(&problem);
    problem_set(&problem, PROBLEM_NO_OFFSET, "%s", "name \033]0;x\007 \xC2\x9B");
    diagnostics_problem(&diagnostics, DIAGNOSTICS_ERROR, text_of("a\nb\r\0\x7F", 6), &problem);
    assert_string_equal(captured(&capture), "turnstile: error: a\\x0Ab\\x0D\\x00\\x7F: "
                                            "name \\x1B]0;x\\x07 \\xC2\\x9B\n");
    diagnostics_error(&diagnostics, "%s", "two\nlines\t");
    assert_string_equal(captured(&capture), "turnstile: error: two\\x0Alines\\x09\n");
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

/* Letters of any language pass; bytes that are no UTF-8 do not (the Unicode standard, table 3-7),
   nor does U+202E, which turns what follows it around. */
static void only_well_formed_letters_pass(void **state)
{
    (void)state;
    static const struct {
        const char *given;
        const char *shown;
    } cases[] = {
        {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"},
        {"\x80", "\\x80"},
        {"\xC0\x80", "\\xC0\\x80"},
        {"\xE0\x80\xAF", "\\xE0\\x80\\xAF"},
        {"\xED\xA0\xBD", "\\xED\\xA0\\xBD"},
        {"\xF0\x80\x80\xAF", "\\xF0\\x80\\x80\\xAF"},
        {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"},
        {"\xF5", "\\xF5"},
        {"\xFF", "\\xFF"},
        {"\xC3", "\\xC3"},
        {"\xE2\x82", "\\xE2\\x82"},
        {"\xC3(", "\\xC3("},
        {"\xE2\x80\xAE", "\\xE2\\x80\\xAE"},
        {"\xE2\x81\xA6", "\\xE2\\x81\\xA6"},
        {"back\\slash", "back\\slash"},
    };
    struct capture capture;
    capture_pipe(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[100];
        snprintf(expected, sizeof expected, "turnstile: error: %s\n", cases[i].shown);
        diagnostics_error(&diagnostics, "%s", cases[i].given);
        assert_string_equal(captured(&capture), expected);
    }
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void levels_decide_what_is_shown_not_what_is_counted(void **state)
{
    (void)state;
    struct capture capture;
    capture_pipe(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    diagnostics_note(&diagnostics, "only with -v");
    assert_string_equal(captured(&capture), "");
    diagnostics.quiet = true;
    diagnostics_warning(&diagnostics, "not with -q");
    assert_string_equal(captured(&capture), "");
    diagnostics_error(&diagnostics, "always");
    assert_string_equal(captured(&capture), "turnstile: error: always\n");
    assert_int_equal(diagnostics.errors, 1);
    assert_int_equal(diagnostics.warnings, 1);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void colour_when_asked_for_or_on_a_terminal(void **state)
{
    (void)state;
    struct capture capture;
    struct diagnostics diagnostics;
    capture_pipe(&capture);
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_ALWAYS);
    diagnostics_error(&diagnostics, "x");
    assert_string_equal(captured(&capture), "turnstile: \033[1;31merror: \033[0mx\n");
    diagnostics_release(&diagnostics);
    capture_release(&capture);

    capture_terminal(&capture);
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    diagnostics_error(&diagnostics, "x");
    assert_string_equal(captured(&capture), "turnstile: \033[1;31merror: \033[0mx\n");
    diagnostics_release(&diagnostics);

    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_NEVER);
    diagnostics_error(&diagnostics, "x");
    assert_string_equal(captured(&capture), "turnstile: error: x\n");
    diagnostics_release(&diagnostics);

    setenv("NO_COLOR", "1", 1);
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    assert_false(diagnostics.color);
    assert_true(diagnostics.terminal);
    diagnostics_release(&diagnostics);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    assert_false(diagnostics.color);
    assert_false(diagnostics.terminal);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void a_long_message_is_whole_and_without_memory_cut(void **state)
{
    (void)state;
    static char longer[3001];
    memset(longer, 'x', sizeof longer - 1);
    struct capture capture;
    capture_memory(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    diagnostics_error(&diagnostics, "%s.", longer);
    const char *line = captured(&capture);
    assert_int_equal(strlen(line), strlen("turnstile: error: ") + 3000 + strlen(".\n"));
    assert_string_equal(line + strlen(line) - 3, "x.\n");

    memory_fail_after(0);
    diagnostics_error(&diagnostics, "%s.", longer);
    memory_fail_after(-1);
    line = captured(&capture);
    assert_string_equal(line + strlen(line) - 5, "x...\n");
    assert_int_equal(strncmp(line, "turnstile: error: xxx", 21), 0);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void *report_many(void *argument)
{
    for (int i = 0; i < 100; i++)
        diagnostics_error(argument, "%s", "a message that is about this long");
    return NULL;
}

static void lines_of_several_threads_do_not_mix(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    setvbuf(stream, NULL, _IONBF, 0);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, stream, DIAGNOSTICS_COLOR_ALWAYS);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, report_many, &diagnostics), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(diagnostics.errors, 400);
    rewind(stream);
    char line[200];
    int lines = 0;
    while (fgets(line, sizeof line, stream)) {
        lines++;
        assert_string_equal(line, "turnstile: \033[1;31merror: \033[0m"
                                  "a message that is about this long\n");
    }
    assert_int_equal(lines, 400);
    diagnostics_release(&diagnostics);
    fclose(stream);
}

static uint64_t now;

static uint64_t read_clock(void)
{
    return now;
}

static void start(struct progress *progress, struct diagnostics *diagnostics, size_t total)
{
    progress_init(progress, diagnostics, "reading", "classes", total);
    progress->milliseconds = read_clock;
    atomic_store(&progress->next_time, 0);
    now = 1000;
}

static void progress_says_nothing_into_a_pipe(void **state)
{
    (void)state;
    struct capture capture;
    capture_pipe(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_ALWAYS);
    struct progress progress;
    start(&progress, &diagnostics, 10);
    for (int i = 0; i < 10; i++) {
        now += 1000;
        progress_step(&progress, TEXT("a.jar"));
    }
    diagnostics_status(&diagnostics, TEXT("status"));
    progress_finish(&progress);
    diagnostics_release(&diagnostics);
    assert_string_equal(captured(&capture), "");
    capture_release(&capture);
}

static void progress_says_nothing_when_quiet(void **state)
{
    (void)state;
    struct capture capture;
    capture_terminal(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_AUTO);
    diagnostics.quiet = true;
    struct progress progress;
    start(&progress, &diagnostics, 10);
    progress_step(&progress, TEXT("a.jar"));
    progress_finish(&progress);
    assert_string_equal(captured(&capture), "");
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void progress_is_one_line_redrawn_ten_times_a_second(void **state)
{
    (void)state;
    struct capture capture;
    capture_terminal(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_NEVER);
    struct progress progress;
    start(&progress, &diagnostics, 5678);
    progress_step(&progress, TEXT("h2.jar"));
    assert_string_equal(captured(&capture), "\r\033[Kreading 1/5678 classes  h2.jar");
    for (int i = 0; i < 99; i++) {
        now++;
        progress_step(&progress, TEXT("h2.jar"));
    }
    assert_string_equal(captured(&capture), "");
    now++;
    progress_step(&progress, TEXT("a\033b"));
    assert_string_equal(captured(&capture), "\r\033[Kreading 101/5678 classes  a\\x1Bb");
    progress_finish(&progress);
    assert_string_equal(captured(&capture), "\r\033[K");
    progress_finish(&progress);
    diagnostics_release(&diagnostics);
    assert_string_equal(captured(&capture), "");
    capture_release(&capture);
}

static void progress_without_a_total_counts(void **state)
{
    (void)state;
    struct capture capture;
    capture_terminal(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_NEVER);
    struct progress progress;
    start(&progress, &diagnostics, 0);
    progress_step(&progress, TEXT("x"));
    assert_string_equal(captured(&capture), "\r\033[Kreading 1 classes  x");
    progress_set_total(&progress, 7);
    now += 100;
    progress_step(&progress, TEXT("x"));
    assert_string_equal(captured(&capture), "\r\033[Kreading 2/7 classes  x");
    diagnostics_release(&diagnostics);
    assert_string_equal(captured(&capture), "\r\033[K");
    capture_release(&capture);
}

static void progress_is_cut_to_the_width_of_the_terminal(void **state)
{
    (void)state;
    struct capture capture;
    capture_terminal(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_NEVER);
    struct progress progress;
    start(&progress, &diagnostics, 9);
    /* 39 of 40 columns: 21 for what comes first, then 18 letters of two bytes each. */
    char name[2 * 600 + 1] = "";
    for (size_t i = 0; i < 600; i++)
        memcpy(name + i * 2, "\xC3\xA4", 2);
    char expected[100] = "\r\033[Kreading 1/9 classes  ";
    assert_int_equal(strlen(expected), 4 + 21);
    memcpy(expected + strlen(expected), name, (size_t)2 * 18);
    progress_step(&progress, text_of(name, sizeof name - 1));
    assert_string_equal(captured(&capture), expected);
    progress_finish(&progress);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void a_message_takes_the_place_of_the_progress_line(void **state)
{
    (void)state;
    struct capture capture;
    capture_terminal(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_NEVER);
    struct progress progress;
    start(&progress, &diagnostics, 2);
    progress_step(&progress, TEXT("a.jar"));
    captured(&capture);
    diagnostics_error(&diagnostics, "bad");
    diagnostics_error(&diagnostics, "worse");
    assert_string_equal(captured(&capture),
                        "\r\033[Kturnstile: error: bad\nturnstile: error: worse\n");
    now += 100;
    progress_step(&progress, TEXT("a.jar"));
    assert_string_equal(captured(&capture), "\r\033[Kreading 2/2 classes  a.jar");
    progress_finish(&progress);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

static void *step_many(void *argument)
{
    for (int i = 0; i < 1000; i++)
        progress_step(argument, TEXT("x"));
    return NULL;
}

static void steps_of_several_threads_are_all_counted(void **state)
{
    (void)state;
    struct capture capture;
    capture_terminal(&capture);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, capture.stream, DIAGNOSTICS_COLOR_NEVER);
    struct progress progress;
    start(&progress, &diagnostics, 4001);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, step_many, &progress), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    /* The clock stood still, so one of them has drawn, once. */
    const char *drawn = captured(&capture);
    assert_non_null(strstr(drawn, "/4001 classes  x"));
    assert_null(strchr(drawn + 1, '\r'));
    now += 100;
    progress_step(&progress, TEXT("x"));
    assert_string_equal(captured(&capture), "\r\033[Kreading 4001/4001 classes  x");
    progress_finish(&progress);
    diagnostics_release(&diagnostics);
    capture_release(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_message_is_one_plain_line),
        cmocka_unit_test(a_problem_names_place_offset_and_reason),
        cmocka_unit_test(what_a_terminal_would_obey_is_shown),
        cmocka_unit_test(only_well_formed_letters_pass),
        cmocka_unit_test(levels_decide_what_is_shown_not_what_is_counted),
        cmocka_unit_test(colour_when_asked_for_or_on_a_terminal),
        cmocka_unit_test(a_long_message_is_whole_and_without_memory_cut),
        cmocka_unit_test(lines_of_several_threads_do_not_mix),
        cmocka_unit_test(progress_says_nothing_into_a_pipe),
        cmocka_unit_test(progress_says_nothing_when_quiet),
        cmocka_unit_test(progress_is_one_line_redrawn_ten_times_a_second),
        cmocka_unit_test(progress_without_a_total_counts),
        cmocka_unit_test(progress_is_cut_to_the_width_of_the_terminal),
        cmocka_unit_test(a_message_takes_the_place_of_the_progress_line),
        cmocka_unit_test(steps_of_several_threads_are_all_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
