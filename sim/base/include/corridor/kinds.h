/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kinds of files that commands read: how a file tells which it is, what to call it, and which command
 * reads it. A reader that is given another kind says so in these words. */
#ifndef CORRIDOR_KINDS_H
#define CORRIDOR_KINDS_H

#include <stdbool.h>
#include <stddef.h>

/* X(name, key, word, layer, what, reader). A file is of the first kind whose `key` it has at the top; if
 * `word` is not "", with a text that begins with it. `layer`: the satellite whose commands read it; "" = the
 * core. */
#define COR_KINDS(X)                                                                                         \
    X(EXPERIMENT, "corridor_experiment", "", "", "an experiment", "corridor run reads it")                   \
    X(MODEL, "corridor_model", "", "", "a test model", "corridor run reads an experiment that names it")     \
    X(PROFILE, "corridor_profile", "", "", "a profile", "corridor profile reads it")                         \
    X(SUITE, "corridor_suite", "", "", "a suite file", "corridor run reads it, in the folder of a campaign") \
    X(TEST, "corridor_test", "", "", "a test file",                                                          \
      "corridor replay, corridor shrink and corridor why read it")                                           \
    X(TASK, "corridor_task", "", "", "a task", "corridor ask reads it")                                      \
    X(COMBINE, "corridor_combine", "", "", "a model of parameters", "corridor combine reads it")             \
    X(SEARCH, "corridor_search", "", "", "a search", "corridor search reads it")                             \
    X(ESTIMATION, "corridor_estimation", "", "", "an estimation", "corridor estimate reads it")              \
    X(EFSM, "format", "efsm-json/", "efsm", "a model of a system (EFSM)", "corridor efsm reads it")          \
    X(CONSTRAINTS, "format", "efsm-constraints/", "efsm", "a file of constraints found off line",            \
      "corridor efsm plan and corridor efsm test read it, by --constraints")                                 \
    X(DESIGN, "format", "agent-unit/", "agent", "a design of an agent", "corridor agent reads it")           \
    X(OUTPUT, "schema", "", "", "what a command printed by --json", "no command reads it again")             \
    X(AGENT_FAULTS, "version", "", "agent", "a file of faults of an agent",                                  \
      "corridor agent test reads it, by --faults")                                                           \
    X(AGENT_TEST, "agent_test", "", "agent", "a test of an agent",                                           \
      "corridor replay, corridor shrink and corridor why read it")                                           \
    X(AGENT_EXPERIMENT, "design", "", "agent", "an experiment of an agent", "corridor run reads it")         \
    X(EFSM_TEST, "efsm_test", "", "efsm", "a test of a model (EFSM)",                                        \
      "corridor replay, corridor shrink and corridor why read it")                                           \
    X(EFSM_EXPERIMENT, "efsm", "", "efsm", "an experiment of a system (EFSM)", "corridor run reads it")      \
    X(SYSTEM_TEST, "system_test", "", "system", "a test of a running system",                                \
      "corridor replay, corridor shrink and corridor why read it")                                           \
    X(SYSTEM_EXPERIMENT, "system", "", "system", "an experiment of a running system",                        \
      "corridor run reads it")                                                                               \
    X(PROCESS_TEST, "process_test", "", "process", "a test of a distributed program",                        \
      "corridor replay, corridor shrink and corridor why read it")                                           \
    X(PROCESS_EXPERIMENT, "process", "", "process", "an experiment of a distributed program",                \
      "corridor run reads it")                                                                               \
    X(STATE, "organizations", "", "", "a state of a system", "corridor judge reads it, behind a corridor")

enum cor_kind {
#define COR_KIND_NAME(name, ...) COR_KIND_##name,
    COR_KINDS(COR_KIND_NAME)
#undef COR_KIND_NAME
        COR_KIND_COUNT
};

/* How a file of the kind is known: a key of the whole value, and how its text begins. */
const char *cor_kind_key(enum cor_kind kind);
const char *cor_kind_word(enum cor_kind kind);

/* The satellite whose commands read it; "" = the core. NULL: the layer is in this build, or of the core; else
 * that it is not, and how it comes in. */
const char *cor_kind_layer(enum cor_kind kind);
const char *cor_layer_absent(const char *layer);

/* What it is called, "an experiment", and who reads it, "corridor run reads it", or that nobody does here. */
const char *cor_kind_what(enum cor_kind kind);
const char *cor_kind_reader(enum cor_kind kind);

/* The kind of a text that is JSON, or begins as JSON and was cut; false: none of these. */
bool cor_kind_of_text(const char *text, enum cor_kind *kind);

/* That of the file at `path`, by how it begins; false also where it is no regular file. */
bool cor_kind_of_file(const char *path, enum cor_kind *kind);

/* Does the file begin as a JSON object; is it one of HDF5, by its first bytes? Neither, if it is empty, no
 * regular file, or not there. */
bool cor_is_json_file(const char *path);
bool cor_is_result_file(const char *path);
bool cor_is_result_text(const char *text); /* what begins so */

#define COR_RESULT_WHAT "a result file (HDF5)" /* what such a file is called */
/* Who reads a result file. */
const char *cor_result_reader(void);

/* What the file at `path` is, by how it begins: "an experiment", "a result file", "a folder"; NULL: nothing
 * that is known, or not there. *reader is who reads it. */
const char *cor_what_file(const char *path, const char **reader);

/* Behind the blanks, and behind the JSON value, at `text`: both stop at the zero byte. What is no JSON is
 * stepped over somehow. */
const char *cor_behind_blanks(const char *text);
const char *cor_behind_value(const char *text);

#endif
