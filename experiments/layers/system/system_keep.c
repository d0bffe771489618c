/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happened in a world of a campaign as a test file, for replay and shrink of sequences. */
#include "world_campaign.h"

#include <corridor/system_layer.h>
#include <corridor/system_schema.h>

#include <string.h>

enum cor_status cor_system_keep(const struct cor_system_experiment *experiment, uint32_t arm, uint32_t suite,
                                char **text, char **parts, struct cor_error *error) {
    struct system_layer__rig *rig = NULL;
    struct cor_record *record = NULL;
    struct cor_suite_counts tally;
    enum cor_status status;
    *text = *parts = NULL;
    if (experiment->world->maker != &system_layer__campaign_maker)
        return cor_fail(error, COR_STATUS_INPUT, experiment->head.path, "test files are of campaigns",
                        "the world is one of \"%s\"", experiment->world->maker->key);
    COR_TRY(cor_record_create(&cor_system_schema, &record, error));
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY_OUT(
        system_layer__rig_create(experiment, arm, suite % experiment->entry_count, NULL, &rig, error));
    COR_TRY_OUT(system_layer__run(rig, suite / experiment->entry_count, NULL, record, &tally, error));
    COR_TRY_OUT(system_layer__campaign_test(rig->world, text, parts, error));
out:
    system_layer__rig_destroy(rig);
    cor_record_destroy(record);
    return status;
}
