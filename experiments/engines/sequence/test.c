/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/test.h>

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/mechanism_host.h>
#include <corridor/property.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_test_of_sequence(const struct cor_suite *suite, uint32_t sequence,
                                     const struct cor_branch *branch, struct cor_walk *walk,
                                     struct cor_test **test, struct cor_error *error) {
    struct cor_test *t = *test = cor_calloc(1, sizeof *t);
    COR_TRY(cor_made(t, error));
    t->arm = *suite->arm;
    t->arm.traps = NULL;
    t->arm.source = &cor_source_recorded;
    t->sequence = sequence;
    t->expected.class.smoke = COR_SMOKE_NONE;
    t->continues = branch != NULL;
    if (branch)
        t->branch = *branch;
    enum cor_status status = cor_suite_of_walk(suite, &t->arm, walk, &t->suite, error);
    if (status != COR_OK) {
        cor_test_destroy(t);
        *test = NULL;
    }
    return status;
}

enum cor_status cor_test_ask_take(struct cor_test *test, char *text, const char *place,
                                  struct cor_error *error) {
    struct cor_property *property;
    free(test->property);
    test->property = text;
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_property_parse(text, place, &property, error);
    if (status != COR_OK)
        cor_experiment_name_constraints(test->suite->experiment, error);
    COR_TRY(status);
    const bool is_formula = cor_property_formula(property) != NULL;
    cor_property_destroy(property);
    return is_formula ? COR_OK
                      : cor_fail(error, COR_STATUS_INPUT, place, "ask for a formula: P [ always inside ]",
                                 "no sequence by itself violates \"%.200s\"", text);
}

static enum cor_status copy_walk(const struct cor_walk *from, struct cor_walk *copy,
                                 struct cor_error *error) {
    COR_TRY(cor_walk_resize(copy, from->chain_count, from->case_count, error));
    if (from->chain_count > 0)
        memcpy(copy->states, from->states, ((size_t)from->case_count + 1) * from->chain_count);
    return COR_OK;
}

static enum cor_status copy_rest(const struct cor_test *from, struct cor_test *to, struct cor_error *error) {
    const uint32_t cases = cor_test_cases(from);
    if (from->case_identity) {
        to->case_identity = cor_calloc(cases, sizeof *to->case_identity);
        COR_TRY(cor_made(to->case_identity, error));
        memcpy(to->case_identity, from->case_identity, cases * sizeof *to->case_identity);
    }
    if (from->schedule)
        COR_TRY(cor_mail_record_copy(from->schedule, &to->schedule, error));
    to->expected = from->expected;
    to->said = cor_strdup(from->said);
    to->bounds = cor_strdup(from->bounds);
    to->property = cor_strdup(from->property);
    return (from->said && !to->said) || (from->bounds && !to->bounds) || (from->property && !to->property)
               ? cor_fail_memory(error)
               : COR_OK;
}

enum cor_status cor_test_copy(const struct cor_test *test, struct cor_test **copy, struct cor_error *error) {
    struct cor_walk walk;
    cor_walk_init(&walk);
    *copy = NULL;
    enum cor_status status = copy_walk(&test->suite->recorded[0], &walk, error);
    if (status == COR_OK)
        status = cor_test_of_sequence(test->suite, test->sequence, test->continues ? &test->branch : NULL,
                                      &walk, copy, error);
    cor_walk_fini(&walk);
    if (status == COR_OK)
        status = copy_rest(test, *copy, error);
    if (status != COR_OK) {
        cor_test_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

void cor_test_destroy(struct cor_test *test) {
    if (!test)
        return;
    cor_suite_destroy(test->suite);
    cor_experiment_destroy(test->own);
    free(test->case_identity);
    cor_mail_record_destroy(test->schedule);
    free(test->property);
    free(test->bounds);
    free(test->said);
    free(test);
}

bool cor_test_leave_faults_out(struct cor_test *test) {
    struct cor_arm *arm = &test->arm;
    struct cor_configuration *c = test->suite->configuration;
    const bool had = arm->fault != 0 || c->monitor.fault != COR_MONITOR_FAULT_NONE ||
                     c->adoption.fault != COR_ADOPTION_FAULT_NONE ||
                     arm->result.fault != COR_RESULT_FAULT_NONE ||
                     arm->session.agents.fault != COR_CRASH_FAULT_NONE ||
                     (arm->monitors.algorithm && strcmp(arm->monitors.fault, "none") != 0);
    arm->fault = 0;
    arm->monitors.fault = "none";
    arm->result.fault = COR_RESULT_FAULT_NONE;
    arm->session.agents.fault = COR_CRASH_FAULT_NONE;
    arm->monitor.fault = c->monitor.fault = COR_MONITOR_FAULT_NONE;
    arm->adoption.fault = c->adoption.fault = COR_ADOPTION_FAULT_NONE;
    return had;
}

/* How the session goes about it. Limits of time are a safety net, and no part of the test. */
static uint64_t hash_session(uint64_t hash, const struct cor_session_definition *s) {
    const uint64_t words[] = {s->agents.fault, s->agents.down_rounds, s->memory_limit, s->interim_units,
                              s->strict};
    hash = cor_hash_bytes(hash, words, sizeof words);
    hash = cor_hash_bytes(hash, &s->agents.probability, sizeof s->agents.probability);
    /* What has a meaning with that mode alone. */
    hash = cor_hash_word(hash, s->mail.mode);
    switch (s->mail.mode) {
    case COR_MAIL_DELAYED:
        return cor_hash_word(hash, s->mail.delay_max);
    case COR_MAIL_LOSSY:
        return cor_hash_bytes(hash, &s->mail.loss_ratio, sizeof s->mail.loss_ratio);
    case COR_MAIL_DUPLICATED:
        return cor_hash_bytes(hash, &s->mail.duplicate_ratio, sizeof s->mail.duplicate_ratio);
    case COR_MAIL_PCT:
        return cor_hash_word(cor_hash_word(hash, s->mail.depth), s->mail.messages);
    case COR_MAIL_BOUNDED:
        hash = cor_hash_word(cor_hash_word(hash, s->mail.bound), s->mail.messages);
        return cor_hash_word(hash, (uint64_t)s->mail.index);
    default:
        return hash;
    }
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

/* Mechanisms, in the order in which they work. */
static uint64_t hash_mechanisms(uint64_t hash, const struct cor_test *test) {
    const struct cor_arm *arm = &test->arm;
    const struct cor_experiment *experiment = test->suite->experiment;
    const uint32_t before = cor_arm_component_count(arm) - arm->mechanism_count;
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        const struct cor_mechanism_slot *slot = &arm->mechanisms[s];
        hash = hash_text(hash, cor_arm_component_at(experiment, arm, before + s).name);
        hash = cor_hash_bytes(hash, slot->parameters,
                              cor_parameter_count(slot->mechanism->parameters) * sizeof *slot->parameters);
        for (uint32_t t = 0; slot->types && t < experiment->model->type_count; t++)
            hash = cor_hash_word(hash, slot->types[t]);
        if (slot->mock)
            hash = hash_text(hash, slot->mock->text);
    }
    return hash;
}

/* Where execution is continuous, and what a corridor as a text asks: of other tests there is nothing. */
static uint64_t hash_settings(uint64_t hash, const struct cor_arm *arm, bool has_text) {
    const struct cor_clocks *c = &arm->clocks;
    const uint64_t ticks[] = {c->case_ticks, c->agent_least,   c->agent_most, c->monitor_ticks,
                              c->unit_ticks, c->message_ticks, c->move_ticks};
    if (c->case_ticks > 0)
        hash = cor_hash_bytes(hash, ticks, sizeof ticks);
    return has_text ? cor_hash_word(cor_hash_word(hash, arm->return_cases), arm->judge_moves) : hash;
}

static uint64_t hash_arm(uint64_t hash, const struct cor_arm *arm) {
    const uint64_t words[] = {arm->fault, arm->result.fault, arm->activation_delay, arm->look_every};
    hash = cor_hash_bytes(hash, arm->algorithm->name, strlen(arm->algorithm->name));
    hash = cor_hash_bytes(hash, words, sizeof words);
    hash = cor_hash_bytes(hash, &arm->result.probability, sizeof arm->result.probability);
    const struct cor_arm_monitors *m = &arm->monitors;
    if (m->algorithm) {
        const uint64_t said[] = {m->subject, m->clock, m->rest};
        hash = cor_hash_bytes(hash, said, sizeof said);
        hash = hash_text(hash_text(hash, m->algorithm), m->fault);
    }
    return hash_session(hash, &arm->session);
}

static uint64_t hash_names(uint64_t hash, const struct cor_test *test) {
    const struct cor_stream_name *name = &test->suite->name;
    const uint64_t words[] = {name->seed,      name->arm,           name->suite,        test->sequence,
                              test->continues, test->branch.parent, test->branch.prefix};
    hash = cor_hash_bytes(hash, words, sizeof words);
    if (test->case_identity)
        hash = cor_hash_bytes(hash, test->case_identity, cor_test_cases(test) * sizeof *test->case_identity);
    return hash;
}

uint64_t cor_test_hash(const struct cor_test *test) {
    const struct cor_suite *suite = test->suite;
    const struct cor_walk *walk = &suite->recorded[0];
    /* Without the last ones that nobody has set: a test is the one it was before there were such options. */
    uint32_t parameters = cor_algorithm_parameter_count(test->arm.algorithm);
    while (parameters > 0 && test->arm.algorithm_parameters[parameters - 1] < 0)
        parameters--;
    /* Not in it are profiles: all that the chains do is known, and nothing else looks at them. */
    COR_ASSERT(test->arm.source == &cor_source_recorded && walk->known == walk->case_count &&
               !suite->steering);
    uint64_t hash = cor_hash_word(COR_HASH_SEED, cor_configuration_hash(suite->configuration));
    const bool has_text = cor_experiment_constraint(suite->experiment, 0, &(const char *){NULL});
    hash = hash_arm(hash, &test->arm);
    hash = hash_mechanisms(hash_settings(hash, &test->arm, has_text), test);
    hash = hash_names(hash, test);
    hash = cor_hash_word(hash, suite->budget);
    hash = cor_hash_bytes(hash, suite->algorithm_parameters, parameters * sizeof(double));
    if (has_text) /* it reads all of them */
        hash = cor_hash_bytes(hash, suite->parameters,
                              cor_parameter_laws_size(test->arm.laws) * sizeof *suite->parameters);
    if (test->property)
        hash = cor_hash_bytes(hash, test->property, strlen(test->property));
    if (test->schedule)
        hash = cor_hash_word(hash, cor_mail_record_hash(test->schedule));
    return cor_hash_bytes(hash, walk->states, ((size_t)walk->case_count + 1) * walk->chain_count);
}
