/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals and tactics of test agents (paper 001: goal structures and tactics of aplib; the rules are numbered
 * in docs/look-up/system.md). A goal says what a test agent wants to see and how it tries; it knows beliefs
 * and actions, neither worlds nor files. Goals are read once and never change; what a test agent makes of
 * them is a pursuit. The caller keeps the loop:
 *
 *   cor_beliefs_merge(view)
 *   cor_pursuit_choose      interrupts, tactic, policy -> a command, or nothing (stalled: which guard)
 *   the world's act -> view, cor_beliefs_merge
 *   cor_pursuit_propose     solved, oracle, post-condition, budgets, next goal
 */
#ifndef CORRIDOR_GOALS_H
#define CORRIDOR_GOALS_H

#include <corridor/beliefs.h>
#include <corridor/json.h>
#include <corridor/rng.h>
#include <corridor/system_terms.h>
#include <corridor/travel.h>

#define COR_GOALS_MAX 1000000u /* nodes of all goals of a file */
#define COR_GOAL_DEPTH_MAX 200
#define COR_BUDGET_INFINITE UINT64_MAX

struct cor_goals;

/* Reads the goals of a file: `definitions` is the object "goals", named goals with parameters, NULL for none.
 * Its document lives until the last cor_goals_read; declaration and vocabulary as long as the goals. What
 * goals name is mentioned in the vocabulary, and so are entities "chosen TYPE N" that no world shows: they
 * stand for what is chosen while a test runs. A goal with parameters is read where it is used; all others are
 * looked at here. Freed by cor_goals_destroy. COR_STATUS_INPUT with pointer: unknown word, property, action,
 * type (did-you-mean), a goal without a tactic, a ring of names, .. */
enum cor_status cor_goals_create(const struct cor_world_declaration *declaration,
                                 struct cor_world_vocabulary *vocabulary, const struct cor_json *definitions,
                                 struct cor_goals **goals, struct cor_error *error) COR_MUST_USE;

/* Looks also at what nobody uses, where it names no parameters. */
enum cor_status cor_goals_check(struct cor_goals *goals, struct cor_error *error) COR_MUST_USE;
void cor_goals_destroy(struct cor_goals *goals); /* NULL is allowed */
COR_DESTROYS(cor_goals, struct cor_goals)

/* Reads the goal of a test agent called `test_agent` (an entity of that identity, if the world shows it):
 * `goal` is a goal as the file's language writes it; *root its number. On errors the goals are as before. */
enum cor_status cor_goals_read(struct cor_goals *goals, const char *test_agent, const struct cor_json *goal,
                               uint32_t *root, struct cor_error *error) COR_MUST_USE;

/* How a test agent chooses among candidates of a tactic. */
struct cor_policy; /* policies.h */

/* A planner's advice, where a model of the world is known: the next command towards `wanted`. STEP:
 * `command`; THERE: it holds; NO_WAY, NOTHING_LEFT: the model has no way to it. */
struct cor_pursuit_advice {
    enum cor_status (*next)(void *context, const struct cor_expression *wanted,
                            enum cor_travel_answer *answer, struct cor_world_command *command,
                            struct cor_error *error); /* NULL: no model is known */
    void *context;
};

struct cor_pursuit_definition {
    const struct cor_goals *goals; /* borrowed, as all here, until the pursuit is destroyed */
    uint32_t root;
    uint64_t budget;             /* COR_BUDGET_INFINITE */
    uint64_t patience;           /* cycles that are spent on last tries before a goal is given up */
    struct cor_beliefs *beliefs; /* of the test agent */
    struct cor_policy *policy;   /* NULL: in order */
    struct cor_travel *travel;   /* NULL where the world has no map */
    struct cor_pursuit_advice advice;
    const char *test_agent;
};

struct cor_pursuit;
enum cor_status cor_pursuit_create(const struct cor_pursuit_definition *definition,
                                   struct cor_pursuit **pursuit, struct cor_error *error) COR_MUST_USE;
void cor_pursuit_destroy(struct cor_pursuit *pursuit); /* NULL is allowed */
COR_DESTROYS(cor_pursuit, struct cor_pursuit)

/* What a test agent does in a cycle. */
enum cor_pursuit_choice {
    COR_PURSUIT_ACT,  /* the command */
    COR_PURSUIT_WAIT, /* nothing is enabled: it waits (the command), stalled; cor_pursuit_guard says for what
                       */
    COR_PURSUIT_ENDED /* its goal is solved or has failed */
};

/* What it does in this cycle, and the command for the world. A goal that only steers looks (COR_ACTION_LOOK).
 * What is acted on is noted in the beliefs. Draws from `rng` as the policy does. */
enum cor_status cor_pursuit_choose(struct cor_pursuit *pursuit, struct cor_rng *rng,
                                   enum cor_pursuit_choice *choice, struct cor_world_command *command,
                                   struct cor_error *error) COR_MUST_USE;

/* After the action, and the merge of its view: what became of the goal. */
enum cor_status cor_pursuit_propose(struct cor_pursuit *pursuit, struct cor_error *error) COR_MUST_USE;

/* All goals that are under way have failed, for what is no goal's business: "dead". Nothing if it ended. */
void cor_pursuit_fail(struct cor_pursuit *pursuit, const char *why);

/* COR_GOAL_OPEN while it runs, also while it is stalled. */
enum cor_goal_end cor_pursuit_status(const struct cor_pursuit *pursuit);
bool cor_pursuit_is_stalled(const struct cor_pursuit *pursuit);
/* It has failed, and a model proves that what it wants is out of reach. */
bool cor_pursuit_is_impossible(const struct cor_pursuit *pursuit);
/* No more cycles come: a goal that was left with nothing but last tries, and to which there is no
 * alternative, has failed. */
void cor_pursuit_close(struct cor_pursuit *pursuit);
/* What is wrong with its policy, a program (policies.h); 0: nothing. */
enum cor_system_trouble cor_pursuit_trouble(const struct cor_pursuit *pursuit);
uint64_t cor_pursuit_budget_left(const struct cor_pursuit *pursuit); /* of the root */
const char *cor_pursuit_guard(const struct cor_pursuit *pursuit);    /* the guard that is false; "" = none */
const char *cor_pursuit_why(const struct cor_pursuit *pursuit); /* why it failed, or ended; "" = it did not */

/* What became of a goal. */
struct cor_goal_report {
    const char *name;      /* as the file calls it, or its kind */
    uint64_t begun, ended; /* cycles */
    uint64_t cost;         /* actions */
    enum cor_goal_end end;
    uint32_t depth;
    const char *why; /* "" = solved */
};

/* `note` is called when a goal ends, those below it first; what it gets is borrowed until it returns. */
void cor_pursuit_watch_goals(struct cor_pursuit *pursuit,
                             void (*note)(void *context, const struct cor_goal_report *report),
                             void *context);

/* An assert of a goal, or the post-condition of an action, that did not hold: `text` of the condition, and
 * why not in words. A goal whose assert did not hold has failed; a post-condition is only told. */
struct cor_goal_verdict {
    enum cor_system_judge judge; /* ASSERT or AFTER */
    const char *goal, *text, *why;
    enum cor_truth truth; /* UNKNOWN: it could not be told, which is no success */
    uint64_t cycle;
};

/* `note` is called with each; what it gets is borrowed until it returns. */
void cor_pursuit_watch_asserts(struct cor_pursuit *pursuit,
                               void (*note)(void *context, const struct cor_goal_verdict *verdict),
                               void *context);

#endif
