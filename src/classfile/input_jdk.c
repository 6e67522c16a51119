#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "classfile/input_internal.h"
#include "classfile/jimage.h"

/* The release file of a JDK is some hundred bytes. */
#define RELEASE_FILE_LIMIT ((size_t)1 << 20)

/* Where distributions and vendors' packages put JDKs. */
static const char *const jdk_folders[] = {"/usr/lib/jvm", "/usr/java", "/usr/local/java",
                                          "/opt/java", "/opt"};

/* The boot class path of Java 8, in its order; extensions come behind. */
static const char *const java8_jars[] = {"resources.jar", "rt.jar",        "sunrsasign.jar",
                                         "jsse.jar",      "jce.jar",       "charsets.jar",
                                         "jfr.jar",       "localedata.jar"};

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* DIRECTORY/NAME with a zero behind it; the empty text when there is no memory. */
static struct text join(struct arena *arena, const char *directory, const char *name)
{
    struct builder path;
    builder_init(&path);
    builder_add_string(&path, directory);
    builder_add_byte(&path, '/');
    builder_add_string(&path, name);
    struct text joined = path.failed ? TEXT("") : text_copy(arena, builder_text(&path));
    arena->failed |= path.failed;
    builder_release(&path);
    return joined;
}

static void add_file(struct arena *arena, struct input_files *files, struct text path)
{
    if (!arena->failed && is_file(path.bytes) && !vector_push(&files->paths, path))
        arena->failed = true;
}

static int compare_paths(const void *a, const void *b)
{
    return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* The files in the directory whose names end in the suffix, sorted. */
static void add_files(struct arena *arena, struct input_files *files, const char *directory,
                      struct text suffix)
{
    size_t first = files->paths.count;
    DIR *stream = opendir(directory);
    if (!stream)
        return;
    struct dirent *entry;
    while (!arena->failed && (entry = readdir(stream)))
        if (text_ends_with(text_from(entry->d_name), suffix))
            add_file(arena, files, join(arena, directory, entry->d_name));
    closedir(stream);
    if (files->paths.count > first)
        qsort(files->paths.items + first, files->paths.count - first, sizeof *files->paths.items,
              compare_paths);
}

static bool is_image(const char *path)
{
    struct problem problem = {0};
    struct file_map map;
    if (!is_file(path) || !file_map_open(&map, path, &problem))
        return false;
    bool image = jimage_is_one(map.bytes, map.size);
    file_map_close(&map);
    return image;
}

/* Java 8: a JRE has lib/rt.jar, a JDK has it in the JRE inside. */
static void add_java8(const char *home, struct arena *arena, struct input_files *files)
{
    struct text lib = join(arena, home, "jre/lib");
    if (!arena->failed && !is_file(join(arena, lib.bytes, "rt.jar").bytes)) {
        if (!is_file(join(arena, home, "bin/java").bytes))
            return;
        lib = join(arena, home, "lib");
    }
    if (arena->failed || !is_file(join(arena, lib.bytes, "rt.jar").bytes))
        return;
    for (size_t i = 0; i < sizeof java8_jars / sizeof *java8_jars; i++)
        add_file(arena, files, join(arena, lib.bytes, java8_jars[i]));
    add_files(arena, files, join(arena, lib.bytes, "ext").bytes, TEXT(".jar"));
}

bool input_jdk_files(const char *home, struct arena *arena, struct input_files *files)
{
    struct text image = join(arena, home, "lib/modules");
    struct text jmods = join(arena, home, "jmods");
    if (arena->failed)
        return false;
    if (is_image(image.bytes))
        add_file(arena, files, image);
    else if (is_file(join(arena, jmods.bytes, "java.base.jmod").bytes))
        add_files(arena, files, jmods.bytes, TEXT(".jmod"));
    else
        add_java8(home, arena, files);
    return !arena->failed;
}

/* The feature release in `17.0.15`, `25-ea`, `1.8.0_392`. */
static unsigned release_of_version(struct text version)
{
    if (text_starts_with(version, TEXT("1.")))
        version = text_slice(version, 2, version.length);
    unsigned release = 0;
    for (size_t i = 0; i < version.length && i < 6; i++) {
        if (version.bytes[i] < '0' || version.bytes[i] > '9')
            break;
        release = release * 10 + (unsigned)(version.bytes[i] - '0');
    }
    return release;
}

/* Finds the line JAVA_VERSION="..." */
static unsigned release_of_file(struct text content)
{
    while (content.length) {
        ptrdiff_t end = text_find(content, '\n');
        struct text line = text_slice(content, 0, end < 0 ? content.length : (size_t)end);
        content = text_slice(content, line.length + 1, content.length);
        struct text key = TEXT("JAVA_VERSION=");
        if (!text_starts_with(line, key))
            continue;
        struct text value = text_slice(line, key.length, line.length);
        if (value.length && value.bytes[0] == '"')
            value = text_slice(value, 1, value.length);
        return release_of_version(value);
    }
    return 0;
}

unsigned input_jdk_release(struct text home)
{
    struct builder path;
    struct writer content;
    builder_init(&path);
    writer_init(&content);
    builder_add(&path, home);
    builder_add(&path, TEXT("/release"));
    unsigned release = 0;
    struct problem problem = {0};
    if (!path.failed &&
        input_read_file(builder_string(&path), &content, RELEASE_FILE_LIMIT, &problem))
        release = release_of_file(text_of(content.bytes, content.size));
    writer_release(&content);
    builder_release(&path);
    return release;
}

/* A copy of the path, if it is the home of a JDK; else the empty text. */
static struct text checked_home(struct arena *arena, struct text home)
{
    return home.length && input_jdk_release(home) ? text_copy(arena, home) : TEXT("");
}

/* The home that a `java` belongs to, which is usually reached through links. */
static struct text home_of_java(struct arena *arena, const char *java)
{
    static const char *const endings[] = {"/jre/bin/java", "/bin/java"};
    char resolved[PATH_MAX];
    struct text home = TEXT("");
    if (!is_file(java) || !realpath(java, resolved))
        return home;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !home.length; i++) {
        struct text path = text_from(resolved);
        if (text_ends_with(path, text_from(endings[i])))
            home = checked_home(arena, text_slice(path, 0, path.length - strlen(endings[i])));
    }
    return home;
}

static struct text home_on_path(struct arena *arena)
{
    const char *variable = getenv("PATH");
    struct text path = text_from(variable ? variable : "");
    struct text home = TEXT("");
    while (path.length && !home.length) {
        ptrdiff_t end = text_find(path, ':');
        struct text folder = text_slice(path, 0, end < 0 ? path.length : (size_t)end);
        path = text_slice(path, folder.length + 1, path.length);
        folder = text_copy(arena, folder.length ? folder : TEXT("."));
        home = home_of_java(arena, join(arena, folder.bytes, "java").bytes);
    }
    return home;
}

/* The JDK of the highest release in the folder, if that is higher than *release. Of several with
   the same the one with the smallest name, whatever the order of the folder. */
static void look_for_newest(struct arena *arena, const char *folder, unsigned *release,
                            struct text *home)
{
    DIR *stream = opendir(folder);
    if (!stream)
        return;
    unsigned before = *release;
    struct dirent *entry;
    while (!arena->failed && (entry = readdir(stream))) {
        if (entry->d_name[0] == '.')
            continue;
        struct text path = join(arena, folder, entry->d_name);
        unsigned found = input_jdk_release(path);
        if (found > *release ||
            (found == *release && found > before && text_compare(path, *home) < 0)) {
            *release = found;
            *home = path;
        }
    }
    closedir(stream);
}

struct text input_find_jdk(struct arena *arena)
{
    const char *variable = getenv("JAVA_HOME");
    struct text home = checked_home(arena, text_from(variable ? variable : ""));
    if (!home.length)
        home = home_on_path(arena);
    unsigned release = 0;
    for (size_t i = 0; i < sizeof jdk_folders / sizeof *jdk_folders && !home.length; i++)
        look_for_newest(arena, jdk_folders[i], &release, &home);
    return home;
}
