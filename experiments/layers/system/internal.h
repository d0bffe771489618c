/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the layer's seat share: worlds that the file names, what one process needs for a test,
 * and what is written down. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_INTERNAL_H

#include <corridor/efsm.h>
#include <corridor/goals.h>
#include <corridor/json.h>
#include <corridor/live_world.h>
#include <corridor/needs.h>
#include <corridor/policies.h>
#include <corridor/subject.h>
#include <corridor/system_experiment.h>
#include <corridor/system_schema.h>
#include <corridor/temporal.h>
#include <corridor/travel.h>

#include <stdio.h>

/* ---- worlds that the file names */

/* What the file says of a world, by its maker; the maker's struct begins with it. */
struct system_layer__world {
    const struct system_layer__world_maker *maker;
};

/* Whom a world is made for. All borrowed while it is made, and as long as it lives. */
struct system_layer__world_request {
    const struct cor_system_experiment *experiment; /* traffic, walls */
    const char *const *test_agents;                 /* their names */
    uint32_t test_agent_count;
    const struct cor_system_entry *entry; /* with the parameters of its examples */
};

/* A kind of world, a row of system_layer__world_makers: the member of "system" by which it is known. */
struct system_layer__world_maker {
    const char *key; /* "rooms" */
    /* The program that it is, for sh; NULL: no world of the maker runs code that is not ours. */
    const char *(*command)(const struct system_layer__world *world);
    /* Reads the object "system". What needs trust asks `options`, which may be NULL, for it. */
    enum cor_status (*read)(const struct cor_json *json, const struct cor_layer_options *options,
                            struct system_layer__world **world, struct cor_error *error);
    /* The world with a change, which `json` names; NULL: there are none. */
    enum cor_status (*change)(const struct system_layer__world *world, const struct cor_json *json,
                              struct system_layer__world **changed, struct cor_error *error);
    /* The names of its changes, one after the other, until false; NULL: there are none. */
    bool (*name_mutant)(const struct system_layer__world *world, uint32_t mutant, char *name, size_t size);
    /* Things that it may do without, and the world without those that are marked; NULL: there are none. They
     * are counted in `things`: the world itself, or one that it was changed from or into. */
    uint32_t (*count_things)(const struct system_layer__world *world);
    void (*name_thing)(const struct system_layer__world *world, uint32_t thing, char *name, size_t size);
    enum cor_status (*leave_out)(const struct system_layer__world *world,
                                 const struct system_layer__world *things, const bool *gone,
                                 struct system_layer__world **changed, struct cor_error *error);
    /* Its members as a file would have them that names no other file. */
    void (*put)(const struct system_layer__world *world, struct cor_json_writer *writer);
    enum cor_status (*create)(const struct system_layer__world *world,
                              const struct system_layer__world_request *request, struct cor_live_world **live,
                              struct cor_error *error);
    /* What the code that the world runs needs of a sandbox, beside `command`, programs only if they are
     * started; NULL: it runs none. */
    enum cor_status (*needs)(const struct system_layer__world *world, bool starts, struct cor_needs *needs,
                             struct cor_error *error);
    /* Whether this world runs code that is not in the program; NULL: only as a program (`command`). */
    bool (*runs_code)(const struct system_layer__world *world);
    /* What the world is to do, as a model: judged beside the run, and planned in. NULL: none is known. */
    const struct cor_efsm *(*model)(const struct system_layer__world *world);
    /* A model that the world itself is judged by, its name, and why it does not allow what happened since it
     * was asked last: "" if it does. NULL: there is none; the name NULL: not in this world. */
    const char *(*protocol)(const struct system_layer__world *world);
    enum cor_status (*judge)(struct cor_live_world *live, char *why, size_t size, struct cor_error *error);
    /* Why the model that it writes cannot judge what a test sees of it; NULL: it can. Where write_model is.
     */
    const char *(*why_unjudged)(const struct system_layer__world *world,
                                const struct system_layer__world_request *request);
    /* The world as a model of oracle/efsm, JSON text freed with free(); NULL: there is none. */
    enum cor_status (*write_model)(const struct system_layer__world *world, char **text,
                                   struct cor_error *error);
    void (*destroy)(struct system_layer__world *world);
};

/* Ended by NULL. */
extern const struct system_layer__world_maker *const system_layer__world_makers[];
extern const struct system_layer__world_maker system_layer__rooms_maker, system_layer__program_maker;
extern const struct system_layer__world_maker system_layer__efsm_maker;
extern const struct system_layer__world_maker system_layer__agents_maker;
extern const struct system_layer__world_maker system_layer__campaign_maker;

enum cor_status system_layer__world_read(const struct cor_json *json, const struct cor_layer_options *options,
                                         struct system_layer__world **world,
                                         struct cor_error *error) COR_MUST_USE;
enum cor_status system_layer__world_change(const struct system_layer__world *world,
                                           const struct cor_json *mutant,
                                           struct system_layer__world **changed,
                                           struct cor_error *error) COR_MUST_USE;
void system_layer__world_destroy(struct system_layer__world *world); /* NULL is allowed */
COR_DESTROYS(system_layer__world, struct system_layer__world)

/* A JSON text as a value, with the keys in its own order. */
void system_layer__put_text(struct cor_json_writer *writer, const char *key, const char *text);

/* ---- programs that are not ours */

/* cor_system_experiment_parse of a test file: the script is of that suite, and all else need not be; NULL: it
 * is none. Takes it, also after failing. */
enum cor_status system_layer__experiment_parse(const char *text, const char *path,
                                               const struct cor_layer_options *options,
                                               struct system_layer__script *script_take, uint32_t suite,
                                               struct cor_system_experiment **experiment,
                                               struct cor_error *error) COR_MUST_USE;

/* Of which files they are made, so that a campaign that was interrupted can go on with them; and what walls
 * around them do not hold: *warnings is replaced. */
enum cor_status system_layer__guests_look(struct cor_system_experiment *experiment, bool are_walls_required,
                                          char **warnings, struct cor_error *error) COR_MUST_USE;

/* As provenance has them. */
void system_layer__guests_put(const struct cor_system_experiment *experiment, struct cor_json_writer *writer);

/* What a program did wrong, in words: "spoke nonsense". */
const char *system_layer__trouble_words(enum cor_system_trouble trouble);

/* The action, the type of that name. COR_STATUS_INPUT: the world has none, and what `json` could mean. */
enum cor_status system_layer__find_action(const struct cor_world_declaration *declaration,
                                          const struct cor_json *json, const char *name, uint32_t *action,
                                          struct cor_error *error) COR_MUST_USE;

enum cor_status system_layer__find_type(const struct cor_world_declaration *declaration,
                                        const struct cor_json *json, const char *name, uint32_t *type,
                                        struct cor_error *error) COR_MUST_USE;

/* ---- goals within a goal, as texts */

/* A goal that stands within another one, also in the text of a named goal that is used there. */
struct system_layer__fragment {
    struct cor_json goal;         /* borrowed from the document; it knows no parent */
    char *parameters, *arguments; /* owned; "b", "b1": of the named goal in whose text it stands; NULL */
};

struct system_layer__fragments {
    struct system_layer__fragment *items; /* owned */
    size_t count, capacity;
};

/* The goal itself, last, and all within it, those within others before these; `definitions`: the object
 * "goals", NULL: there is none. Begins as {0}. Left out is what stands in a named goal whose arguments are
 * chosen, or are parameters themselves, and what lies behind 10,000 others. */
enum cor_status system_layer__fragments_list(const struct cor_json *goal, const struct cor_json *definitions,
                                             struct system_layer__fragments *fragments,
                                             struct cor_error *error) COR_MUST_USE;
void system_layer__fragments_fini(struct system_layer__fragments *fragments);

/* May results call the goal so? False: it is surely called otherwise. */
bool system_layer__fragment_may_be(const struct cor_json *goal, const char *name);

/* Does the text name one of "a, b"? */
bool system_layer__names_one_of(const char *text, const char *parameters);

/* What a goal has failed with whose test agent can do nothing any more. */
#define SYSTEM_LAYER__DEAD "dead"

/* ---- a model beside the run */

struct system_layer__beside;

/* Beside a world of that declaration; both are borrowed. COR_STATUS_INPUT: no input is called as an action,
 * or has other parameters; the model has outputs, and the world shows none. `level_agent`: the model is that
 * of a level (rooms.h), in which the test agent of this name acts; NULL: it is none. */
enum cor_status system_layer__beside_create(const struct cor_efsm *model,
                                            const struct cor_world_declaration *declaration,
                                            const char *level_agent, struct system_layer__beside **beside,
                                            struct cor_error *error) COR_MUST_USE;
void system_layer__beside_destroy(struct system_layer__beside *beside); /* NULL is allowed */
COR_DESTROYS(system_layer__beside, struct system_layer__beside)

/* The world was reset. */
enum cor_status system_layer__beside_restart(struct system_layer__beside *beside,
                                             struct cor_error *error) COR_MUST_USE;

/* A command was given, and its view merged into the beliefs, and into `travel`, which a level needs: whether
 * the model allows what they show. Once something is not allowed it says no more until it is restarted. */
enum cor_status system_layer__beside_step(struct system_layer__beside *beside,
                                          const struct cor_world_command *command,
                                          const struct cor_beliefs *beliefs, struct cor_travel *travel,
                                          bool *is_allowed, char *why, size_t size,
                                          struct cor_error *error) COR_MUST_USE;

/* Whether it can be planned for: a condition over the state, and over what is said. COR_STATUS_INPUT: it
 * names something else. */
enum cor_status system_layer__beside_check(const struct system_layer__beside *beside,
                                           const struct cor_expression *wanted,
                                           struct cor_error *error) COR_MUST_USE;

/* A planner's advice to a test agent: an adviser is a context of struct cor_pursuit_advice. All is borrowed.
 */
struct system_layer__adviser;
enum cor_status system_layer__adviser_create(struct system_layer__beside *beside,
                                             const struct cor_world_vocabulary *vocabulary,
                                             const struct cor_beliefs *beliefs,
                                             struct system_layer__adviser **adviser,
                                             struct cor_error *error) COR_MUST_USE;
void system_layer__adviser_destroy(struct system_layer__adviser *adviser);             /* NULL is allowed */
COR_DESTROYS(system_layer__adviser, struct system_layer__adviser)
struct cor_pursuit_advice system_layer__advice(struct system_layer__adviser *adviser); /* NULL is allowed */

/* ---- what one process needs for a test */

#define SYSTEM_LAYER__CLAIMS_MAX 4096 /* states, and what formulas name besides */

/* A condition with a name: a state, an invariant, a path in a formula. */
struct system_layer__claim {
    const char *name; /* borrowed from the document, or `path` */
    char *path;       /* owned; what a formula calls by it; NULL: it has a name of its own */
    uint16_t code;    /* in catalog/check, or of states in catalog/state */
    struct cor_expression expression;
};

struct system_layer__formula {
    const char *name, *text; /* borrowed from the document */
    uint16_t code;
    struct cor_temporal *temporal;
    struct cor_temporal_watch *watch;
};

/* A test agent. */
struct system_layer__actor {
    const char *name;
    uint16_t code;     /* in catalog/test_agent */
    uint32_t identity; /* the word that is its name: an entity, if the world shows it */
    uint32_t root;     /* of its goal */
    uint64_t budget, patience;
    uint32_t type, hp; /* of the entity, where it is declared, and its property "hp"; COR_NONE */
    bool is_observer;  /* it has no goal, and looks */
    bool only_plays;   /* it has none behind its script */
    struct cor_beliefs *beliefs;
    struct cor_travel *travel;             /* NULL: the world has no map, or it only looks */
    struct cor_policy *policy;             /* NULL: in order */
    struct system_layer__adviser *adviser; /* NULL: no model is known */
};

struct system_layer__setup {
    uint32_t actor;
    struct cor_world_command command;
};

/* ---- a test that was taken apart: commands, one by one, in the place of what chose them */

/* Kinds of choices (subject.h); `what` is the step. */
enum { SYSTEM_LAYER__SETUP, SYSTEM_LAYER__DO };

/* What an assert needs of a step, which then stays. */
enum {
    SYSTEM_LAYER__PLAIN,
    SYSTEM_LAYER__ABOUT, /* it is about that one */
    SYSTEM_LAYER__JUDGED /* it is judged with that one, the last of its test agent */
};

struct system_layer__step {
    struct cor_json_document *command; /* owned; {"do": "press", "on": "b1", "agent": "t"} */
    uint32_t actor, cycle;             /* actor: place in the test; cycle: in which it was done */
    uint32_t cell[3];                  /* where the actor stood behind it; [0] COR_NONE: in no cell */
    uint8_t kind, need;
};

/* What each test agent does in its turns, and what it is judged by: what is expected, and nothing else. One
 * of them has a goal behind that, an assert or what failed; the others have ended then. A command that names
 * what is not known when its turn comes is passed over. */
struct system_layer__script {
    struct system_layer__step *steps; /* owned */
    uint32_t count;
    char *actor;                     /* owned; the test agent that has the goal; NULL: nobody has one */
    struct cor_json_document *goal;  /* owned; {"goal": ..} */
    struct cor_json_document *goals; /* owned; in the place of the file's; NULL: those */
    bool is_whole;                   /* the goal is all that its test agent wanted: with its budget */
    char *expected;                  /* owned; what the test fails by (system_layer__failure) */
    uint32_t setups, commands;       /* of a test file: done when it failed; commands COR_NONE: not said */
    uint64_t mark;                   /* of the world that it was made of (system_layer__mark); 0: not known */
    bool *gone;                      /* owned; [thing of its world] left out; NULL: none is; and then */
    struct system_layer__world *smaller, *sound; /* owned; its world, and that without the arm's change */
    struct system_layer__world *unchanged; /* owned; of a test file: that, with all things; NULL: it is none,
                                              or has no other */
    bool is_sound;                         /* rigs are made of the world without the change, */
    bool compares;                         /* in which the same commands must not fail alike */
};
void system_layer__script_destroy(struct system_layer__script *script); /* NULL is allowed */
COR_DESTROYS(system_layer__script, struct system_layer__script)

/* Can things be taken out of its world, and its change stand in it? Not where a model knows them all. */
bool system_layer__has_things(const struct cor_system_experiment *experiment,
                              const struct system_layer__script *script);

/* Behind the name of a formula that no command violated for good. */
#define SYSTEM_LAYER__IN_THE_END ", when the test ends"

/* Does that judge say what is expected of a test that was taken apart? NULL: all judges are asked. */
bool system_layer__is_asked(const struct system_layer__script *script, enum cor_system_judge judge,
                            const char *name);

/* The rows of one test, in a record or a result file. */
struct system_layer__ended {
    const struct cor_system_test_row *test;
    const struct cor_system_verdict_row *verdicts;
    const struct cor_system_agent_row *agents;
    size_t verdict_count, agent_count, text_bytes;
    const char *texts;
    const char *(*name)(const void *names, enum cor_system_catalog catalog, uint16_t code);
    const void *names;
};

/* Those of a record that has one test of the experiment. */
struct system_layer__ended system_layer__ended_of(const struct cor_system_experiment *experiment,
                                                  struct cor_record *record);

/* What it failed by: "formula answered", "the world died", "goal of t failed: ..", for the caller to free;
 * NULL: it did not fail. That which is `expected` comes before all else; expected NULL: nothing is. *row: of
 * the judge, NULL: it was none; may be NULL. */
enum cor_status system_layer__failure(const struct system_layer__ended *ended, const char *expected,
                                      char **failure, const struct cor_system_verdict_row **row,
                                      struct cor_error *error) COR_MUST_USE;

/* A test of an experiment, whose rows are in the record, taken apart; NULL: no script fails alike. */
struct system_layer__taking {
    const struct cor_system_experiment *experiment;
    uint32_t arm, suite;
    struct cor_record *record; /* borrowed; gets the rows of tries */
    /* Carries a script out, but for the steps that are gone. */
    enum cor_status (*run)(void *self, struct system_layer__script *script, const bool *gone,
                           const char **failure, struct cor_error *error);
    void *self;
};
enum cor_status system_layer__take_apart(const struct system_layer__taking *taking,
                                         struct system_layer__script **script,
                                         struct cor_error *error) COR_MUST_USE;

struct system_layer__past;

/* All that a test with its examples needs in a world. */
struct system_layer__rig {
    const struct cor_system_experiment *experiment;
    uint32_t arm, entry;
    const struct system_layer__world_maker *maker;
    bool trains; /* what policies learn in a run stays for the next; else no run depends on those before */
    struct cor_live_world *world;
    const struct cor_world_declaration *declaration;
    struct cor_world_vocabulary *vocabulary;
    struct cor_goals *goals;
    struct system_layer__actor actors[COR_TEST_AGENTS_MAX];
    uint32_t actor_count;
    struct system_layer__beside *beside; /* NULL: no model is known */
    const char *model;                   /* that judges: beside, or within the world; NULL: none */
    uint16_t model_code;                 /* in catalog/check */
    struct cor_beliefs *joint;           /* what all were shown; NULL with one test agent: its own */
    struct system_layer__claim *claims;  /* states first, then what formulas name besides */
    const char **claim_names;            /* ended by NULL */
    uint32_t claim_count, state_count;
    size_t claim_capacity, claim_name_capacity;
    struct system_layer__claim *invariants;
    uint32_t invariant_count;
    struct system_layer__formula *formulas;
    uint32_t formula_count;
    struct system_layer__past *past; /* of the present run; NULL: there are no formulas */
    struct system_layer__setup *setup;
    uint32_t setup_count;
    const struct system_layer__script *script; /* borrowed; NULL: goals alone */
    struct system_layer__setup *steps;         /* [step of it], */
    bool *plays, *happened;                    /* [step] to be done, by default all; done in the last run */
    bool follows;                              /* then there are: */
    uint64_t *replies; /* owned; [cycle] of the last run, from 0: what was said until then */
    size_t reply_count, reply_capacity;
    uint16_t *action_codes, *type_codes;
    uint16_t *agreement_codes; /* [type] in catalog/check */
    uint16_t *goal_codes;      /* [goal of `goals`] in catalog/goal */
    uint64_t *word_hashes;     /* [word] of its text; 0: not asked for */
    size_t word_hash_capacity, word_hash_count;
};

/* Makes it; every complaint names its place in the file. `script`: of a test that was taken apart; NULL: it
 * was not. `names`: catalogs that get what is new in them; NULL: they are complete. */
enum cor_status system_layer__rig_create(const struct cor_system_experiment *experiment, uint32_t arm,
                                         uint32_t entry, const struct system_layer__script *script,
                                         struct cor_words *names, struct system_layer__rig **rig,
                                         struct cor_error *error) COR_MUST_USE;
void system_layer__rig_destroy(struct system_layer__rig *rig); /* NULL is allowed */
COR_DESTROYS(system_layer__rig, struct system_layer__rig)

/* Carries the test out, repetition `run`, into the record, which has begun. `watch` may be NULL. */
enum cor_status system_layer__run(struct system_layer__rig *rig, uint32_t run, const struct cor_watch *watch,
                                  struct cor_record *record, struct cor_suite_counts *tally,
                                  struct cor_error *error) COR_MUST_USE;

/* ---- the subject of the layer (subject.h) */

extern const struct cor_subject system_layer__subject;

/* Of the world of a test, and of programs that it starts. */
enum cor_status system_layer__mark(const struct cor_subject_test *test, uint64_t *mark,
                                   struct cor_error *error) COR_MUST_USE;

/* A line of a story; command: as JSON, goal: that it works on, "": none. */
struct cor_bytes;
void system_layer__print_turn(struct cor_bytes *story, const struct cor_system_cycle_row *row,
                              const char *test_agent, const char *command, const char *goal);

/* Tells a test turn by turn, as text. */
enum cor_status system_layer__told(void *bench, const struct cor_subject_test *test, enum cor_story_form form,
                                   char **text, struct cor_error *error) COR_MUST_USE;

/* ---- why something does not hold, in words: what conditions read in the cycle in which they are judged, and
 * in cycles before, of which what was shown is kept (system_why.c) */

/* A sentence of a condition that does not hold: "t.x > 4 does not hold: t.x is 3." */
void system_layer__breach(const struct cor_expression *expression, const struct cor_beliefs *beliefs,
                          char *text, size_t size);

/* What was shown in a run, so that what was believed in an earlier cycle can be believed again, and what the
 * conditions of formulas were in each. Views take 32 MiB at most: then the oldest are forgotten. */
struct system_layer__past;

/* Nothing was shown. The rig is borrowed; freed by system_layer__past_destroy. */
enum cor_status system_layer__past_create(const struct system_layer__rig *rig,
                                          struct system_layer__past **past,
                                          struct cor_error *error) COR_MUST_USE;
void system_layer__past_destroy(struct system_layer__past *past); /* NULL is allowed */
void system_layer__past_clear(struct system_layer__past *past);

/* A view was merged into the beliefs by which formulas are judged. */
enum cor_status system_layer__past_view(struct system_layer__past *past, const struct cor_world_view *view,
                                        struct cor_error *error) COR_MUST_USE;

/* A test agent acted on an entity, and these beliefs have noted it. */
enum cor_status system_layer__past_tried(struct system_layer__past *past, uint32_t identity,
                                         struct cor_error *error) COR_MUST_USE;

/* A cycle is over: conditions[c] is an enum cor_temporal_value of claim c. */
enum cor_status system_layer__past_judged(struct system_layer__past *past, const uint8_t *conditions,
                                          struct cor_error *error) COR_MUST_USE;

/* Why formulas are violated, behind the cycle that is over last: whys[f] of formula f, freed with free(), for
 * each with is_asked[f]; others stay. Asked once of a run, since it walks through it. */
enum cor_status system_layer__past_why(struct system_layer__past *past, const bool *is_asked, char **whys,
                                       struct cor_error *error) COR_MUST_USE;

/* ---- a world of ours as a program is one: by lines of JSON (docs/look-up/world-programs.md) */

/* Who greets. All is borrowed from the request, and lives as long as the world. */
struct system_layer__greeting {
    uint64_t seed;
    const char *const *test_agents;
    uint32_t test_agent_count;
};

/* Makes the world that is served to those. */
typedef enum cor_status system_layer__open(void *context, const struct system_layer__greeting *greeting,
                                           struct cor_live_world **world, struct cor_error *error);

/* Answers requests of `in` to `out` until bye, or the end. What cannot be done is answered by "failed" and
 * why. COR_STATUS_INPUT: a line is no request. COR_STATUS_FILE: nobody hears. */
enum cor_status system_layer__serve(system_layer__open *open, void *context, FILE *in, FILE *out,
                                    struct cor_error *error);

/* "press b1", "type 'a b' 3": puts the command behind the text. */
void system_layer__print_command(struct cor_bytes *text, const struct cor_world_declaration *declaration,
                                 const struct cor_world_command *command);

#endif
