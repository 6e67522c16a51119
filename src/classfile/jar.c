#include "classfile/jar.h"

#include <string.h>
#include <strings.h>

#include "base/builder.h"
#include "base/textmap.h"
#include "classfile/manifest.h"

#define MANIFEST_NAME TEXT("META-INF/MANIFEST.MF")
#define VERSIONS_PREFIX TEXT("META-INF/versions/")

/* Before Java 9 there were no versions. Folders with smaller numbers mean nothing, says the
   specification; but the JDK takes classes from that of 8. */
#define FIRST_RELEASE_WITH_VERSIONS 9u
#define FIRST_VERSION 8u

static const uint8_t jmod_magic[2] = {'J', 'M'};

static const char *const archive_suffixes[] = {".jar", ".war", ".ear", ".zip", ".jmod"};

/* Folders whose content is on the class path of what the archive is made for. */
static const char *const class_folders[] = {"WEB-INF/classes/", "BOOT-INF/classes/"};

struct opening {
    struct jar *jar;
    const struct jar_options *options;
    struct textmap names; /* whole name -> position in jar->entries */
    struct jar_entry manifest;
    bool has_manifest;
    bool has_versions;
};

static bool is_jmod(const uint8_t *bytes, size_t size)
{
    return size >= 8 && memcmp(bytes, jmod_magic, sizeof jmod_magic) == 0 &&
           memcmp(bytes + 4, "PK", 2) == 0;
}

bool jar_is_one(const void *bytes, size_t size)
{
    static const uint8_t local_header[4] = {'P', 'K', 3, 4};
    return is_jmod(bytes, size) ||
           (size >= sizeof local_header && memcmp(bytes, local_header, sizeof local_header) == 0) ||
           zip_directory_is_there(bytes, size);
}

static bool ends_with_ignoring_case(struct text text, const char *suffix)
{
    size_t length = strlen(suffix);
    return text.length >= length &&
           strncasecmp(text.bytes + text.length - length, suffix, length) == 0;
}

bool jar_is_name_of_one(struct text name)
{
    for (size_t i = 0; i < sizeof archive_suffixes / sizeof *archive_suffixes; i++)
        if (ends_with_ignoring_case(name, archive_suffixes[i]))
            return true;
    return false;
}

void jar_report(struct diagnostics *diagnostics, enum diagnostics_level level, struct text where,
                struct text entry_name, const struct problem *problem)
{
    struct builder path;
    builder_init(&path);
    builder_add(&path, where);
    builder_add(&path, TEXT("!/"));
    builder_add(&path, entry_name);
    /* Without memory for the whole name, the archive's says at least where to look. */
    diagnostics_problem(diagnostics, level, path.failed ? where : builder_text(&path), problem);
    builder_release(&path);
}

static void report(const struct opening *opening, enum diagnostics_level level,
                   const struct jar_entry *entry, const char *reason)
{
    struct problem problem = {0};
    problem_set(&problem, entry->offset, "%s", reason);
    jar_report(opening->options->diagnostics, level, opening->options->where, entry->name,
               &problem);
}

static bool has_parent_component(struct text name)
{
    size_t start = 0;
    for (size_t i = 0; i <= name.length; i++) {
        if (i < name.length && name.bytes[i] != '/' && name.bytes[i] != '\\')
            continue;
        if (text_equal(text_slice(name, start, i), TEXT("..")))
            return true;
        start = i + 1;
    }
    return false;
}

/* Why the name is not one of a good archive; NULL if it is. */
static const char *fault_of_name(struct text name, bool is_resource)
{
    if (text_find(name, '\0') >= 0)
        return "entry name contains a zero byte";
    if (text_starts_with(name, TEXT("/")) || has_parent_component(name))
        return "entry name leaves the archive";
    /* To Java it is part of the file name: common in resources, never in a class's name. */
    if (!is_resource && text_find(name, '\\') >= 0)
        return "entry name contains a backslash";
    return NULL;
}

/* META-INF/versions/N/REST: N, with the position of REST. 0 if the name is not like that. */
static unsigned version_of_name(struct text name, size_t *rest)
{
    size_t i = VERSIONS_PREFIX.length;
    unsigned version = 0;
    size_t first = i;
    while (i < name.length && name.bytes[i] >= '0' && name.bytes[i] <= '9' && i - first < 6)
        version = version * 10 + (unsigned)(name.bytes[i++] - '0');
    if (i == first || i + 1 >= name.length || name.bytes[i] != '/' || name.bytes[first] == '0')
        return 0;
    *rest = i + 1;
    return version;
}

/* Sets the name inside the root, and the version. False if no class loader would ever look there.
 */
static bool place_entry(struct opening *opening, struct jar_entry *entry)
{
    struct text name = entry->name;
    entry->entry = name;
    if (opening->jar->jmod) {
        if (!text_starts_with(name, TEXT("classes/")))
            return false;
        entry->entry = text_slice(name, strlen("classes/"), name.length);
        return true;
    }
    if (text_starts_with(name, VERSIONS_PREFIX)) {
        size_t rest = 0;
        unsigned version = version_of_name(name, &rest);
        entry->entry = text_slice(name, rest, name.length);
        /* META-INF itself has no versions. */
        bool usable =
            version >= FIRST_VERSION && !text_starts_with(entry->entry, TEXT("META-INF/"));
        entry->version = version;
        opening->has_versions |= usable;
        return usable || opening->options->all_versions;
    }
    for (size_t i = 0; i < sizeof class_folders / sizeof *class_folders; i++)
        if (text_starts_with(name, text_from(class_folders[i])))
            entry->entry = text_slice(name, strlen(class_folders[i]), name.length);
    return true;
}

/* Adds the entry, or puts it in the place of the one with the same name that came before. */
static bool keep_entry(struct opening *opening, const struct jar_entry *entry)
{
    struct jar *jar = opening->jar;
    bool added;
    uint32_t *position =
        textmap_find_or_add(&opening->names, entry->name, (uint32_t)jar->entries.count, &added);
    if (!position)
        return false;
    if (added)
        return vector_push(&jar->entries, *entry);
    struct jar_entry *old = &jar->entries.items[*position];
    bool reported = old->repeated;
    *old = *entry;
    old->repeated = true;
    if (!reported)
        report(opening, DIAGNOSTICS_ERROR, entry,
               "entry name occurs more than once: the last one is used, as the JVM does");
    return true;
}

/* False only when there is no memory. */
static bool add_entry(struct opening *opening, struct jar_entry *entry)
{
    struct text name = entry->name;
    bool is_class = text_ends_with(name, TEXT(".class"));
    bool is_archive = !is_class && jar_is_name_of_one(name);
    const char *fault = fault_of_name(name, !is_class && !is_archive);
    if (fault) {
        report(opening, DIAGNOSTICS_ERROR, entry, fault);
        return true;
    }
    if (text_ends_with(name, TEXT(".class/")))
        report(opening, DIAGNOSTICS_WARNING, entry, "is a directory with the name of a class");
    if (name.length == MANIFEST_NAME.length &&
        strncasecmp(name.bytes, MANIFEST_NAME.bytes, name.length) == 0) {
        opening->manifest = *entry;
        opening->has_manifest = true;
    }
    entry->kind = is_class ? JAR_CLASS : JAR_ARCHIVE;
    if ((!is_class && !is_archive) || !place_entry(opening, entry))
        return true;
    return keep_entry(opening, entry);
}

static bool list_entries(struct opening *opening, struct problem *problem)
{
    const struct zip_directory *directory = &opening->jar->directory;
    size_t cursor = directory->position;
    while (cursor < directory->limit) {
        struct zip_directory_entry found;
        if (!zip_directory_next(directory, &cursor, &found, problem))
            return false;
        struct jar_entry entry = {
            .record = found, .name = found.name, .offset = found.header_offset};
        if (!add_entry(opening, &entry)) {
            problem_set(problem, cursor, "no memory for the archive's directory");
            return false;
        }
    }
    return true;
}

/* Before it reads the manifest the JDK looks in it for these bytes, with something behind them: it
   does not find them in two lines, or where the file ends without a line end. */
static bool has_line_of_multi_release(struct text manifest)
{
    const struct text line = TEXT("Multi-Release: true");
    for (size_t i = 0; i + line.length < manifest.length; i++)
        if (strncasecmp(manifest.bytes + i, line.bytes, line.length) == 0)
            return true;
    return false;
}

static bool is_multi_release(struct text manifest)
{
    if (!has_line_of_multi_release(manifest))
        return false;
    struct builder value;
    builder_init(&value);
    bool is = manifest_main_attribute(manifest, TEXT("Multi-Release"), &value) &&
              strcasecmp(builder_string(&value), "true") == 0;
    builder_release(&value);
    return is;
}

/* The manifest decides whether META-INF/versions means anything. It is read through a jar of which
   it is the only entry. */
static void read_manifest(struct opening *opening)
{
    const struct jar_options *options = opening->options;
    struct jar only = {.directory = opening->jar->directory};
    struct problem problem = {0};
    struct jar_reader reader;
    if (!opening->has_manifest || !opening->has_versions)
        return;
    if (!vector_push(&only.entries, opening->manifest) || !jar_index_entries(&only)) {
        problem_set(&problem, opening->manifest.offset, "no memory to read the manifest");
    } else if (jar_reader_init(&reader, &only, &problem)) {
        if (jar_reader_read(&reader, &only.entries.items[0], JAR_MANIFEST_LIMIT, options->budget,
                            &problem))
            opening->jar->multi_release =
                is_multi_release(text_of(reader.buffer.bytes, reader.buffer.size));
        jar_reader_release(&reader);
    }
    if (problem.set)
        jar_report(options->diagnostics, DIAGNOSTICS_ERROR, options->where, opening->manifest.name,
                   &problem);
    jar_close(&only);
}

/* What a versioned entry stands for, or the name itself. */
static struct text base_name(const struct jar_entry *entry)
{
    return entry->version ? entry->entry : entry->name;
}

/* Leaves, of each class in several versions, the one that the release would load. */
static bool choose_versions(struct opening *opening)
{
    struct jar *jar = opening->jar;
    unsigned release = jar->multi_release ? opening->options->release : 0;
    if (release < FIRST_RELEASE_WITH_VERSIONS)
        release = 0;
    textmap_clear(&opening->names);
    for (uint32_t i = 0; i < jar->entries.count; i++) {
        const struct jar_entry *entry = &jar->entries.items[i];
        if (entry->version > release)
            continue;
        bool added;
        uint32_t *best = textmap_find_or_add(&opening->names, base_name(entry), i, &added);
        if (!best)
            return false;
        if (!added && jar->entries.items[*best].version < entry->version)
            *best = i;
    }
    size_t kept = 0;
    for (uint32_t i = 0; i < jar->entries.count; i++) {
        struct jar_entry entry = jar->entries.items[i];
        uint32_t best;
        if (entry.version > release || !textmap_get(&opening->names, base_name(&entry), &best) ||
            best != i)
            continue;
        jar->entries.items[kept++] = entry;
    }
    jar->entries.count = kept;
    return true;
}

static bool fill_jar(struct opening *opening, struct problem *problem)
{
    if (!list_entries(opening, problem))
        return false;
    read_manifest(opening);
    bool choose = opening->has_versions && !opening->options->all_versions;
    if ((!choose || choose_versions(opening)) && jar_index_entries(opening->jar))
        return true;
    problem_set(problem, PROBLEM_NO_OFFSET, "no memory for the archive's directory");
    return false;
}

bool jar_open(struct jar *jar, const void *bytes, size_t size, const struct jar_options *options,
              struct problem *problem)
{
    memset(jar, 0, sizeof *jar);
    jar->jmod = is_jmod(bytes, size);
    if (!zip_directory_open(&jar->directory, bytes, size, problem))
        return false;
    if (zip_directory_most_entries(&jar->directory) > UINT32_MAX - 1) {
        problem_set(problem, jar->directory.limit, "archive has too many entries");
        return false;
    }
    if (jar->directory.position == jar->directory.limit) {
        struct problem empty = {0};
        problem_set(&empty, PROBLEM_NO_OFFSET, "archive has no entries");
        diagnostics_problem(options->diagnostics, DIAGNOSTICS_WARNING, options->where, &empty);
    }
    struct opening opening = {.jar = jar, .options = options};
    textmap_init(&opening.names);
    bool opened = fill_jar(&opening, problem);
    textmap_release(&opening.names);
    if (!opened)
        jar_close(jar);
    return opened;
}

void jar_close(struct jar *jar)
{
    vector_release(&jar->entries);
    writer_release(&jar->index);
}
