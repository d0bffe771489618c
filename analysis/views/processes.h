/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about schedules of distributed programs share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_PROCESSES_H
#define CORRIDOR_ANALYSIS_VIEWS_PROCESSES_H

#include <corridor/process_result.h>
#include <corridor/view.h>

/* What became of an arm. X(NAME, word, is_good) */
#define VIEWS__PROCESS_OUTCOMES(X)   \
    X(SOUND, "no violation", true)   \
    X(FAILS, "FAILS", false)         \
    X(FOUND, "found", true)          \
    X(NOT_FOUND, "not found", false) \
    X(NO_VERDICT, "no verdict", false)

enum views__process_outcome {
#define VIEWS__PROCESS_OUTCOME(NAME, ...) VIEWS__PROCESS_##NAME,
    VIEWS__PROCESS_OUTCOMES(VIEWS__PROCESS_OUTCOME)
#undef VIEWS__PROCESS_OUTCOME
};

/* The schedules of an arm together. */
struct views__process_arm {
    const struct cor_catalog_entry *entry;
    const char *name; /* of the entry */
    bool has_fault;   /* one was put into the program */
    uint64_t suites, sequences, failed, undecided, cut, cases, events, messages, ticks, seen;
    uint64_t constraints, untested; /* that are judged; thereof such as no schedule could have violated */
    const char *untested_first;     /* name of the first of these; NULL: there is none */
    uint64_t tried;                 /* schedules to the first that failed, suite after suite; 0: none did */
    bool is_search;                 /* its suites end with their first failure: schedules are no sample */
    bool is_learnt;   /* a generator learns from one schedule for the next: they are not independent */
    double low, high; /* of the share that fails, in %: Clopper and Pearson; NaN: not independent */
    enum views__process_outcome outcome;
    enum cor_tone tone;
};

struct views__process_arms {
    struct views__process_arm *items; /* owned, by index of the arm */
    size_t count;
};

enum cor_status views__process_arms_init(const struct cor_layer_tables *process, double level,
                                         struct views__process_arms *arms,
                                         struct cor_error *error) COR_MUST_USE;
void views__process_arms_fini(struct views__process_arms *arms); /* idempotent */

const char *views__process_outcome_word(enum views__process_outcome outcome);
bool views__process_outcome_is_good(enum views__process_outcome outcome);

/* What became of a constraint in the schedules of an arm. */
struct views__process_judged {
    uint16_t code;
    uint64_t tested, violated, undecided; /* schedules */
};

/* What became of a trap in the schedules of an arm. */
struct views__process_trap {
    uint16_t code;
    const char *name;
    uint64_t met,
        first;    /* schedules that met it; schedules to the first that did, suite after suite, 0: none */
    double event; /* after which it was met first, mean over schedules; NaN: in none */
};

/* The traps of an arm, in their order: into [trap of the catalog]; how many. */
uint64_t views__process_traps(const struct cor_layer_tables *process, size_t arm,
                              struct views__process_trap *traps);

/* Which of them no schedule met, in a sentence; "" where there are no traps. */
void views__process_say_traps(const struct views__process_trap *traps, uint64_t count, char *text,
                              size_t size);

/* The constraints of an arm that are judged, in their order: into [constraint of the catalog]; how many. */
uint64_t views__process_judged(const struct cor_layer_tables *process, size_t arm,
                               struct views__process_judged *judged);

/* What came of it, in a sentence; never that a program is correct. */
void views__process_say(const struct views__process_arm *arm, char *text, size_t size);

/* Does the experiment say that suites end with their first failure? */
enum cor_status views__process_is_search(const struct cor_layer_tables *process, bool *is_it,
                                         struct cor_error *error) COR_MUST_USE;

/* Searches, where suites end with their first failure: each, and generators beside each other. */
extern const struct cor_sheet_definition views__process_islands;
enum cor_status views__put_process_searches(const struct cor_layer_tables *process, double level,
                                            struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* What a caller may turn into an exit code is added. */
void views__count_processes(const struct views__process_arms *arms, struct cor_view_findings *found);

/* The first schedule of an arm that failed, of all if `arm` is SIZE_MAX, in that suite unless it is
 * COR_ANY_SUITE; one that is kept, if there is one. NULL: none failed. */
const struct cor_process_sequence_row *views__process_failure(const struct cor_layer_tables *process,
                                                              size_t arm, uint32_t suite);

#endif
