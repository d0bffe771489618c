/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The agent layer (paper 000): does each plan, event and belief of one agent work? Its experiments name a
 * design; arms are agents and faults, suites units (as often as they are repeated), cases combinations of
 * values. */
#ifndef CORRIDOR_AGENT_LAYER_H
#define CORRIDOR_AGENT_LAYER_H

#include <corridor/agent_fault.h>
#include <corridor/design_check.h>
#include <corridor/guest_files.h>
#include <corridor/layer.h>
#include <corridor/run_unit.h>

/* The arm without a fault. */
#define COR_AGENT_NO_FAULT "none"

/* One arm: an agent, and the fault it has; part of its experiment. */
struct cor_agent_arm {
    char *name;        /* owned */
    char *description; /* owned; JSON: agent, fault, what the fault means, its operator */
    enum cor_aut_way way;
    char *agent;                        /* owned; MODULE: its path; PROGRAM: its command; else NULL */
    struct cor_guest_files files;       /* that the agent is made of */
    char *fault;                        /* owned; NULL: none */
    bool *unbuilt;                      /* owned; [plan] that is not there yet; NULL: all are */
    double cpu_seconds, answer_seconds; /* that it is given; 0: as every agent */
    uint64_t memory_bytes;
    struct cor_agent_code *code; /* owned; of the interpreter, with its fault */
};

/* Fingerprints of what a failure hangs on: the design with its seed, and the agent with its fault; 0: not
 * known. */
struct cor_agent_marks {
    uint64_t design, agent;
};

/* An experiment as it was read or made; freed by cor_agent_experiment_destroy. Suite s of an arm is the
 * chosen unit s mod their number, in repetition s divided by it. */
struct cor_agent_experiment {
    struct cor_experiment_head head; /* first */
    char *name, *meaning;            /* owned */
    struct cor_design_file *file;    /* owned */
    struct cor_agent_faults faults;  /* of a file, or mutants */
    struct cor_agent_arm *arms;      /* owned */
    size_t arm_capacity;
    struct cor_traffic *traffic; /* owned; of programs, recorded or replayed (traffic.h); NULL: neither */
    struct cor_trust trust;      /* whether modules and programs may be started */
    bool is_free, is_full;       /* no walls around them (walls.h), all of them */
    char **unit_names;           /* owned, with what they point to; [unit] */
    struct cor_indices chosen;   /* units that are run, in their order */
    uint32_t repetitions;
    struct cor_test_settings settings;
    struct cor_name_codes codes;
    struct cor_design_findings found;   /* of the design itself, which no case shows */
    char *expected;                     /* owned; of a test file: what its test fails by; else NULL, */
    struct cor_agent_marks marks;       /* and what it was made of */
    struct agent_layer__prover *prover; /* owned; of equivalent mutants, while arms are added */
};

/* What an experiment is made of when no file says it. */
struct cor_agent_experiment_definition {
    const char *design;  /* path; "-" is standard input */
    const char *agent;   /* a module's path or a program's command; NULL: the interpreter */
    const char *faults;  /* path of a file of faults; NULL: none. Of an agent that is no interpreter, its own
                            of   these names */
    bool mutants;        /* every operator wherever it fits; of the interpreter alone */
    const char *unit;    /* the one that is run; NULL: all */
    bool below;          /* with it all that it needs */
    const char *not_yet; /* plans that are not there yet, with commas between; NULL: all are */
    double cpu_seconds, answer_seconds; /* that a module or program is given for a case; 0: as every agent */
    uint64_t memory_bytes;              /* that it may ask for; 0: as every agent */
    uint32_t repetitions;               /* 0: 1 */
    bool has_seed;
    uint64_t seed; /* instead of the design's */
    bool is_free;  /* no walls around modules and programs */
};

/* Makes an experiment: the agent without a fault, then with each fault. */
enum cor_status cor_agent_experiment_make(const struct cor_agent_experiment_definition *definition,
                                          struct cor_agent_experiment **experiment,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_agent_experiment_destroy(struct cor_agent_experiment *experiment);

/* Opens a session of an arm, and a runner over it; both are the caller's. */
enum cor_status cor_agent_arm_open(const struct cor_agent_experiment *experiment, uint32_t arm,
                                   struct cor_aut_session **session, struct cor_unit_runner **runner,
                                   struct cor_error *error) COR_MUST_USE;

/* Its experiments are struct cor_agent_experiment; their files have a member "design". */
extern const struct cor_layer cor_agent_layer;

#endif
