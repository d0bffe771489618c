/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * agent test and agent mutate: an experiment is made of what the command line says, run as any campaign, and
 * shown as any result file. And one case alone. */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/agent_layer.h>
#include <corridor/agent_result.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
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
    struct cor_sheets *sheets;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    enum cor_status status = cor_result_mutants(result, sheets, error);
    if (status == COR_OK)
        status = cor_sheets_text(sheets, &style, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

/* The worst finding of the arms that have no fault and of the design, as a severity. */
static enum cor_status find_worst(const struct cor_layer_tables *agent, int *worst, struct cor_error *error) {
    struct cor_agent_design design;
    COR_TRY(cor_agent_design_init(agent->head, &design, error));
    *worst = design.worst;
    cor_agent_design_fini(&design);
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        bool faulty;
        COR_TRY(cor_arm_has_fault(cor_arm_entry(agent->head, row->arm), &faulty, error));
        if (!faulty && row->severity > *worst)
            *worst = row->severity;
    }
    return COR_OK;
}

static enum cor_status print(const struct request *request, struct cor_result *result, const char *path,
                             struct cor_error *error) {
    const struct cor_sheet_options options = {.json = request->json};
    struct cor_view_findings findings = {0};
    return request->junit ? cor_result_junit(result, stdout, error)
           : request->tap ? cor_result_tap(result, stdout, error)
           : request->experiment.mutants && !request->json /* their score alone */
               ? print_mutants(result, error)
               : cor_show_made("findings", result, path, &options, NULL, &findings, error);
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    struct cor_layer_tables agent;
    struct cor_view_findings findings;
    int worst;
    enum cor_status status = COR_OK;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    COR_TRY_OUT(find_worst(&agent, &worst, error));
    COR_TRY_OUT(cor_result_findings(result, &findings, error));
    COR_TRY_OUT(print(request, result, path, error));
    const bool failed = request->fail_on >= 0         ? worst >= COR_SEVERITY_ERROR - request->fail_on
                        : request->experiment.mutants ? findings.unexpected > 0
                                                      : findings.failed > 0;
    *code = failed && !request->no_fail ? COR_EXIT_EXPECTATION
            : findings.undecided > 0    ? COR_EXIT_UNDECIDED
                                        : COR_EXIT_DONE;
out:
    cor_layer_tables_fini(&agent);
    return status;
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
    struct cor_opened first;
    enum cor_status status = open_units(context, path, &first, error);
    request->options.isolation = request->isolation;
    if (status == COR_OK)
        status = cor_open_text(path, first.experiment->text, &request->options, opened, error);
    cor_opened_fini(&first);
    return status;
}

/* "PT(P5):3" or, in the first arm that is not said, of another. */
static enum cor_status read_case(const struct cor_agent_experiment *experiment, const char *text,
                                 uint32_t *unit, uint64_t *index, struct cor_error *error) {
    const char *colon = strrchr(text, ':');
    char *end = NULL, *name = colon ? cor_format("%.*s", (int)(colon - text), text) : NULL;
    if (!colon)
        return cor_fail(error, COR_STATUS_INPUT, "--case", "as in PT(Plan):0", "\"%s\" is no UNIT:N", text);
    COR_TRY(cor_made(name, error));
    errno = 0;
    *index = strtoull(colon + 1, &end, 10);
    enum cor_status status = colon[1] >= '0' && colon[1] <= '9' && *end == '\0' && errno == 0
                                 ? cor_design_file_unit(experiment->file, name, "--case", unit, error)
                                 : cor_fail(error, COR_STATUS_INPUT, "--case", "as in PT(Plan):0",
                                            "\"%s\" is no number of a case", colon + 1);
    free(name);
    return status;
}

static enum cor_status find_arm(const struct cor_agent_experiment *experiment, const char *name,
                                uint32_t *arm, struct cor_error *error) {
    *arm = 0;
    return name ? cor_names_find(COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count,
                                                  struct cor_agent_arm, name),
                                 name, "--arm", "there is no arm", arm, error)
                : COR_OK;
}

/* One case alone, in a fresh process: what it shows, and what one case does not decide; *code is that of
 * both.
 */
static enum cor_status run_one(struct request *request, const char *path, enum cor_exit *code,
                               struct cor_error *error) {
    const struct cor_subject *subject = &agent_layer__subject;
    struct cor_opened opened;
    void *bench = NULL;
    struct cor_subject_test test = {.sequence = 0};
    struct cor_bytes story = {0};
    struct cor_run run;
    uint32_t unit = 0;
    uint64_t index = 0;
    enum cor_status status = COR_OK;
    request->experiment.unit = NULL;
    COR_TRY_OUT(open_units(request, path, &opened, error));
    const struct cor_agent_experiment *experiment = (const struct cor_agent_experiment *)opened.experiment;
    COR_TRY_OUT(read_case(experiment, request->which, &unit, &index, error));
    COR_TRY_OUT(find_arm(experiment, request->arm, &test.arm, error));
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
    cor_bytes_fini(&story);
    subject->close(bench);
    cor_choices_fini(&test.choices);
    cor_opened_fini(&opened);
    return status;
}

static enum cor_exit run_units(const struct cor_arguments *arguments, bool mutants) {
    struct request *request = arguments->request;
    const struct cor_made_up units = {&request->made, request, open_units, show};
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

static enum cor_exit test(const struct cor_arguments *arguments) {
    return run_units(arguments, false);
}

static enum cor_exit mutate(const struct cor_arguments *arguments) {
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
    .run = test,
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
    .run = mutate,
};
