/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reading, executing, splitting and the pilot share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_INTERNAL_H

#include <corridor/estimation_layer.h>
#include <corridor/layer.h>
#include <corridor/property.h>
#include <corridor/run.h>
#include <corridor/weight.h>

/* The suite of a repetition under one of its laws: the law itself, or the tilted one. */
struct estimation_layer__side {
    struct cor_suite *suite;
    struct cor_session *session; /* of the executor: it outlives the suite */
    struct cor_record *record;   /* of the executor; taken back to `base` after each case */
    struct cor_record_mark base;
    struct cor_runner *runner;
    uint64_t adoptions_drawn, adoptions_struck; /* of the sequence, as far as they are weighed */
};

enum { ESTIMATION_LAYER__LAW, ESTIMATION_LAYER__TILTED, ESTIMATION_LAYER__SIDES };

struct estimation_layer__repetition;

/* One worker's own. */
struct estimation_layer__executor {
    const struct cor_estimation *estimation;
    struct estimation_layer__side sides[ESTIMATION_LAYER__SIDES];
    struct cor_facts facts; /* of the estimation's vocabulary */
    void *schedules;        /* owned; the law of a program's; NULL: of an algorithm */
    /* Owned; [effort]; of that, what snapshots are of an algorithm: a trajectory that has come to a level,
     * with the fork that goes on from there behind its forks; the last are those of the stage under way. */
    void *paths[3];
    struct cor_stream_name name;              /* of the suite */
    struct cor_saved_sequence **snapshots[2]; /* owned; [effort], of the suite's runner; made when needed */
    double *heights[2];                       /* owned; [effort] levels that they had come to */
    double *weights[2];                       /* owned; [effort] what they count: 1, or 1 over `keep` */
    double *highest; /* owned; [effort] levels that trajectories of a stage came to */
    uint64_t cases;  /* executed in the present repetition */
    const struct cor_watch *watch;
    /* Of the present repetition, by stage. */
    struct estimation_layer__stage {
        uint64_t started, reached, failed, cases;
        uint64_t fell, returned, fallen_cases; /* back; thereof reached or failed; cases behind that */
    } stages[COR_LEVELS_MAX + 1];
    /* Properties that are followed; NULL: none is. */
    struct cor_property *property, *guide; /* owned; what is counted, of the level, which may be the same */
    struct estimation_layer__trail {
        uint8_t *taken; /* owned; [case] what they took, one after the other */
        size_t capacity;
        uint32_t count;
    } trail, *trails[2]; /* of the present sequence; owned, [effort] of the entries */
};

enum cor_status estimation_layer__executor_create(const struct cor_estimation *estimation,
                                                  struct estimation_layer__executor **executor,
                                                  struct cor_error *error) COR_MUST_USE;
void estimation_layer__executor_destroy(struct estimation_layer__executor *executor);

/* The suite of repetition `index`, with draw `draw` of its parameters, ready to run. */
enum cor_status estimation_layer__suite_open(struct estimation_layer__executor *executor, uint32_t index,
                                             uint32_t draw, struct cor_error *error) COR_MUST_USE;
void estimation_layer__suite_close(struct estimation_layer__executor *executor);

/* One case more, what came of it; in continuous time only as far as any failure counts. And of a sequence
 * that is over, what only its end says: in continuous time all of it, else of a text what it says of time. */
struct estimation_layer__outcome {
    bool fails, matches;     /* a first failing case; of the class asked for */
    bool leaks;              /* it came out otherwise when it was executed again: what it is is not known */
    struct cor_weight ratio; /* of the tilted law to the law itself, of what was drawn in it */
    double height;           /* where the level is of a property: that the case has come to */
};
enum cor_status estimation_layer__case(struct estimation_layer__executor *executor,
                                       struct estimation_layer__side *side,
                                       struct estimation_layer__outcome *outcome,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status estimation_layer__end(struct estimation_layer__executor *executor,
                                      struct estimation_layer__side *side,
                                      struct estimation_layer__outcome *outcome,
                                      struct cor_error *error) COR_MUST_USE;

/* The first draw of repetition `index` that is in the region: draws from 1 on. */
enum cor_status estimation_layer__region_find(struct estimation_layer__executor *executor, uint32_t index,
                                              uint32_t *draw, struct cor_error *error) COR_MUST_USE;
/* Counts out how probable the region is by the law: e->region_probability, NaN where that cannot be.
 * COR_STATUS_UNSATISFIABLE: it is 0. */
enum cor_status estimation_layer__region_count(struct cor_estimation *estimation,
                                               struct cor_error *error) COR_MUST_USE;
bool estimation_layer__region_has(const struct cor_estimation *estimation, struct cor_facts *facts,
                                  const double *parameters);

/* What came of a repetition. */
struct estimation_layer__repetition {
    uint32_t sequences, failed, leaked;
    struct cor_weight sum, largest; /* of the sequences' weights or probabilities */
    double any;                     /* one less the product of one less each; infinite: beyond a double */
};

/* Adds a sequence. */
void estimation_layer__repetition_add(struct estimation_layer__repetition *repetition,
                                      struct cor_weight value, bool failed);

/* The sequences of the suite by the changed law, each weighted. */
enum cor_status estimation_layer__run_weighted(struct estimation_layer__executor *executor,
                                               struct estimation_layer__repetition *repetition,
                                               struct cor_error *error) COR_MUST_USE;

/* The same by splitting. */
enum cor_status estimation_layer__run_split(struct estimation_layer__executor *executor,
                                            struct estimation_layer__repetition *repetition,
                                            struct cor_error *error) COR_MUST_USE;

/* What a pilot found. */
struct estimation_layer__pilot {
    double levels[COR_LEVELS_MAX];
    uint32_t level_count;
    uint64_t cases;                    /* executed */
    double cost;                       /* cases of a repetition with these levels, mean */
    double costs[COR_LEVELS_MAX + 1];  /* by stage: of a trajectory that a repetition has there */
    double shares[COR_LEVELS_MAX + 1]; /* by stage: of the mean effort, that it should have */
    double keep[COR_LEVELS_MAX + 1];   /* by stage: of those that fell back, that should go on */
    double work;    /* of a repetition with such shares: the square of its relative error times its cases */
    uint32_t tried; /* the level that is best, among those that were tried */
    bool rises, arrives; /* some trajectory rose; some came to the end of the levels or failed */
};

/* Looks for levels where there are none, and for the cost of a repetition; of levels that are tried for the
 * one that is best, which it takes: in a child process. */
enum cor_status estimation_layer__pilot_run(struct cor_estimation *estimation,
                                            struct estimation_layer__pilot *pilot,
                                            struct cor_error *error) COR_MUST_USE;

#define ESTIMATION_LAYER__EFFORT \
    100 /* trajectories of a stage, if nothing is said and the budget holds them */

/* Lists the levels that a pilot chooses among, where none is given. */
enum cor_status estimation_layer__levels_list(struct cor_estimation *e, const struct cor_json *root,
                                              struct cor_error *error) COR_MUST_USE;

/* Takes a level that was derived in place of the one that is there; `root` stands for what is wrong. */
enum cor_status estimation_layer__level_take(struct cor_estimation *e, const struct cor_json *root,
                                             const char *text, struct cor_error *error) COR_MUST_USE;

/* Is a level the text of a property? */
bool estimation_layer__is_property(const char *text);

/* Reads a property, of which nothing may be claimed. */
enum cor_status estimation_layer__property_read(const char *text, const char *place,
                                                struct cor_property **property,
                                                struct cor_error *error) COR_MUST_USE;

/* Before the first case of a sequence; of an entry of stage array `from`, after all that led there; and what
 * they took kept as an entry of `to`. */
void estimation_layer__properties_restart(struct estimation_layer__executor *executor);
enum cor_status estimation_layer__properties_restore(struct estimation_layer__executor *executor,
                                                     uint32_t from, uint32_t entry,
                                                     struct cor_error *error) COR_MUST_USE;
enum cor_status estimation_layer__properties_save(struct estimation_layer__executor *executor, uint32_t to,
                                                  uint32_t entry, struct cor_error *error) COR_MUST_USE;

/* A stream of the repetition's own. */
struct cor_rng estimation_layer__rng(const struct estimation_layer__executor *executor, uint32_t sequence,
                                     uint32_t entity);

/* Stage `stage` of splitting a sequence: trajectories from `count` entries of array `stage % 2` - of stage 0
 * from the beginning -, each to its end, its first failure or `target`, where it becomes an entry of the
 * other array. */
struct estimation_layer__split_stage {
    uint32_t sequence, stage, count;
    double target;
    uint32_t reached, failed, leaked;     /* made */
    double weight;                        /* of all entries; `count` where none was rarer than others */
    double keep;                          /* share of those that fell back that go on */
    double reached_weight, failed_weight; /* made */
    bool again; /* the same trajectories as before, with a target: only those that came there */
};
/* The number that its streams are named by: behind those of the suite's own sequences. */
uint32_t estimation_layer__number(const struct cor_estimation *estimation,
                                  const struct estimation_layer__split_stage *stage, uint32_t trajectory);

enum cor_status estimation_layer__split_stage(struct estimation_layer__executor *executor,
                                              struct estimation_layer__split_stage *stage,
                                              struct cor_error *error) COR_MUST_USE;

/* ---- Programs whose schedules are estimated: the experiment, what is asked of it, and the law of its
 * schedules. */

struct estimation_layer__program;
struct estimation_layer__executor;
struct estimation_layer__repetition;
struct estimation_layer__split_stage;

/* How large the schedules of an arm are. */
struct estimation_layer__program_size {
    uint32_t sequences, cases;
};

/* What is asked of an arm; root: for what is wrong. level: NULL, or as it is written. */
struct estimation_layer__asked {
    const struct cor_json *root, *level;
    const char *failure; /* NULL: any */
    uint32_t arm;
    int method; /* enum cor_estimation_method */
};

/* Programs of a layer of their own. */
struct estimation_layer__programs {
    const char *key;   /* of their experiments */
    size_t trajectory; /* bytes of one that is kept */

    /* Reads the experiment; `path` stands for it. Freed by destroy, which takes NULL. */
    enum cor_status (*read)(const char *path, const struct cor_json *json,
                            const struct cor_layer_options *options,
                            struct estimation_layer__program **program, struct cor_error *error);
    void (*destroy)(struct estimation_layer__program *program);
    const struct cor_experiment_head *(*head)(const struct estimation_layer__program *program);
    struct estimation_layer__program_size (*size)(const struct estimation_layer__program *program,
                                                  uint32_t arm);

    /* Takes in what is asked, with the level that is given, if one is. *condition_count: of the level, 0: it
     * is how far its condition is from holding. */
    enum cor_status (*ask)(struct estimation_layer__program *program,
                           const struct estimation_layer__asked *asked, uint32_t *condition_count,
                           struct cor_error *error);
    /* Takes a level in place of the one that is there: conditions with semicolons between them. */
    enum cor_status (*level)(struct estimation_layer__program *program, const struct cor_json *root,
                             const char *text, uint32_t *condition_count, struct cor_error *error);
    /* Levels that may do, where none is given: how far the condition of what is counted is from being met or
     * violated; the traps of the arm. Freed by the caller. COR_STATUS_INPUT: of `failure` there are none. */
    enum cor_status (*levels)(const struct estimation_layer__program *program, const struct cor_json *root,
                              const char *failure, char *levels[2], uint32_t *count, struct cor_error *error);

    /* The program, for provenance: a member "program" of what is open. */
    void (*put)(const struct estimation_layer__program *program, struct cor_json_writer *writer);

    /* The law of the schedules of what was asked, freed by close; with the height that they have come to, if
     * there are levels. The program is borrowed. */
    enum cor_status (*open)(const struct estimation_layer__program *program, bool has_levels, void **law,
                            struct cor_error *error);
    void (*close)(void *law);
    /* The schedules of a suite by their law, to their end or until the condition that is counted is met. */
    enum cor_status (*run)(struct estimation_layer__executor *executor,
                           struct estimation_layer__repetition *repetition, struct cor_error *error);
    /* Says where trajectory `trajectory` of a stage sets out: from the beginning, or from entry `entry`; and
     * follows all of them. */
    void (*begin)(struct estimation_layer__executor *executor,
                  const struct estimation_layer__split_stage *stage, uint32_t trajectory, uint32_t entry);
    enum cor_status (*follow)(struct estimation_layer__executor *executor,
                              struct estimation_layer__split_stage *stage, struct cor_error *error);
};
extern const struct estimation_layer__programs
    estimation_layer__distributed; /* estimated_program.c, with that layer */

#endif
