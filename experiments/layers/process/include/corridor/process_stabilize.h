/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "stabilize" in an experiment with a program of rules (docs/do/stabilize.md): what is asked, the system of
 * an arm as a space of states, and what was found of it as a verdict. */
#ifndef CORRIDOR_PROCESS_STABILIZE_H
#define CORRIDOR_PROCESS_STABILIZE_H

#include <corridor/process_experiment.h>
#include <corridor/rules.h>
#include <corridor/stabilize.h>
#include <corridor/stabilize_verdict.h>
#include <corridor/subject.h>

#define COR_STABILIZE_SIZES_MAX 64u

/* Steps, moves, rounds within which all are to be back; COR_UNBOUNDED: that is not asked. */
struct cor_stabilize_within {
    uint32_t steps, moves, rounds;
};

/* How many processes, and in which graph. */
struct cor_stabilize_size {
    uint32_t process_count;
    char *name;           /* owned; "5 processes", "5 processes, ring" */
    char *graph;          /* owned; as JSON; NULL: no graph is named */
    uint64_t *neighbours; /* owned; [process]; NULL: no graph is named */
    bool is_apart;        /* the graph is not connected */
};

/* The daemon of messages, behind those of rules that read each other: any message may come next, any alarm go
 * off. */
#define COR_STABILIZE_ANY COR_DAEMON_COUNT

/* What the file says. */
struct cor_stabilize_asked {
    uint32_t daemons;     /* bit d: daemon d; 0: nothing */
    int is_over_messages; /* rules send each other their variables */
    uint32_t mail;        /* messages on a link at most */
    struct cor_stabilize_within within;
    const char *again[COR_PROCESS_TRAPS_MAX]; /* borrowed from the document: names of traps */
    uint32_t again_count;
    uint64_t states_most;
    struct cor_stabilize_corrupt { /* what is wrong of a state that else were inside, at most: */
        uint32_t processes;        /* so many, */
        uint32_t variable_count;   /* and of these variables; 0: all of them */
        const char *variables[COR_PROCESS_ATTRIBUTES_MAX]; /* borrowed from the document */
        bool mail;                                         /* and, of messages, all that is under way */
    } corrupt;
    struct cor_stabilize_sample {
        bool is_asked;       /* where there are more than states_most */
        double share, error; /* of the states that is to be back, and of either answer */
        uint32_t steps;      /* within which; 0: twice what some runs take, unless `within` says it */
        uint64_t effort;     /* states that the search for the longest way judges; 0: as many as usual */
    } sample;
};

/* Is it less than all that may be wrong? */
static inline bool cor_stabilize_is_limited(const struct cor_stabilize_asked *asked) {
    return asked->corrupt.processes < COR_RULES_PROCESSES_MAX || asked->corrupt.variable_count > 0 ||
           !asked->corrupt.mail;
}

/* Reads "stabilize" of the file, which may be absent. */
enum cor_status cor_stabilize_asked_read(const struct cor_process_experiment *experiment,
                                         struct cor_stabilize_asked *asked,
                                         struct cor_error *error) COR_MUST_USE;

/* Does it send messages, as a program or as rules over messages? Its daemons, as bits; and the word of one.
 */
bool cor_stabilize_has_messages(const struct cor_stabilize_asked *asked, const struct cor_process_arm *arm);
uint32_t cor_stabilize_daemons(const struct cor_stabilize_asked *asked, const struct cor_process_arm *arm);
const char *cor_stabilize_daemon_word(uint32_t daemon);

/* The sizes of an arm: `counts` and `graphs` of the file, else its own count. Freed by
 * cor_stabilize_sizes_fini, also on failure. */
enum cor_status cor_stabilize_sizes(const struct cor_process_experiment *experiment, uint32_t arm,
                                    struct cor_stabilize_size *sizes, uint32_t *count,
                                    struct cor_error *error) COR_MUST_USE;
void cor_stabilize_sizes_fini(struct cor_stabilize_size *sizes, uint32_t count); /* idempotent */

/* That of so many processes in the `graph` of the file. COR_STATUS_INPUT: it has another number. */
enum cor_status cor_stabilize_size_of(const struct cor_process_experiment *experiment, uint32_t count,
                                      struct cor_stabilize_size *size, struct cor_error *error) COR_MUST_USE;

/* The system of an arm. It is gone through once: which states there are, which of them are inside. is_open:
 * it is not, whatever its size; states are asked one by one, and the space has none. */
struct cor_stabilize_system;
enum cor_status cor_stabilize_system_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                            const struct cor_stabilize_asked *asked,
                                            const struct cor_stabilize_size *size, bool is_open,
                                            struct cor_stabilize_system **system,
                                            struct cor_error *error) COR_MUST_USE;
void cor_stabilize_system_destroy(struct cor_stabilize_system *system); /* NULL is allowed */
COR_DESTROYS(cor_stabilize_system, struct cor_stabilize_system)

/* Why nothing can be proved of it, in a sentence; NULL: it can. */
const char *cor_stabilize_system_undecided(const struct cor_stabilize_system *system);
double cor_stabilize_system_states(const struct cor_stabilize_system *system); /* how many there are */
const struct cor_space *cor_stabilize_system_space(const struct cor_stabilize_system *system);
const struct cor_process_rules *cor_stabilize_system_rules(const struct cor_stabilize_system *system);

/* For cor_stabilize: the conditions of `again`, [asked->again_count]. */
const uint64_t *const *cor_stabilize_system_again(const struct cor_stabilize_system *system);

/* A state as the local states of its processes, `locals`, behind which, with messages, stands what is under
 * way: that of a number of the space. How many digits that are; of a process its variables (cor_rules_value).
 */
uint32_t cor_stabilize_system_digits(const struct cor_stabilize_system *system);
uint32_t cor_stabilize_system_variables_of(const struct cor_stabilize_system *system, const uint32_t *locals,
                                           uint32_t process);
bool cor_stabilize_system_has_messages(const struct cor_stabilize_system *system);
void cor_stabilize_system_locals(const struct cor_stabilize_system *system, uint32_t state, uint32_t *locals);

/* The number of a state of the space. */
uint32_t cor_stabilize_system_number(const struct cor_stabilize_system *system, const uint32_t *locals);
/* What the local state of each process counts in it; of an open system 1. */
void cor_stabilize_system_strides(const struct cor_stabilize_system *system, uint32_t *strides);

/* What can be done in a state, behind what stands there: what an outcome adds to the number of the state or,
 * of an open system, to the local state of its process. */
void cor_stabilize_system_moves(const struct cor_stabilize_system *system, const uint32_t *locals,
                                struct cor_space_moves *moves);

/* Those of one process alone. */
void cor_stabilize_system_moves_of(const struct cor_stabilize_system *system, const uint32_t *locals,
                                   uint32_t process, struct cor_space_moves *moves);

/* Is it inside? *name: the first invariant that does not hold, or is unknown; NULL: all hold. */
enum cor_status cor_stabilize_system_inside(struct cor_stabilize_system *system, const uint32_t *locals,
                                            enum cor_truth *inside, const char **name,
                                            struct cor_error *error) COR_MUST_USE;

/* Does a condition of `again` hold there? */
enum cor_status cor_stabilize_system_meets(struct cor_stabilize_system *system, const uint32_t *locals,
                                           uint32_t number, enum cor_truth *met,
                                           struct cor_error *error) COR_MUST_USE;

/* "x = 0 3 2 1 0; y = a b"; freed by the caller, NULL when memory is out. */
char *cor_stabilize_system_text(const struct cor_stabilize_system *system, const uint32_t *locals);

/* Of that what is in no variable, "; under way: 0>1 2"; likewise. */
char *cor_stabilize_system_rest(const struct cor_stabilize_system *system, const uint32_t *locals);

/* The processes that move, of the actors of the space; and what happens, for people: "0 2", "1 hears 0". */
uint64_t cor_stabilize_system_movers(const struct cor_stabilize_system *system, uint64_t actors);
void cor_stabilize_system_put_movers(const struct cor_stabilize_system *system, uint64_t actors, char *text,
                                     size_t size);

/* Variables and their values: "x of 5 values"; likewise. */
char *cor_stabilize_system_variables(const struct cor_stabilize_system *system);

/* Of the first invariant that does not hold in the state a part of it, and its value: "sum(a in agents:
 * a.enabled)" "4"; else both are empty. */
struct cor_stabilize_state;
enum cor_status cor_stabilize_system_reason(struct cor_stabilize_system *system, const uint32_t *locals,
                                            struct cor_stabilize_state *state,
                                            struct cor_error *error) COR_MUST_USE;

/* ---- a run of a system, told and drawn */

/* The states of a run, and who moves in each; nobody in the last one, where it is no loop. */
struct cor_stabilize_way {
    uint32_t count, process_count;
    uint32_t *locals; /* owned; [count * process_count] */
    uint64_t *movers; /* owned; [count] */
    size_t local_capacity, mover_capacity;
    uint32_t loop; /* the last leads to this one; COR_UNBOUNDED: it ends */
};

/* Adds a state behind the others. */
enum cor_status cor_stabilize_way_add(struct cor_stabilize_way *way, const uint32_t *locals, uint64_t movers,
                                      struct cor_error *error) COR_MUST_USE;
void cor_stabilize_way_fini(struct cor_stabilize_way *way); /* idempotent */

/* That of a run of the space; freed by cor_stabilize_way_fini, also on failure. */
enum cor_status cor_stabilize_way_of(const struct cor_stabilize_system *system,
                                     const struct cor_space_run *run, struct cor_stabilize_way *way,
                                     struct cor_error *error) COR_MUST_USE;

/* What people see of a run: states, and in each what every process has of every variable. */
struct cor_stabilize_tale {
    uint32_t process_count, variable_count;
    uint32_t first, step_count; /* of the run so many steps are left out in front; it has so many */
    uint32_t loop;              /* the last state is this step's once more; COR_UNBOUNDED: it is not */
    bool has_mail;              /* `rest` says what is under way */
    size_t width;               /* of what happens, in characters */
    char label[200];            /* "x; y" */
    struct cor_stabilize_state {
        char moved[400];           /* what happened before it: "0 2 move", "1 hears 0" */
        uint64_t movers;           /* who moves in it, as bits */
        bool is_outside;           /* an invariant does not hold, or is unknown */
        char part[200], value[40]; /* as of cor_stabilize_system_reason */
        char *rest;                /* owned; what is in no variable, "; under way: 0>1 2" */
    } * states;                    /* owned */
    struct cor_stabilize_cell {
        char *text;  /* owned */
        double tint; /* 0 .. 1 */
    } * cells;       /* owned; [state][variable][process] */
    uint32_t state_count;
    size_t cell_count, state_capacity, cell_capacity;
};

/* Adds a variable; a cell (`text` is taken over); a state behind its cells (`rest` is taken over). */
void cor_stabilize_tale_name(struct cor_stabilize_tale *tale, const char *variable);
enum cor_status cor_stabilize_tale_cell(struct cor_stabilize_tale *tale, char *text, double tint,
                                        struct cor_error *error) COR_MUST_USE;
enum cor_status cor_stabilize_tale_state(struct cor_stabilize_tale *tale,
                                         const struct cor_stabilize_state *state,
                                         struct cor_error *error) COR_MUST_USE;
void cor_stabilize_tale_fini(struct cor_stabilize_tale *tale); /* idempotent */

/* "0 2 1; a b b; under way: ..": the values of a state, for the caller to free; NULL when memory is out. */
char *cor_stabilize_tale_text(const struct cor_stabilize_tale *tale, uint32_t state);

/* That of a run of a system, of a long one its last thousand steps; freed by cor_stabilize_tale_fini, also on
 * failure. */
enum cor_status cor_stabilize_tale_of(struct cor_stabilize_system *system,
                                      const struct cor_stabilize_way *way, struct cor_stabilize_tale *tale,
                                      struct cor_error *error) COR_MUST_USE;

/* Tells it, a line a step: who moved, the values after it, what the first invariant that is violated comes
 * to. */
enum cor_status cor_stabilize_tell(const struct cor_stabilize_tale *tale, char **text,
                                   struct cor_error *error) COR_MUST_USE;

/* Draws it as SVG: a row a step, a column a process, its value as a tint; a ring around who moves, a bar
 * where the corridor is violated, a bracket around a loop; beside it, where it was found so, the share of
 * states that are surely back within k steps. found: NULL: nothing was. */
enum cor_status cor_stabilize_draw(const struct cor_stabilize_tale *tale, const struct cor_stabilized *found,
                                   const char *title, char **svg, struct cor_error *error) COR_MUST_USE;

/* Who moves, for people: "0 2 3". */
void cor_stabilize_put_movers(uint64_t movers, char *text, size_t size);

/* ---- verdicts */

/* Says what was found, where so much fairness is asked. */
enum cor_status cor_stabilize_say(struct cor_stabilize_system *system,
                                  const struct cor_stabilize_asked *asked, enum cor_fairness fairness,
                                  const struct cor_stabilized *found, struct cor_stabilize_said *said,
                                  struct cor_error *error) COR_MUST_USE;

/* ---- large systems: states are drawn */

/* What the test and the search came to. */
struct cor_stabilize_sampled {
    uint64_t drawn;               /* states, up to the decision */
    uint32_t steps, longest;      /* within which; of the longest way that was found */
    struct cor_stabilize_way way; /* owned; it, or what shows the no */
    bool is_no;                   /* something is wrong, */
    uint32_t from;                /* and the way shows it from here on */
};

/* "sample" of the file into struct cor_stabilize_asked. */
enum cor_status cor_stabilize_sample_read(const struct cor_json *json, void *into,
                                          struct cor_error *error) COR_MUST_USE;

/* Draws from an open system, and says what came; environment: of its arm, which delays messages.
 * `sampled->way` is freed by cor_stabilize_way_fini, also on failure. */
enum cor_status cor_stabilize_sample(struct cor_stabilize_system *system,
                                     const struct cor_stabilize_asked *asked,
                                     const struct cor_stabilize_question *question,
                                     const struct cor_process_environment *environment, uint64_t seed,
                                     struct cor_stabilize_sampled *sampled, struct cor_stabilize_said *said,
                                     struct cor_error *error) COR_MUST_USE;

/* ---- tests: each no is a file */

/* What a test of rules is beside its moves: where it begins, and what is asked. */
struct cor_stabilize_scene {
    uint32_t process_count, loop; /* number of the loop's first step; COR_UNBOUNDED: there is none */
    uint32_t mail;                /* messages on a link at most; 0: rules read each other's variables */
    bool is_mixed;                /* of a program that does not say what it keeps (stabilize_mixed.c): it
                                   * begins with what processes were told, and what is under way, */
    uint32_t within;              /* and is to be back within so many events */
    enum cor_daemon daemon;       /* with messages central: one event a step */
    enum cor_fairness fairness;
    char *graph;                      /* owned; as JSON; NULL: no graph is named */
    struct cor_json_document *values; /* owned; {"process_test": {"start": ..}} */
};
void cor_stabilize_scene_destroy(struct cor_stabilize_scene *scene); /* NULL is allowed */

/* The test that shows a no, by what was found; *scene: NULL: nothing shows it in a run. Freed by
 * cor_stabilize_scene_destroy and cor_choices_fini. */
enum cor_status cor_stabilize_test_make(struct cor_stabilize_system *system,
                                        const struct cor_stabilize_asked *asked,
                                        const struct cor_stabilize_question *question,
                                        const struct cor_stabilized *found,
                                        enum cor_stabilize_verdict verdict, const char *graph,
                                        struct cor_subject_test *test, struct cor_error *error) COR_MUST_USE;

/* The test that a run is, from its state `from` on; asked: daemon, fairness, processes, graph, mail. Of the
 * test experiment and arm are there. */
enum cor_status cor_stabilize_test_of(struct cor_stabilize_system *system,
                                      const struct cor_stabilize_way *way, uint32_t from,
                                      const struct cor_stabilize_scene *asked, const char *expected,
                                      struct cor_subject_test *test, struct cor_error *error) COR_MUST_USE;

#endif
