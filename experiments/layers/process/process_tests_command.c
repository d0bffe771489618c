/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands about result files and tests know of the layer. */
#include "isolation.h"
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/process_layer.h>
#include <corridor/process_result.h>
#include <corridor/process_story.h>
#include <corridor/schedule_generator.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cor_test_row test_of_row(const struct cor_layer_tables *process, uint64_t index) {
    const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, index);
    return (struct cor_test_row){.arm = row->arm,
                                 .suite = row->suite,
                                 .sequence = row->sequence,
                                 .size = row->events,
                                 .class = (uint64_t)row->end << 32 | row->violated,
                                 .digest = row->digest,
                                 .failure = cor_process_failure(process, row)};
}

/* As that of replay, where a sequence is a schedule. */
static const struct cor_column_definition replayed_sheet_columns[] = {
    {"equal", "equal", "", "every row of the replay equals the stored row", COR_CELL_FLAG, 0, 0},
    {"suites", "suites", "suites", "executed again as a whole", COR_CELL_COUNT, 0, 0},
    {"sequences", "schedules", "schedules", "executed again in these", COR_CELL_COUNT, 0, 0},
    {"different", "different", "1", "thereof different from the file", COR_CELL_COUNT, 0, 0},
    {"flaky", "flaky", "1", "thereof different again when executed once more", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(replayed_sheet, "replay", "Replay", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

/* Its generators are such that a schedule goes on from any step by their law, or none. */
static bool no_law(const struct cor_json *experiment, const struct cor_json *arm, const char *name,
                   char why[COR_NO_LAW_BYTES]) {
    struct cor_json generators;
    (void)experiment;
    (void)name;
    for (size_t g = 0; cor_json_find(arm, "generators", &generators) && g < cor_json_size(&generators); g++) {
        const struct cor_json item = cor_json_at(&generators, g);
        const char *word;
        if (cor_json_string(&item, &word, NULL) != COR_OK)
            continue;
        const struct cor_schedule_generator_kind *kind = cor_schedule_generator_of(word);
        if (!kind || kind->fork)
            continue;
        snprintf(why, COR_NO_LAW_BYTES, "of generator \"%s\", %s", word, kind->no_law);
        return true;
    }
    return false;
}

static const char *const not_of_shrink[] =
    {"property", "free", "reseed", "check", "json", "fresh-processes", "require-isolation", NULL},
                         *const not_of_replay[] = {"dump",           "csv",         "sheet",      "where",
                                                   "output",         "property",    "class-only", "fault",
                                                   "replay-traffic", "failures-of", NULL},
                         *const not_of_stabilize[] = {"agents", "suite", "jobs", NULL};

const struct cor_layer_commands cor_commands_of_process;
const struct cor_layer_commands cor_commands_of_process = {&cor_process_schema,
                                                           .failures = "processes",
                                                           .tested = &cor_process_layer,
                                                           .tell = cor_process_tell,
                                                           .load = cor_process_result_init,
                                                           .test = test_of_row,
                                                           .sequences = COR_PROCESS_TABLE_SEQUENCES,
                                                           .replayed = &replayed_sheet,
                                                           .no_law = no_law,
                                                           .not_of_shrink = not_of_shrink,
                                                           .not_of_replay = not_of_replay,
                                                           .stabilize = cor_stabilize_programs,
                                                           .not_of_stabilize = not_of_stabilize,
                                                           .stabilized = "distributed programs",
                                                           .tests = "schedules of distributed programs"};
