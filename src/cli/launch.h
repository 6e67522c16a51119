/*
 * launch: a program started with the agent in its JVM.
 *
 *     launch_init(&launch, diagnostics);
 *     if (launch_find(&launch, words) && launch_tell_file(&launch, "output", path)) {
 *         launch_tell(&launch, "races", "hb");
 *         done = launch_run(&launch, &end);
 *     }
 *     launch_release(&launch);
 *
 * Everything that can be wrong is found before the program is started and told in one line.
 *
 * The `java` of a JDK gets -agentpath as its first argument. Anything else, such as a script that
 * will start a JVM at some time, gets it in the environment variable JAVA_TOOL_OPTIONS, which all
 * JVMs read (and each of them says so on standard error; hence not for both).
 */
#ifndef TURNSTILE_CLI_LAUNCH_H
#define TURNSTILE_CLI_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/diagnostics.h"
#include "cli/child.h"
#include "cli/options.h"
#include "report/run_log.h"

struct launch {
    struct diagnostics *diagnostics; /* not owned */
    const options_words *words;      /* the program and its arguments; not owned */
    const char *program;             /* the file to execute */
    const char *agent;               /* the agent library, an absolute path */
    bool is_java;                    /* the program is the `java` of a JDK */
    struct builder options;          /* for the agent: see agent/agent_options.h */
    struct arena arena;
    struct run_log log; /* after launch_run: what the agents said */
};

void launch_init(struct launch *launch, struct diagnostics *diagnostics);
void launch_release(struct launch *launch);

/* Finds the program that the words name, sees that its JVM is not too old, and finds the agent.
   False after reporting what is wrong. */
bool launch_find(struct launch *launch, const options_words *words);

/* Tells the agent the option, with its value if it has one. */
void launch_tell(struct launch *launch, const char *name, const char *value);
void launch_tell_number(struct launch *launch, const char *name, unsigned value);

/* FOLDER/NAME, which lives as long as the launch; NULL if memory ran out. */
const char *launch_join(struct launch *launch, struct text folder, const char *name);

/* Tells the agent of a file that it shall write, and gives its absolute path, which lives as long
   as the launch. NULL after reporting that no file can be written there. */
const char *launch_tell_file(struct launch *launch, const char *name, const char *path);

/* Tells the agent of a file that it shall read. False after reporting that it cannot be read. */
bool launch_tell_input(struct launch *launch, const char *name, const char *path);

/* Runs the program to its end. False after reporting why it could not be started. */
bool launch_run(struct launch *launch, struct child_end *end);

#endif
