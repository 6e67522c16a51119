/*
 * syntax_parser: texts of lock types -> syntax.h.
 *
 * One parser serves `.locks` files, what stands in comments, and the strings in annotations. It
 * accepts more than it must (parentheses around lists, dots or slashes in class names), never
 * recurses deeper than a fixed limit, and goes on behind an error where it can, so that one run
 * shows all of them.
 *
 * The language:
 *
 *     file      := ["inferred" ";"] (class | ";")*
 *     class     := nature* ("class"|"interface"|"enum"|"record") name formals? ("extends" type)?
 *                  clause* ("{" member* "}" | ";")
 *     nature    := "thread_local" | "immutable" | "thread_safe" | "unguarded"
 *     formals   := "<" formal ("," formal)* ">"       formal := name | "ghost" name name
 *     member    := type? name clause* ";"
 *                | type? name "(" ("*" | parameters)? ")" ("throws" names)? clause* ";"
 *                | ";"
 *     parameters:= parameter ("," parameter)*         parameter := type "..."? name?
 *     type      := (name | "_") ("<" (owner ("," owner)*)? ">")? ("[" "]")*
 *     clause    := nature
 *                | ("guarded_by"|"write_guarded_by") locks
 *                | "requires" ("nothing" | locks)
 *                | "atomicity" atomicity | "atomic"
 *                | "no_warn" (rule ("," rule)* | "(" rule ("," rule)* ")")?
 *                | effect locks
 *     effect    := "acquires" | "acquires_shared" | "tries" | "tries_shared" | "releases" | "waits"
 *                | "holds_if" | "asserts" | "starts" | "joins" | "calls" | "returns"
 *                | "read_view" | "write_view" | "reads" | "writes"
 *     locks     := lock ("," lock)* | "(" lock ("," lock)* ")" | "(" ")"
 *     lock      := "self" | "thisThread" | "unique" | "readonly" | path | name "$" path
 *     owner     := lock
 *     path      := ("this" | "itself" | "<self>" | "#" number | name ["()"])
 *                  ("." (name ["()"] | "this" | "class"))*
 *     atomicity := "const" | "mover" | "atomic" | "cmpd" | "error" | "(" atomicity ")"
 *                | lock "?" atomicity (":" atomicity)?
 *
 * Comments are those of Java. Modifiers of Java (public, static, final, ...) may stand before a
 * member, class or parameter and mean nothing; so do the names behind "throws". A constructor is a
 * method without a type that has the class's simple name, or is called `<init>`. The type `_` is
 * one that is not given. A list `(...)` of effects may not be empty.
 *
 * Clause words are no reserved words: a field may be called `requires`. Where a word would be taken
 * for something else, or a name is none of Java's (`foo-bar`, of a Kotlin class), it is put between
 * backquotes, which may hold everything but backquotes and the ends of lines. In `f$e` there is no
 * room around the `$`; a name that has a `$` and is not meant so is told apart by binding, or
 * written in backquotes. `this$0`, and all else that has `this`, nothing or a digit beside its
 * first `$`, is a name.
 *
 * A `guarded_by` twice means the locks of both; so with requires, effects and no_warn.
 */
#ifndef TURNSTILE_LOCKTYPES_SYNTAX_PARSER_H
#define TURNSTILE_LOCKTYPES_SYNTAX_PARSER_H

#include "base/builder.h"
#include "base/vector.h"
#include "locktypes/syntax.h"

/* Columns count characters, of which a tab is one. */
struct syntax_error {
    struct syntax_place place;
    struct text message;
    struct text line; /* the whole line; where only a part was given, spaces before it. A reader
                         that knows the line may put it here. Empty: not shown */
    struct text class_name, member; /* what it is about, if that is known: "p/C" and a name */
    uint32_t caret; /* where place.column is not known: the character of `line`, from 1 */
};

/* At most a hundred for each call of the parser; the last one then says that there are more. */
struct syntax_errors {
    struct arena *arena; /* of the texts */
    VECTOR(struct syntax_error) items;
};

/* A whole .locks file; `source` is LOCKS_FILE or PLATFORM. What could be understood is in the
   result also when there are errors. The bytes are copied. False only when there is no memory. */
bool syntax_parse_file(struct declarations *result, struct arena *arena, struct text file_name,
                       struct text bytes, enum syntax_source source, struct syntax_errors *errors);

/* Everything that may stand behind a declaration. */
struct syntax_clauses {
    const struct syntax_formal *formals; /* <ghost T d>, <a, b> behind a class name */
    uint32_t formal_count;
    struct syntax_locks owners; /* <this> behind a type */
    enum class_nature nature;
    struct syntax_guard guard;
    struct syntax_locks requires;
    bool has_requires;
    struct syntax_effect *effects;
    uint32_t effect_count;
    const struct syntax_atomicity *atomicity; /* `atomic` alone gives the basic one */
    struct syntax_no_warn no_warn;
    struct syntax_locks holds;
    bool has_no_warn, has_holds, has_owners, has_formals;
};

/* What stands in a comment or a string: one or more clauses, also `holds l`, formals
   (`<ghost T d>`) and owners (`<this>`); `<a, b>` alone is given as both formals and owners. The
   place is that of the text's first byte; its file is not copied, the text is. False (with an
   error) if nothing of it could be used, or when there is no memory. */
bool syntax_parse_clauses(struct syntax_clauses *result, struct arena *arena, struct text text,
                          struct syntax_place place, struct syntax_errors *errors);

/* One lock expression, the whole text: "this.lock". */
bool syntax_parse_lock(struct syntax_lock *result, struct arena *arena, struct text text,
                       struct syntax_place place, struct syntax_errors *errors);

/* "file:3:14: error: message", the line, and a caret below it. Of a very long line only the part
   around the caret; bytes that a terminal would obey are shown as question marks. */
void syntax_error_print(const struct syntax_error *error, struct builder *to);

/* A file in the language above, that reads back as the same declarations. Lines and allocations are
   not part of the language and are left out; where the type of a field, or those of a method, are
   known by a descriptor only, the types are written that it stands for. */
void syntax_print_file(const struct declarations *declarations, struct builder *to);

/* One lock expression, in its normal form. */
void syntax_print_lock(const struct syntax_lock *lock, struct builder *to);

#endif
