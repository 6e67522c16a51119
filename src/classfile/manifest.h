/*
 * manifest: the attributes of META-INF/MANIFEST.MF.
 */
#ifndef TURNSTILE_CLASSFILE_MANIFEST_H
#define TURNSTILE_CLASSFILE_MANIFEST_H

#include <stdbool.h>

#include "base/builder.h"
#include "base/text.h"

/* Looks an attribute of the main section up by its name, in which case does not matter. True with
   its value, continuation lines joined, in the builder (which is cleared first). Of two with the
   same name the last counts. */
bool manifest_main_attribute(struct text manifest, struct text name, struct builder *value);

#endif
