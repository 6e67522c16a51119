/*
 * How fast traces are analyzed: events per second of processor time, on one thread.
 *
 *     bench_traces [EVENTS [GENERATED]]
 *
 * Three programs are made up: one that works on arrays, one that moves money between accounts under
 * locks, and one that does both and hands work from thread to thread. EVENTS of each are recorded
 * in a temporary file, which is then analyzed for races, for races and atomicity, and by all
 * engines. Then GENERATED events of the third are analyzed that are stored nowhere, to show that
 * memory does not grow with a trace. The numbers are in millions; 20 and 100 unless told.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "trace/analysis.h"
#include "trace/trace_writer.h"

enum {
    THREADS = 5, /* one starts the others */
    ACCOUNTS = 1024,
    ELEMENTS = 1 << 18, /* of each thread's array */
    TABLE = 4096,       /* that all threads read */
    SLICE = 64,         /* steps between two changes of threads */
};

/* Numbers of things, as the names are added. */
enum {
    FIRST_BALANCE = 1,
    FIRST_TABLE = FIRST_BALANCE + ACCOUNTS,
    FIRST_ELEMENT = FIRST_TABLE + TABLE,
};

enum program { PROGRAM_ARRAYS, PROGRAM_BANK, PROGRAM_MIXED, PROGRAMS };

static const char *const program_names[PROGRAMS] = {"arrays", "accounts", "both"};

/* A made-up program in the middle of its run. */
struct player {
    enum program program;
    uint64_t left; /* events */
    uint64_t random;
    uint64_t turns;
    uint32_t next_element[THREADS + 1];
    struct trace_event queue[1 << 13];
    size_t first, last;
};

static uint32_t draw(struct player *player, uint32_t below)
{
    player->random = player->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((player->random >> 33) % below);
}

static void add(struct player *player, uint32_t thread, enum trace_kind kind, uint32_t target,
                uint32_t location)
{
    player->queue[player->last++] = (struct trace_event){thread, target, location, location, kind};
}

static void start(struct player *player)
{
    for (uint32_t i = 0; i < TABLE; i++)
        add(player, 1, TRACE_WRITE, FIRST_TABLE + i, 1);
    for (uint32_t i = 0; i < ACCOUNTS; i++)
        add(player, 1, TRACE_WRITE, FIRST_BALANCE + i, 2);
    for (uint32_t thread = 2; thread <= THREADS; thread++)
        add(player, 1, TRACE_FORK, thread, 3);
}

/* atomic { for (...) a[i] = a[i] + table[j] } */
static void play_arrays(struct player *player, uint32_t thread)
{
    uint32_t *next = &player->next_element[thread];
    add(player, thread, TRACE_BEGIN, 1, 9);
    for (unsigned i = 0; i < SLICE; i++) {
        const uint32_t element = FIRST_ELEMENT + (thread - 1) * ELEMENTS + *next;
        add(player, thread, TRACE_READ, element, 10);
        add(player, thread, TRACE_READ, FIRST_TABLE + *next % TABLE, 11);
        add(player, thread, TRACE_WRITE, element, 12);
        *next = (*next + 1) % ELEMENTS;
    }
    add(player, thread, TRACE_END, 1, 13);
}

/* atomic { synchronized (account) { ... } } */
static void play_accounts(struct player *player, uint32_t thread)
{
    for (unsigned i = 0; i < SLICE / 8; i++) {
        const uint32_t account = draw(player, ACCOUNTS);
        add(player, thread, TRACE_BEGIN, 1, 20);
        add(player, thread, TRACE_ACQUIRE, 1 + account, 21);
        add(player, thread, TRACE_READ, FIRST_BALANCE + account, 22);
        add(player, thread, TRACE_READ, FIRST_BALANCE + account, 23);
        add(player, thread, TRACE_WRITE, FIRST_BALANCE + account, 23);
        add(player, thread, TRACE_READ, FIRST_TABLE + account, 24);
        add(player, thread, TRACE_RELEASE, 1 + account, 25);
        add(player, thread, TRACE_END, 1, 26);
    }
}

static void hand_over(struct player *player, uint32_t thread)
{
    add(player, thread, TRACE_SYNC_RELEASE, thread, 30);
    add(player, thread % THREADS + 1, TRACE_SYNC_ACQUIRE, thread, 31);
}

static void play(struct player *player)
{
    const uint64_t turn = player->turns++;
    const uint32_t thread = 2 + (uint32_t)(turn % (THREADS - 1));
    player->first = player->last = 0;
    if (turn == 0)
        start(player);
    else if (player->program == PROGRAM_ARRAYS)
        play_arrays(player, thread);
    else if (player->program == PROGRAM_BANK)
        play_accounts(player, thread);
    else if (turn / (THREADS - 1) % 4 == 3)
        play_accounts(player, thread);
    else
        play_arrays(player, thread);
    if (player->program == PROGRAM_MIXED && turn % 1000 == 999)
        hand_over(player, thread);
}

static size_t generate(void *context, struct trace_event *events, size_t capacity)
{
    struct player *player = context;
    size_t count = 0;
    while (count < capacity && player->left) {
        if (player->first == player->last)
            play(player);
        while (count < capacity && player->left && player->first < player->last) {
            events[count++] = player->queue[player->first++];
            player->left--;
        }
    }
    return count;
}

static void player_init(struct player *player, enum program program, uint64_t events)
{
    memset(player, 0, sizeof *player);
    player->program = program;
    player->left = events;
    player->random = 42;
}

/* ---- names ---- */

/* How names are added: to a table, or to a file. */
struct namer {
    struct trace_names *names;
    struct trace_writer *writer;
};

static void add_locations(struct namer *namer)
{
    for (uint32_t i = 1; i <= 40; i++) {
        const struct trace_location location = {
            TEXT("bench.Program"), TEXT("work"), TEXT("Program.java"), i, 0, false};
        if (namer->writer) {
            trace_writer_location(namer->writer, &location);
            trace_writer_stack(namer->writer, 0, i);
        } else {
            trace_names_add_location(namer->names, &location);
            trace_names_add_stack(namer->names, 0, i);
        }
    }
}

static void add_variables(struct namer *namer, const char *member, uint32_t count)
{
    const struct trace_field field = {TEXT("bench.Program"), text_from(member), TEXT("I")};
    if (namer->writer)
        trace_writer_variables(namer->writer, trace_writer_field(namer->writer, &field), count);
    else
        trace_names_add_variables(namer->names, trace_names_add_field(namer->names, &field), count);
}

static void add_names(struct namer *namer)
{
    const struct trace_block block = {TEXT("bench.Program"), TEXT("move"), 20};
    char name[32];
    add_locations(namer);
    add_variables(namer, "balance", ACCOUNTS);
    add_variables(namer, "table[]", TABLE);
    add_variables(namer, "elements[]", THREADS * ELEMENTS);
    for (unsigned i = 1; i <= THREADS; i++) {
        snprintf(name, sizeof name, "thread-%u", i);
        if (namer->writer) {
            trace_writer_thread(namer->writer, text_from(name));
            trace_writer_sync(namer->writer, text_from(name));
        } else {
            trace_names_add_thread(namer->names, text_from(name));
            trace_names_add_sync(namer->names, text_from(name));
        }
    }
    for (unsigned i = 1; i <= ACCOUNTS; i++) {
        snprintf(name, sizeof name, "Account@%u", i);
        if (namer->writer)
            trace_writer_lock(namer->writer, text_from(name));
        else
            trace_names_add_lock(namer->names, text_from(name));
    }
    if (namer->writer)
        trace_writer_block(namer->writer, &block);
    else
        trace_names_add_block(namer->names, &block);
}

/* ---- recording ---- */

static bool record(const char *path, enum program program, uint64_t events)
{
    static struct player player;
    struct trace_writer_options options;
    struct trace_writer_counts counts;
    struct problem problem;
    trace_writer_options_default(&options);
    problem_clear(&problem);
    const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct trace_writer *writer =
        descriptor < 0 ? NULL : trace_writer_new(descriptor, &options, &problem);
    if (!writer)
        return false;
    add_names(&(struct namer){.writer = writer});
    struct trace_stream *streams[THREADS + 1] = {NULL};
    for (uint32_t i = 1; i <= THREADS; i++)
        if (!(streams[i] = trace_stream_open(writer, i)))
            return false;
    struct trace_event batch[TRACE_BATCH];
    uint64_t sequence = 0;
    player_init(&player, program, events);
    for (size_t count; (count = generate(&player, batch, TRACE_BATCH)) > 0;)
        for (size_t i = 0; i < count; i++)
            trace_stream_event(streams[batch[i].thread], ++sequence, &batch[i]);
    if (!trace_writer_close(writer, &counts, &problem))
        return false;
    printf("%-9s %5.0f million events, %5.1f MB, %.2f bytes each\n", program_names[program],
           (double)counts.events / 1e6, (double)counts.bytes / 1e6,
           (double)counts.bytes / (double)counts.events);
    return true;
}

/* ---- measuring ---- */

/* Where the events come from. */
struct origin {
    const char *path; /* NULL: generated */
    struct trace_names names;
    struct player player;
    uint64_t events;
};

static bool open_origin(void *context, struct trace_source *source)
{
    struct origin *origin = context;
    if (origin->path)
        return trace_open(source, origin->path);
    player_init(&origin->player, PROGRAM_MIXED, origin->events);
    return trace_generate(source, &origin->names, generate, &origin->player);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool measure(const char *label, struct origin *origin,
                    const struct analysis_options *options)
{
    struct analysis_result result;
    struct finding_list findings;
    struct rusage usage = {0};
    finding_list_init(&findings);
    const double before = processor_seconds();
    const bool done = analysis_run(options, open_origin, origin, &findings, &result);
    const double seconds = processor_seconds() - before;
    getrusage(RUSAGE_SELF, &usage);
    if (done)
        printf("  %-28s %6.1f million events/s, %zu findings, peak memory %ld MB\n", label,
               (double)result.counts.events / seconds / 1e6, findings.items.count,
               usage.ru_maxrss / 1024);
    else
        fprintf(stderr, "bench: %s\n", result.failure.reason);
    analysis_result_release(&result);
    finding_list_release(&findings);
    return done;
}

/* Reading alone, to see what the rest adds. */
static void measure_reading(struct origin *origin)
{
    struct trace_source source;
    struct trace_event event;
    const double before = processor_seconds();
    if (!open_origin(origin, &source))
        return;
    while (trace_next(&source, &event) == TRACE_EVENT)
        ;
    printf("  %-28s %6.1f million events/s\n", "reading alone",
           (double)trace_delivered(&source) / (processor_seconds() - before) / 1e6);
    trace_close(&source);
}

static bool measure_all(struct origin *origin)
{
    struct analysis_options races, reduction, observed, all;
    analysis_options_default(&all);
    races = all;
    races.reduction = races.blocks = races.observed = races.lock_order = false;
    reduction = all;
    reduction.races = reduction.blocks = reduction.observed = reduction.lock_order = false;
    observed = all;
    observed.blocks = false;
    measure_reading(origin);
    return measure("races", origin, &races) && measure("reduction", origin, &reduction) &&
           measure("all engines but blocks", origin, &observed) &&
           measure("all engines", origin, &all);
}

static uint64_t millions(const char *word)
{
    return strtoull(word, NULL, 10) * 1000000;
}

int main(int count, char **words)
{
    static struct origin origin;
    const uint64_t events = count > 1 ? millions(words[1]) : 20000000;
    const uint64_t generated = count > 2 ? millions(words[2]) : 100000000;
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/turnstile-bench-XXXXXX", folder ? folder : "/tmp");
    const int descriptor = mkstemp(path);
    if (descriptor < 0)
        return 2;
    close(descriptor);
    bool done = true;
    for (unsigned program = 0; done && program < PROGRAMS && events; program++) {
        origin.path = path;
        done = record(path, (enum program)program, events) && measure_all(&origin);
        fflush(stdout);
    }
    unlink(path);
    if (done && generated) {
        struct analysis_options options;
        analysis_options_default(&options);
        origin.path = NULL;
        origin.events = generated;
        trace_names_init(&origin.names);
        add_names(&(struct namer){.names = &origin.names});
        printf("%-9s %5.0f million events, generated, not stored\n", program_names[PROGRAM_MIXED],
               (double)generated / 1e6);
        done = measure("all engines", &origin, &options);
        trace_names_release(&origin.names);
    }
    return done ? 0 : 1;
}
