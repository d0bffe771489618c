/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An experiment of the system layer, from JSON (docs/look-up/system.md, "The file"). */
#ifndef CORRIDOR_SYSTEM_EXPERIMENT_H
#define CORRIDOR_SYSTEM_EXPERIMENT_H

#include <corridor/guest_files.h>
#include <corridor/layer.h>
#include <corridor/live_world.h>

#define COR_SYSTEM_TESTS_MAX 1000
#define COR_SYSTEM_STATES_MAX 64     /* named states: bits of a word */
#define COR_SYSTEM_JUDGED_MAX 1000   /* invariants, and formulas */
#define COR_SYSTEM_EXAMPLES_MAX 8    /* parameters that vary */
#define COR_SYSTEM_ENTRIES_MAX 60000 /* tests with their examples */
#define COR_SYSTEM_CYCLES_MAX 1000000000

/* A parameter of the examples: a number that worlds and conditions know by its name. */
struct cor_system_parameter {
    const char *name; /* borrowed from the document */
    double *values;   /* owned */
    char **texts;     /* owned; the values as conditions write them */
    uint32_t count;
};

/* A test as the file has it. What its test agents want is read for each world that they meet. */
struct cor_system_test {
    const char *name; /* borrowed from the document, as all texts */
    uint32_t cycles;
    uint32_t agent_count;
    const char *agents[COR_TEST_AGENTS_MAX]; /* their names */
};

/* A test with a row of its examples: an entry of catalog/test. */
struct cor_system_entry {
    uint32_t test;
    uint32_t levels[COR_SYSTEM_EXAMPLES_MAX]; /* [parameter] which of its values */
    char *name;                               /* owned; "key item [view = 4]" */
};

/* A world, its change, a policy. */
struct cor_system_arm {
    const char *name, *mutant;           /* mutant NULL: the world as it is */
    const char *equivalent;              /* why the mutant is proven to be no other world; NULL: it is not */
    char *description;                   /* owned; JSON */
    struct system_layer__world *changed; /* owned; NULL: the experiment's */
    char *digest;                        /* owned; of the programs that it starts; NULL: none, or not known */
};

/* A program that an experiment starts: a world, or one that chooses. */
struct cor_system_guest {
    const char *command;          /* for sh; borrowed from the document, or the world */
    uint32_t arm;                 /* the one that has it; COR_NONE: all */
    struct cor_guest_files files; /* that it is made of */
};

/* Catalogs that are made while an experiment is read. */
enum cor_system_names_of {
    COR_SYSTEM_NAMES_AGENT,
    COR_SYSTEM_NAMES_ACTION,
    COR_SYSTEM_NAMES_GOAL,
    COR_SYSTEM_NAMES_CHECK,
    COR_SYSTEM_NAMES_STATE,
    COR_SYSTEM_NAMES_TYPE,
    COR_SYSTEM_NAMES_COUNT
};

struct cor_efsm;
struct cor_traffic;
struct cor_world_programs;
struct system_layer__script;

/* Made by cor_system_experiment_parse, freed by cor_system_experiment_destroy; does not change once it is
 * made. Suite s of an arm is repetition s / entry_count of entry s % entry_count. */
struct cor_system_experiment {
    struct cor_experiment_head head;    /* first */
    struct cor_json_document *document; /* owned */
    struct system_layer__world *world;  /* owned; what the file says of it */
    struct cor_efsm *model;             /* owned; beside the run; NULL: the world's own, if it has one */
    bool has_own_model;                 /* "own": `model`, if any, is written by the world */
    struct cor_system_arm *arms;        /* owned */
    struct cor_system_test *tests;      /* owned */
    struct cor_system_parameter parameters[COR_SYSTEM_EXAMPLES_MAX];
    struct cor_system_entry *entries;               /* owned */
    struct cor_words names[COR_SYSTEM_NAMES_COUNT]; /* catalogs: the word is the code */
    struct cor_world_programs *programs; /* worlds that are programs, between tests; changes while they run */
    struct cor_traffic *traffic; /* owned; of programs, recorded or replayed; NULL: neither */
    uint32_t runs, test_count, parameter_count, entry_count;
    uint32_t strength;               /* of the covering array of examples; 0: all rows */
    struct cor_system_guest *guests; /* owned; the world, and policies, that are programs */
    size_t guest_capacity;
    uint32_t guest_count;
    bool runs_code;        /* the world executes modules or programs of agents that it names */
    bool is_free, is_full; /* no walls around programs (walls.h), all of them */
    struct system_layer__script *script; /* owned; of a test file (subject.h); else NULL */
};

/* Reads an experiment from the text of a file; `path` stands for it, and is where files that it names are
 * looked up. `options` may be NULL: what programs need of them. Worlds are made once, to see that all that
 * the file says of them can be meant. */
enum cor_status cor_system_experiment_parse(const char *text, const char *path,
                                            const struct cor_layer_options *options,
                                            struct cor_system_experiment **experiment,
                                            struct cor_error *error) COR_MUST_USE;

/* The same from a file. */
enum cor_status cor_system_experiment_read(const char *path, const struct cor_layer_options *options,
                                           struct cor_system_experiment **experiment,
                                           struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_system_experiment_destroy(struct cor_system_experiment *experiment);
COR_DESTROYS(cor_system_experiment, struct cor_system_experiment)

#endif
