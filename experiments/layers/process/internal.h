/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the process layer share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_INTERNAL_H

#include <corridor/needs.h>
#include <corridor/process_experiment.h>
#include <corridor/process_layer.h>
#include <corridor/process_schema.h>
#include <corridor/process_story.h>
#include <corridor/subject.h>
#include <corridor/walk.h>

/* The generators; their codes in catalog/generator. */
#define COR_SCHEDULE_GENERATOR(word) PROCESS_LAYER__GENERATOR_##word,
enum { COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR) COR_PROCESS_GENERATOR_COUNT };
#undef COR_SCHEDULE_GENERATOR
extern const struct cor_schedule_generator_kind *const process_layer__generators[COR_PROCESS_GENERATOR_COUNT];

/* What all processes show, without what grows for ever: of counts only how they stand to those of the other
 * processes and to zero, and whichever process it is. Fingerprint of it. */
uint64_t process_layer__abstract_state(const struct cor_cluster *cluster);

/* A set of fingerprints. */
struct process_layer__seen {
    uint64_t *slots; /* owned; 0: free */
    size_t count, slot_count;
    bool is_full;   /* there were more than are kept */
    uint64_t traps; /* bit t: trap t was met */
};
#define PROCESS_LAYER__SEEN_MAX (1u << 17) /* more do not fit into the memory next to the processor */

/* Takes one in; *is_new: it was not there. */
enum cor_status process_layer__seen_add(struct process_layer__seen *seen, uint64_t fingerprint, bool *is_new,
                                        struct cor_error *error) COR_MUST_USE;
void process_layer__seen_clear(struct process_layer__seen *seen);
void process_layer__seen_fini(struct process_layer__seen *seen); /* idempotent */

/* A sequence, executed. */
struct process_layer__report {
    struct cor_process_outcome outcome;
    struct cor_process_schedule schedule; /* what happened */
    uint64_t *fresh; /* owned; fingerprints of states that the suite had not seen, in their order */
    size_t fresh_count, fresh_capacity;
    bool fills; /* there were more than the suite can keep */
};
void process_layer__report_fini(struct process_layer__report *report);

/* Discards what was reported of it; this end, with this sentence, counts. */
void process_layer__end_by(struct cor_process_outcome *outcome, enum cor_process_end end,
                           const char *sentence);
#define PROCESS_LAYER__OTHERWISE \
    "The schedule does not repeat in a fresh process: the program reads a clock or keeps old state."

static inline bool process_layer__has_failed(const struct cor_process_outcome *outcome) {
    return outcome->violated != COR_NONE || outcome->end != COR_PROCESS_END_NONE;
}

/* What the rows of a suite need beside its reports. */
struct process_layer__suite {
    const struct cor_process_experiment *experiment;
    struct cor_record *record;
    uint32_t arm, suite;
    struct process_layer__seen seen;
    uint64_t states;  /* seen, */
    uint32_t seen_at; /* as it was written down after so many schedules */
    uint64_t happened[COR_PROCESS_EVENT_KIND_COUNT];
    struct process_layer__judged {
        uint32_t tested, violated, undecided; /* schedules */
    } judged[COR_CORRIDOR_ROWS_MAX];          /* [constraint of the corridor] */
    uint32_t met[COR_PROCESS_TRAPS_MAX];      /* [trap of the arm] schedules */
    struct cor_process_suite_row row;
    struct process_layer__kept {
        uint32_t violated;
        enum cor_process_end end;
    } * kept; /* owned; failures of which a schedule is kept */
    size_t kept_count, kept_capacity;
};

enum cor_status process_layer__keep_class(struct process_layer__suite *suite,
                                          const struct cor_process_outcome *outcome, bool *is_first,
                                          struct cor_error *error) COR_MUST_USE;

/* Is what came of a sequence looked at once more, in a fresh process? That of the last of a suite, before
 * which most was, and what is to be kept; but for what the machine may have done, and what has said all
 * already. */
bool process_layer__is_doubted(const struct process_layer__suite *suite, bool is_last,
                               const struct cor_process_outcome *outcome);

/* What executes sequences of an arm. */
struct process_layer__rig {
    const struct cor_process_experiment *experiment;
    uint32_t arm;
    struct cor_process_runner *runner;                                     /* owned */
    struct cor_schedule_generator *generators[COR_PROCESS_GENERATORS_MAX]; /* owned */
    const struct cor_profile *profile;    /* of the environment, borrowed; NULL: there is one state */
    struct cor_walk walk;                 /* of the weather of the sequence: case c is that after state c */
    uint8_t *states;                      /* owned; [case] */
    const struct cor_weather **weather;   /* owned; [case] */
    struct process_layer__seen *seen;     /* of the suite; borrowed */
    struct process_layer__report *report; /* of the sequence under way; borrowed */
    struct process_layer__report again;   /* of it in a fresh child */
};

/* What came of an execution by a child of the program's, which may have had others before, is settled: where
 * it is doubted it is executed again in a fresh child, and what fails there alike is believed, as it comes
 * there. Otherwise in two of them: the program leaks. What the machine ended is no difference, and is none of
 * the program's unless it comes again. */
struct process_layer__trial {
    void *self;
    enum cor_status (*again)(void *self, struct cor_process_outcome *outcome, struct cor_error *error);
    void (*take)(void *self); /* what came last takes the place of what was */
};
enum cor_status process_layer__settle(const struct process_layer__trial *trial,
                                      const struct process_layer__suite *suite, bool is_last,
                                      const struct cor_process_outcome *outcome, bool *leaks,
                                      struct cor_error *error) COR_MUST_USE;

/* Does what was executed come out the same when it is once more, in the same process? */
enum cor_status process_layer__look_again(struct cor_process_runner *runner,
                                          const struct cor_stream_name *name,
                                          const struct cor_process_schedule *schedule,
                                          const struct cor_process_outcome *outcome, bool *differs,
                                          struct cor_error *error) COR_MUST_USE;

/* Has the program of the arm a process of its own for all schedules, a child? */
bool process_layer__has_child(const struct process_layer__rig *rig);

/* traps: that are looked for; those of the arm, or others. */
enum cor_status process_layer__rig_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                          const struct cor_process_traps *traps,
                                          struct process_layer__rig **rig,
                                          struct cor_error *error) COR_MUST_USE;
void process_layer__rig_destroy(struct process_layer__rig *rig); /* NULL is allowed */

/* A suite begins: no generator has learnt anything. */
enum cor_status process_layer__rig_restart(struct process_layer__rig *rig,
                                           struct cor_error *error) COR_MUST_USE;

/* Makes the weather of a sequence: its states, in rig->states. */
enum cor_status process_layer__rig_weather(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                           struct cor_error *error) COR_MUST_USE;

/* Draws the weather behind case `number`, from 1, anew, from the streams of that seed and sequence. */
void process_layer__rig_weather_fork(struct process_layer__rig *rig, uint32_t number,
                                     const struct cor_stream_name *name);

/* Has the generator of a sequence that was executed elsewhere draw what it drew there, if it learns: that
 * belongs to what it knows. */
enum cor_status process_layer__rig_begin(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                         struct cor_error *error) COR_MUST_USE;

/* Tells the generator of a sequence what came of it; the traps that it met are seen. */
enum cor_status process_layer__rig_learn(struct process_layer__rig *rig, uint32_t sequence,
                                         struct process_layer__seen *seen,
                                         const struct process_layer__report *report,
                                         struct cor_error *error) COR_MUST_USE;

/* Executes a sequence in this process; its generator learns. */
enum cor_status process_layer__rig_run(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                       struct process_layer__seen *seen, struct process_layer__report *report,
                                       struct cor_error *error) COR_MUST_USE;

/* The same for a campaign: what a child did is settled. */
enum cor_status process_layer__rig_run_settled(struct process_layer__rig *rig,
                                               struct process_layer__suite *suite, uint32_t sequence,
                                               struct process_layer__report *report,
                                               struct cor_error *error) COR_MUST_USE;

/* Are attributes and channels that the corridor reads such as the program shows? */
enum cor_status process_layer__check_shown(const struct cor_corridor *corridor,
                                           const struct cor_process *program,
                                           struct cor_error *error) COR_MUST_USE;

/* Looks whether the walls stand that programs beside it need; of what does not it warns, lines for people. */
enum cor_status process_layer__look_at_isolation(const struct cor_process_experiment *experiment,
                                                 const struct cor_layer_options *options, char **warnings,
                                                 struct cor_error *error) COR_MUST_USE;

/* The subject of the layer; its test files; the events that choices are. */
extern const struct cor_subject process_layer__subject;
enum cor_status process_layer__test_read(const char *text, const char *path,
                                         const struct cor_layer_options *options,
                                         struct cor_subject_test *test, struct cor_error *error) COR_MUST_USE;
enum cor_status process_layer__test_write(const struct cor_subject_test *test, char **text,
                                          struct cor_error *error) COR_MUST_USE;
enum cor_status process_layer__schedule_of(const struct cor_choices *choices,
                                           struct cor_process_schedule *schedule,
                                           struct cor_error *error) COR_MUST_USE;

/* Tests of rules (stabilize_test.c, stabilize_bench.c): what the subject does with them. A file is one that
 * has what tests of rules alone have. */
struct process_layer__rules_bench;
struct cor_subject_file;
enum cor_status process_layer__rules_test_read(const struct cor_subject_file *file, const char *path,
                                               const struct cor_layer_options *options,
                                               struct cor_process_experiment **experiment,
                                               struct cor_subject_test *test,
                                               struct cor_error *error) COR_MUST_USE;
enum cor_status process_layer__rules_test_write(const struct cor_subject_test *test, char **text,
                                                struct cor_error *error) COR_MUST_USE;
struct cor_process_rules;
struct cor_stabilize_scene;
struct cor_stabilize_system;
struct cor_space_moves;
struct process_layer__mail;
struct cor_stabilize_asked;
struct cor_stabilize_question;
struct cor_stabilize_said;
/* ---- what stabilize asks of a state, of rules and of programs with messages alike */

/* The shortest and the longest delay of a message, of all weathers. */
void process_layer__delays(const struct cor_process_environment *environment, uint32_t *low, uint32_t *high);

/* COR_STATUS_INPUT: what is watched, or a trap of `again`, is about more than a state. */
enum cor_status process_layer__check_states(const struct cor_process_arm *arm,
                                            const struct cor_stabilize_asked *asked,
                                            struct cor_error *error) COR_MUST_USE;

/* What a program shows, as its corridor has it. */
struct cor_value process_layer__shown(const struct cor_corridor *corridor,
                                      const struct cor_process_attribute *attribute,
                                      union cor_process_value value);

/* Do all invariants hold that are watched? *name: the first that does not, or is unknown; NULL: all hold. */
enum cor_truth process_layer__truth(const struct cor_process_arm *arm, const struct cor_observed *observed,
                                    const char **name);

/* Of what was judged last: as cor_stabilize_system_reason. */
struct cor_stabilize_state;
enum cor_status process_layer__reason(const struct cor_process_arm *arm, struct cor_observed *observed,
                                      struct cor_stabilize_state *state,
                                      struct cor_error *error) COR_MUST_USE;

/* Programs with messages that do not say what they keep (stabilize_mixed.c). */
struct process_layer__mixing;
struct cor_json_document;
enum cor_status process_layer__mixing_open(const struct cor_process_experiment *experiment, uint32_t arm,
                                           const struct cor_stabilize_asked *asked, uint32_t process_count,
                                           struct process_layer__mixing **mixing,
                                           struct cor_error *error) COR_MUST_USE;
void process_layer__mixing_close(struct process_layer__mixing *m); /* NULL is allowed */

/* Within how many events it is to be back. */
uint32_t process_layer__mixed_within(const struct cor_stabilize_asked *asked);

/* What is said of states that are mixed (is_mixed), or of mail alone; and of a no the first run that shows
 * it, as a test whose experiment and arm are there. test->scene: NULL: there is none; freed by
 * cor_stabilize_scene_destroy and cor_choices_fini, also on failure. */
enum cor_status process_layer__mixed_ask(struct process_layer__mixing *m, bool is_mixed,
                                         const struct cor_stabilize_asked *asked,
                                         const struct cor_stabilize_question *question,
                                         struct cor_stabilize_said *said, struct cor_subject_test *test,
                                         struct cor_error *error) COR_MUST_USE;

/* Executes such a test. *unknown: why nothing is known of it, NULL: something is; it and the sentence of the
 * run are borrowed until the next one. */
enum cor_status process_layer__mixed_run(struct process_layer__mixing *m, const struct cor_subject_test *test,
                                         struct cor_choices *happened, struct cor_run *run,
                                         const char **unknown, struct cor_error *error) COR_MUST_USE;

/* The start of the test that was executed last with less: `number` says with what less. Messages under way
 * are left out one by one; where each process is of a run of its own, what it was told ends earlier. *values:
 * owned by the caller; NULL: there is no such number, or nothing is left of it. false: there is none. */
enum cor_status process_layer__mixed_less(struct process_layer__mixing *m,
                                          const struct cor_subject_test *test, uint32_t number,
                                          struct cor_json_document **values, bool *is_there,
                                          struct cor_error *error) COR_MUST_USE;

/* The run of a test, executed again, as people see it; freed by cor_stabilize_tale_fini. */
struct cor_stabilize_tale;
enum cor_status process_layer__mixed_tale(struct process_layer__mixing *m,
                                          const struct cor_subject_test *test,
                                          struct cor_stabilize_tale *tale,
                                          struct cor_error *error) COR_MUST_USE;

/* ---- what tests of mixed states have of other tests of the layer */

struct cor_choice process_layer__choice_of(const struct cor_process_event *event);
struct cor_process_event process_layer__event_of(const struct cor_choice *choice);
enum cor_status process_layer__event_read(const struct cor_json *json, const struct cor_process *program,
                                          uint32_t count, uint64_t least, struct cor_choice *event,
                                          struct cor_error *error) COR_MUST_USE;
char *process_layer__event_line(const struct cor_subject_test *test, const struct cor_choice *event);
/* "0, 2, 5" */
char *process_layer__tell_members(const struct cor_process_set *set);
char *process_layer__value_text(const struct cor_process_attribute *attribute, union cor_process_value value);

/* The kind and the content of a message; has_values: it has a value, and not just bytes. message->kind:
 * message_count: no kind is called so; its bytes are freed by the caller, also on failure. */
struct cor_rules_message;
void process_layer__message_put(struct cor_json_writer *writer, const struct cor_process *program,
                                const struct cor_rules_message *message, bool has_values);
enum cor_status process_layer__message_read(const struct cor_json *json, const struct cor_process *program,
                                            struct cor_rules_message *message,
                                            struct cor_error *error) COR_MUST_USE;

/* Where a test begins: the local state of each process; and, where it has mail (else NULL), what is under way
 * behind it. The other way round, as a document; has_values: messages have values, and not just bytes. */
enum cor_status process_layer__rules_start(const struct cor_process_rules *rules,
                                           const struct process_layer__mail *mail,
                                           const struct cor_stabilize_scene *scene, uint32_t *locals,
                                           struct cor_error *error) COR_MUST_USE;
enum cor_status process_layer__rules_start_put(const struct cor_process_rules *rules,
                                               const struct process_layer__mail *mail, bool has_values,
                                               const uint32_t *locals, struct cor_json_document **values,
                                               struct cor_error *error) COR_MUST_USE;
bool process_layer__has_values(const struct cor_process_arm *arm);
/* What can be done in a state; with mail an outcome is what is added to its number. */
void process_layer__rules_moves(const struct cor_stabilize_system *system,
                                const struct process_layer__mail *mail, const uint32_t *locals,
                                struct cor_space_moves *moves);
enum cor_status process_layer__rules_bench_open(const struct cor_process_experiment *experiment, uint32_t arm,
                                                struct process_layer__rules_bench **bench,
                                                struct cor_error *error) COR_MUST_USE;
void process_layer__rules_bench_close(struct process_layer__rules_bench *bench); /* NULL is allowed */
enum cor_status process_layer__rules_run(struct process_layer__rules_bench *bench,
                                         const struct cor_subject_test *test, struct cor_choices *happened,
                                         struct cor_run *run, struct cor_error *error) COR_MUST_USE;
enum cor_expected process_layer__rules_find(const struct process_layer__rules_bench *bench,
                                            const struct cor_subject_test *test, char *why, size_t size);
char *process_layer__rules_text(const struct cor_choice *move);
enum cor_status process_layer__rules_shrink(struct process_layer__rules_bench *bench, void *whole,
                                            struct cor_shrinking *shrinking, bool *differs,
                                            struct cor_error *error) COR_MUST_USE;
enum cor_status process_layer__rules_tell(struct process_layer__rules_bench *bench,
                                          const struct cor_subject_test *test, enum cor_story_form form,
                                          char **text, struct cor_error *error) COR_MUST_USE;

/* What executes the schedules of a bench. */
struct process_layer__trier {
    void *self;
    enum cor_status (*execute)(void *self, const struct cor_stream_name *name,
                               const struct cor_process_schedule *schedule,
                               struct process_layer__report *report, struct cor_error *error);
};

/* What is executed again in a cell; all of it borrowed. */
struct process_layer__task {
    enum { PROCESS_LAYER__EXECUTE, PROCESS_LAYER__SHRINK, PROCESS_LAYER__TELL } work;
    const struct cor_stream_name *name;
    const struct cor_process_schedule *schedule;
    struct cor_shrinking *shrinking;       /* instead; */
    void *bench;                           /* a life does it by that, */
    struct process_layer__trier *by;       /* whose trier is the life */
    bool is_patient;                       /* hangs are waited for as long as ever */
    bool is_doubted;                       /* what is executed is so twice: a failure is that it differs */
    const struct cor_process_death *death; /* of a story; NULL: none */
    enum cor_story_form form;
};

/* Executes it in a cell, whose life goes on with those behind it, and is asked for them one by one. A life
 * that dies is the end of its sequence, if another one dies of it alone. What is to be kept, and the last of
 * a suite, is executed once more in a fresh life: another outcome is an end of its own. */
struct process_layer__apart;
enum cor_status process_layer__apart_create(struct process_layer__rig *rig, size_t event_most,
                                            struct process_layer__apart **apart,
                                            struct cor_error *error) COR_MUST_USE;
enum cor_status process_layer__apart_run(struct process_layer__apart *apart,
                                         struct process_layer__suite *suite, uint32_t sequence,
                                         const struct cor_watch *watch, struct process_layer__report *report,
                                         struct cor_error *error) COR_MUST_USE;
/* A sequence that was executed before, in a life that is asked for one after the other; the report has the
 * events, also where the program died: then the last is what it died of. is_doubted: it is executed twice,
 * and has to come out the same. */
enum cor_status process_layer__apart_again(struct process_layer__apart *apart, uint32_t suite,
                                           uint32_t sequence, struct process_layer__seen *seen,
                                           bool is_doubted, struct process_layer__report *report,
                                           struct cor_error *error) COR_MUST_USE;
/* A schedule of the law that lives there follow, set once, likewise: what its life died of is its end. */
struct cor_process_law;
struct cor_process_trajectory;
struct process_layer__reached {
    uint64_t steps; /* made */
    double height;  /* that it came to */
    bool is_over;
    uint64_t forked; /* what all had come to behind the schedule that was played, */
    bool goes_on;    /* and whether an event came there: */
    struct cor_process_event next;
};
struct cor_pages;
enum cor_status process_layer__apart_of_law(struct process_layer__apart *apart, struct cor_process_law *law,
                                            struct cor_error *error) COR_MUST_USE;
void process_layer__apart_ahead(struct process_layer__apart *apart,
                                const struct cor_process_trajectory *trajectories, uint32_t count);
/* Without snapshots from now on; how often the life that there was last went back to one. */
void process_layer__apart_use_forks(struct process_layer__apart *apart);
uint64_t process_layer__apart_restored(const struct process_layer__apart *apart);
enum cor_status
process_layer__apart_follow(struct process_layer__apart *apart, struct process_layer__suite *suite,
                            const struct cor_process_trajectory *trajectory, const struct cor_watch *watch,
                            struct cor_process_outcome *outcome, struct process_layer__reached *reached,
                            struct cor_error *error) COR_MUST_USE;
/* In this process; what came of it is the law's. executed: gets what happens behind a schedule that is
 * played, before it happens. pages: it goes on from a snapshot there, or leaves one; NULL: neither. */
enum cor_status process_layer__law_follow_here(struct cor_process_law *law,
                                               const struct cor_process_trajectory *trajectory,
                                               struct cor_process_schedule *executed, struct cor_pages *pages,
                                               const struct cor_watch *watch,
                                               struct cor_error *error) COR_MUST_USE;
const struct process_layer__reached *process_layer__law_reached(const struct cor_process_law *law);

/* The schedule of a task, likewise; *died: the program ended its life. */
enum cor_status process_layer__apart_execute(struct process_layer__apart *apart,
                                             const struct process_layer__task *task,
                                             struct process_layer__report *report, bool *died,
                                             struct cor_error *error) COR_MUST_USE;
/* Shrinks the tests of a task in a life; each that a schedule ends is an answer, and the next one goes on by
 * the answers that there are. What is left is executed once more; *differs: then it fails otherwise, or not
 * at all; *hasty: something slow may have been taken for a hang. */
enum cor_status process_layer__apart_shrink(struct process_layer__apart *apart,
                                            const struct process_layer__task *task, bool *differs,
                                            bool *hasty, struct cor_error *error) COR_MUST_USE;
/* The story of a task, for the caller to free. */
enum cor_status process_layer__apart_story(struct process_layer__apart *apart,
                                           const struct process_layer__task *task, char **text,
                                           struct cor_error *error) COR_MUST_USE;
void process_layer__apart_end(
    struct process_layer__apart *apart); /* the suite is over: nothing lives there any more */
void process_layer__apart_destroy(struct process_layer__apart *apart); /* NULL is allowed */

/* What the program of an arm that is executed in a cell has to read; added. */
enum cor_status process_layer__needs(const struct cor_process_arm *arm, struct cor_needs *needs,
                                     struct cor_error *error) COR_MUST_USE;

#endif
