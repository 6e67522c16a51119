#include "report/run_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/textmap.h"
#include "report/finding_bytes.h"

/* ---- writing ---- */

static bool append(const char *path, struct writer *entry)
{
    const int descriptor = entry->failed ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    ssize_t written;
    do
        written = write(descriptor, entry->bytes, entry->size);
    while (written < 0 && errno == EINTR);
    return close(descriptor) == 0 && written == (ssize_t)entry->size;
}

static bool append_entry(const char *path, const char *word, uint64_t number, const void *bytes,
                         size_t size)
{
    char line[64];
    struct writer entry;
    writer_init(&entry);
    const int length = snprintf(line, sizeof line, "%s %ld %llu\n", word, (long)getpid(),
                                (unsigned long long)number);
    writer_bytes(&entry, line, (size_t)length);
    writer_bytes(&entry, bytes, size);
    const bool appended = append(path, &entry);
    writer_release(&entry);
    return appended;
}

bool run_log_began(const char *path, struct text report)
{
    return append_entry(path, "began", report.length, report.bytes, report.length);
}

bool run_log_found(const char *path, const struct finding *finding)
{
    struct writer bytes;
    writer_init(&bytes);
    finding_bytes_write(&bytes, finding);
    const bool appended =
        !bytes.failed && append_entry(path, "found", bytes.size, bytes.bytes, bytes.size);
    writer_release(&bytes);
    return appended;
}

bool run_log_marked(const char *path, uint64_t blocks)
{
    return append_entry(path, "marked", blocks, NULL, 0);
}

bool run_log_pattern(const char *path, struct text message, bool matched)
{
    return append_entry(path, matched ? "matched" : "unmatched", message.length, message.bytes,
                        message.length);
}

bool run_log_ended(const char *path, size_t findings)
{
    return append_entry(path, "ended", findings, NULL, 0);
}

/* ---- reading ---- */

struct entry {
    struct text word;
    long process;
    uint64_t number;
    struct text bytes;
};

void run_log_init(struct run_log *log)
{
    *log = (struct run_log){0};
    finding_list_init(&log->found);
    arena_init(&log->arena);
}

void run_log_release(struct run_log *log)
{
    vector_release(&log->lost);
    vector_release(&log->unmatched);
    finding_list_release(&log->found);
    arena_release(&log->arena);
}

/* Takes the digits that the text begins with, and the byte behind them. */
static bool take_number(struct text *text, uint64_t *number)
{
    size_t digits = 0;
    *number = 0;
    for (; digits < text->length && text->bytes[digits] >= '0' && text->bytes[digits] <= '9';
         digits++) {
        if (*number > (UINT64_MAX >> 4) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(text->bytes[digits] - '0');
    }
    if (!digits)
        return false;
    *text = text_slice(*text, digits + 1 < text->length ? digits + 1 : text->length, text->length);
    return true;
}

/* Takes the next entry. What is none is passed over. False at the end. */
static bool take_entry(struct text *rest, struct entry *entry)
{
    for (ptrdiff_t end; (end = text_find(*rest, '\n')) >= 0;) {
        struct text line = text_slice(*rest, 0, (size_t)end);
        *rest = text_slice(*rest, (size_t)end + 1, rest->length);
        const ptrdiff_t space = text_find(line, ' ');
        if (space < 0)
            continue;
        entry->word = text_slice(line, 0, (size_t)space);
        line = text_slice(line, (size_t)space + 1, line.length);
        uint64_t process;
        if (!take_number(&line, &process) || !take_number(&line, &entry->number))
            continue;
        entry->process = (long)process;
        const bool sized =
            !text_equal(entry->word, TEXT("ended")) && !text_equal(entry->word, TEXT("marked"));
        if (sized && entry->number > rest->length)
            continue;
        entry->bytes = text_slice(*rest, 0, sized ? (size_t)entry->number : 0);
        *rest = text_slice(*rest, entry->bytes.length, rest->length);
        return true;
    }
    return false;
}

/* Not if it is a zombie: it does nothing more. */
static bool is_running(long process)
{
    char path[48], status[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = descriptor < 0 ? -1 : read(descriptor, status, sizeof status - 1);
    if (descriptor >= 0)
        close(descriptor);
    if (size <= 0)
        return false;
    status[size] = '\0';
    const char *name_end = strrchr(status, ')'); /* "NUMBER (NAME) STATE ..." */
    return name_end && name_end[1] == ' ' && !strchr("ZX", name_end[2]);
}

static struct run_log_lost *find_lost(struct run_log *log, long process)
{
    for (size_t i = 0; i < log->lost.count; i++)
        if (log->lost.items[i].process == process)
            return &log->lost.items[i];
    return NULL;
}

static bool note_beginning(struct run_log *log, const struct entry *entry)
{
    const struct run_log_lost lost = {entry->process, text_copy(&log->arena, entry->bytes)};
    return !log->arena.failed && (find_lost(log, entry->process) || vector_push(&log->lost, lost));
}

static void note_end(struct run_log *log, const struct entry *entry)
{
    struct run_log_lost *known = find_lost(log, entry->process);
    log->ended++;
    log->findings += entry->number;
    if (known)
        *known = log->lost.items[--log->lost.count];
}

static void forget_running(struct run_log *log)
{
    size_t kept = 0;
    for (size_t i = 0; i < log->lost.count; i++)
        if (!is_running(log->lost.items[i].process))
            log->lost.items[kept++] = log->lost.items[i];
    log->lost.count = kept;
}

static bool note_finding(struct run_log *log, const struct entry *entry)
{
    struct problem damage;
    struct reader reader;
    struct finding finding;
    struct arena arena;
    problem_clear(&damage);
    reader_init(&reader, entry->bytes.bytes, entry->bytes.length, &damage);
    arena_init(&arena);
    const bool done =
        !finding_bytes_read(&reader, &arena, &finding) || finding_list_add(&log->found, &finding);
    arena_release(&arena);
    return done;
}

/* Adds the messages that no JVM took back, each once, in the order in which they came first. */
static bool find_unmatched(struct run_log *log, struct text all)
{
    struct entry entry;
    struct textmap known;
    textmap_init(&known);
    bool done = true;
    for (struct text rest = all; done && take_entry(&rest, &entry);)
        if (text_equal(entry.word, TEXT("matched")))
            done = textmap_put(&known, entry.bytes, 0);
    for (struct text rest = all; done && take_entry(&rest, &entry);)
        if (text_equal(entry.word, TEXT("unmatched")) && !textmap_get(&known, entry.bytes, NULL)) {
            const struct text message = text_copy(&log->arena, entry.bytes);
            done = !log->arena.failed && vector_push(&log->unmatched, message) &&
                   textmap_put(&known, entry.bytes, 0);
        }
    textmap_release(&known);
    return done;
}

static bool read_entries(struct run_log *log, struct text all)
{
    struct entry entry;
    bool done = find_unmatched(log, all);
    for (struct text rest = all; done && take_entry(&rest, &entry);)
        if (text_equal(entry.word, TEXT("began")))
            done = note_beginning(log, &entry);
        else if (text_equal(entry.word, TEXT("ended")))
            note_end(log, &entry);
        else if (text_equal(entry.word, TEXT("marked")))
            log->marked += entry.number;
    forget_running(log);
    for (struct text rest = all; done && take_entry(&rest, &entry);)
        if (text_equal(entry.word, TEXT("found")) && find_lost(log, entry.process))
            done = note_finding(log, &entry);
    return done;
}

bool run_log_read(struct run_log *log, const char *path, struct problem *problem)
{
    struct file_map map;
    if (!file_map_open(&map, path, problem))
        return false;
    const bool done = read_entries(log, text_of(map.bytes, map.size));
    file_map_close(&map);
    if (!done)
        problem_set(problem, PROBLEM_NO_OFFSET, "out of memory");
    return done;
}
