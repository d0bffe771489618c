/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * agent test and agent mutate: an experiment is made of what the command line says, run as any campaign, and
 * shown as any result file. And one case alone. What the commands about result files and tests know of the
 * layer: cases that fail, executed again, shrunk, told. */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/agent_layer.h>
#include <corridor/agent_result.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/guarantees.h>
#include <corridor/names.h>
#include <corridor/verdicts.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct request {
    struct cor_agent_experiment_definition experiment;
    struct cor_made_options made;
    bool json, junit, tap, no_fail, trace;
    int isolation;
    bool show_config;
    struct cor_layer_options options; /* whom to tell what counts */
    int fail_on; /* least severity that is a failure, counted from the worst; -1: what JUnit XML calls one */
    const char *which, *arm; /* one case alone, with that fault; NULL: all */
};

/* Words of --fail-on: severities, the worst first. */
static const char *fail_on_word(size_t index) {
    static const int severities[] = {COR_SEVERITY_ERROR, COR_SEVERITY_WARNING, COR_SEVERITY_NOTE};
    return index < sizeof severities / sizeof *severities
               ? cor_term_word(COR_FAMILY_SEVERITY, severities[index])
               : NULL;
}

static enum cor_status print_mutants(struct cor_result *result, struct cor_error *error) {
    const struct cor_view *view = cor_view_find("findings");
    const struct cor_style style = cor_show_style();
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    COR_TRY(cor_result_mutants(result, sheets, error));
    return cor_sheets_text(sheets, &style, stdout, error);
}

static enum cor_status show_tests(void *context, struct cor_result *result, const char *path,
                                  enum cor_exit *code, struct cor_error *error) {
    const struct request *request = context;
    COR_FINISHED(cor_layer_tables) struct cor_layer_tables agent = {0};
    struct cor_view_findings findings;
    int worst;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    /* The worst finding of the arms that have no fault and of the design, as a severity. */
    struct cor_agent_design design;
    COR_TRY(cor_agent_design_init(agent.head, &design, error));
    worst = design.worst;
    cor_agent_design_fini(&design);
    for (uint64_t i = 0; i < agent.count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(&agent, COR_AGENT_TABLE_FINDINGS, i);
        bool faulty;
        COR_TRY(cor_arm_has_fault(cor_arm_entry(agent.head, row->arm), &faulty, error));
        if (!faulty && row->severity > worst)
            worst = row->severity;
    }
    COR_TRY(cor_result_findings(result, &findings, error));
    const struct cor_sheet_options options = {.json = request->json};
    struct cor_view_findings shown = {0};
    COR_TRY(request->junit ? cor_result_junit(result, stdout, error)
            : request->tap ? cor_result_tap(result, stdout, error)
            : request->experiment.mutants && !request->json /* their score alone */
                ? print_mutants(result, error)
                : cor_show_made("findings", result, path, &options, NULL, &shown, error));
    const bool failed = request->fail_on >= 0         ? worst >= COR_SEVERITY_ERROR - request->fail_on
                        : request->experiment.mutants ? findings.unexpected > 0
                                                      : findings.failed > 0;
    *code = failed && !request->no_fail ? COR_EXIT_EXPECTATION
            : findings.undecided > 0    ? COR_EXIT_UNDECIDED
                                        : COR_EXIT_DONE;
    return COR_OK;
}

static enum cor_status open_units(void *context, const char *path, struct cor_opened *opened,
                                  struct cor_error *error) {
    struct request *request = context;
    struct cor_agent_experiment *experiment = NULL;
    request->experiment.design = path;
    const enum cor_status status = cor_agent_experiment_make(&request->experiment, &experiment, error);
    *opened =
        (struct cor_opened){.layer = &cor_agent_layer, .experiment = experiment ? &experiment->head : NULL};
    return status;
}

/* The same by its text, as a result file has it, which tells what is read. */
static enum cor_status open_units_again(void *context, const char *path, struct cor_opened *opened,
                                        struct cor_error *error) {
    struct request *request = context;
    COR_FINISHED(cor_opened) struct cor_opened first = {0};
    enum cor_status status = open_units(context, path, &first, error);
    request->options.isolation = request->isolation;
    if (status == COR_OK)
        status = cor_open_text(path, first.experiment->text, &request->options, opened, error);
    return status;
}

/* One case alone, in a fresh process: what it shows, and what one case does not decide; *code is that of
 * both.
 */
static enum cor_status run_one(struct request *request, const char *path, enum cor_exit *code,
                               struct cor_error *error) {
    const struct cor_subject *subject = &agent_layer__subject;
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    void *bench = NULL;
    struct cor_subject_test test = {.sequence = 0};
    COR_FINISHED(cor_bytes) struct cor_bytes story = {0};
    struct cor_run run;
    uint32_t unit = 0;
    uint64_t index = 0;
    enum cor_status status = COR_OK;
    request->experiment.unit = NULL;
    COR_TRY_OUT(open_units(request, path, &opened, error));
    const struct cor_agent_experiment *experiment = (const struct cor_agent_experiment *)opened.experiment;
    /* "PT(P5):3"; of the first arm, where none is said. */
    const char *colon = strrchr(request->which, ':');
    char *end = NULL,
         *name = colon ? cor_format("%.*s", (int)(colon - request->which), request->which) : NULL;
    if (!colon)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, "--case", "as in PT(Plan):0", "\"%s\" is no UNIT:N",
                             request->which));
    COR_TRY_OUT(cor_made(name, error));
    errno = 0;
    index = strtoull(colon + 1, &end, 10);
    status = colon[1] >= '0' && colon[1] <= '9' && *end == '\0' && errno == 0
                 ? cor_design_file_unit(experiment->file, name, "--case", &unit, error)
                 : cor_fail(error, COR_STATUS_INPUT, "--case", "as in PT(Plan):0",
                            "\"%s\" is no number of a case", colon + 1);
    free(name);
    COR_TRY_OUT(status);
    if (request->arm)
        COR_TRY_OUT(cor_names_find(
            COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count, struct cor_agent_arm, name),
            request->arm, "--arm", &test.arm, error, "there is no arm \"%s\"", request->arm));
    test.experiment = opened.experiment;
    test.suite = agent_layer__suite_of(experiment, unit, 0);
    test.sequence = index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
    COR_TRY_OUT(subject->open(opened.experiment, test.arm, &bench, error));
    COR_TRY_OUT(subject->make(bench, &test, &run, error));
    const bool has_fault = experiment->arms[test.arm].fault != NULL;
    struct agent_layer__telling telling = {.form = request->trace ? AGENT_LAYER__TRACE : AGENT_LAYER__END,
                                           .has_fault = has_fault,
                                           .severity_least = request->fail_on >= 0
                                                                 ? COR_SEVERITY_ERROR - request->fail_on
                                                                 : COR_SEVERITY_WARNING};
    COR_TRY_OUT(agent_layer__tell(bench, &telling, &story, error));
    cor_print("%s", cor_bytes_text(&story));
    *code = has_fault           ? telling.shown > 0 ? COR_EXIT_DONE : COR_EXIT_UNDECIDED
            : telling.shown > 0 ? request->no_fail ? COR_EXIT_DONE : COR_EXIT_EXPECTATION
            : telling.open > 0  ? COR_EXIT_UNDECIDED
                                : COR_EXIT_DONE;
out:
    subject->close(bench);
    cor_choices_fini(&test.choices);
    return status;
}

static enum cor_exit run_units(const struct cor_arguments *arguments, bool mutants) {
    struct request *request = arguments->request;
    const struct cor_made_up units = {&request->made, request, open_units, show_tests};
    struct cor_error error = COR_NO_ERROR;
    request->experiment.mutants = mutants;
    request->experiment.is_free = request->isolation == COR_ISOLATION_NEVER;
    request->experiment.has_seed = cor_given(arguments, "seed");
    if (request->which) {
        enum cor_exit code = COR_EXIT_DONE;
        return run_one(request, arguments->words[0], &code, &error) == COR_OK ? code : cor_report(&error);
    }
    if (request->show_config)
        return cor_show_config(arguments, arguments->words[0],
                               &(struct cor_config){.json = request->json,
                                                    .options = &request->options,
                                                    .under = "/design",
                                                    .not_shown = "/is/",
                                                    .context = request,
                                                    .open = open_units_again});
    const enum cor_exit code = cor_run_made_up(&units, arguments->words[0]);
    if (code == COR_EXIT_INCOMPLETE)
        cor_say("interrupted: not all units were run");
    return code;
}

static enum cor_exit run_agent_test(const struct cor_arguments *arguments) {
    return run_units(arguments, false);
}

static enum cor_exit run_agent_mutate(const struct cor_arguments *arguments) {
    return run_units(arguments, true);
}

#define OPTION_NO_FAIL \
    { "no-fail", 0, NULL, "exit with 0, not 1, if a test failed", COR_FLAG(no_fail) }
#define OPTION_SEED                                                                         \
    {                                                                                       \
        "seed", 0, "N", "seed class samples, and the random numbers of the agents, with N", \
            COR_INTEGER(experiment.seed, 0, INT64_MAX, -1), .otherwise = "the design's"     \
    }

const struct cor_command cor_command_agent_test = {
    .name = "agent test",
    .summary = "test the units of an agent against its design",
    .operands = "DESIGN.json",
    .takes = {1, 1, "needs one design"},
    .request_size = sizeof(struct request),
    .manual =
        "Makes cases for each unit of the design, in the order of testing, has the agent run them, and "
        "judges what it reports: units, a line each; findings with how often, the smallest case, valid "
        "values tried and what to look at; what the cases reached, and what was not run. Without "
        "--agent the design itself is run, by the interpreter. A finding is a root, or a consequence "
        "of another in its unit or in a unit that it needs. With --case the exit code is 1 if the case shows "
        "something of an agent without a fault, 0 if it shows nothing or a fault, and 7 if one case does not "
        "decide it.",
    .options =
        {
            {"agent", 'a', "AGENT", "test this module (.so), or command that speaks JSON lines",
             COR_TEXT(experiment.agent), .otherwise = "the interpreter"},
            {"faults", 0, "FILE",
             "test with this file of faults, one arm a fault; of a module or program: its built-in faults of "
             "these names",
             COR_TEXT(experiment.faults)},
            {"answer-seconds", 0, "S", "with --agent: call it a hang if a case has taken so long",
             COR_REAL(experiment.answer_seconds, 0.1, 1e6, 0), .otherwise = "10", .needs = "agent"},
            {"cpu-seconds", 0, "S",
             "with --agent: call it a hang if a module has used so much CPU time in a case",
             COR_REAL(experiment.cpu_seconds, 0.01, 1e6, 0), .otherwise = "1", .needs = "agent"},
            {"memory-bytes", 0, "N", "with --agent: give it N bytes of memory",
             COR_INTEGER(experiment.memory_bytes, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST, 0),
             .otherwise = "268435456", .needs = "agent"},
            {"fail-on", 0, "WORD",
             "exit with 1 if the agent without a fault has such a finding, or a worse one",
             COR_WORD(fail_on, fail_on_word, 0, -1), .otherwise = "warning, or a fault that is not found"},
            OPTION_NO_FAIL,
            {"repeat", 0, "N", "run all of it N times, each with random numbers of its own",
             COR_INTEGER(experiment.repetitions, 1, 1000000, 1)},
            OPTION_SEED,
            {"unit", 'u', "NAME", "test only this unit, as agent order calls it", COR_TEXT(experiment.unit),
             .otherwise = "all"},
            {"below", 0, NULL, "with --unit: test all that the unit needs, too", COR_FLAG(experiment.below),
             .needs = "unit"},
            {"not-yet", 0, "PLAN,..", "take these plans for not yet built: stubs stand in for them",
             COR_TEXT(experiment.not_yet)},
            COR_ISOLATE_OPTION(isolation),
            {"case", 0, "UNIT:N", "run only this case, alone", COR_TEXT(which),
             .excludes = "json junit tap output"},
            {"trace", 0, NULL, "with --case: show what the agent reported", COR_FLAG(trace), .needs = "case"},
            {"arm", 0, "NAME", "with --case: give the agent this fault", COR_TEXT(arm), .otherwise = "none",
             .needs = "case"},
            COR_JSON_OPTION(json),
            COR_JUNIT_OPTION(junit),
            COR_TAP_OPTION(tap),
            COR_SHOW_CONFIG_OPTION(show_config),
            COR_MADE_OPTIONS(made),
        },
    .examples = {"corridor agent test experiments/library/agents/stock_manager.json",
                 "corridor agent test design.json --agent ./agent.so --fail-on error",
                 "corridor agent test design.json --agent \"python3 agent.py\" --junit > report.xml",
                 "corridor agent test design.json --case \"PT(Plan):3\" --trace"},
    .run = run_agent_test,
};

const struct cor_command cor_command_agent_mutate = {
    .name = "agent mutate",
    .summary = "put faults wherever they fit, and count those found",
    .operands = "DESIGN.json",
    .takes = {1, 1, "needs one design"},
    .request_size = sizeof(struct request),
    .manual = "Changes the agent of the design in every way that the operators know, one at a time, and "
              "tests each as \"corridor agent test\" does. A mutant is killed when something is found; "
              "equivalent when z3 proves that it does what the unchanged agent does, whatever the values; "
              "else alive. Prints the score by operator and by check; --json has every mutant.",
    .options =
        {
            OPTION_SEED,
            OPTION_NO_FAIL,
            COR_JSON_OPTION(json),
            COR_MADE_OPTIONS(made),
        },
    .examples = {"corridor agent mutate experiments/library/agents/stock_manager.json"},
    .run = run_agent_mutate,
};

/* ---- tests in result files */

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
    COR_FREED char *failure = cor_agent_failure(agent, row);
    return !failure ? NULL
           : takes  ? cor_format("%s is about %s of %s: no single one shows it", failure, takes, name)
                    : cor_format("%s of %s is a note: it may be meant so", failure, name);
}

static enum cor_status tell(void *bench, const struct cor_subject_test *test, enum cor_story_form form,
                            char **text, struct cor_error *error) {
    struct agent_layer__telling telling = {.form = AGENT_LAYER__TRACES,
                                           .severity_least = COR_SEVERITY_WARNING};
    struct cor_bytes story = {0};
    struct cor_run run;
    (void)form;
    COR_TRY(agent_layer__subject.run(bench, test, NULL, &run, error));
    const enum cor_status status = agent_layer__tell(bench, &telling, &story, error);
    if (status == COR_OK)
        return cor_made(*text = cor_bytes_text_take(&story, error), error);
    cor_bytes_fini(&story);
    return status;
}

static const struct cor_lack lacks[] = {
    {"search", "cases of an agent are all gone through, in order: nothing is searched",
     "corridor agent test"},
    {"estimate", NULL, "corridor agent test goes through all of them"},
    {"explore", NULL, "corridor agent test goes through all of them"},
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
                                                         .not_of_shrink = cor_not_of_shrink,
                                                         .not_of_replay = cor_not_of_replay,
                                                         .lacks = lacks,
                                                         .tests = "tests of an agent"};
