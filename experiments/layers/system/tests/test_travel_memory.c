/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of travel, achievement and policies made to fail in turn: an error, no crash, no leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"
#include "setting.h"

#include <corridor/beliefs.h>
#include <corridor/json.h>
#include <corridor/policies.h>

#include <stdlib.h>

static struct setting setting;
static struct cor_expression condition;
static struct cor_json_document *policies;

static const char *const level = "b1,d1\nb2,d2\n"
                                 "|f:a^t1,f:b^b1,w,w,w\n"
                                 "f,f,f:d>e^d1,f,f:b^b2\n"
                                 "f:d>s^d2,w,w,w,w\n"
                                 "f:g^key,f,w,w,w\n";

/* A goal from the beginning to its end. */
static enum cor_status pursue(struct cor_travel *travel, struct cor_beliefs *beliefs, bool reaches,
                              struct cor_error *error) {
    struct cor_achievement *achievement = NULL;
    enum cor_travel_answer answer = COR_TRAVEL_STEP;
    struct cor_achievement_definition definition = {.travel = travel,
                                                    .beliefs = beliefs,
                                                    .wanted = reaches ? NULL : &condition,
                                                    .action = setting.press,
                                                    .among = setting.button};
    (void)cor_beliefs_find(beliefs, cor_words_find(setting.world->declaration->words, "key"),
                           &definition.target);
    enum cor_status status = cor_achievement_create(&definition, &achievement, error);
    while (status == COR_OK && answer == COR_TRAVEL_STEP) {
        struct cor_world_command command;
        struct cor_world_view view;
        enum cor_system_trouble trouble;
        COR_TRY_OUT(cor_achievement_next(achievement, &answer, &command, error));
        if (answer != COR_TRAVEL_STEP)
            break;
        COR_TRY_OUT(cor_travel_note_command(travel, &command, error));
        COR_TRY_OUT(setting.world->kind->act(setting.world, 0, &command, &view, &trouble, error));
        COR_TRY_OUT(cor_beliefs_merge(beliefs, &view, error));
        COR_TRY_OUT(cor_travel_merge(travel, &view, error));
    }
    if (status == COR_OK)
        assert_int_equal(answer, COR_TRAVEL_THERE);
out:
    cor_achievement_destroy(achievement);
    return status;
}

static enum cor_status pick(const struct cor_json *json, const struct cor_beliefs *beliefs,
                            struct cor_error *error) {
    struct cor_policy *policy = NULL;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    const struct cor_world_command commands[] = {{.action = COR_ACTION_WAIT}, {.action = COR_ACTION_LOOK}};
    enum cor_system_trouble trouble;
    uint32_t picked;
    double reward;
    struct cor_json_writer *writer = NULL;
    char *text = NULL;
    enum cor_status status =
        cor_policy_create(setting.world->declaration, cor_world_vocabulary_scope(setting.vocabulary), json,
                          NULL, &policy, error);
    if (status != COR_OK)
        return status;
    for (int i = 0; i < 2; i++) {
        COR_TRY_OUT(cor_policy_pick(policy, beliefs, commands, 2, &rng, &picked, &trouble, error));
        COR_TRY_OUT(cor_policy_reward(policy, beliefs, i == 1, i == 1, &reward, error));
        cor_policy_learn(policy, reward, i == 1);
    }
    if (cor_json_is_object(json)) {
        COR_TRY_OUT(cor_json_writer_create(&writer, error));
        COR_TRY_OUT(cor_policy_write(policy, writer, error));
        struct cor_json_writer *taken = writer;
        writer = NULL;
        COR_TRY_OUT(cor_json_text_take(taken, 0, &text, error));
    }
out:
    cor_json_writer_destroy(writer);
    free(text);
    cor_policy_destroy(policy);
    return status;
}

/* All that this test is about, once. */
static enum cor_status once(struct cor_error *error) {
    struct cor_beliefs *beliefs = NULL;
    struct cor_travel *travel = NULL;
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    enum cor_status status = COR_OK;
    const struct cor_json root = cor_json_root(policies);
    COR_TRY_OUT(cor_beliefs_create(setting.vocabulary, &beliefs, error));
    COR_TRY_OUT(cor_travel_create(setting.world->declaration, beliefs, "t1", &travel, error));
    COR_TRY_OUT(setting.world->kind->reset(setting.world, &view, &trouble, error));
    COR_TRY_OUT(cor_beliefs_merge(beliefs, &view, error));
    COR_TRY_OUT(cor_travel_merge(travel, &view, error));
    COR_TRY_OUT(pursue(travel, beliefs, false, error));
    COR_TRY_OUT(pursue(travel, beliefs, true, error));
    for (size_t p = 0; p < cor_json_size(&root); p++) {
        const struct cor_json item = cor_json_at(&root, p);
        COR_TRY_OUT(pick(&item, beliefs, error));
    }
out:
    cor_travel_destroy(travel);
    cor_beliefs_destroy(beliefs);
    return status;
}

static void every_failed_allocation_is_told(void **unused) {
    (void)unused;
    begin(&setting, level, 2, 0);
    REQUIRE(cor_expression_parse_condition("d2.open", cor_world_vocabulary_scope(setting.vocabulary), NULL,
                                           &condition, &said));
    REQUIRE(cor_json_parse("[\"least_done\", {\"q\": {\"by\": [\"t1\"]}}, {\"q\": {\"reward\": \"new "
                           "state\"}}, {\"q\": {\"reward\": \"d2.open\"}}]",
                           "policies", &policies, &said));
    long at = 0, failed = 0;
    enum cor_status status;
    do {
        struct cor_error error = COR_NO_ERROR;
        const int64_t held = cor_allocations_held();
        cor_allocations_begin(++at, false);
        status = once(&error);
        const bool reached = cor_allocations_end() >= at;
        assert_int_equal(status, reached ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, status);
        assert_int_equal(cor_allocations_held(), held);
        failed += reached;
    } while (status != COR_OK);
    print_message("%ld allocations failed\n", failed);
    assert_true(failed > 400);
    cor_json_destroy(policies);
    cor_expression_fini(&condition);
    end(&setting);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_told)};
    return cmocka_run_group_tests_name("travel_memory", tests, NULL, NULL);
}
