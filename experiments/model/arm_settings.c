/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an arm or a preset sets: laws of parameters, mail, source of walks, and the faults of the testbed. */
#include "arm.h"
#include "read.h"

#include <string.h>

#define INTERIM_MAX INT64_C(1000000000000) /* units of budget between two looks */

/* Refuses the member `key`, which says nothing with the word that the member `of` holds. */
static enum cor_status refuse_idle(const struct cor_json *json, const char *key, const char *of,
                                   struct cor_error *error) {
    struct cor_json child, chosen;
    const char *word;
    if (!cor_json_find(json, key, &child))
        return COR_OK;
    enum cor_status status = cor_json_need(json, of, &chosen, error);
    if (status == COR_OK)
        status = cor_json_string(&chosen, &word, error);
    return status == COR_OK
               ? cor_json_fail(&child, error, "leave it out", "has no meaning with \"%s\": \"%s\"", of, word)
               : status;
}

static enum cor_status read_mail(const struct cor_json *json, struct cor_mail_schedule *mail,
                                 struct cor_error *error) {
    static const char *const keys[] = {"mode", "delay_max", "loss_ratio", NULL};
    struct cor_json child;
    int mode = COR_MAIL_IN_ORDER;
    int64_t delay = 3;
    mail->loss_ratio = 0.01;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(json, "mode", &child, error);
    if (status == COR_OK)
        status = cor_json_term(&child, COR_FAMILY_MAIL, &mode, error);
    if (status == COR_OK && mode != COR_MAIL_DELAYED)
        status = refuse_idle(json, "delay_max", "mode", error);
    if (status == COR_OK && mode != COR_MAIL_LOSSY)
        status = refuse_idle(json, "loss_ratio", "mode", error);
    if (status == COR_OK && cor_json_find(json, "delay_max", &child))
        status = cor_json_integer(&child, 1, 1000, &delay, error);
    if (status == COR_OK && cor_json_find(json, "loss_ratio", &child))
        status = cor_json_real(&child, 0, 1, &mail->loss_ratio, error);
    mail->mode = (enum cor_mail)mode;
    mail->delay_max = (uint32_t)delay;
    return status;
}

/* The word and the probability: what faults of monitor and adoption have in common. */
static enum cor_status read_testbed_fault(const struct cor_json *json, const char *const *keys,
                                          enum cor_family family, int *fault, double *probability,
                                          struct cor_error *error) {
    struct cor_json child;
    *probability = 1;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(json, "fault", &child, error);
    if (status == COR_OK)
        status = cor_json_term(&child, (int)family, fault, error);
    if (status == COR_OK && cor_json_find(json, "probability", &child))
        status = cor_json_real(&child, 0, 1, probability, error);
    return status;
}

/* {"fault": word, "probability": p} or {"fault": "late", "delay": cases} */
static enum cor_status read_monitor(const struct cor_json *json, struct cor_monitor_definition *monitor,
                                    struct cor_error *error) {
    static const char *const keys[] = {"fault", "probability", "delay", NULL};
    struct cor_json child;
    int fault = COR_MONITOR_FAULT_NONE;
    int64_t delay = 1;
    enum cor_status status =
        read_testbed_fault(json, keys, COR_FAMILY_MONITOR_FAULT, &fault, &monitor->probability, error);
    if (status == COR_OK && fault != COR_MONITOR_FAULT_LATE)
        status = refuse_idle(json, "delay", "fault", error);
    if (status == COR_OK && fault != COR_MONITOR_FAULT_MISSED && fault != COR_MONITOR_FAULT_FALSE)
        status = refuse_idle(json, "probability", "fault", error);
    if (status == COR_OK && cor_json_find(json, "delay", &child))
        status = cor_json_integer(&child, 1, 1000000, &delay, error);
    monitor->fault = (enum cor_monitor_fault)fault;
    monitor->delay_cases = (uint32_t)delay;
    return status;
}

/* {"fault": word, "probability": p} */
static enum cor_status read_adoption(const struct cor_json *json, struct cor_adoption_definition *adoption,
                                     struct cor_error *error) {
    static const char *const keys[] = {"fault", "probability", NULL};
    int fault = COR_ADOPTION_FAULT_NONE;
    enum cor_status status =
        read_testbed_fault(json, keys, COR_FAMILY_ADOPTION_FAULT, &fault, &adoption->probability, error);
    if (status == COR_OK && fault == COR_ADOPTION_FAULT_NONE)
        status = refuse_idle(json, "probability", "fault", error);
    adoption->fault = (enum cor_adoption_fault)fault;
    return status;
}

static enum cor_status read_source(const struct cor_json *json, enum cor_source *source,
                                   struct cor_error *error) {
    static const char *const words[] = {"profile", "uniform", NULL};
    const char *word;
    enum cor_status status = cor_json_string(json, &word, error);
    if (status != COR_OK)
        return status;
    if (strcmp(word, "profile") == 0)
        *source = COR_SOURCE_PROFILE;
    else if (strcmp(word, "uniform") == 0)
        *source = COR_SOURCE_UNIFORM;
    else {
        char remedy[256];
        cor_known_names(word, words, remedy, sizeof remedy);
        return cor_json_fail(json, error, remedy, "unknown source of walks \"%s\"", word);
    }
    return COR_OK;
}

static enum cor_status read_counts(const struct cor_json *json, struct cor_arm *arm,
                                   struct cor_error *error) {
    struct cor_json child;
    int64_t delay = arm->activation_delay, look = arm->look_every,
            interim = (int64_t)arm->session.interim_units;
    enum cor_status status = COR_OK;
    if (cor_json_find(json, "activation_delay", &child))
        status = cor_json_integer(&child, 0, 1000, &delay, error);
    if (status == COR_OK && cor_json_find(json, "look_every", &child))
        status = cor_json_integer(&child, 0, 1000000, &look, error);
    if (status == COR_OK && cor_json_find(json, "interim", &child))
        status = cor_json_integer(&child, 0, INTERIM_MAX, &interim, error);
    arm->activation_delay = (uint32_t)delay;
    arm->look_every = (uint32_t)look;
    arm->session.interim_units = (uint64_t)interim;
    return status;
}

/* What a preset and an arm can both say; called for the preset first, so that the arm has the last word. */
enum cor_status cor__arm_read_settings(const struct cor_json *json, struct cor_arm *arm,
                                       struct cor_error *error) {
    struct cor_json child;
    enum cor_status status = COR_OK;
    if (cor_json_find(json, "parameters", &child))
        status = cor_parameter_laws_add(arm->laws, &child, error);
    if (status == COR_OK && cor_json_find(json, "constraints", &child))
        status = cor_parameter_laws_constrain(arm->laws, &child, error);
    if (status == COR_OK && cor_json_find(json, "set", &child))
        status = cor_parameter_laws_set(arm->laws, &child, error);
    if (status == COR_OK && cor_json_find(json, "mail", &child))
        status = read_mail(&child, &arm->session.mail, error);
    if (status == COR_OK && cor_json_find(json, "environment", &child))
        status = read_source(&child, &arm->source, error);
    if (status == COR_OK && cor_json_find(json, "monitor", &child))
        status = read_monitor(&child, &arm->monitor, error);
    if (status == COR_OK && cor_json_find(json, "adoption", &child))
        status = read_adoption(&child, &arm->adoption, error);
    return status == COR_OK ? read_counts(json, arm, error) : status;
}
