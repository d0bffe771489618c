/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocations of the worlds of models, agents and campaigns made to fail in turn, one or all from it on: from
 * the text of a file to the end of a test in the world there is an error, no crash, and nothing is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"
#include "internal.h"
#include "require.h"

#include <corridor/system_layer.h>

#include <stdlib.h>

#define LIBRARY                                                                                \
    TEST_SOURCE_DIR "/experiments/library/systems/tests.json" /* where files that it names are \
                                                               */

static long places; /* allocations that fail, evenly spread where there are more */
static const char *text;

/* Reads the file, and carries its last test out in its last arm. */
static enum cor_status once(struct cor_error *error) {
    struct cor_system_experiment *experiment = NULL;
    struct system_layer__rig *rig = NULL;
    struct cor_record *record = NULL;
    struct cor_suite_counts tally = {0};
    enum cor_status status;
    COR_TRY_OUT(cor_system_experiment_parse(text, LIBRARY, NULL, &experiment, error));
    COR_TRY_OUT(cor_record_create(&cor_system_schema, &record, error));
    cor_record_begin(record, 0, 0);
    COR_TRY_OUT(system_layer__rig_create(experiment, experiment->head.arm_count - 1,
                                         experiment->entry_count - 1, NULL, NULL, &rig, error));
    COR_TRY_OUT(system_layer__run(rig, 0, NULL, record, &tally, error));
out:
    system_layer__rig_destroy(rig);
    cor_record_destroy(record);
    cor_system_experiment_destroy(experiment);
    return status;
}

static void fail_in_turn(const char *file) {
    struct cor_error said = COR_NO_ERROR;
    long failed = 0;
    text = file;
    cor_allocations_begin(0, false);
    if (once(&said) != COR_OK)
        fail_msg("%s: %s (%s)", said.place, said.cause, said.remedy);
    const long count = cor_allocations_end(), step = count > places ? count / places : 1;
    const int64_t held = cor_allocations_held();
    for (long at = 1; at <= count; at += step)
        for (int for_good = 0; for_good < 2; for_good++) {
            struct cor_error error = COR_NO_ERROR;
            cor_allocations_begin(at, for_good);
            const enum cor_status status = once(&error);
            (void)cor_allocations_end();
            assert_true(status == COR_OK || status == COR_STATUS_MEMORY);
            assert_int_equal(error.status, status);
            assert_int_equal(cor_allocations_held(), held);
            failed += status != COR_OK;
        }
    assert_true(failed >= places);
}

static void a_model_as_a_world(void **state) {
    (void)state;
    fail_in_turn(
        "{\"system\": {\"efsm\": \"../efsm/inres_initiator.json\"}, \"seed\": \"0x1\", \"tests\": ["
        "{\"name\": \"connects\", \"cycles\": 20, \"agents\": [{\"name\": \"t\", \"goal\": {\"seq\": ["
        "{\"do\": \"ICONreq\"}, {\"assert\": \"CR.said\"},"
        " {\"plan\": \"IDISind.said and IDISind.at = 1\"}]}}]}],"
        "\"arms\": [{\"name\": \"none\"}, {\"name\": \"M\", \"mutant\": \"t0.target.connect\"}]}");
}

static void agents_as_a_world(void **state) {
    (void)state;
    fail_in_turn(
        "{\"system\": {\"agents\": [{\"name\": \"Stock_Manager\", \"design\": "
        "\"../agents/stock_manager.json\","
        " \"faults\": \"../agents/stock_manager_faults.json\", \"beliefs\": true},"
        " {\"name\": \"Delivery_Manager\", \"mock\": true, \"sends\": [\"Book_required\"]}],"
        " \"protocol\": \"stock_protocol.json\"}, \"seed\": \"0x1\","
        "\"tests\": [{\"name\": \"order\", \"cycles\": 20, \"agents\": [{\"name\": \"Delivery_Manager\","
        " \"goal\": {\"seq\": [{\"do\": {\"do\": \"Book_required\", \"BookID\": 1, \"NumberOrdered\": 20,"
        " \"Urgent\": false}}, {\"goal\": \"Book_available.count + Stock_delay_info.count = 1\","
        " \"tactic\": \"wait\", \"max\": 5}]}}]}],"
        "\"arms\": [{\"name\": \"none\"}, {\"name\": \"M\", \"mutant\": "
        "\"write_dropped(Supply_from_stock)\"}]}");
}

static void a_campaign_as_a_world(void **state) {
    (void)state;
    fail_in_turn(
        "{\"system\": {\"campaign\": \"../demo.json\", \"arm\": \"PSOPP-F5d\", \"suite\": 4},"
        "\"seed\": \"0x1\", \"always\": {\"organized\": \"all(a in agent: a.organization.size >= 1)\"},"
        "\"tests\": [{\"name\": \"weather\", \"cycles\": 12, \"agents\": [{\"name\": \"t\","
        " \"policy\": \"random\", \"goal\": {\"goal\": \"monitor.cases >= 8\", \"tactic\": {\"any_of\": ["
        "{\"do\": \"set\", \"chain\": \"any(c in chain where c.environment = 'water')\", \"state\":"
        " \"from_32\"}, \"wait\"]}}}]}]}");
}

int main(int argc, char **argv) {
    places = argc > 1 ? atol(argv[1]) : 50;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_as_a_world),
        cmocka_unit_test(agents_as_a_world),
        cmocka_unit_test(a_campaign_as_a_world),
    };
    return cmocka_run_group_tests_name("worlds_memory", tests, NULL, NULL);
}
