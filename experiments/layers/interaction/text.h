/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corridor of an experiment as a text: read and held against what the agents have, judged on raw lists,
 * lowered to what the monitor watches. Nothing here knows model, suite or configuration: agents are columns,
 * parameters are numbers by name. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TEXT_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TEXT_H

#include <corridor/answer.h>
#include <corridor/attributes.h>
#include <corridor/json.h>
#include <corridor/oracle.h>
#include <corridor/rng.h>
#include <corridor/structures.h>
#include <corridor/trigger.h>
#include <corridor/truth.h>

/* A corridor that was read, with what it says of time. */
struct interaction__text;

/* Reads the value of "corridor": the path of a file beside it, or lines of the text. */
enum cor_status interaction__text_read(const struct cor_json *json, struct interaction__text **text,
                                       struct cor_error *error) COR_MUST_USE;

/* The same of the file at `path`. */
enum cor_status interaction__text_read_path(const char *path, struct interaction__text **text,
                                            struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void interaction__text_destroy(struct interaction__text *text);

/* The kind of structure that it is of. */
enum cor_structure_kind interaction__text_structure(const struct interaction__text *text);

/* Its lines as an array, which is read as the same. */
void interaction__text_put(const struct interaction__text *text, struct cor_json_writer *writer,
                           const char *key);

/* What agents have, as an attribute. */
struct interaction__column {
    const char *name, *unit; /* unit NULL: none */
    enum cor_attribute_type type;
    double low, high;         /* of numbers */
    const char *const *words; /* all that it can be, ended by NULL; NULL: any */
    bool changes;             /* while a sequence runs */
    bool is_partial;          /* an agent may have no value */
};

/* What agents have, and which kind of structure; where this is said, "": nowhere. */
struct interaction__agents {
    enum cor_structure_kind kind;
    const char *kind_place;
    const struct interaction__column *columns;
    uint32_t column_count;
};

/* What the text relies on is what the agents have: kind of structure, attributes with type, unit, range and
 * words; triggers are such that they can be kept, if they are
 * watched. */
enum cor_status interaction__text_check(struct interaction__text *text,
                                        const struct interaction__agents *agents, bool is_watched,
                                        struct cor_error *error) COR_MUST_USE;

/* A number that a suite has, by name. */
struct interaction__number {
    const char *name;
    bool is_integer;
    double low, high; /* surely within */
};

/* Its parameters, and which of the numbers each is, into numbers[parameter]; complains about one that is
 * none, or has another type. `arm` is whose they are. */
uint32_t interaction__text_parameter_count(const struct interaction__text *text);
enum cor_status interaction__text_find_parameters(const struct interaction__text *text, const char *arm,
                                                  const struct interaction__number *numbers, uint32_t count,
                                                  uint32_t *found, struct cor_error *error) COR_MUST_USE;

/* Constraints, what is said of time among them. The last is the rule of returning where the text has none. */
enum interaction__constraint_kind {
    COR_TEXT_INVARIANT = 1, /* must hold of solutions and structures */
    COR_TEXT_TRIGGER = 2,   /* an alarm is due when it is violated; both may be */
    COR_TEXT_TIME = 4
};
uint32_t interaction__text_count(const struct interaction__text *text);
const char *interaction__text_name(const struct interaction__text *text, uint32_t constraint);
uint32_t interaction__text_kind(const struct interaction__text *text,
                                uint32_t constraint); /* a set of these */
uint32_t interaction__text_cases(const struct interaction__text *text, uint32_t constraint); /* of triggers */
/* Whether one and the same organization has to violate the trigger in all of these. */
bool interaction__text_is_each(const struct interaction__text *text, uint32_t constraint);

/* What it says, in one line; of the rule of returning what it is by default. */
const char *interaction__text_sentence(const struct interaction__text *text, uint32_t constraint);

/* Whether the text has a rule of returning of its own. */
bool interaction__text_has_returns(const struct interaction__text *text);

/* The number of its attribute, -1: it has none of that name, or nothing reads it. */
int interaction__text_attribute(const struct interaction__text *text, const char *name);

/* The number of a word, as columns hold it. */
enum cor_status interaction__text_word(const struct interaction__text *text, const char *word,
                                       int64_t *number, struct cor_error *error) COR_MUST_USE;

/* Complains about a text without a trigger: no alarm would ever be due, and nothing be tested. */
enum cor_status interaction__text_expect_trigger(const struct interaction__text *text,
                                                 struct cor_error *error) COR_MUST_USE;

/* The text against an experiment's model and the parameters of all arms; it has a trigger, if they are
 * watched. */
struct cor_experiment;
enum cor_status interaction__text_check_experiment(struct interaction__text *text,
                                                   const struct cor_experiment *experiment, bool is_watched,
                                                   struct cor_error *error) COR_MUST_USE;

/* ---- an experiment, as a text sees it */

/* Calls the body with what the agents of the experiment have, which lives until it returns. */
typedef enum cor_status interaction__agents_body(void *context, const struct interaction__agents *agents,
                                                 struct cor_error *error);
enum cor_status interaction__with_agents(const struct cor_experiment *experiment,
                                         interaction__agents_body *body, void *context,
                                         struct cor_error *error) COR_MUST_USE;

/* The numbers that a text may name in an arm, with ranges that surely hold them; owned by the caller. */
struct cor_arm;
enum cor_status interaction__arm_numbers(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                         struct interaction__number **numbers, uint32_t *count,
                                         struct cor_error *error) COR_MUST_USE;

/* Which limits of the model (size_min, ..) the text names though they do not bind in an arm, since its
 * algorithm does not promise to keep them: a line for arms of which the same
 * is said, behind those of *warnings. */
enum cor_status interaction__text_say_unbound(const struct cor_experiment *experiment, char **warnings,
                                              struct cor_error *error) COR_MUST_USE;

/* ---- can it hold at all */

/* Of which systems that is asked. */
struct interaction__text_question {
    const struct interaction__agents *agents;
    uint32_t agents_low, agents_high;          /* how many there are */
    const struct interaction__number *numbers; /* parameter p is numbers[found[p]] */
    const uint32_t *found;
};

/* The answer: its texts are owned by the caller. */
struct interaction__text_answer {
    enum cor_answer answer;
    char *why;      /* an example, what contradicts, or what nothing is claimed for, in words */
    char *conflict; /* EMPTY: a line "FILE:LINE: NAME: CONDITION" of each constraint that it takes; else "" */
    char *place;    /* EMPTY: "FILE:LINE" of the first of them; else "" */
};

/* Asks z3, with a fixed amount of work, about attributes and parameters anywhere in their ranges. Nothing is
 * said to be empty because it was too large to be asked about. Overwrites the answer, whose texts are to be
 * freed also on failure. */
enum cor_status interaction__text_prove(const struct interaction__text *text,
                                        const struct interaction__text_question *question,
                                        struct interaction__text_answer *answer,
                                        struct cor_error *error) COR_MUST_USE;

/* ---- judging a suite */

struct interaction__text_judge;

/* A judge of systems of so many agents; `parameters` are values, copied. Columns are borrowed, and set before
 * the first look. */
enum cor_status interaction__text_judge_create(const struct interaction__text *text, uint32_t agents,
                                               const double *parameters,
                                               struct interaction__text_judge **judge,
                                               struct cor_error *error) COR_MUST_USE;
void interaction__text_judge_destroy(struct interaction__text_judge *judge);
COR_DESTROYS(interaction__text_judge, struct interaction__text_judge)

/* The values of an attribute: reals are `numbers`; of others these are what the monitor reckons with (NULL of
 * words, which it does not), and `integers` what conditions read. `unknown`: who has none, NULL: each has
 * one. */
void interaction__text_judge_column(struct interaction__text_judge *judge, int attribute,
                                    const double *numbers, const int64_t *integers, const uint8_t *unknown);

/* Draws what the organizations of these lists keep, each by its name, a number: from `stream` with it as the
 * ordinal, within the ranges that the text declares. It is known in looks at these very lists. */
enum cor_status interaction__text_judge_keep(struct interaction__text_judge *judge,
                                             const struct cor_lists *lists, const uint32_t *names,
                                             const struct cor_stream_name *stream,
                                             struct cor_error *error) COR_MUST_USE;

/* Whether organizations keep something. */
bool interaction__text_keeps(const struct interaction__text *text);

/* Looks at lists with their parents: of their kind? Then constraints are asked of them, which must live on.
 */
enum cor_status interaction__text_look(struct interaction__text_judge *judge, const struct cor_lists *lists,
                                       struct cor_judgement *kind, struct cor_error *error) COR_MUST_USE;

/* The verdict of one that is none of time; *is_close: at rounding errors it could be another. */
enum cor_truth interaction__text_ask(struct interaction__text_judge *judge, uint32_t constraint,
                                     bool *is_close);

/* Why one is violated, or not known. */
struct interaction__why {
    uint64_t violations;
    uint32_t agent, organization; /* of the first; COR_NOBODY: none */
    char sentence[1000];
};
void interaction__text_why(struct interaction__text_judge *judge, uint32_t constraint, enum cor_truth truth,
                           struct interaction__why *why);

/* What its verdict rests on in the lists looked at, into `grounds` with room for COR_TEXT_GROUNDS; how many.
 */
enum { COR_TEXT_GROUNDS = 8 };
struct cor_constraint_ground;

/* Whether it depends on the structure and what does not change alone. */
bool interaction__text_is_fixed(const struct interaction__text *text, uint32_t constraint);

/* ---- the trigger of a suite */

/* The triggers, lowered for the parameters and columns of the judge, which they borrow. Freed by
 * cor_trigger_program_fini, also on failure; begins with zeros. */
enum cor_status interaction__text_trigger(const struct interaction__text_judge *judge,
                                          struct cor_trigger_program *program,
                                          struct cor_error *error) COR_MUST_USE;

/* ---- what an organization, or an agent, can watch by itself */

/* A conjunct of a trigger, which must hold of each organization by itself, or of each agent. */
struct interaction__part {
    uint32_t constraint;
    uint32_t root, filter; /* nodes of the program, by organization: the latter COR_NOBODY, or for whom alone
                              the former must hold */
    uint32_t cases;        /* on end in which the organization violates it until an alarm is due */
};

/* Begins with zeros, freed by interaction__parts_fini. */
struct interaction__parts {
    struct interaction__part *parts; /* owned, as all here */
    size_t capacity;
    uint32_t count, trigger_count;
    uint32_t *triggers; /* [trigger] its constraint, in the order of the program of all triggers */
    char **
        reasons; /* [trigger] why it does not split, a sentence; NULL: it does, and all its parts are there */
};

/* Splits all triggers by organization, or, if `by_agents`, by agent; lowers the parts for the judge, NULL:
 * only to see which split. */
enum cor_status interaction__text_split(const struct interaction__text *text,
                                        const struct interaction__text_judge *judge, bool by_agents,
                                        struct cor_trigger_program *program, struct interaction__parts *parts,
                                        struct cor_error *error) COR_MUST_USE;
void interaction__parts_fini(struct interaction__parts *parts);

/* ---- what algorithms are to make small */

struct cor_objective;
struct cor_rules;
/* The objective as algorithms get it, for the parameters and columns of the judge, on values that are columns
 * of the rules; `with_criteria`: before it what triggers ask of each organization, as COR_AIMS_BY_BLOCK says.
 * Destroying it frees it, NULL is allowed. */
struct interaction__objective;
enum cor_status interaction__text_objective_create(const struct interaction__text_judge *judge,
                                                   const struct cor_rules *rules, bool with_criteria,
                                                   struct interaction__objective **objective,
                                                   struct cor_error *error) COR_MUST_USE;
void interaction__text_objective_destroy(struct interaction__objective *objective);
const struct cor_objective *interaction__text_objective(const struct interaction__objective *objective);

/* The number of it in the lists looked at last, NaN: it is not known. */
double interaction__text_reckon(const struct interaction__text_judge *judge);

/* What a node of a program is below it, as a step of an objective over values that are columns of the rules;
 * `left` and `right` are set by the caller. */
struct cor_objective_step;
struct cor_objective_step interaction__text_step(const struct interaction__text *text,
                                                 const struct cor_rules *rules,
                                                 const struct cor_trigger_program *program, uint32_t node);

/* ---- time */

struct interaction__text_time;

/* What is said of time, over a sequence; `cases` is for the rule of returning;
 * UINT32_MAX: it does not hold for this arm. */
enum cor_status interaction__text_time_create(const struct interaction__text *text, uint32_t cases,
                                              struct interaction__text_time **time,
                                              struct cor_error *error) COR_MUST_USE;
void interaction__text_time_destroy(struct interaction__text_time *time);
COR_DESTROYS(interaction__text_time, struct interaction__text_time)
/* Before the first case of a sequence. */
enum cor_status interaction__text_time_restart(struct interaction__text_time *time,
                                               struct cor_error *error) COR_MUST_USE;

/* The next case: truths of the constraints, whether there was an alarm, and of all of them together. */
enum cor_status interaction__text_time_step(struct interaction__text_time *time, const enum cor_truth *truths,
                                            bool alarm, enum cor_truth inside,
                                            struct cor_error *error) COR_MUST_USE;

#endif
