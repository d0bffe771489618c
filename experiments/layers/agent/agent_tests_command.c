/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands about result files and tests know of the layer: cases that fail, executed again, shrunk,
 * told. */
#include "internal.h"
#include "output.h"
#include "subject_commands.h"

#include <corridor/agent_layer.h>
#include <corridor/agent_result.h>
#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdlib.h>

static const struct cor_agent_finding_row *finding_at(const struct cor_layer_tables *agent, uint64_t index) {
    return cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, index);
}

/* The row of the case that shows it best; NULL in a file that was changed. */
static const struct cor_agent_trial_row *trial_of(const struct cor_layer_tables *agent,
                                                  const struct cor_agent_finding_row *row) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_TRIALS, row->arm, row->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_trial_row *trial = cor_layer_row(agent, COR_AGENT_TABLE_TRIALS, i);
        if (trial->case_ == row->smallest)
            return trial;
    }
    return NULL;
}

static struct cor_test_row test_of_row(const struct cor_layer_tables *agent, uint64_t index) {
    const struct cor_agent_finding_row *row = finding_at(agent, index);
    const struct cor_agent_trial_row *trial = trial_of(agent, row);
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    return (struct cor_test_row){.arm = row->arm,
                                 .suite = row->suite,
                                 .sequence = row->smallest,
                                 .scene = unit ? unit->unit : 0,
                                 .size = trial ? trial->events : 0,
                                 .digest = trial ? trial->trace_hash : 0};
}

static enum cor_status failure_of_row(const struct cor_layer_tables *agent, uint64_t index, char **failure,
                                      struct cor_error *error) {
    const struct cor_agent_finding_row *row = finding_at(agent, index);
    return cor_agent_is_failure(row) ? cor_made(*failure = cor_agent_failure(agent, row), error) : COR_OK;
}

/* "plan_never_chosen Put is about all cases of PT(Put): no single one shows it". */
static char *no_test(const struct cor_layer_tables *agent, uint64_t index) {
    const struct cor_agent_finding_row *row = finding_at(agent, index);
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    const char *name = unit ? cor_agent_unit_name(agent, unit->unit) : "?",
               *takes = cor_aut_check_takes(row->check);
    char *failure = cor_agent_failure(agent, row);
    char *text = !failure ? NULL
                 : takes  ? cor_format("%s is about %s of %s: no single one shows it", failure, takes, name)
                          : cor_format("%s of %s is a note: it may be meant so", failure, name);
    free(failure);
    return text;
}

static enum cor_status tell(const struct cor_tests_source *source, const struct cor_replay_options *options,
                            struct cor_error *error) {
    struct agent_layer__telling telling = {.form = AGENT_LAYER__TRACES,
                                           .severity_least = COR_SEVERITY_WARNING};
    struct cor_bytes story = {0};
    struct cor_run run;
    (void)options;
    COR_TRY(agent_layer__subject.run(source->bench, &source->test, NULL, &run, error));
    enum cor_status status = agent_layer__tell(source->bench, &telling, &story, error);
    if (status == COR_OK)
        status = cor_output_text(NULL, cor_bytes_text(&story), false, error);
    cor_bytes_fini(&story);
    return status;
}

static const char
    *const not_of_shrink[] = {"constraint",      "property",          "free", "reseed", "check", "json",
                              "fresh-processes", "require-isolation", NULL},
           *const not_of_replay[] = {"dump",        "csv",      "sheet",      "where", "json",
                                     "output",      "property", "class-only", "fault", "replay-traffic",
                                     "failures-of", "svg",      NULL};

static const struct cor_lack lacks[] = {
    {"search", "cases of an agent are all gone through, in order: nothing is searched",
     "corridor agent test"},
    {"estimate", NULL, "corridor agent test goes through all of them"},
    {"explore", NULL, "corridor agent test goes through all of them"},
    {"why", "a case that is shrunk needs each of its choices: no other is in it",
     "corridor replay TEST.json --trace tells it"},
    {0}};

const struct cor_layer_commands cor_commands_of_agent;
const struct cor_layer_commands cor_commands_of_agent = {&cor_agent_schema,
                                                         .failures = "findings",
                                                         .tested = &cor_agent_layer,
                                                         .tell = tell,
                                                         .load = cor_agent_result_init,
                                                         .test = test_of_row,
                                                         .failure = failure_of_row,
                                                         .keys = "ARM/UNIT/CASE",
                                                         .key = cor_agent_key,
                                                         .no_test = no_test,
                                                         .sequences = COR_AGENT_TABLE_FINDINGS,
                                                         .not_of_shrink = not_of_shrink,
                                                         .not_of_replay = not_of_replay,
                                                         .lacks = lacks,
                                                         .tests = "tests of an agent"};
