/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From any structure, does an algorithm lead the system back into its corridor, and does it stay there
 * (docs/do/stabilize.md)? A START is one configuration with another structure, and, where that is asked,
 * other states and values of its agents. The WEATHER is frozen: each chain stays in one state. States of a
 * chain that act alike on all agents are one. Values that are not corrupted are those to which the weather
 * has led the agents. A weather in which no structure was found to be inside is set aside: there nothing can
 * come back. */
#ifndef CORRIDOR_STABILIZE_STRUCTURES_H
#define CORRIDOR_STABILIZE_STRUCTURES_H

#include <corridor/stabilize_verdict.h>
#include <corridor/suite.h>

/* "stabilize" of an experiment; cor_structures_asked_read gives all of it a value. */
struct cor_structures_asked {
    int is_own;      /* the structure is that of the suite, not any */
    int has_kept;    /* an algorithm that keeps bytes has kept some before */
    bool values;     /* agents are in any state, and have the value of any */
    uint32_t wrong;  /* at most so many agents sit or are wrong; 0: any */
    uint32_t within; /* in this case it is back, from 1, .. */
    uint32_t stays;  /* .. and it stays for so many more */
    uint64_t states_most;
    bool is_sampled;     /* starts are drawn, however many there are */
    double share, error; /* of starts that is to be back; of either answer */
};

/* Reads it; where the file says nothing: any structure, back within 3 cases, for 20 more. */
enum cor_status cor_structures_asked_read(const struct cor_experiment *experiment,
                                          struct cor_structures_asked *asked,
                                          struct cor_error *error) COR_MUST_USE;

struct cor_structure_start {
    uint32_t weather;
    uint8_t label[COR_STABILIZE_AGENTS_MAX]; /* [agent] its partition; new ones come in order */
    uint8_t state[COR_STABILIZE_AGENTS_MAX]; /* [agent], where values are corrupted: its state, */
    uint8_t level[COR_STABILIZE_AGENTS_MAX]; /* and that whose value it has */
    uint32_t kept;                           /* what the algorithm has kept, by its number; 0: nothing */
};

/* What came of a run from a start. */
enum cor_structure_end {
    COR_STARTED_BACK,   /* inside from a case up to `within` on, to the end, and no alarm behind `within` */
    COR_STARTED_LEFT,   /* inside after case `from`, the first from `within` on, and left in case `at` */
    COR_STARTED_RANG,   /* inside from then on, but in case `at` an alarm rang */
    COR_STARTED_LATE,   /* inside from case `back` on, which is later */
    COR_STARTED_OUT,    /* outside at the end */
    COR_STARTED_LOOPS,  /* so, and without a draw as `at` cases before: for ever */
    COR_STARTED_SLEEPS, /* so, nothing rings, and the state is the one before: for ever */
    COR_STARTED_UNKNOWN /* it is not known whether it is inside, or the machine had a say */
};
struct cor_structure_outcome {
    enum cor_structure_end end;
    uint32_t back, from, at;
    uint32_t violated; /* code of the first constraint that is violated at the end; COR_NOBODY: none */
    bool drew;         /* something was drawn, or may have been */
    bool rests;        /* nothing changes any more: what is so at the end is so for ever, without a draw */
    bool was_quiet;    /* inside and without an alarm in all cases */
    bool was_stopped;  /* the black box failed, which ends a sequence */
};

/* All starts of a configuration: that of suite `suite` of the arm or, with `agents`, of the first draw of its
 * parameters that gives so many. COR_STATUS_INPUT: the arm or the configuration is none that is gone
 * through, with what would be right. Destroying it frees it, NULL is allowed. */
struct cor_starts;
enum cor_status cor_starts_create(const struct cor_experiment *experiment, uint32_t arm, uint32_t suite,
                                  uint32_t agents, const struct cor_structures_asked *asked,
                                  struct cor_starts **starts, struct cor_error *error) COR_MUST_USE;
void cor_starts_destroy(struct cor_starts *starts);
COR_DESTROYS(cor_starts, struct cor_starts)

/* What there is. */
struct cor_starts_size {
    uint32_t agents;
    uint64_t structures;          /* that are gone through: 1 where the structure is the suite's */
    uint32_t weathers, set_aside; /* weathers, those set aside included */
    bool saw_all;       /* of those set aside: no structure is inside, not only some that were looked at */
    uint32_t unsettled; /* weathers in which values go on changing */
    uint32_t kept;  /* what may have been kept, nothing included: as many as were met, which are not all */
    double numbers; /* of starts, those with too many wrong agents included */
    bool draws;     /* something does beside the algorithm */
};

/* Of all starts; and of how many kinds. */
struct cor_starts_size cor_starts_size(const struct cor_starts *starts);

/* The start of a number below `numbers`; false: too many agents are wrong in it. */
bool cor_starts_at(const struct cor_starts *starts, uint64_t number, struct cor_structure_start *start);

/* The draw of that number: uniformly, of all. COR_STATUS_INPUT: too few have so few wrong agents. */
enum cor_status cor_starts_draw(const struct cor_starts *starts, uint32_t number,
                                struct cor_structure_start *start, struct cor_error *error) COR_MUST_USE;

/* How many agents, at least, are to be put elsewhere or right so that it is the first structure that is
 * inside in its weather. */
uint32_t cor_starts_wrong(const struct cor_starts *starts, const struct cor_structure_start *start);

/* "{0 3 5} {1} {2 4}", with states of agents and of the weather; freed by the caller, NULL: memory is out. */
char *cor_starts_text(const struct cor_starts *starts, const struct cor_structure_start *start);

/* A run: from a start, with the random streams of that sequence. */
struct cor_structure_run {
    struct cor_structure_start start;
    uint32_t sequence;
};

/* Runs all of them, on so many processes; what comes is the same for any number. `goes_exactly`: it is
 * watched whether the algorithm draws, else it counts as if it did. go_on may be NULL. */
struct cor_starts_work {
    const struct cor_structure_run *runs;
    size_t count;
    uint32_t jobs;
    bool goes_exactly;
    bool (*go_on)(void *self, const char *doing);
    void *self;
};

/* Fills outcomes[count]. COR_STATUS_INTERRUPTED: go_on said no. */
enum cor_status cor_starts_run(const struct cor_starts *starts, const struct cor_starts_work *work,
                               struct cor_structure_outcome *outcomes, struct cor_error *error) COR_MUST_USE;

/* The suite with that start, borrowed until the next call of anything here, and its walk of within + stays
 * cases, which is the caller's: of these a test is made. */
enum cor_status cor_starts_suite(struct cor_starts *starts, const struct cor_structure_start *start,
                                 const struct cor_suite **suite, struct cor_walk *walk,
                                 struct cor_error *error) COR_MUST_USE;

#endif
