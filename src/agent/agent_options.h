/*
 * agent_options: what stands behind the '=' of -agentpath:libturnstile.so=...
 *
 * Words `name` or `name=value`, separated by commas; a backslash takes the next character as it is.
 * `config=FILE` reads more of them from a file, one on each line, empty lines and lines that start
 * with '#' left out; no escapes there. The names are those of `turnstile run`, without the dashes.
 * Words that come later win; patterns add up.
 */
#ifndef TURNSTILE_AGENT_AGENT_OPTIONS_H
#define TURNSTILE_AGENT_AGENT_OPTIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/pattern.h"
#include "base/problem.h"
#include "base/text.h"
#include "instrument/declared_methods.h"
#include "trace/analysis.h"

enum agent_races { AGENT_RACES_HYBRID, AGENT_RACES_LOCKSET, AGENT_RACES_HB };
enum agent_granularity { AGENT_GRANULARITY_FIELD, AGENT_GRANULARITY_OBJECT };
enum agent_arrays { AGENT_ARRAYS_ELEMENT, AGENT_ARRAYS_OBJECT, AGENT_ARRAYS_OFF };
enum agent_atomic { AGENT_ATOMIC_HEURISTICS, AGENT_ATOMIC_ANNOTATED, AGENT_ATOMIC_NONE };
enum agent_events {
    AGENT_EVENTS_ALL,
    AGENT_EVENTS_DISTINCT,
    AGENT_EVENTS_REDUCTION,
    AGENT_EVENTS_SAMPLED
};
enum agent_format { AGENT_FORMAT_TEXT, AGENT_FORMAT_JSON };
enum agent_color { AGENT_COLOR_AUTO, AGENT_COLOR_ALWAYS, AGENT_COLOR_NEVER };

struct agent_options {
    enum agent_races races;             /* races=hybrid|lockset|hb */
    enum agent_granularity granularity; /* granularity=field|object */
    enum agent_arrays arrays;           /* arrays=element|object|off */
    enum agent_atomic atomic; /* atomic=heuristics|annotated|none: which blocks a trace marks */
    enum agent_events events; /* events=all|distinct|reduction|sampled: what a trace has */
    enum analysis_atomicity atomicity; /* atomicity=both|reduction|blocks|off: what is looked for in
                                       a trace of samples */
    uint32_t without; /* without=NAME: refinements of reduction, bits of enum mover_refinement */
    enum agent_format format; /* format=text|json; json unless told when there is an output file */
    enum agent_color color;   /* color=auto|always|never */
    unsigned history;         /* history=N: accesses remembered per variable, 2..32; 8 */
    unsigned max_reports;     /* max-reports=N: 1..1000000; 100 */
    bool discipline;          /* discipline */
    bool stats;               /* stats */
    bool quiet;               /* quiet: the report, and nothing when there is none */
    bool verbose;             /* verbose */
    bool rewrite_nop;         /* rewrite=nop: change nothing, to see that nothing changes */
    bool children;            /* children: JVMs that the program starts are checked too */
    bool child;               /* child: started by a checked program or by a script, so its
                                 process id goes into the name of the output file */
    struct pattern_list include; /* include=PATTERN: classes to look at, the JDK's say */
    struct pattern_list exclude; /* exclude=PATTERN: classes not to look at */
    struct pattern_list watch;   /* watch=PATTERN: only these fields, as Class.field */
    /* atomic-methods=FILE: more of them, and (with a '!' before them) fewer, as Class.method or
       Class.method(TYPES); in the order of the lines, the '!' right before the pattern */
    struct pattern_list atomic_methods;
    struct declared_methods declared; /* declared=FILE: what .locks files and comments say */
    struct text record;               /* record=FILE: write a trace, and check nothing (unless
                                         events=sampled); empty: do not */
    struct text output; /* output=FILE: where the result goes; empty: standard error */
    struct text log;    /* log=FILE: what JVMs tell the command; see report/run_log.h */
    struct arena arena; /* holds all of that */
};

/* `words` NULL means none. False with the problem set (which word, why, what there is instead);
   nothing needs to be released then, and nothing is held. */
bool agent_options_parse(struct agent_options *options, const char *words, struct problem *problem);
void agent_options_release(struct agent_options *options);

#endif
