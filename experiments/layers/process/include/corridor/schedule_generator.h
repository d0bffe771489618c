/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generators of schedules: what happens next to the processes of a distributed program. A generator sees the
 * cluster and draws from a stream of its own; it knows no program but by the hints of process.h. */
#ifndef CORRIDOR_SCHEDULE_GENERATOR_H
#define CORRIDOR_SCHEDULE_GENERATOR_H

#include <corridor/cluster.h>

/* The weather of a case: what the state of the environment does to links, disks, processes and clocks.
 * Ranges are in ticks, inclusive. A rate is the expected number in a case: of a link, of a process. */
struct cor_weather {
    const char *name;                      /* of the state */
    uint32_t delay[2], disk[2];            /* until a message arrives, until a write is durable */
    uint32_t start[2];                     /* until a process starts first */
    double lose, duplicate;                /* probability for each message */
    double crash, pause, cut, jump, drift; /* rates */
    double torn, lost_cell;                /* probability that a crash is such a one */
    double disk_error;                     /* probability for each write */
    bool one_sided;                        /* cuts are of one direction */
    uint32_t down[2], pause_for[2], cut_for[2], jump_by[2], drift_by[2]; /* drift in thousandths */
    double input, part, join; /* rates, of all processes together; part: of partitions */
    double leave;             /* rate, of a process */
    uint32_t part_for[2];
};

/* What a generator is made with. */
struct cor_schedule_options {
    uint64_t allowed;    /* bit k: events of kind k may happen; those that are no faults always may */
    uint64_t case_ticks; /* span of a case */
    bool is_fifo;        /* of a link only the oldest message can arrive */
    const uint32_t
        *input_weights; /* [input] how often it comes beside the others; NULL: as the program says */
};

/* What a generator is of, its first member. */
struct cor_generator_base {
    const struct cor_cluster *cluster; /* borrowed */
    struct cor_schedule_options options;
};

struct cor_schedule_generator;

/* What a schedule showed that its suite had not seen, and whether it failed. */
struct cor_schedule_news {
    size_t states;  /* of all processes together */
    uint32_t traps; /* that it met first */
    bool failed;
};

/* The functions of a generator, a constant of it: cor_schedule_generator_<word>, file generate_<word>.c. */
struct cor_schedule_generator_kind {
    const char *name, *meaning;
    size_t size; /* of the struct cor_schedule_generator of that file, which begins with the base */
    /* Makes it ready for schedules, zeroed but for its base; frees what it owns, also if that failed. NULL:
     * there is nothing to do. */
    enum cor_status (*init)(struct cor_schedule_generator *generator, struct cor_error *error);
    void (*fini)(struct cor_schedule_generator *generator);
    /* A schedule begins: all that is random is drawn from streams of that name. It may begin again before
     * anything was learnt from it, and is the same then. */
    enum cor_status (*begin)(struct cor_schedule_generator *generator, const struct cor_stream_name *name,
                             struct cor_error *error);
    /* What happens next; weather: that of the present case. Only events that are possible now. */
    enum cor_status (*next)(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error);
    /* What is random from now on is drawn from streams of that name, and all that was drawn before stays: a
     * schedule branches. NULL: it makes no law of schedules, and why. */
    void (*fork)(struct cor_schedule_generator *generator, const struct cor_stream_name *name);
    const char *no_law;
    /* How the schedule ended, for generators that learn; NULL: it does not. */
    enum cor_status (*learn)(struct cor_schedule_generator *generator,
                             const struct cor_process_schedule *schedule, struct cor_schedule_news news,
                             struct cor_error *error);
};

/* A generator for that cluster, which is borrowed, as what the options point to is. */
enum cor_status cor_schedule_generator_create(const struct cor_schedule_generator_kind *kind,
                                              const struct cor_cluster *cluster,
                                              const struct cor_schedule_options *options,
                                              struct cor_schedule_generator **generator,
                                              struct cor_error *error) COR_MUST_USE;
void cor_schedule_generator_destroy(const struct cor_schedule_generator_kind *kind,
                                    struct cor_schedule_generator *generator); /* NULL is allowed */

/* X(word): the list. */
#define COR_SCHEDULE_GENERATORS(X)                                                                           \
    X(timed)  /* runs in virtual time; delays, losses and faults follow the weather; timers fire when due */ \
    X(random) /* any possible event, by weights of their kinds */                                            \
    X(burst)  /* calm and storms by turns */                                                                 \
    X(swarm)  /* weights and features drawn for each schedule */                                             \
    X(pct)    /* priorities of links and disks, changed at random places */                                  \
    X(rounds) /* a leader by a random majority, work, random reach, the leader lost, and back again */       \
    X(search) /* schedules that showed something new, changed a little */

#define COR_SCHEDULE_GENERATOR(word) \
    extern const struct cor_schedule_generator_kind cor_schedule_generator_##word;
COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR)
#undef COR_SCHEDULE_GENERATOR

const struct cor_schedule_generator_kind *cor_schedule_generator_of(const char *name); /* NULL: none */

#endif
