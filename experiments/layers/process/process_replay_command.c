/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/process_layer.h>

struct request {
    struct cor_replay_request replay;
};

static enum cor_exit run_process_replay(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    return cor_replay_failing(&cor_process_layer, arguments, &request->replay);
}

const struct cor_command cor_command_process_replay = {
    .name = "process replay",
    .summary = "repeat failing schedules of distributed programs",
    .operands = "TEST.json|RESULT.h5..",
    .takes = {1, 10000, "needs a file"},
    .request_size = sizeof(struct request),
    .manual = "Executes test files, and says of each whether what comes of it is what the file expects. Of a "
              "result file each schedule that failed is made again from the experiment, the seed and its "
              "key, and must have the same failure and the same fingerprint. --expect failing: each must "
              "fail as its file says. --expect fixed: what each failed by must be judged to the end of the "
              "schedule, and not come; where it is not decided, or something else ended the schedule before, "
              "there is no verdict. Exit code 1 if one is not as expected, else 7 if one has no verdict. "
              "Many failures of an arm that are alike are counted, with some of them.",
    .options = {{"failure", 0, "KEY", "take only this failure of a result file: ARM/SUITE/SEQUENCE",
                 COR_TEXT(replay.failure), .otherwise = "all"},
                {"expect", 0, "WHAT", "expect the failures to be as written, failing, or fixed",
                 COR_NAME(replay.expect, COR_NAMES("written", "failing", "fixed"), 0, COR_REPLAY_AS_WRITTEN)},
                COR_ALL_OPTION(replay.all),
                COR_JUNIT_OPTION(replay.junit),
                COR_TAP_OPTION(replay.tap),
                COR_TRUST_OPTION(replay.starting.trust),
                COR_ISOLATE_OPTION(replay.starting.isolation)},
    .examples = {"corridor process replay t.json --expect failing", "corridor process replay results.h5"},
    .run = run_process_replay,
};
