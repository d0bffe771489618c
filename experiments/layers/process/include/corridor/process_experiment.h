/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An experiment of the process layer, from JSON (docs/look-up/process.md, "The file"). */
#ifndef CORRIDOR_PROCESS_EXPERIMENT_H
#define CORRIDOR_PROCESS_EXPERIMENT_H

#include <corridor/layer.h>
#include <corridor/process_program.h>
#include <corridor/process_run.h>
#include <corridor/profile.h>

struct cor_explored;
struct cor_stabilize_scene;

#define COR_PROCESS_SUITES_MAX 1000000
#define COR_PROCESS_SEQUENCES_MAX 10000000
#define COR_PROCESS_CASES_MAX 1000000
#define COR_PROCESS_CASE_TICKS_MAX 1000000000
#define COR_PROCESS_EVENTS 20000 /* of a schedule at most, if nothing else is said */
#define COR_PROCESS_EVENTS_MAX 100000000
#define COR_PROCESS_GENERATORS_MAX 8

/* The environment of an arm: what its states do, and how they follow each other. */
struct cor_process_environment {
    struct cor_profile *profile; /* owned; NULL: there is one state */
    struct cor_weather *weather; /* owned; [state] */
    uint32_t state_count;
};

/* What cases of a sequence are written down, and which schedules. */
enum cor_process_log { COR_PROCESS_LOG_FAILING, COR_PROCESS_LOG_CASES, COR_PROCESS_LOG_EVENTS };

/* A program, its fault, an environment, generators: what the schedules of an arm depend on. */
struct cor_process_arm {
    const char *name;                    /* borrowed from the document */
    char *description;                   /* owned; JSON */
    struct cor_process_program *program; /* owned by the experiment */
    const char *command;                 /* owned by the experiment; as cor_process_open takes it */
    const char *fault;                   /* borrowed; NULL: none */
    bool is_foreign;                     /* the program is not built in */
    bool is_apart;                       /* it is executed in a cell; */
    bool is_full;                        /* of that cell all walls are to stand */
    struct cor_corridor *corridor;       /* owned by the experiment */
    char *corridor_text;                 /* owned; what it was read from */
    struct cor_process_traps traps;      /* owned */
    struct cor_value *parameters;        /* owned; [parameter of the corridor] */
    bool *watched;                       /* owned; [constraint of the corridor]; NULL: all are judged */
    uint32_t *input_weights;             /* owned; [input of the program]; NULL: as the program says */
    struct cor_process_environment environment;
    const struct cor_schedule_generator_kind *generators[COR_PROCESS_GENERATORS_MAX];
    uint32_t generator_count;
    uint64_t allowed; /* bit k: events of kind k may happen */
    uint64_t asked;   /* of these, faults that the file names, or a state of the environment makes */
    uint32_t count, first_count; /* process_count and first_count of its cluster */
    uint32_t most;               /* as the file has it; 0: it says nothing */
    uint32_t fault_number, case_ticks, cases, events;
    bool is_fifo, cut_loses, starts_later; /* as of a cluster */
    uint64_t memory_bytes;
};

/* Made by cor_process_experiment_parse, freed by cor_process_experiment_destroy; does not change once it is
 * made. Sequence n of a suite is made by generator n modulo generator_count of its arm. */
struct cor_process_experiment {
    struct cor_experiment_head head;    /* first */
    struct cor_json_document *document; /* owned */
    struct cor_process_arm *arms;       /* owned */
    struct cor_process_opened {
        char *command;                       /* owned; as cor_process_open takes it */
        struct cor_process_program *program; /* owned */
        bool is_foreign;                     /* it is not built in */
    } * programs;                            /* owned; each once */
    struct cor_corridor **corridors;         /* owned, as what they point to */
    size_t program_count, program_capacity, corridor_count, corridor_capacity;
    uint32_t suites, sequences;
    enum cor_process_log log;
    int until; /* what a suite ends with; 0: all its schedules, 1: the first of them that fails */
    struct cor_words constraints, weathers; /* catalogs: the word is the code; the first is "-" */
    struct cor_words traps;                 /* likewise, without "-" */
    struct cor_explored *explored;          /* owned; inputs of the only arm, by suites; NULL: none */
    struct cor_stabilize_scene *scene;      /* owned; of a test of rules; NULL: it is none */
    struct cor_traffic *traffic; /* owned; NULL: of programs in other languages nothing is recorded */
};

/* Reads an experiment from the text of a file; `path` stands for it, and is where files that it names are
 * looked up. `options` may be NULL. Programs are opened, and what the corridors read of them is checked
 * against what they show. */
enum cor_status cor_process_experiment_parse(const char *text, const char *path,
                                             const struct cor_layer_options *options,
                                             struct cor_process_experiment **experiment,
                                             struct cor_error *error) COR_MUST_USE;

/* The same of an experiment whose programs have rules in the place of messages. */
enum cor_status cor_process_rules_parse(const char *text, const char *path,
                                        const struct cor_layer_options *options,
                                        struct cor_process_experiment **experiment,
                                        struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_process_experiment_destroy(struct cor_process_experiment *experiment);

/* Makes traps of an arm from their names and conditions, at most COR_PROCESS_TRAPS_MAX; freed by
 * cor_process_traps_fini, also on failure. COR_STATUS_INPUT: cause and remedy are about condition *wrong,
 * the place is the caller's to say. */
enum cor_status cor_process_traps_make(const struct cor_process_arm *arm, const char *const *names,
                                       const char *const *conditions, uint32_t count,
                                       struct cor_process_traps *traps, uint32_t *wrong,
                                       struct cor_error *error) COR_MUST_USE;
void cor_process_traps_fini(struct cor_process_traps *traps); /* idempotent */

/* The trap of an arm of that name; COR_NONE: there is none. */
uint32_t cor_process_trap(const struct cor_process_arm *arm, const char *name);

/* Adds to *notes, the caller's (NULL: nothing yet), a line for each fault of an arm that the file names, or a
 * state of the environment makes, and that no schedule can have. */
enum cor_status cor_process_say_never(const struct cor_process_experiment *experiment, char **notes,
                                      struct cor_error *error) COR_MUST_USE;

/* What runs of an arm depend on; borrowed from the experiment. */
struct cor_process_setting cor_process_setting_of(const struct cor_process_experiment *experiment,
                                                  uint32_t arm);

/* What generators of an arm are made with, likewise. */
struct cor_schedule_options cor_process_generator_options(const struct cor_process_arm *arm);

/* The name of the streams of a sequence: the same in all arms, so that they can be compared. */
struct cor_stream_name cor_process_stream_name(const struct cor_process_experiment *experiment,
                                               uint32_t suite, uint32_t sequence);

#endif
