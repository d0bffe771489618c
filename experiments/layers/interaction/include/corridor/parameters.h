/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The laws by which the parameters of a suite are drawn (003, 4.1: a constraint satisfaction problem).
 * Written by users as stages of ranges plus constraints in text; docs/look-up/experiments.md, "Parameters",
 * is the manual.
 *
 *   "parameters": [
 *     {"agents": [2, 1000]},                                    a stage: drawn together, redrawn together
 *     {"s_min <= s_max": [2, "agents"],                         two uniform draws from the range, sorted
 *      "c_random + c_own + c_best": 1,                          uniform on the simplex of that sum (reals)
 *      "share": [0.0, 0.5],                                     a real range: a bound has a decimal point
 *      "budget": "4 * agents"}],                                a value that follows, or is given
 *   "constraints": ["n_min * s_min <= agents", ...],
 *   "fallback": [stages]
 *
 * The law: stages in order; within a stage each integer uniform in its range, whose bounds may name what was
 * drawn before. A constraint is checked at the end of the first stage in which all its names are known; if it
 * fails, that stage is drawn anew. After COR_DRAWS_MAX failures in a stage of the model the fallback stages
 * are drawn instead of the rest of the model's stages. */
#ifndef CORRIDOR_PARAMETERS_H
#define CORRIDOR_PARAMETERS_H

#include <corridor/expression.h>
#include <corridor/json.h>
#include <corridor/rng.h>

#define COR_DRAWS_MAX 10000

/* Laws under construction, then finished, then (in the planning process) analysed. */
struct cor_parameter_laws;

/* No parameters yet. */
enum cor_status cor_parameter_laws_create(struct cor_parameter_laws **laws,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees them and all they own. NULL is allowed. */
void cor_parameter_laws_destroy(struct cor_parameter_laws *laws);

/* Adds stages: an array of objects, or one object. A definition of the same names as one of an earlier call
 * takes its place; other overlaps are errors. The first call is the model's, to which the fallback belongs.
 * `json` and what it is part of must outlive the laws. */
enum cor_status cor_parameter_laws_add(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) COR_MUST_USE;

/* Adds a parameter with a given value, an integer or a real one, in a stage of its own unless it is defined
 * already. */
enum cor_status cor_parameter_laws_default(struct cor_parameter_laws *laws, const char *name, bool is_integer,
                                           double value, struct cor_error *error) COR_MUST_USE;

/* Adds constraints: an array of texts. */
enum cor_status cor_parameter_laws_constrain(struct cor_parameter_laws *laws, const struct cor_json *json,
                                             struct cor_error *error) COR_MUST_USE;

/* Adds a constraint that an algorithm declares, called `place`. If it names a parameter that is real it is
 * for people alone, and left out. */
enum cor_status cor_parameter_laws_declare(struct cor_parameter_laws *laws, const char *text,
                                           const char *place, struct cor_error *error) COR_MUST_USE;

/* Sets the fallback stages; names that only they define are helpers and no parameters. They stand in for the
 * model's stages from the first that they redefine, so they must redefine all parameters from there on. */
void cor_parameter_laws_fall_back(struct cor_parameter_laws *laws, const struct cor_json *json);

/* Overrides, an object of name: value or expression: applied after each draw of the stage that draws the
 * name, before its constraints are checked. Refused where something else of that stage was computed from the
 * name, for it would keep the value from before. */
enum cor_status cor_parameter_laws_set(struct cor_parameter_laws *laws, const struct cor_json *json,
                                       struct cor_error *error) COR_MUST_USE;

/* Resolves names and checks that everything used is known before. Nothing may be added afterwards. */
enum cor_status cor_parameter_laws_finish(struct cor_parameter_laws *laws,
                                          struct cor_error *error) COR_MUST_USE;

/* Number of parameters, helpers not counted. */
uint32_t cor_parameter_laws_size(const struct cor_parameter_laws *laws);

/* Name of a parameter, and whether it is an integer. */
const char *cor_parameter_laws_name(const struct cor_parameter_laws *laws, uint32_t index);
bool cor_parameter_laws_is_integer(const struct cor_parameter_laws *laws, uint32_t index);

/* Index of a parameter, -1 if there is none of that name. */
int cor_parameter_laws_find(const struct cor_parameter_laws *laws, const char *name);

/* Constraints, those that algorithms declare among them; expressions over the parameters' names. */
uint32_t cor_parameter_laws_constraint_count(const struct cor_parameter_laws *laws);
const struct cor_expression *cor_parameter_laws_constraint(const struct cor_parameter_laws *laws,
                                                           uint32_t index);

/* Names for expressions over the parameters, NULL-terminated; reals, which expressions cannot use, stand as
 * "". */
const char *const *cor_parameter_laws_names(const struct cor_parameter_laws *laws);

/* The definition of a parameter as the user wrote it, e.g. "agents": [2, 1000]; for messages. */
const char *cor_parameter_laws_text(const struct cor_parameter_laws *laws, uint32_t index);

/* Where that definition stands: "file: /pointer", or whose default it is. */
const char *cor_parameter_laws_place(const struct cor_parameter_laws *laws, uint32_t index);

/* A range that surely holds the parameter. */
void cor_parameter_laws_range(const struct cor_parameter_laws *laws, uint32_t index, double *low,
                              double *high);

/* Looks for examples, and asks z3 what they leave open (planning process only): COR_STATUS_UNSATISFIABLE if
 * nothing can be drawn, with the conflicting lines in the user's words; else draws are clipped to what the
 * constraints of their stage can accept, which saves attempts and leaves every probability as the law states
 * it. `note` gets a sentence for the user, or
 * "". */
enum cor_status cor_parameter_laws_analyse(struct cor_parameter_laws *laws, char *note, size_t size,
                                           struct cor_error *error) COR_MUST_USE;

/* The bounds to which draws are clipped, low and high of each parameter in turn, 2 * size numbers: reads
 * them; sets them. */
void cor_parameter_laws_get_bounds(const struct cor_parameter_laws *laws, int64_t *bounds);
void cor_parameter_laws_set_bounds(struct cor_parameter_laws *laws, const int64_t *bounds);

/* Laws with further constraints, by which the same is drawn as if they stood among the others. They borrow
 * from `laws`, which are finished, and are not to be analysed themselves. `place` is said in errors. */
enum cor_status cor_parameter_laws_narrow(const struct cor_parameter_laws *laws, const char *const *texts,
                                          uint32_t count, const char *place,
                                          struct cor_parameter_laws **narrowed,
                                          struct cor_error *error) COR_MUST_USE;

/* What it took to draw the parameters of a suite. */
struct cor_draw {
    uint32_t attempts; /* draws of the hardest stage until all its constraints held */
    bool fallback;     /* the fallback law was followed */
};

/* Draws all parameters: integers[i] for integers (0 else), reals[i] for all as real numbers; both of
 * cor_parameter_laws_capacity() items, helpers last. COR_STATUS_UNSATISFIABLE when the laws give up.
 * Allocates nothing. */
enum cor_status cor_parameter_laws_draw(const struct cor_parameter_laws *laws, struct cor_rng *rng,
                                        int64_t *integers, double *reals, struct cor_draw *draw,
                                        struct cor_error *error) COR_MUST_USE;

/* Something that holds for parameters, or not. */
struct cor_parameter_event {
    bool (*holds)(void *context, const double *reals); /* `reals` as drawn; what it does not read, anything */
    void *context;
    const bool *reads; /* borrowed; [parameter] whether it is read */
};

/* The probability of an event by the laws, without a sampling error: all that can be drawn is gone through,
 * of the stages that it depends on. *probability is NaN where that cannot be counted: it depends on a real
 * parameter that is drawn, on more than `draws_max` draws (some 10^7 a second), or on a stage that is given
 * up now and then, so that the fallback has a say. */
enum cor_status cor_parameter_laws_probability(const struct cor_parameter_laws *laws,
                                               const struct cor_parameter_event *event, uint64_t draws_max,
                                               double *probability, struct cor_error *error) COR_MUST_USE;

/* Lines of the laws, such as "s_min <= s_max": [2, "agents"]. */
uint32_t cor_parameter_laws_lines(const struct cor_parameter_laws *laws);

/* Draws one line anew, or with `stage` its whole stage, in parameters that are there; the others are kept as
 * far as they agree with it: those that follow from it are made anew, and those that left their range are
 * drawn. False: a constraint does not hold, or a range is empty; the parameters are of no use then. Allocates
 * nothing. */
bool cor_parameter_laws_redraw(const struct cor_parameter_laws *laws, uint32_t line, bool stage,
                               struct cor_rng *rng, int64_t *integers, double *reals);

/* Parameters and helpers together, as many as are defined so far. */
uint32_t cor_parameter_laws_capacity(const struct cor_parameter_laws *laws);

#endif
