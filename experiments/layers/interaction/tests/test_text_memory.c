/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text, from its lines to a case that was judged: every allocation made to fail in turn. */
#include "../text.h"

#include "failing_allocations.h"

#include <corridor/plugin.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char lines[] =
    "[\"structure partitioning\", \"attribute type: words lamp, roof\", \"parameter most, limit\","
    " \"define level(o): mean(a in o.members: a.value)\","
    " \"invariant sizes: all(o in organizations: count(o.members) <= most)\","
    " \"trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= limit\","
    " \"trigger lit: all(o in organizations: any(a in o.members where a.type == 'lamp': a.value > limit))\","
    " \"objective dim: sum(o in organizations: abs(sum(a in o.members where a.type == 'lamp': a.value) - "
    "2))\","
    " \"trigger balance for 2\", \"temporal soon: always (alarm implies eventually[0, 2] lit)\"]";

enum { AGENTS = 6 };

/* Two organizations of three agents, and a case in which all is asked. */
static enum cor_status judge_case(struct interaction__text *text, struct interaction__text_judge *judge,
                                  struct cor_state *state, struct cor_trigger *trigger,
                                  struct interaction__text_time *time, struct cor_error *error) {
    struct cor_lists lists;
    struct cor_judgement kind;
    enum cor_truth truths[8] = {COR_TRUTH_TRUE};
    bool due, is_close;
    cor_lists_init(&lists);
    enum cor_status status = cor_state_lists(state, &lists, error);
    if (status == COR_OK)
        status = cor_trigger_watch(trigger, state, &due, error);
    if (status == COR_OK)
        status = interaction__text_look(judge, &lists, &kind, error);
    for (uint32_t c = 0; status == COR_OK && c < interaction__text_count(text); c++)
        if (interaction__text_kind(text, c) != COR_TEXT_TIME)
            truths[c] = interaction__text_ask(judge, c, &is_close);
    for (int i = 0; i < 3 && status == COR_OK; i++)
        status = interaction__text_time_step(time, truths, due, COR_TRUTH_FALSE, error);
    if (status == COR_OK)
        status = interaction__text_time_restart(time, error);
    if (status == COR_OK) {
        struct interaction__why why;
        interaction__text_why(judge, 1, COR_TRUTH_FALSE, &why);
        assert_true(due == false && truths[0] == COR_TRUTH_TRUE && truths[1] == COR_TRUTH_FALSE &&
                    why.violations == 1);
    }
    cor_lists_fini(&lists);
    return status;
}

static enum cor_status once(const struct cor_json *json, struct cor_state *state, struct cor_error *error) {
    static const char *const types[] = {"lamp", "roof", NULL};
    static const struct interaction__column columns[] = {
        {.name = "type", .type = COR_ATTRIBUTE_WORDS, .words = types},
        {.name = "state", .type = COR_ATTRIBUTE_WORDS, .changes = true},
        {.name = "group", .type = COR_ATTRIBUTE_WORDS},
        {.name = "value", .type = COR_ATTRIBUTE_REAL, .high = 1, .changes = true}};
    static const struct interaction__agents agents = {COR_STRUCTURE_PARTITIONING, "", columns, 4};
    static const struct interaction__number numbers[] = {{"limit", false, 0, 1}, {"most", true, 1, 9}};
    struct interaction__text *text = NULL;
    struct interaction__text_judge *judge = NULL;
    struct interaction__text_time *time = NULL;
    struct cor_trigger_program program = {0};
    struct cor_trigger *trigger = NULL;
    struct interaction__objective *objective = NULL;
    int64_t words[AGENTS] = {0};
    uint32_t found[2];
    enum cor_status status = interaction__text_read(json, &text, error);
    if (status == COR_OK)
        status = interaction__text_check(text, &agents, true, error);
    if (status == COR_OK)
        status = interaction__text_find_parameters(text, "arm", numbers, 2, found, error);
    for (int i = 0; status == COR_OK && i < AGENTS; i++)
        status = interaction__text_word(text, i % 2 ? "roof" : "lamp", &words[i], error);
    if (status == COR_OK)
        status = interaction__text_judge_create(text, AGENTS, (const double[]){3, 0.2}, &judge, error);
    if (status == COR_OK) {
        interaction__text_judge_column(judge, interaction__text_attribute(text, "type"), NULL, words, NULL);
        interaction__text_judge_column(judge, interaction__text_attribute(text, "value"), state->value, NULL,
                                       NULL);
        status = interaction__text_trigger(judge, &program, error);
    }
    if (status == COR_OK)
        status = cor_trigger_create(&program, AGENTS, &trigger, error);
    if (status == COR_OK)
        status = interaction__text_objective_create(judge, &(struct cor_rules){.value_count = 1}, true,
                                                    &objective, error);
    if (status == COR_OK)
        status = interaction__text_time_create(text, 3, &time, error);
    if (status == COR_OK)
        status = judge_case(text, judge, state, trigger, time, error);
    cor_trigger_program_fini(&program);
    cor_trigger_destroy(trigger);
    interaction__text_objective_destroy(objective);
    interaction__text_time_destroy(time);
    interaction__text_judge_destroy(judge);
    interaction__text_destroy(text);
    return status;
}

static void every_failed_allocation_is_told(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_configuration *configuration;
    struct cor_effect *effect;
    struct cor_state *state;
    assert_int_equal(cor_json_parse(lines, "lines", &document, &error), COR_OK);
    assert_int_equal(cor_configuration_create(AGENTS, 1, 1, 1, 1, &configuration, &error), COR_OK);
    assert_int_equal(cor_configuration_set_effect(configuration, 0, 0, 1, 1, 1, false, &effect, &error),
                     COR_OK);
    configuration->initial_partitions = 2;
    for (uint32_t i = 0; i < AGENTS; i++) {
        configuration->initial_partition[i] = i >= 3;
        configuration->initial_value[i] = i >= 3 ? 0.75 : 0.25;
    }
    configuration->group_start[1] = AGENTS;
    assert_int_equal(cor_state_create(configuration, &state, &error), COR_OK);
    const struct cor_json json = cor_json_root(document);
    const int64_t held = cor_allocations_held();
    long at = 0, failed = 0;
    enum cor_status status;
    do {
        error = COR_NO_ERROR;
        cor_allocations_begin(++at, false);
        status = once(&json, state, &error);
        const bool reached = cor_allocations_end() >= at;
        if (status != (reached ? COR_STATUS_MEMORY : COR_OK))
            fail_msg("allocation %ld: status %d, %s", at, (int)status, error.cause);
        assert_int_equal(cor_allocations_held(), held);
        failed += reached;
    } while (status != COR_OK);
    assert_true(failed > 150);
    cor_state_destroy(state);
    cor_configuration_destroy(configuration);
    cor_json_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_told)};
    return cmocka_run_group_tests_name("text_memory", tests, NULL, NULL);
}
