/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "law.h"

#include "internal.h"

#include <corridor/array.h>
#include <corridor/steering.h>
#include <corridor/vocabulary.h>

#include <math.h>
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

static enum cor_status tilt_one(struct cor_estimation *e, const struct cor_json *json,
                                struct cor_error *error) {
    char known[256];
    int t = 0;
    const char *why;
    while (keys[t] && strcmp(keys[t], json->key) != 0)
        t++;
    if (!keys[t]) {
        cor_known_names(json->key, keys, known, sizeof known);
        return cor_json_fail(json, error, known, "\"%s\" cannot be tilted", json->key);
    }
    if (t == COR_TILT_MONITOR && e->experiment->arms[e->arm].clocks.case_ticks > 0)
        return cor_json_fail(
            json, error, "tilt something else, or leave \"execution\" out",
            "execution of arm \"%s\" is continuous: its monitor looks by a clock of its own, "
            "and what it draws is counted case by case",
            e->experiment->arms[e->arm].name);
    double *p = probability_in(&e->tilted->arms[e->arm], (enum cor_tilt)t, &why);
    if (!p)
        return cor_json_fail(json, error, "tilt what the arm draws",
                             "nothing of arm \"%s\" is drawn by %s: %s", e->tilted->arms[e->arm].name,
                             keys[t], why);
    if (!(*p > 0 && *p < 1))
        return cor_json_fail(json, error, "a probability between 0 and 1 in the experiment",
                             "%s is %g: what is certain has no ratio", keys[t], *p);
    e->law[t] = *p;
    COR_TRY(cor_json_real(json, 1e-12, 1 - 1e-12, &e->tilt[t], error));
    *p = e->tilt[t];
    return COR_OK;
}

enum cor_status estimation_layer__law_change(struct cor_estimation *e, const struct cor_json *root,
                                             const struct cor_json *tilt, struct cor_error *error) {
    COR_TRY(steer(e, root, e->experiment, error));
    for (size_t i = 0; tilt && i < cor_json_size(tilt); i++) {
        const struct cor_json item = cor_json_at(tilt, i);
        COR_TRY(tilt_one(e, &item, error));
    }
    if (tilt) {
        COR_TRY(steer(e, root, e->tilted, error));
        /* Both experiments draw by the same tightened ranges. */
        const uint32_t arms = e->experiment->arm_count;
        for (uint32_t a = 0; a < arms; a++) {
            const uint32_t size = cor_parameter_laws_size(e->experiment->arms[a].laws);
            int64_t *bounds = cor_calloc(2 * (size_t)size, sizeof *bounds);
            COR_TRY(cor_made(bounds, error));
            cor_parameter_laws_get_bounds(e->experiment->arms[a].laws, bounds);
            cor_parameter_laws_set_bounds(e->tilted->arms[a].laws, bounds);
            free(bounds);
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

enum cor_status estimation_layer__law_region(struct cor_estimation *e, const struct cor_json *root,
                                             double probability, struct cor_error *error) {
    char place[512];
    cor_json_place(root, place, sizeof place);
    COR_TRY(cor_case_condition_parse(e->region_text, e->vocabulary, place, &e->region, error));
    const struct cor_case_condition_part *whole = cor_case_condition_root(&e->region);
    if (whole->environments != 0 || whole->reads_reaction)
        return cor_json_fail(root, error, "parameters alone: steer to the rest with --trap",
                             "the region \"%s\" speaks of environments or reactions", e->region_text);
    e->region_probability = probability;
    return isnan(probability) ? estimation_layer__region_count(e, error) : COR_OK;
}
