/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * process shrink; and what the commands about result files know of the layer. */
#include "isolation.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/process_layer.h>
#include <corridor/process_result.h>
#include <corridor/schedule_generator.h>

#include <stdint.h>

struct request {
    struct cor_shrink_tests_request shrink;
};

static enum cor_exit run_process_shrink(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    return cor_shrink_failing(&cor_process_layer, arguments, &request->shrink);
}

static enum cor_exit keep_schedules(const struct cor_arguments *arguments,
                                    const struct cor_view_options *show, const struct cor_keeping *keeping) {
    return cor_keep_failing(&cor_process_layer, arguments, show, keeping);
}

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

/* Why schedules of a generator have no law (view.h). */
static const char *no_law(const char *generator) {
    const struct cor_schedule_generator_kind *kind = cor_schedule_generator_of(generator);
    return kind && !kind->fork ? kind->no_law : NULL;
}

const struct cor_layer_commands cor_commands_of_process;
const struct cor_layer_commands cor_commands_of_process = {&cor_process_schema,
                                                           .failures = "processes",
                                                           .keep = keep_schedules,
                                                           .load = cor_process_result_init,
                                                           .test = test_of_row,
                                                           .family = "process",
                                                           .sequence = "schedule of a distributed program",
                                                           .sequences = COR_PROCESS_TABLE_SEQUENCES,
                                                           .replayed = &replayed_sheet,
                                                           .no_law = no_law};

const struct cor_command cor_command_process_shrink = {
    .name = "process shrink",
    .summary = "make a failing schedule of a distributed program small",
    .operands = "RESULT.h5|TEST.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Takes events out of a schedule as long as it fails by the same constraint, or the same end of a "
        "process, of a test file by the one that it expects, until no event can be spared, and no pair of "
        "events where at most 100 are left. Of a result file several schedules that failed alike are "
        "executed again, with the fewest events first, and the one that gets smallest is kept. Writes a "
        "test file, an event a line, which corridor process replay executes and corridor process story "
        "tells. An interrupt keeps the best so far.",
    .options = {{"failure", 0, "KEY", "take this failure: ARM/SUITE/SEQUENCE", COR_TEXT(shrink.failure),
                 .otherwise = "the first"},
                {"constraint", 0, "NAME", "take the first failure by this constraint, or end of a process",
                 COR_TEXT(shrink.class), .excludes = "failure", .otherwise = "any"},
                {"hits", 0, "N", "try N schedules that failed alike",
                 COR_INTEGER(shrink.hits, 1, COR_HITS_MOST, COR_HITS), .otherwise = "12"},
                {"budget", 0, "N", "try at most N smaller schedules; then take the best so far",
                 COR_INTEGER(shrink.budget, 2, UINT32_MAX - 1, 0), .otherwise = "as many as it takes"},
                {"output", 'o', "FILE", "write the test there", COR_TEXT(shrink.output),
                 .otherwise = "standard output"},
                {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(shrink.force)},
                COR_TRUST_OPTION(shrink.starting.trust),
                COR_ISOLATE_OPTION(shrink.starting.isolation)},
    .examples = {"corridor process shrink results.h5 -o t.json",
                 "corridor process shrink results.h5 --failure no_vote/0/17 -o t.json",
                 "corridor process shrink results.h5 --constraint agreed --hits 50 -o t.json"},
    .run = run_process_shrink,
};
