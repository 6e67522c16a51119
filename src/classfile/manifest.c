#include "classfile/manifest.h"

#include <strings.h>

/* Cuts the next line off the text, without its line end (CR LF, LF or CR). */
static struct text next_line(struct text *rest)
{
    size_t end = 0;
    while (end < rest->length && rest->bytes[end] != '\r' && rest->bytes[end] != '\n')
        end++;
    struct text line = text_slice(*rest, 0, end);
    if (end < rest->length && rest->bytes[end] == '\r' && end + 1 < rest->length &&
        rest->bytes[end + 1] == '\n')
        end++;
    *rest = text_slice(*rest, end + 1, rest->length);
    return line;
}

bool manifest_main_attribute(struct text manifest, struct text name, struct builder *value)
{
    builder_clear(value);
    bool found = false;
    struct text rest = manifest;
    while (rest.length) {
        struct text line = next_line(&rest);
        if (!line.length)
            break; /* an empty line ends the main section */
        /* A continuation of a line that was not wanted may look like an attribute. */
        if (line.bytes[0] == ' ' || line.length < name.length + 2 ||
            strncasecmp(line.bytes, name.bytes, name.length) != 0 ||
            line.bytes[name.length] != ':' || line.bytes[name.length + 1] != ' ')
            continue;
        found = true;
        builder_clear(value);
        builder_add(value, text_slice(line, name.length + 2, line.length));
        while (rest.length && rest.bytes[0] == ' ') {
            line = next_line(&rest);
            builder_add(value, text_slice(line, 1, line.length));
        }
    }
    return found && !value->failed;
}
