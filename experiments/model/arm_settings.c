/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an arm or a preset sets: laws of parameters, mail, source of walks, and the faults of the testbed. */
#include "arm.h"

#include <corridor/fields.h>

#define INTERIM_MAX INT64_C(1000000000000) /* units of budget between two looks */

static const struct cor_field mail_fields[] = {
    {"mode", COR_REQUIRED, COR_TERM_FIELD(struct cor_mail_schedule, mode, COR_FAMILY_MAIL)},
    {"delay_max", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, delay_max, 1, 1000),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_DELAYED))},
    {"loss_ratio", COR_OPTIONAL, COR_REAL_FIELD(struct cor_mail_schedule, loss_ratio, 0, 1),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_LOSSY))},
    {0}};
static const struct cor_mail_schedule mail_default = {COR_MAIL_IN_ORDER, .delay_max = 3, .loss_ratio = 0.01};

static const struct cor_field monitor_fields[] = {
    {"fault", COR_REQUIRED, COR_TERM_FIELD(struct cor_monitor_definition, fault, COR_FAMILY_MONITOR_FAULT)},
    {"probability", COR_OPTIONAL, COR_REAL_FIELD(struct cor_monitor_definition, probability, 0, 1),
     COR_ONLY_WITH("fault", COR_BIT(COR_MONITOR_FAULT_MISSED) | COR_BIT(COR_MONITOR_FAULT_FALSE))},
    {"delay", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_monitor_definition, delay_cases, 1, 1000000),
     COR_ONLY_WITH("fault", COR_BIT(COR_MONITOR_FAULT_LATE))},
    {0}};
static const struct cor_monitor_definition monitor_default = {COR_MONITOR_FAULT_NONE, .probability = 1,
                                                              .delay_cases = 1};

static const struct cor_field adoption_fields[] = {
    {"fault", COR_REQUIRED, COR_TERM_FIELD(struct cor_adoption_definition, fault, COR_FAMILY_ADOPTION_FAULT)},
    {"probability", COR_OPTIONAL, COR_REAL_FIELD(struct cor_adoption_definition, probability, 0, 1),
     COR_ONLY_WITH("fault", ~COR_BIT(COR_ADOPTION_FAULT_NONE))},
    {0}};
static const struct cor_adoption_definition adoption_default = {COR_ADOPTION_FAULT_NONE, .probability = 1};

static enum cor_status add_laws(const struct cor_json *json, void *arm, struct cor_error *error) {
    return cor_parameter_laws_add(((struct cor_arm *)arm)->laws, json, error);
}

static enum cor_status constrain(const struct cor_json *json, void *arm, struct cor_error *error) {
    return cor_parameter_laws_constrain(((struct cor_arm *)arm)->laws, json, error);
}

static enum cor_status set(const struct cor_json *json, void *arm, struct cor_error *error) {
    return cor_parameter_laws_set(((struct cor_arm *)arm)->laws, json, error);
}

static enum cor_status read_source(const struct cor_json *json, void *arm, struct cor_error *error) {
    const char *word;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(cor_json_string(json, &word, error));
    if (cor_source_find(word, &((struct cor_arm *)arm)->source, &said) == COR_OK)
        return COR_OK;
    return cor_json_fail(json, error, said.remedy, "%s", said.cause);
}

static const struct cor_field setting_fields[] = {
    {"parameters", COR_OPTIONAL, COR_READ_FIELD(add_laws)},
    {"constraints", COR_OPTIONAL, COR_READ_FIELD(constrain)},
    {"set", COR_OPTIONAL, COR_READ_FIELD(set)},
    {"mail", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_arm, session.mail, mail_fields, &mail_default)},
    {"environment", COR_OPTIONAL, COR_READ_FIELD(read_source)},
    {"monitor", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_arm, monitor, monitor_fields, &monitor_default)},
    {"adoption", COR_OPTIONAL,
     COR_OBJECT_FIELD(struct cor_arm, adoption, adoption_fields, &adoption_default)},
    {"activation_delay", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, activation_delay, 0, 1000)},
    {"look_every", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, look_every, 0, 1000000)},
    {"interim", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_arm, session.interim_units, 0, INTERIM_MAX)},
    {0}};

/* What a preset and an arm can both say; called for the preset first, so that the arm has the last word. */
enum cor_status cor__arm_read_settings(const struct cor_json *json, struct cor_arm *arm,
                                       struct cor_error *error) {
    return cor_json_members(json, setting_fields, arm, error);
}
