/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimations: what is asked, how the law of an experiment is changed for it, and the layer. */
#include "internal.h"

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/built.h>
#include <corridor/child.h>
#include <corridor/estimation_layer.h>
#include <corridor/estimation_schema.h>
#include <corridor/experiment.h>
#include <corridor/fields.h>
#include <corridor/interaction.h>
#include <corridor/json_names.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum cor_status steer(const struct cor_estimation *e, const struct cor_json *root,
                             const struct cor_experiment *experiment, struct cor_error *error) {
    struct cor_arm *arm = &experiment->arms[e->arm];
    if (e->method != COR_ESTIMATION_LIKELIHOOD || e->trap) {
        cor_case_traps_destroy(arm->traps);
        arm->traps = NULL;
    }
    if (arm->source == &cor_source_traps && !arm->traps)
        arm->source = &cor_source_profile;
    if (arm->traps && !(arm->traps->profile_share > 0))
        return cor_json_fail(root, error, "give the arm a \"profile_share\" from 0.1, or name a --trap",
                             "walks of arm \"%s\" are chosen, not drawn: they have no weights", arm->name);
    if (!e->trap)
        return COR_OK;
    if (arm->source != &cor_source_profile)
        return cor_json_fail(root, error, "name an arm whose environment is \"profile\"",
                             "walks of arm \"%s\" do not follow the profiles: there is no ratio to them",
                             arm->name);
    /* The one trap of the question as an arm has it. */
    struct cor_vocabulary *vocabulary;
    struct cor_json asked;
    char place[512];
    COR_TRY(cor_json_need(root, "trap", &asked, error));
    cor_json_place(&asked, place, sizeof place);
    COR_TRY(cor_model_vocabulary(experiment->model, arm, &vocabulary, error));
    COR_TRY(cor_case_traps_parse(e->trap, e->share, vocabulary, place, &arm->traps, error));
    arm->source = &cor_source_traps;
    return COR_OK;
}

static const char *const keys[] = {
#define COR_TILT(NAME, key) key,
    COR_TILTS(COR_TILT)
#undef COR_TILT
        NULL};

/* An outcome counts one fault: that of the algorithm or the result before those of agents, and these before
 * those of mail. */
static bool is_counted(const struct cor_arm *arm, const char **why) {
    *why = "it has another fault, and that is what its reorganizations count";
    return arm->fault == 0 && arm->result.fault == COR_RESULT_FAULT_NONE;
}

/* Where the probability stands in an arm; NULL: nothing there can be tilted, and why. */
static double *probability_in(struct cor_arm *arm, enum cor_tilt tilt, const char **why) {
    switch (tilt) {
    case COR_TILT_LOSS:
        *why = "mail to agents that are down is lost, too, and counted with it";
        if (arm->session.agents.fault != COR_CRASH_FAULT_NONE)
            return NULL;
        *why = "its mail is not lossy";
        return arm->session.mail.mode == COR_MAIL_LOSSY ? &arm->session.mail.loss_ratio : NULL;
    case COR_TILT_DUPLICATE:
        if (!is_counted(arm, why) || arm->session.agents.fault != COR_CRASH_FAULT_NONE)
            return NULL;
        *why = "its mail is not duplicated";
        return arm->session.mail.mode == COR_MAIL_DUPLICATED ? &arm->session.mail.duplicate_ratio : NULL;
    case COR_TILT_CRASH:
        if (!is_counted(arm, why))
            return NULL;
        *why = "its agents do not crash";
        return arm->session.agents.fault == COR_CRASH_FAULT_CRASHED ? &arm->session.agents.probability : NULL;
    case COR_TILT_ADOPTION:
        *why = "its adoption has no fault";
        return arm->adoption.fault != COR_ADOPTION_FAULT_NONE ? &arm->adoption.probability : NULL;
    case COR_TILT_RESULT:
        *why = "it has no fault of the result that is drawn for each result";
        return arm->result.fault != COR_RESULT_FAULT_NONE && arm->result.fault != COR_RESULT_FAULT_LATE
                   ? &arm->result.probability
                   : NULL;
    case COR_TILT_MONITOR:
        *why = "its monitor neither misses alarms nor raises false ones";
        return arm->monitor.fault == COR_MONITOR_FAULT_MISSED || arm->monitor.fault == COR_MONITOR_FAULT_FALSE
                   ? &arm->monitor.probability
                   : NULL;
    case COR_TILT_COUNT:
        break;
    }
    COR_ASSERT(false && "what can be tilted");
}

/* Steers walks to the trap, or to those of the arm, where the method weights; else walks follow the arm's
 * law. Tilts the probabilities that `tilt` (NULL: none) names, in estimation->tilted. */
static enum cor_status law_change(struct cor_estimation *e, const struct cor_json *root,
                                  const struct cor_json *tilt, struct cor_error *error) {
    COR_TRY(steer(e, root, e->experiment, error));
    for (size_t i = 0; tilt && i < cor_json_size(tilt); i++) {
        const struct cor_json item = cor_json_at(tilt, i);
        uint32_t t;
        const char *why;
        COR_TRY(cor_json_find_name(&item, COR_WORD_NAMES(keys, SIZE_MAX), item.key, &t, error,
                                   "\"%s\" cannot be tilted", item.key));
        if (t == COR_TILT_MONITOR && e->experiment->arms[e->arm].clocks.case_ticks > 0)
            return cor_json_fail(
                &item, error, "tilt something else, or leave \"execution\" out",
                "execution of arm \"%s\" is continuous: its monitor looks by a clock of its own, "
                "and what it draws is counted case by case",
                e->experiment->arms[e->arm].name);
        double *p = probability_in(&e->tilted->arms[e->arm], (enum cor_tilt)t, &why);
        if (!p)
            return cor_json_fail(&item, error, "tilt what the arm draws",
                                 "nothing of arm \"%s\" is drawn by %s: %s", e->tilted->arms[e->arm].name,
                                 keys[t], why);
        if (!(*p > 0 && *p < 1))
            return cor_json_fail(&item, error, "a probability between 0 and 1 in the experiment",
                                 "%s is %g: what is certain has no ratio", keys[t], *p);
        e->law[t] = *p;
        COR_TRY(cor_json_real(&item, 1e-12, 1 - 1e-12, &e->tilt[t], error));
        *p = e->tilt[t];
    }
    if (tilt) {
        COR_TRY(steer(e, root, e->tilted, error));
        /* Both experiments draw by the same tightened ranges. */
        const uint32_t arms = e->experiment->arm_count;
        for (uint32_t a = 0; a < arms; a++) {
            const uint32_t size = cor_parameter_laws_size(e->experiment->arms[a].laws);
            COR_FREED int64_t *bounds = cor_calloc(2 * (size_t)size, sizeof *bounds);
            COR_TRY(cor_made(bounds, error));
            cor_parameter_laws_get_bounds(e->experiment->arms[a].laws, bounds);
            cor_parameter_laws_set_bounds(e->tilted->arms[a].laws, bounds);
        }
    }
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    if (arm->traps && (!e->tilted || arm->traps->profile_share < e->share))
        e->share = arm->traps->profile_share;
    if (e->method == COR_ESTIMATION_LIKELIHOOD && !arm->traps && !tilt && !e->region_text)
        return cor_json_fail(
            root, error,
            "--trap CONDITION that makes failing likely, --tilt NAME=P, --region CONDITION; or method "
            "plain",
            "nothing of the law is changed, and arm \"%s\" has no traps", arm->name);
    return COR_OK;
}

/* ---- how many repetitions there will be, and of splitting how many trajectories each of their stages has:
 * known before the first of them, so that stopping favours nothing */

#define REPETITIONS_MIN 10  /* fewer carry no interval */
#define REPETITIONS_GOOD 60 /* of splitting: of so many, 20 mostly come out effective */
#define EFFORT_LEAST 5

static enum cor_status run_pilot(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)size;
    return estimation_layer__pilot_run(argument, answer, error);
}

/* An effort of at most so many trajectories, that is still one. */
static int64_t effort_within(double most) {
    return most >= ESTIMATION_LAYER__EFFORT ? ESTIMATION_LAYER__EFFORT
           : most > EFFORT_LEAST            ? (int64_t)most
                                            : EFFORT_LEAST;
}

/* As many trajectories for each stage; what the budget is sure to hold, for the pilot: that tells how much
 * there is really. */
static void effort_all(struct cor_estimation *e, int64_t effort) {
    e->effort = effort;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++)
        e->efforts[i] = effort;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++)
        e->keep[i] = 1;
}

static void effort_fit(struct cor_estimation *e) {
    const double most = (double)e->sequences * (double)e->case_most;
    effort_all(e, effort_within((double)e->budget / (2 * REPETITIONS_MIN * most)));
}

/* Efforts as they are written: one number for all stages, or an array; read where there are none what is
 * otherwise. */
static enum cor_status effort_read(const struct cor_json *json, struct cor_estimation *e,
                                   struct cor_error *error) {
    int64_t effort = ESTIMATION_LAYER__EFFORT, most = 0;
    if (json->value && !cor_json_is_array(json))
        COR_TRY(cor_json_integer(json, 2, COR_ESTIMATION_EFFORT_MAX, &effort, error));
    effort_all(e, effort);
    if (!json->value || !cor_json_is_array(json))
        return COR_OK;
    COR_TRY(cor_json_expect_array(json, 1, COR_LEVELS_MAX + 1, error));
    COR_JSON_CHILDREN(item, json) {
        COR_TRY(cor_json_integer(&item, 2, COR_ESTIMATION_EFFORT_MAX, &effort, error));
        e->efforts[item.index] = effort;
        most = effort > most ? effort : most;
    }
    for (size_t i = cor_json_size(json); i <= COR_LEVELS_MAX; i++) /* the last is that of all behind it */
        e->efforts[i] = effort;
    e->effort = most;
    return COR_OK;
}

/* Is it the same in all stages? */
static bool is_one_effort(const struct cor_estimation *e) {
    for (uint32_t i = 1; i <= e->level_count; i++)
        if (e->efforts[i] != e->efforts[0])
            return false;
    return true;
}

/* Stages up to the last in which not all go on. */
static uint32_t kept_stages(const struct cor_estimation *e) {
    uint32_t count = e->level_count + 1;
    while (count > 0 && !(e->keep[count - 1] < 1))
        count--;
    return count;
}

/* Nothing to split at. */
static enum cor_status refuse_level(const struct cor_json *root, const struct cor_estimation *e,
                                    const struct estimation_layer__pilot *pilot, struct cor_error *error) {
    if (e->property && (e->guide || e->tried_count > 0))
        return cor_json_fail(
            root, error,
            "\"level\": a number over reactions and probes, such as \"partitions\", or "
            "conditions; or method \"plain\"",
            "no case of the pilot (%llu) came nearer to \"%.160s\" than another: it asks for "
            "words, or for what is true or false, and there is nothing to split at",
            (unsigned long long)pilot->cases, e->property);
    if (e->tried_count > 0)
        return cor_json_fail(root, error,
                             "\"level\": a number over reactions and probes, or conditions, the nearest to "
                             "failing last; or \"property\", whose formula says what is to happen",
                             "nothing that is known of a case rises on the way to such a failure (%u levels "
                             "tried, %llu cases of the pilot), and there is nothing to split at",
                             e->tried_count, (unsigned long long)pilot->cases);
    return cor_json_fail(
        root, error,
        "a level that rises on the way to failing (corridor show FILE traps shows what is met), or "
        "method "
        "\"likelihood\"",
        "the level function never rises: %llu cases of the pilot came to one level only, and "
        "there is nothing to split at",
        (unsigned long long)pilot->cases);
}

/* Efforts by what the pilot saw, and what a repetition costs with them. `fits`: they are what the budget
 * holds. */
static void share_effort(struct cor_estimation *e, const struct estimation_layer__pilot *pilot, bool fits,
                         double *cost) {
    *cost = pilot->cost;
    if (!fits || !(pilot->cost > 0))
        return;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++)
        e->keep[i] = pilot->keep[i];
    const double one = pilot->cost / (double)e->effort; /* a repetition costs as much as its trajectories */
    const int64_t mean = effort_within(((double)e->budget - (double)pilot->cases) / (REPETITIONS_GOOD * one));
    *cost = 0;
    e->effort = 0;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++) {
        const double wanted = (double)mean * pilot->shares[i];
        e->efforts[i] = wanted < EFFORT_LEAST ? EFFORT_LEAST : (int64_t)(wanted + 0.5);
        if (i > e->level_count)
            continue;
        e->effort = e->efforts[i] > e->effort ? e->efforts[i] : e->effort;
        *cost += pilot->costs[i] * (double)e->efforts[i];
    }
}

/* What was found, so that it can be given by hand. */
static enum cor_status note_pilot(const struct cor_estimation *e, const struct estimation_layer__pilot *pilot,
                                  double cost, char **notes, struct cor_error *error) {
    char level[1024] = "", efforts[768] = "", keep[768] = "";
    const uint32_t last = is_one_effort(e) ? 0 : e->level_count;
    const uint32_t kept = kept_stages(e);
    size_t used = 0, used_of_keep = 0;
    if (e->level_text)
        snprintf(level, sizeof level, "level: --level \"%.1000s\"\n", e->level_text);
    for (uint32_t i = 0; i <= last; i++)
        used += (size_t)snprintf(efforts + used, sizeof efforts - used, "%s%lld", i > 0 ? "," : "",
                                 (long long)e->efforts[i]);
    for (uint32_t i = 0; i < kept; i++)
        used_of_keep += (size_t)snprintf(keep + used_of_keep, sizeof keep - used_of_keep, "%s%g",
                                         i > 0 ? "," : ", keep ", e->keep[i]);
    char *said = cor_format("%s%spilot: %llu cases, %u levels, effort %s%s, %.0f cases a repetition%s\n",
                            *notes, level, (unsigned long long)pilot->cases, e->level_count, efforts, keep,
                            cost, pilot->arrives ? "" : "; no trajectory failed");
    free(*notes);
    *notes = said;
    return cor_made(said, error);
}

#define DRAWS_OF_A_CASE 100 /* that count as one test case, where they are more than a repetition has */

/* Draws of parameters until those of a repetition are in the region, on average; 0: there is none, or how
 * probable it is comes out by drawing. */
static double draws_of_repetition(const struct cor_estimation *e) {
    return e->region_text && e->region_probability > 0 ? (1 - e->share) / e->region_probability : 0;
}

/* How many repetitions there are, of `suite_count` suites or of the budget; with splitting, levels and
 * efforts by a pilot: of efforts as they are (`fits` false), or as the budget holds them. */
static enum cor_status repetitions_count(const struct cor_json *root, struct cor_estimation *e, bool fits,
                                         uint32_t suite_count, char **notes, struct cor_error *error) {
    const bool known = e->repetitions > 0;
    double most = (double)e->sequences * (double)e->case_most; /* cases of a repetition */
    const double drawing = draws_of_repetition(e) / DRAWS_OF_A_CASE;
    const bool is_drawing = drawing > most && !known && e->budget > 0;
    if (is_drawing)
        most = drawing; /* the budget is for whichever is more */
    if (!known)
        e->repetitions = e->budget > 0 ? (int64_t)((double)e->budget / most) : suite_count;
    if (e->method == COR_ESTIMATION_SPLITTING && e->pilot_cases < 0) {
        /* What splitting needs to know first. */
        struct estimation_layer__pilot pilot;
        e->fits = fits;
        COR_TRY(cor_in_child(run_pilot, e, &pilot, sizeof pilot, error));
        if (!pilot.rises)
            return refuse_level(root, e, &pilot, error);
        if (e->tried_count > 0)
            COR_TRY(estimation_layer__level_take(e, root, e->tried[pilot.tried], error));
        for (uint32_t i = 0; i < pilot.level_count; i++)
            e->levels[i] = pilot.levels[i];
        e->level_count = e->level_count > 0 ? e->level_count : pilot.level_count;
        e->pilot_cases = (int64_t)pilot.cases;
        share_effort(e, &pilot, fits, &most);
        if (e->budget > 0)
            e->repetitions = (int64_t)(((double)e->budget - (double)pilot.cases) / most);
        COR_TRY(note_pilot(e, &pilot, most, notes, error));
    }
    if (e->repetitions == 0 && e->budget == 0)
        return cor_json_fail(root, error, "a budget of test cases (--budget)", "the experiment is endless");
    if (e->repetitions < REPETITIONS_MIN && !known) {
        const double pilot = e->pilot_cases > 0 ? (double)e->pilot_cases : 0;
        char remedy[96];
        snprintf(remedy, sizeof remedy, "a budget of %.0f test cases or more (--budget)",
                 ceil(REPETITIONS_MIN * most + pilot));
        return cor_json_fail(
            root, error, remedy, "%s holds %lld repetitions (suites%s): at least %d carry an interval",
            e->budget > 0 ? "the budget" : "the experiment",
            (long long)(e->repetitions < 0 ? 0 : e->repetitions),
            is_drawing ? ", of which drawing parameters in the region takes more than the test "
                         "cases; a hundred draws count as one"
                       : "",
            REPETITIONS_MIN);
    }
    if (e->repetitions >= COR_ESTIMATION_REPETITIONS_MAX)
        return cor_json_fail(root, error, "a smaller budget", "more than %u repetitions",
                             COR_ESTIMATION_REPETITIONS_MAX - 1);
    return COR_OK;
}

/* ---- reading what is to be estimated: the experiment, the arm, and how its law is changed */

/* As written. */
struct question {
    const char *arm, *failure, *property, *trap, *region;
    int method;
    int64_t suites, budget, pilot_cases;
    double share, region_probability;
    struct cor_json tilt, level, levels, effort, keep;
};

static const struct cor_field fields[] = {
    {"corridor_estimation", COR_REQUIRED, COR_SAID_INTEGER_FIELD(1, 1)},
    {"method", COR_REQUIRED, COR_TERM_FIELD(struct question, method, COR_FAMILY_ESTIMATION)},
    {"failure", COR_OPTIONAL, COR_STRING_FIELD(struct question, failure)},
    {"property", COR_OPTIONAL, COR_STRING_FIELD(struct question, property)},
    {"arm", COR_OPTIONAL, COR_STRING_FIELD(struct question, arm)},
    {"suites", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct question, suites, 2, COR_ESTIMATION_REPETITIONS_MAX - 1)},
    {"budget", COR_OPTIONAL, COR_INTEGER_FIELD(struct question, budget, 1, INT64_C(1) << 53)},
    {"share", COR_OPTIONAL, COR_REAL_FIELD(struct question, share, COR_PROFILE_SHARE_MIN, 1)},
    {"trap", COR_OPTIONAL, COR_STRING_FIELD(struct question, trap)},
    {"tilt", COR_OPTIONAL, COR_SAID_OBJECT_FIELD, COR_PLACE_AT(struct question, tilt)},
    {"region", COR_OPTIONAL, COR_STRING_FIELD(struct question, region)},
    {"region_probability", COR_OPTIONAL, COR_REAL_FIELD(struct question, region_probability, 0, 1)},
    {"level", COR_OPTIONAL, COR_KNOWN_FIELD, COR_PLACE_AT(struct question, level)},
    {"levels", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(1, COR_LEVELS_MAX), COR_PLACE_AT(struct question, levels)},
    {"effort", COR_OPTIONAL, COR_KNOWN_FIELD, COR_PLACE_AT(struct question, effort)},
    {"keep", COR_OPTIONAL, COR_KNOWN_FIELD, COR_PLACE_AT(struct question, keep)},
    {"pilot_cases", COR_OPTIONAL, COR_INTEGER_FIELD(struct question, pilot_cases, 0, INT64_C(1) << 53)},
    {"experiment", COR_REQUIRED, COR_KNOWN_FIELD},
    {0}};

/* What goes with which method. */
static enum cor_status check_question(const struct cor_json *root, const struct question *q,
                                      bool is_of_program, struct cor_error *error) {
    const bool is_changed = q->trap || q->tilt.value || q->region;
    if (q->method != COR_ESTIMATION_LIKELIHOOD && is_changed)
        return cor_json_fail(root, error, "method \"likelihood\"",
                             "\"trap\", \"tilt\" and \"region\" change the law: method \"%s\" follows it",
                             cor_term_word(COR_FAMILY_ESTIMATION, q->method));
    if (q->method != COR_ESTIMATION_SPLITTING && (q->level.value || q->levels.value))
        return cor_json_fail(root, error, "method \"splitting\"",
                             "\"level\" and \"levels\" are of splitting, not of method \"%s\"",
                             cor_term_word(COR_FAMILY_ESTIMATION, q->method));
    if (q->keep.value && !q->effort.value)
        return cor_json_fail(root, error, "\"effort\": the trajectories of a stage",
                             "\"keep\" is of efforts that are given: else a pilot finds both");
    if (q->keep.value && is_of_program)
        return cor_json_fail(root, error, "leave it out",
                             "\"keep\" is not for distributed programs: their trajectories all go on");
    if (q->property && q->failure)
        return cor_json_fail(root, error, "one of them",
                             "\"failure\" and \"property\" both say what is counted");
    if (q->property && is_of_program)
        return cor_json_fail(root, error, "\"failure\": a constraint, an end or a trap",
                             "\"property\" is about the cases of sequences, and the experiment is of a "
                             "distributed program");
    return COR_OK;
}

static enum cor_status take_experiment(const char *path, const struct cor_json *json,
                                       const struct cor_layer_options *options,
                                       struct cor_experiment **experiment, struct cor_error *error) {
    const struct cor_experiment_options taken = {.algorithm = options->algorithm,
                                                 .isolation = {(enum cor_isolation)options->isolation,
                                                               options->fresh_processes, options->trust,
                                                               options->isolation_required}};
    struct cor_json_document *document;
    COR_FREED char *text = cor_json_text(json);
    COR_TRY(cor_made(text, error));
    enum cor_status status = cor_json_parse(text, path, &document, error);
    COR_TRY(status);
    status = cor_json_record_named(document, json, error);
    if (status != COR_OK) {
        cor_json_destroy(document);
        return status;
    }
    return cor_experiment_take(path, document, &taken, experiment, error);
}

/* Those that are in this build; NULL behind the last. */
static const struct estimation_layer__programs *const programs[] = {
    COR_WITH_PROCESS(&estimation_layer__distributed, ) NULL};

static const char *arm_name(const struct cor_estimation *e, uint32_t arm) {
    return e->program ? e->programs->head(e->program)->arms[arm].name : e->experiment->arms[arm].name;
}

static uint32_t suite_count(const struct cor_estimation *e) {
    return e->program ? e->programs->head(e->program)->suite_count : e->experiment->suite_count;
}

static enum cor_status find_arm(const struct cor_json *root, const char *name, struct cor_estimation *e,
                                struct cor_error *error) {
    const char *names[257];
    char known[1024];
    /* What is the same of both: the experiment's arms, suites, text. */
    const uint32_t all = e->program ? (uint32_t)e->programs->head(e->program)->arm_count
                                    : e->experiment->arm_count,
                   count = all < 256 ? all : 256;
    for (uint32_t a = 0; a < count; a++)
        names[a] = arm_name(e, a);
    names[count] = NULL;
    e->arm = 0;
    if (!name && all == 1)
        return COR_OK;
    while (name && e->arm < all && strcmp(arm_name(e, e->arm), name) != 0)
        e->arm++;
    if (name && e->arm < all)
        return COR_OK;
    cor_known_names(name ? name : "", names, known, sizeof known);
    if (name)
        return cor_json_fail(root, error, known, "the experiment has no arm \"%s\"", name);
    return cor_json_fail(root, error, known, "the experiment has several arms: name one (\"arm\", --arm)");
}

static enum cor_status read_failure(const struct cor_json *root, const char *text, struct cor_estimation *e,
                                    struct cor_error *error) {
    char place[512], said[COR_FAILURE_CLASS_TEXT];
    cor_json_place(root, place, sizeof place);
    e->any = !text || strcmp(text, "any") == 0;
    if (!e->any)
        COR_TRY(cor_failure_class_parse(text, place, &e->class, error));
    if (!e->any && !cor_failure_class_fails(&e->class))
        return cor_json_fail(root, error, "\"any\", or a class as corridor failures shows it",
                             "a case of the class \"%s\" does not fail", text);
    e->failure = cor_strdup(e->any ? "any" : cor_failure_class_text(&e->class, said));
    return cor_made(e->failure, error);
}

/* Before a pilot, so that it is refused in this process. */
static enum cor_status check_property(const struct cor_json *json, const char *text,
                                      struct cor_error *error) {
    COR_DESTROYED(cor_property) struct cor_property *property = NULL;
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(estimation_layer__property_read(text, place, &property, error));
    return COR_OK;
}

/* Streams are named by numbers of 32 bits. */
static enum cor_status check_numbers(const struct cor_json *root, const struct cor_estimation *e,
                                     struct cor_error *error) {
    const uint64_t numbers = (uint64_t)e->sequences * (COR_LEVELS_MAX + 2) * (uint64_t)e->effort;
    if (e->method == COR_ESTIMATION_SPLITTING && numbers > UINT32_MAX)
        return cor_json_fail(root, error, "a smaller effort",
                             "%u sequences of %lld trajectories a stage are too many", e->sequences,
                             (long long)e->effort);
    return COR_OK;
}

/* The members that the question has, as they stand in the file and in the description of the arm. */
static void put_question(const struct cor_estimation *e, const struct cor_json *root,
                         struct cor_json_writer *w) {
    static const char *const tilts[] = {
#define COR_TILT(NAME, key) key,
        COR_TILTS(COR_TILT)
#undef COR_TILT
    };
    struct cor_json child;
    cor_json_put_string(w, "method", cor_term_word(COR_FAMILY_ESTIMATION, e->method));
    cor_json_put_string(w, e->property ? "property" : "failure", e->property ? e->property : e->failure);
    cor_json_put_string(w, "arm", arm_name(e, e->arm));
    if (e->method == COR_ESTIMATION_LIKELIHOOD)
        cor_json_put_real(w, "share", e->share);
    if (e->trap)
        cor_json_put_string(w, "trap", e->trap);
    if (e->tilted) {
        cor_json_open_object(w, "tilt");
        for (int t = 0; t < COR_TILT_COUNT; t++)
            if (!isnan(e->tilt[t]))
                cor_json_put_real(w, tilts[t], e->tilt[t]);
        cor_json_close(w);
    }
    if (e->region_text)
        cor_json_put_string(w, "region", e->region_text);
    if (e->region_text && !isnan(e->region_probability))
        cor_json_put_real(w, "region_probability", e->region_probability);
    if (e->method != COR_ESTIMATION_SPLITTING)
        return;
    if (cor_json_find(root, "level", &child))
        cor_json_put_value(w, "level", &child);
    else if (e->level_text)
        cor_json_put_string(w, "level", e->level_text);
    if (e->condition_count == 0 && e->level_count > 0) {
        cor_json_open_array(w, "levels");
        for (uint32_t i = 0; i < e->level_count; i++)
            cor_json_put_real(w, NULL, e->levels[i]);
        cor_json_close(w);
    }
    if (is_one_effort(e))
        cor_json_put_integer(w, "effort", e->efforts[0]);
    else {
        cor_json_open_array(w, "effort");
        for (uint32_t i = 0; i <= e->level_count; i++)
            cor_json_put_integer(w, NULL, e->efforts[i]);
        cor_json_close(w);
    }
    const uint32_t count = kept_stages(e);
    if (count != 0) {
        cor_json_open_array(w, "keep");
        for (uint32_t i = 0; i < count; i++)
            cor_json_put_real(w, NULL, e->keep[i]);
        cor_json_close(w);
    }
    cor_json_put_integer(w, "pilot_cases", e->pilot_cases);
}

static enum cor_status write_texts(const struct cor_json *root, struct cor_estimation *e,
                                   struct cor_error *error) {
    struct cor_json_writer *w;
    char cases[32];
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    put_question(e, root, w);
    snprintf(cases, sizeof cases, "%lld", (long long)(e->pilot_cases > 0 ? e->pilot_cases : 0));
    cor_json_put_string(w, "pilot", cases);
    cor_json_close(w);
    COR_TRY(cor_json_text_take(w, 0, &e->description, error));
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    cor_json_put_integer(w, "corridor_estimation", 1);
    put_question(e, root, w);
    cor_json_put_integer(w, "suites", e->repetitions);
    if (e->budget > 0)
        cor_json_put_integer(w, "budget", e->budget);
    cor_json_put_text(w, "experiment",
                      e->program ? e->programs->head(e->program)->text : e->experiment->text);
    cor_json_close(w);
    return cor_json_text_take(w, -1, &e->head.text, error);
}

/* Its one arm is that of the experiment. */
static enum cor_status make_head(struct cor_estimation *e, struct cor_error *error) {
    COR_TRY(cor_experiment_head_arms(&e->head, 1, error));
    e->head.suite_count = (uint32_t)e->repetitions;
    if (e->program) {
        const struct cor_experiment_head *of = e->programs->head(e->program);
        const struct cor_arm_head *its = &of->arms[e->arm];
        e->head.arms[0] = (struct cor_arm_head){.name = its->name,
                                                .description = e->description,
                                                .digest = its->digest,
                                                .foreign = its->foreign,
                                                .unasked = its->unasked};
        e->head.resumable = !its->foreign || its->digest;
        e->head.bound = of->bound;
        return COR_OK;
    }
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    e->head.arms[0] = (struct cor_arm_head){.name = arm->name, .description = e->description};
    cor_arm_tell_code(e->experiment, arm, &e->head.arms[0]);
    e->head.seed = e->experiment->seed;
    e->head.resumable = cor_arms_are_known(e->experiment, arm, 1);
    return COR_OK;
}

static enum cor_status read_of_algorithm(const char *path, const struct cor_json *root,
                                         const struct cor_json *child, const struct question *q, bool fits,
                                         const struct cor_layer_options *options, struct cor_estimation *e,
                                         char **notes, struct cor_error *error) {
    COR_TRY(take_experiment(path, child, options, &e->experiment, error));
    COR_TRY(cor_experiment_analyse(e->experiment, notes, error));
    COR_TRY(find_arm(root, q->arm, e, error));
    e->sequences = e->experiment->sequence_count;
    e->case_most = e->experiment->case_max;
    COR_TRY(read_failure(root, q->failure, e, error));
    if (e->property) {
        struct cor_json asked;
        COR_TRY(cor_json_need(root, "property", &asked, error));
        const enum cor_status status = check_property(&asked, e->property, error);
        if (status != COR_OK)
            cor_experiment_name_constraints(e->experiment, error);
        COR_TRY(status);
    }
    if (fits)
        effort_fit(e);
    /* The arm has to be what the experiment's law draws. */
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    if (arm->configurations || arm->configuration_traps || arm->explored)
        return cor_json_fail(
            root, error, "name an arm whose configurations are drawn freely",
            "configurations of arm \"%s\" are chosen, not drawn: there is no law to estimate by", arm->name);
    if (e->property && arm->clocks.case_ticks > 0)
        return cor_json_fail(root, error, "\"failure\", or leave \"execution\" out",
                             "execution of arm \"%s\" is continuous, and a property is followed case by case",
                             arm->name);
    if (e->method == COR_ESTIMATION_SPLITTING && arm->clocks.case_ticks > 0)
        return cor_json_fail(
            root, error, "method \"plain\" or \"likelihood\", or leave \"execution\" out",
            "execution of arm \"%s\" is continuous, but method \"splitting\" restarts sequences between two "
            "cases, where a reorganization may be under way",
            arm->name);
    COR_TRY(check_numbers(root, e, error));
    COR_TRY(cor_model_vocabulary(e->experiment->model, &e->experiment->arms[e->arm], &e->vocabulary, error));
    if (q->tilt.value)
        COR_TRY(take_experiment(path, child, options, &e->tilted, error));
    COR_TRY(law_change(e, root, q->tilt.value ? &q->tilt : NULL, error));
    if (e->region_text) {
        /* Reads the region. `probability` is what was counted before, NaN: it is counted now, where it can
         * be. */
        const double probability = q->region_probability;
        char place[512];
        cor_json_place(root, place, sizeof place);
        COR_TRY(cor_case_condition_parse(e->region_text, e->vocabulary, place, &e->region, error));
        const struct cor_case_condition_part *whole = cor_case_condition_root(&e->region);
        if (whole->environments != 0 || whole->reads_reaction)
            return cor_json_fail(root, error, "parameters alone: steer to the rest with --trap",
                                 "the region \"%s\" speaks of environments or reactions", e->region_text);
        e->region_probability = probability;
        COR_TRY(isnan(probability) ? estimation_layer__region_count(e, error) : COR_OK);
    }
    /* A property, whose distance it is, a number, or conditions. */
    const char *text = "";
    if (q->level.value && cor_json_is_string(&q->level))
        COR_TRY(cor_json_string(&q->level, &text, error));
    if (estimation_layer__is_property(text)) {
        COR_TRY(cor_made(e->guide = cor_strdup(text), error));
        COR_TRY(check_property(&q->level, text, error));
    } else if (q->level.value)
        COR_TRY(cor_level_read(&q->level, e->vocabulary, &e->level, error));
    e->condition_count = e->level.condition_count;
    return COR_OK;
}

static enum cor_status read_of_program(const char *path, const struct cor_json *root,
                                       const struct cor_json *child, const struct question *q, bool fits,
                                       const struct cor_layer_options *options, struct cor_estimation *e,
                                       char **notes, struct cor_error *error) {
    COR_TRY(cor_made(*notes = cor_strdup(""), error));
    COR_TRY(e->programs->read(path, child, options, &e->program, error));
    COR_TRY(find_arm(root, q->arm, e, error));
    const struct estimation_layer__program_size size = e->programs->size(e->program, e->arm);
    e->head.seed = e->programs->head(e->program)->seed;
    e->sequences = size.sequences;
    e->case_most = size.cases;
    e->any = !q->failure || strcmp(q->failure, "any") == 0;
    COR_TRY(cor_made(e->failure = cor_strdup(e->any ? "any" : q->failure), error));
    if (fits)
        effort_fit(e);
    COR_TRY(check_numbers(root, e, error));
    const struct estimation_layer__asked asked = {root, q->level.value ? &q->level : NULL, q->failure, e->arm,
                                                  e->method};
    return e->programs->ask(e->program, &asked, &e->condition_count, error);
}

static enum cor_status read_all(const char *path, const struct cor_json *root,
                                const struct cor_layer_options *options, struct cor_estimation *e,
                                char **notes, struct cor_error *error) {
    struct question q = {.share = 0.1, .region_probability = NAN, .pilot_cases = -1};
    struct cor_json child, program;
    COR_TRY(cor_json_fields(root, fields, &q, error));
    COR_TRY(cor_json_need(root, "experiment", &child, error));
    for (size_t p = 0; programs[p] && cor_json_is_object(&child); p++)
        if (cor_json_find(&child, programs[p]->key, &program))
            e->programs = programs[p];
    const bool is_of_program = e->programs != NULL;
    COR_TRY(check_question(root, &q, is_of_program, error));
    e->method = q.method;
    e->share = q.share;
    COR_TRY(effort_read(&q.effort, e, error));
    /* Shares of trajectories that go on when they fell back, by stage: an array, written only where not all
     * do.
     */
    if (q.keep.value) {
        COR_TRY(cor_json_expect_array(&q.keep, 1, COR_LEVELS_MAX + 1, error));
        COR_JSON_CHILDREN(item, &q.keep)
            COR_TRY(cor_json_real(&item, 0.001, 1, &e->keep[item.index], error));
    }
    e->budget = q.budget;
    e->repetitions = q.suites;
    e->pilot_cases = q.pilot_cases;
    e->trap = q.trap ? cor_strdup(q.trap) : NULL;
    e->region_text = q.region ? cor_strdup(q.region) : NULL;
    e->property = q.property ? cor_strdup(q.property) : NULL;
    if ((q.trap && !e->trap) || (q.region && !e->region_text) || (q.property && !e->property))
        return cor_fail_memory(error);
    const bool fits = !q.effort.value && e->budget > 0 && e->repetitions == 0 && e->pilot_cases < 0;
    COR_TRY(is_of_program ? read_of_program(path, root, &child, &q, fits, options, e, notes, error)
                          : read_of_algorithm(path, root, &child, &q, fits, options, e, notes, error));
    if (e->method == COR_ESTIMATION_SPLITTING && !q.level.value)
        COR_TRY(estimation_layer__levels_list(e, root, error));
    for (uint32_t i = 0; i < e->condition_count; i++)
        e->levels[i] = (double)i + 1;
    e->level_count = e->condition_count;
    if (q.levels.value && e->condition_count == 0) {
        e->level_count = (uint32_t)cor_json_size(&q.levels);
        for (uint32_t i = 0; i < e->level_count; i++) {
            const struct cor_json item = cor_json_at(&q.levels, i);
            COR_TRY(cor_json_real(&item, -1e300, 1e300, &e->levels[i], error));
            if (i > 0 && !(e->levels[i] > e->levels[i - 1]))
                return cor_json_fail(&item, error, "in ascending order",
                                     "a level is not above the one before it");
        }
    }
    COR_TRY(repetitions_count(root, e, fits, suite_count(e), notes, error));
    if (e->region_text && e->region_probability > 0) {
        const double draws = draws_of_repetition(e);
        char *said =
            cor_format("%sregion: %.3g of the law; %.0f draws of parameters a repetition, %.0f in all\n",
                       *notes, e->region_probability, draws, draws * (double)e->repetitions);
        free(*notes);
        *notes = said;
        COR_TRY(cor_made(said, error));
    }
    COR_TRY(write_texts(root, e, error));
    return make_head(e, error);
}

enum cor_status cor_estimation_read(const char *path, const struct cor_json *root,
                                    const struct cor_layer_options *options,
                                    struct cor_estimation **estimation, char **notes,
                                    struct cor_error *error) {
    struct cor_estimation *e = *estimation = cor_calloc(1, sizeof *e);
    COR_TRY(cor_made(e, error));
    for (int t = 0; t < COR_TILT_COUNT; t++)
        e->tilt[t] = e->law[t] = NAN;
    e->region_probability = NAN;
    e->head.path = cor_strdup(path);
    enum cor_status status = cor_made(e->head.path, error);
    if (status == COR_OK)
        status = read_all(path, root, options, e, notes, error);
    if (status != COR_OK) {
        cor_estimation_destroy(e);
        *estimation = NULL;
    }
    return status;
}

void cor_estimation_destroy(struct cor_estimation *e) {
    if (!e)
        return;
    cor_level_fini(&e->level);
    if (e->programs)
        e->programs->destroy(e->program);
    cor_case_condition_fini(&e->region);
    cor_vocabulary_destroy(e->vocabulary);
    cor_experiment_destroy(e->experiment);
    cor_experiment_destroy(e->tilted);
    cor_experiment_head_fini(&e->head);
    COR_FREE(e->description, e->failure);
    for (uint32_t t = 0; t < e->tried_count; t++)
        free(e->tried[t]);
    COR_FREE(e->level_text, e->guide, e->property, e->trap, e->region_text, e);
}

/* ---- what a campaign executes of the estimation layer: a suite is a repetition, of which a row is kept */

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct estimation_layer__executor *made;
    const enum cor_status status = estimation_layer__executor_create(experiment, &made, error);
    *with = made;
    return status;
}

static void close_executor(void *with) {
    estimation_layer__executor_destroy(with);
}

/* Mantissa and halvings from 2^16, below which every value is. */
static void put_weight(struct cor_weight weight, double *mantissa, uint32_t *halvings) {
    COR_ASSERT(weight.exponent <= 16);
    *mantissa = weight.mantissa;
    *halvings = weight.mantissa > 0 ? (uint32_t)(16 - weight.exponent) : 0;
}

static enum cor_status put_repetition(const struct estimation_layer__executor *x,
                                      const struct estimation_layer__repetition *repetition, uint32_t draw,
                                      bool in_region, struct cor_record *record, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const bool is_steered = !x->schedules && x->sides[ESTIMATION_LAYER__LAW].suite->steering != NULL;
    struct cor_estimation_repetition_row *row =
        cor_record_row(record, COR_ESTIMATION_TABLE_REPETITIONS, error);
    COR_TRY(cor_made(row, error));
    const struct cor_weight mean = cor_weight_over(repetition->sum, cor_weight_of(repetition->sequences));
    row->method = (uint8_t)e->method;
    row->cases = x->cases;
    row->sequences = repetition->sequences;
    row->failed = repetition->failed;
    row->leaked = repetition->leaked;
    row->bounds = (uint32_t)is_steered + (e->tilted != NULL);
    row->share = row->bounds > 0 || e->region_text ? e->share : NAN;
    put_weight(mean, &row->sequence_mantissa, &row->sequence_halvings);
    put_weight(repetition->largest, &row->largest_mantissa, &row->largest_halvings);
    /* What is so small that products of two say nothing any more is as small as the sum. */
    int exponent = 0;
    if (fabs(repetition->any) > 65536) {
        /* differences to weights above 1 multiply, and know no bound */
        row->suite_mantissa = ldexp(repetition->any, -16);
        row->suite_halvings = 0;
    } else if (repetition->sum.exponent < -400) {
        put_weight(repetition->sum, &row->suite_mantissa, &row->suite_halvings);
    } else {
        row->suite_mantissa = frexp(repetition->any, &exponent);
        row->suite_halvings = repetition->any != 0 ? (uint32_t)(16 - exponent) : 0;
    }
    row->in_region = in_region;
    row->region_draws = draw;
    row->region_probability = e->region_text ? e->region_probability : NAN;
    return COR_OK;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct estimation_layer__executor *x = with;
    const struct cor_estimation *e = x->estimation;
    struct estimation_layer__repetition repetition = {0};
    uint32_t draw;
    x->watch = watch;
    cor_record_begin(record, (uint16_t)arm, suite);
    /* Which draw of the parameters: that of the law, or the first in the region. */
    draw = 0;
    if (e->region_text) {
        const struct cor_stream_name name = {.seed = e->experiment->seed,
                                             .arm = cor_experiment_stream(e->experiment, e->arm),
                                             .suite = suite,
                                             .purpose = COR_PURPOSE_ESTIMATION,
                                             .entity = UINT32_MAX};
        struct cor_rng rng = cor_rng_named(&name);
        if (!(cor_rng_unit(&rng) < e->share))
            COR_TRY(estimation_layer__region_find(x, suite, &draw, error));
    }
    COR_TRY(estimation_layer__suite_open(x, suite, draw, error));
    const bool in_region =
        e->region_text &&
        estimation_layer__region_has(e, &x->facts, x->sides[ESTIMATION_LAYER__LAW].suite->parameters);
    COR_TRY(x->estimation->method == COR_ESTIMATION_SPLITTING
                ? estimation_layer__run_split(x, &repetition, error)
            : x->schedules ? e->programs->run(x, &repetition, error)
                           : estimation_layer__run_weighted(x, &repetition, error));
    COR_TRY(put_repetition(x, &repetition, draw, in_region, record, error));
    if (e->method == COR_ESTIMATION_SPLITTING)
        for (uint32_t s = 0; s <= e->level_count; s++) {
            struct cor_estimation_stage_row *row = cor_record_row(record, COR_ESTIMATION_TABLE_STAGES, error);
            COR_TRY(cor_made(row, error));
            row->stage = s;
            row->level = s < e->level_count ? e->levels[s] : NAN;
            row->started = x->stages[s].started;
            row->reached = x->stages[s].reached;
            row->failed = x->stages[s].failed;
        }
    estimation_layer__suite_close(x);
    *tally = (struct cor_suite_counts){.cases = (uint32_t)x->cases, .failures = repetition.failed};
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_estimation *e = with;
    if (e->program) {
        e->programs->put(e->program, writer);
        return;
    }
    const struct cor_algorithm *algorithm = e->experiment->arms[e->arm].algorithm;
    const char *digest = cor_registry_digest(e->experiment->registry, algorithm);
    cor_json_open_object(writer, "algorithm");
    cor_json_put_string(writer, "name", algorithm->name);
    cor_json_put_string(writer, "version", algorithm->version);
    cor_json_put_bool(writer, "program", cor_algorithm_is_program(algorithm));
    if (digest)
        cor_json_put_string(writer, "sha256", digest);
    cor_json_close(writer);
    cor_arms_put_beside(e->experiment, &e->experiment->arms[e->arm], 1, writer);
}

static void destroy(void *with) {
    cor_estimation_destroy(with);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_estimation *made = NULL;
    const struct cor_json root = cor_json_root(document);
    const bool has_others =
        options->suite_folder || options->log_solutions || options->record_traffic || options->replay_traffic;
    enum cor_status status =
        has_others ? cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                              "is an estimation: it draws its own suites, and keeps what came of them alone")
                   : cor_estimation_read(path, &root, options, &made, notes, error);
    if (status == COR_OK && made->experiment)
        status = cor_arms_look_at_isolation(path, made->experiment, &made->experiment->arms[made->arm], 1,
                                            warnings, error);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_estimation_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_estimation_layer = {
    .key = "corridor_estimation",
    .schema = &cor_estimation_schema,
    .failures = "sequences that failed so",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .provenance = put_provenance,
};
