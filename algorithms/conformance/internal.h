/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: a process that was started for one check. trial.c makes tasks, probe.c says what was
 * tried and found, and has the checks of algorithms; checks_schedules.c draws schedules and looks on as a
 * distributed program is called, checks_beside.c has the checks of mechanisms and monitors. */
#ifndef CORRIDOR_ALGORITHMS_CONFORMANCE_INTERNAL_H
#define CORRIDOR_ALGORITHMS_CONFORMANCE_INTERNAL_H

#include <corridor/conformance.h>
#include <corridor/host.h>
#include <corridor/loader.h>
#include <corridor/process.h>

#include <stdbool.h>
#include <stdio.h>

/* A task with all it points to. */
struct conformance__trial {
    struct cor_task task;
    struct cor_rules rules;
    struct cor_stream_name name;
    const double **columns;             /* owned; the values, and what else the algorithm needs */
    struct cor_value_column *described; /* owned; what they are: reals from 0 to 1, or wider */
    char (*needs)[2][COR_NEED_SIZE];    /* owned; name and unit of these */
    double *values, *parameters;        /* owned; values: column after column */
    uint32_t *members, *start;          /* owned; members and start have room for `capacity` agents */
    uint32_t capacity;
};

/* Units of any budget but where budgets are looked at: quick, whatever the unit. */
#define CONFORMANCE__BUDGET 400u

void conformance__trial_fini(struct conformance__trial *trial);

/* `n` agents in blocks of uneven size, with limits that the present structure keeps, default parameters, no
 * fault. */
enum cor_status conformance__trial_make(struct conformance__trial *trial,
                                        const struct cor_algorithm *algorithm, uint32_t n, uint64_t seed,
                                        struct cor_error *error) COR_MUST_USE;

/* The same agents in `k` blocks of about equal size, and no limits. */
void conformance__trial_cut(struct conformance__trial *trial, uint32_t k);

/* What is wrong with a solution as a partitioning of `n` agents, into `text`; false if nothing is. */
bool conformance__solution_trouble(const struct cor_lists *solution, uint32_t n, char *text, size_t size);

/* The number of agents of each trial, ascending, ended by 0; and how many seeds each. */
extern const uint32_t conformance__sizes[];
#define CONFORMANCE__SEEDS 3u

/* Sizes that a program is spared: each of its answers takes long. And so many refusals of what can be done,
 * and of what cannot, are enough of it where tasks differ little: behind each it is started anew. */
#define CONFORMANCE__PROGRAM_MOST 10u
#define CONFORMANCE__PROGRAM_REFUSALS 8u

#define CONFORMANCE__SCHEDULES 5u
extern const struct cor_mail_schedule conformance__schedules[CONFORMANCE__SCHEDULES];

/* The process. */
struct conformance__probe {
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    struct cor_process_program *program; /* owned; a distributed program, in place of an algorithm; NULL */
    FILE *out;
    uint64_t trials;
    bool broken, is_program;
    bool is_hung;    /* processes: one did not come back; no more schedules are tried, each would take long */
    bool is_limited; /* processes of a module: what may be done here is limited, for good */
    bool has_twin;   /* a process of the kit's own is its child */
    uint32_t only_agents; /* 0: all */
    int64_t only_seed;    /* -1: all */
    unsigned char stack_fill;
    struct conformance__trial trial, other;
    struct cor_session *kept; /* owned; of a program: starting one takes long. NULL: none */
    struct cor_session_definition kept_definition;
    struct cor_outcome outcome;
    struct cor_error error;
};

/* Makes probe->trial; false if it is not to be tried. `mail` is an index of conformance__schedules. */
bool conformance__probe_try(struct conformance__probe *probe, uint32_t agents, uint64_t seed, uint32_t fault,
                            size_t mail);

/* Says what is broken with the present trial, the first time; and what else a reader should know. */
void conformance__probe_broken(struct conformance__probe *probe, const char *format, ...) COR_PRINTF(2, 3);
void conformance__probe_remark(struct conformance__probe *probe, const char *format, ...) COR_PRINTF(2, 3);
void conformance__probe_skip(struct conformance__probe *probe, const char *reason);

/* Ends the process well: with what it has found it can try no more. */
_Noreturn void conformance__probe_end(struct conformance__probe *probe);

/* Ends the process: the kit's own trouble. */
void conformance__probe_trouble(struct conformance__probe *probe, enum cor_status status);

/* What the calls of another library's function of that name go to instead; 0: to where they went. */
typedef uintptr_t conformance__slot(const char *name);

/* Points the slots of the module that holds `function`; nothing happens to what is built in. */
void conformance__slots_set(uintptr_t function, conformance__slot *replacement);

/* A clock that stands still, in a year counted from 2000. */
void conformance__clock_years(int years);
uintptr_t conformance__clock_slot(const char *name);

/* A schedule of so many processes: false if it is not to be tried. */
bool conformance__probe_try_schedule(struct conformance__probe *probe, uint32_t processes, uint64_t seed);

/* What the kit knows of distributed programs; checks_schedules.c, which is there with their layer. */
struct conformance__programs {
    const char *(*builtin)(size_t index); /* NULL behind the last */
    /* Is what is to be checked one: said to be one, built in, or a module that exports one? */
    bool (*is_one)(const char *text, bool is_said);
    enum cor_status (*open)(struct conformance__probe *probe, const char *text, struct cor_error *error);
    /* What is open says of itself; is_program: it is in another language. */
    const struct cor_process *(*description)(const struct conformance__probe *probe);
    void (*close)(struct conformance__probe *probe);
    void (*check[COR_CONFORMANCE_COUNT])(struct conformance__probe *probe); /* NULL: nothing is asked */
};
extern const struct conformance__programs conformance__distributed;

/* What was on the stack before is nobody's business. */
void conformance__fill_stack(unsigned char byte);

/* Is it what works beside algorithms, a mechanism or a monitor, built in or a module? Loads it: what it is
 * called, and a function of it. */
bool conformance__is_beside(const char *text);
enum cor_status conformance__beside_load(struct conformance__probe *probe, const char *text,
                                         const char **shape, uintptr_t *function) COR_MUST_USE;

/* Their checks. */
void conformance__check_works(struct conformance__probe *probe);
void conformance__check_beside_repeatable(struct conformance__probe *probe);
void conformance__check_beside_digests(struct conformance__probe *probe);
void conformance__check_beside_parameters(struct conformance__probe *probe);

#endif
