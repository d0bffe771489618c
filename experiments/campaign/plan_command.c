/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plan: can the experiment be, what will it do and take; the folder of a campaign, as it is made and looked
 * at. */
#include "commands.h"
#include "estimate.h"
#include "isolation.h"
#include "output.h"
#include "place.h"
#include "running.h"

#include <corridor/arm_proofs.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/child.h>
#include <corridor/configurations.h>
#include <corridor/experiment.h>
#include <corridor/interaction.h>
#include <corridor/run.h>
#include <corridor/sheet.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is there to do in a campaign's folder. */
struct cor_folder_plan {
    const char *folder;           /* borrowed */
    struct cor_arm_missing *arms; /* owned; names are the experiment's */
    uint32_t arm_count;
    uint64_t planned, stored; /* suites over all arms; planned 0 = endless */
    bool stopped;             /* stop conditions of the experiment hold: no more are wanted */
};

#define PILOT_ERROR 0.1 /* relative standard error that ends a pilot before its time is over */
#define PILOT_ROUNDS 2  /* suites of each arm before that */

/* What the file of the suites kept takes is scaled by suites. */
static enum cor_status run_pilot(const struct cor_campaign_definition *definition, uint64_t least,
                                 struct cor_pilot_estimate *estimate, struct cor_error *error) {
    COR_DESTROYED(cor_campaign) struct cor_campaign *campaign = NULL;
    struct cor_campaign_status progress;
    struct stat file;
    bool whole;
    COR_TRY(cor_campaign_start(definition, &campaign, error));
    /* Runs suites until it is known well enough what all of them take, or the time is over. */
    do {
        COR_TRY(cor_campaign_look(campaign, 100, &progress, error));
        if (cor_interrupts() > 0)
            return cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
        const struct cor_campaign_pace pace = cor_campaign_pace(campaign);
        if (!isnan(pace.seconds_left) && !progress.ended) { /* while suites are under way, which count, too */
            estimate->seconds = progress.seconds + pace.seconds_left;
            estimate->error = pace.error;
        }
        if (progress.suites_done >= least && pace.error <= PILOT_ERROR * estimate->seconds)
            cor_campaign_interrupt(campaign);
    } while (!progress.ended);
    if (progress.suites_kept == 0)
        return COR_OK;
    COR_ASSERT(estimate->suites > 0);
    const double merging = cor_wall_seconds(),
                 scale = (double)estimate->suites / (double)progress.suites_kept;
    COR_TRY(cor_campaign_merge(campaign, &whole, error));
    if (stat(definition->output, &file) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, definition->output, NULL, "cannot look at");
    estimate->pilot_suites = progress.suites_kept;
    estimate->bytes = scale * (double)file.st_size;
    if (isnan(estimate->seconds) || progress.suites_done == estimate->suites) {
        estimate->seconds = progress.seconds * (double)estimate->suites / (double)progress.suites_done;
        estimate->error = NAN;
    }
    estimate->seconds += scale * (cor_wall_seconds() - merging);
    return COR_OK;
}

enum cor_status cor_pilot_run(const struct cor_opened *opened, double seconds,
                              struct cor_pilot_estimate *estimate, struct cor_error *error) {
    const struct cor_experiment_head *head = opened->experiment;
    uint64_t planned = (uint64_t)head->suite_count * head->arm_count;
    COR_FREED char *output = NULL;
    struct cor_moment moment;
    enum cor_status status = COR_OK;
    *estimate = (struct cor_pilot_estimate){
        .suites = planned > 0 ? planned : 1, .workers = cor_default_workers(), .seconds = NAN, .error = NAN};
    COR_TRY(cor_moment_open("pilot", &moment, error));
    cor_catch_interrupts();
    COR_TRY_OUT(cor_made(output = cor_format("%s/pilot.h5", moment.folder), error));
    struct cor_campaign_definition definition = {
        .layer = opened->layer,
        .experiment = opened->experiment,
        .output = output,
        .workers = estimate->workers,
        .stop = {.count = 1, .group = {{.bound = {[COR_STOP_AT_SECONDS] = seconds}}}}};
    if (planned == 0) /* nothing is to be foreseen but a suite */
        definition.stop.group[0].bound[COR_STOP_AT_SUITES] = (double)PILOT_ROUNDS * head->arm_count;
    COR_TRY_OUT(run_pilot(&definition, (uint64_t)PILOT_ROUNDS * head->arm_count, estimate, error));
out:
    cor_moment_close(&moment);
    cor_leave_interrupts();
    if (status == COR_OK && cor_interrupts() > 0) /* in this moment */
        status = cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
    return status;
}

/* ---- the folder of a campaign */

#define ARM(member) COR_CELL_OF(struct cor_arm_missing, member)
static const struct cor_column_definition stored_sheet_columns[] = {
    {"arm", "arm", "", "name of the arm", ARM(name)},
    {"planned", "suites", "suites", "of the plan; nothing: endless",
     COR_SOME_OF(struct cor_arm_missing, planned)},
    {"stored", "stored", "suites", "whole: they need not run", ARM(stored)},
    {"never", "never run", "suites", "to do: nothing of them is stored", ARM(never)},
    {"damaged", "damaged", "suites", "to do: what is stored of them is damaged", ARM(damaged)},
    {"extended", "extended", "suites", "to do again: they are stored with fewer sequences", ARM(extended)},
};
COR_SHEET_DEFINITION(stored_sheet, "stored", "What is stored, and why the rest must run", "an arm",
                     COR_SHEET_TOP, 0);

#define CAMPAIGN(member) COR_CELL_OF(struct cor_folder_plan, member)
static const struct cor_column_definition campaign_sheet_columns[] = {
    {"folder", "folder", "", "of the campaign", CAMPAIGN(folder)},
    {"planned", "planned", "suites", "over all arms; 0: endless", CAMPAIGN(planned)},
    {"stored", "stored", "suites", "thereof whole", CAMPAIGN(stored)},
    {"stopped", "stopped", "", "the stop conditions hold: no more are wanted", CAMPAIGN(stopped)},
};
COR_SHEET_DEFINITION(campaign_sheet, "campaign", "Campaign", "the folder",
                     COR_SHEET_RECORD | COR_SHEET_DATA | COR_SHEET_UNDER, 0);

/* Frees what it holds. Idempotent. */
static void folder_plan_fini(struct cor_folder_plan *plan) {
    free(plan->arms);
    *plan = (struct cor_folder_plan){0};
}

/* A folder that somebody made for something else is left alone; one that is not there is made under another
 * name, set->draft, so that it is whole or not there. */
static enum cor_status open_folder(const char *folder, struct cor_file_set *set, struct cor_error *error) {
    struct cor_place place;
    struct stat there;
    if (lstat(folder, &there) == 0 && rmdir(folder) != 0) { /* an empty one is as good as none */
        COR_TRY(cor_place_of(folder, &place, error));
        bool campaign = place.folder && !place.suites && stat(place.experiment, &there) == 0;
        cor_place_fini(&place);
        return campaign ? COR_OK
                        : cor_fail(error, COR_STATUS_EXISTS, folder, "name a new folder with -o",
                                   "exists already, and is no folder of a campaign");
    }
    return cor_file_set_open(folder, set, error);
}

/* Makes `folder` the folder of the experiment's campaign, or looks at it if it is one already: then only what
 * may grow may differ from what is stored. It is made whole or not at all. log_solutions: for all that is run
 * there. */
static enum cor_status folder_plan_make(struct cor_opened *opened, const char *folder, bool log_solutions,
                                        struct cor_folder_plan *plan, struct cor_error *error) {
    COR_FINISHED(cor_place) struct cor_place place = {0};
    struct cor_file_set set = {.lock = -1};
    enum cor_status status = COR_OK;
    *plan = (struct cor_folder_plan){.folder = folder};
    if (opened->experiment->arm_count == 0 || !opened->experiment->arms[0].text)
        return cor_fail(error, COR_STATUS_INPUT, opened->experiment->path, "run it as it is: corridor run",
                        "experiments of this kind have no folder of a campaign");
    if (opened->experiment->bound)
        return cor_fail(error, COR_STATUS_INPUT, opened->experiment->path, "run it as it is: corridor run",
                        "names modules or programs by their files, which no folder of a campaign can hold");
    COR_TRY(open_folder(folder, &set, error));
    const char *there = set.draft ? set.draft : folder;
    COR_TRY_OUT(cor_place_of(there, &place, error));
    struct cor_campaign *campaign = NULL;
    const struct cor_campaign_definition definition = {.layer = opened->layer,
                                                       .experiment = opened->experiment,
                                                       .output = place.output,
                                                       .text_path = place.experiment,
                                                       .stop = opened->stop,
                                                       .inquiries = &opened->inquiries,
                                                       .keep = true};
    const struct cor_experiment_head *head = opened->experiment;
    plan->arm_count = head->arm_count;
    plan->planned = (uint64_t)head->arm_count * head->suite_count;
    COR_TRY_OUT(cor_made(plan->arms = cor_calloc(head->arm_count, sizeof *plan->arms), error));
    COR_TRY_OUT(cor_campaign_start(&definition, &campaign, error));
    struct cor_campaign_status progress; /* said in the folder, too */
    status = cor_campaign_look(campaign, 0, &progress, error);
    plan->stopped = progress.stopped;
    if (status == COR_OK)
        status = cor_campaign_missing(campaign, plan->arms, error);
    for (uint32_t a = 0; a < plan->arm_count; a++)
        plan->stored += plan->arms[a].stored;
    cor_campaign_destroy(campaign);
    if (status == COR_OK && log_solutions)
        status = cor_place_log_solutions(there, error);
out:
    if (set.draft)
        status = cor_file_set_close(&set, status, false, error);
    if (status != COR_OK)
        folder_plan_fini(plan);
    return status;
}

static void folder_plan_fill(const struct cor_folder_plan *plan, struct cor_sheets *sheets) {
    COR_SHEET_PUT(cor_sheets_add(sheets, &campaign_sheet), struct cor_folder_plan, plan);
    COR_SHEET_PUT_ALL(cor_sheets_add(sheets, &stored_sheet), struct cor_arm_missing, plan->arms,
                      plan->arm_count);
}

/* Prints it as a table; fills it into sheets, for JSON. */
static enum cor_status folder_plan_print(const struct cor_folder_plan *plan, struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-plan", 2, &sheets, error));
    folder_plan_fill(plan, sheets);
    const struct cor_style style = cor_show_style();
    puts("");
    enum cor_status status = cor_sheets_text(sheets, &style, stdout, error);
    COR_FREED char *word = cor_shell_quoted(plan->folder);
    if (!word)
        return cor_made(word, error);
    if (plan->stopped)
        printf("\n%s: %" PRIu64 " suites stored, and the stop conditions hold: no more are wanted\n",
               plan->folder, plan->stored);
    else if (plan->planned == 0)
        printf("\n%s: %" PRIu64 " suites stored, endless; next: corridor run %s\n", plan->folder,
               plan->stored, word);
    else if (plan->stored == plan->planned)
        printf("\n%s: 0 of %" PRIu64
               " suites to do; what is stored becomes the result file by corridor run %s\n",
               plan->folder, plan->planned, word);
    else
        printf("\n%s: %" PRIu64 " of %" PRIu64 " suites to do; next: corridor run %s\n", plan->folder,
               plan->planned - plan->stored, plan->planned, word);
    return status;
}

/* ---- plan: what an experiment will do and take */

static const struct cor_column_definition plan_sheet_columns[] = {
    {"layer", "layer", "", "of the experiment", COR_CELL_WORD},
    {"name", "name", "", "of the experiment", COR_CELL_WORD},
    {"seed", "seed", "", "of all that is drawn", COR_CELL_WORD},
    {"mode", "mode", "", "paired: arms share suites; independent", COR_CELL_WORD},
    {"suites_per_arm", "suites", "suites", "of an arm; 0: endless", COR_CELL_COUNT},
    {"sequences_per_suite", "sequences", "sequences", "of a suite", COR_CELL_COUNT},
    {"notes", "notes", "", "what is worth knowing, in lines", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(plan_sheet, "plan", "Plan", "the experiment",
                     COR_SHEET_RECORD | COR_SHEET_DATA | COR_SHEET_TOP, 0);

/* An arm, and what a few suites of it look like. */
struct arm_row {
    const char *name, *algorithm, *fault;
    double agents, cases, acceptance, acceptance_pct;
    uint32_t drawn, fallbacks, outside;
};
#define ARM_ROW(member) COR_CELL_OF(struct arm_row, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"name", "arm", "", "its name", ARM_ROW(name)},
    {"algorithm", "algorithm", "", "its name", ARM_ROW(algorithm)},
    {"fault", "fault", "", "of the algorithm", ARM_ROW(fault)},
    {"agents_mean", "agents", "agents", "of a suite, mean", ARM_ROW(agents), 1},
    {"cases_per_suite_mean", "cases", "cases", "of a suite, mean", ARM_ROW(cases)},
    {"acceptance", "", "1", "share of random configurations that met the constraints", ARM_ROW(acceptance),
     COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"acceptance_pct", "acceptance", "%", "the same in per cent", ARM_ROW(acceptance_pct), 1},
    {"fallbacks", "fallback", "suites", "that follow the fallback law instead", ARM_ROW(fallbacks)},
    {"starts_outside", "", "suites", "of these whose first structure is outside of the corridor",
     ARM_ROW(outside), 0, COR_COLUMN_DATA},
    {"suites_sampled", "sampled", "suites", "that were drawn to tell it", ARM_ROW(drawn), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "A few suites of each arm", "an arm", COR_SHEET_TOP, 0);

#define ROWS(member) COR_CELL_OF(struct cor_configurations, member)
static const struct cor_column_definition configurations_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD},
    {"combine", "combine", "parameters", "any so many of them together", ROWS(strength)},
    {"rows", "rows", "rows", "of the covering array", ROWS(row_count)},
    {"covered", "covered", "1", "combinations of classes in a row", ROWS(covered)},
    {"impossible", "impossible", "1", "that ranges and constraints exclude", ROWS(impossible)},
    {"never_drawn", "never drawn", "1", "that were never drawn, though nothing says why", ROWS(undrawn)},
    {"parameters", "parameters", "", "of which classes are combined", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(configurations_sheet, "configurations", "Configurations",
                     "an arm whose configurations follow a covering array", COR_SHEET_DATA | COR_SHEET_TOP,
                     0);

static const struct cor_column_definition corridor_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD},
    {"answer", "answer", "",
     "satisfiable, empty, undecided: whether the corridor, as a text, can hold in the arm's suites",
     COR_CELL_WORD},
    {"agents_low", "agents from", "agents", "of its suites, least", COR_CELL_COUNT},
    {"agents_high", "to", "agents", "of its suites, most", COR_CELL_COUNT},
    {"why", "why", "", "an example, what contradicts, or what nothing is claimed for", COR_CELL_TEXT},
    {"conflict", "conflict", "", "empty: the constraints that are needed for it, a line each", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(corridor_sheet, "corridor", "Can the corridor hold", "an arm",
                     COR_SHEET_DATA | COR_SHEET_TOP, 0);

static const struct cor_column_definition presence_sheet_columns[] = {
    {"type", "type", "", "its name", COR_CELL_WORD},
    {"arrives", "comes by", "1", "probability that an absent agent comes in a case", COR_CELL_REAL,
     COR_DIGITS_FOUR},
    {"fails", "goes by", "1", "probability that a present one goes", COR_CELL_REAL, COR_DIGITS_FOUR},
    {"present", "at first", "1", "probability that an agent is there at the start", COR_CELL_REAL,
     COR_DIGITS_FOUR},
    {"present_share", "in the long run", "1", "share of its agents that are there", COR_CELL_REAL,
     COR_DIGITS_FOUR},
    {"stays_mean", "is there", "cases", "until an agent that is there goes, mean; nothing: it never goes",
     COR_CELL_REAL, COR_DIGITS_FOUR},
    {"away_mean", "is away", "cases", "until one that is not comes, mean; nothing: it never comes",
     COR_CELL_REAL, COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(presence_sheet, "presence", "Agents that come and go", "a type of agents", COR_SHEET_TOP,
                     0);

#define ESTIMATE(member) COR_CELL_OF(struct cor_pilot_estimate, member)
static const struct cor_column_definition estimate_sheet_columns[] = {
    {"pilot_suites", "pilot", "suites", "that were run for it", ESTIMATE(pilot_suites)},
    {"suites", "suites", "suites", "that it is for", ESTIMATE(suites)},
    {"workers", "workers", "processes", "at work", ESTIMATE(workers)},
    {"seconds", "seconds", "s", "that all of them take on this machine", ESTIMATE(seconds), COR_DIGITS_FOUR},
    {"seconds_error", "+-", "s", "standard error; nothing: not known", ESTIMATE(error), COR_DIGITS_FOUR},
    {"bytes", "bytes", "bytes", "of the result file", ESTIMATE(bytes)},
};
COR_SHEET_DEFINITION(estimate_sheet, "estimate", "Estimate", "of time and size, from a pilot",
                     COR_SHEET_RECORD | COR_SHEET_DATA | COR_SHEET_UNDER, 0);

#define SAMPLE_SUITES 3 /* of each arm, drawn to tell how hard drawing is */

/* What a few suites of an arm look like. */
struct sample {
    uint32_t drawn, fallbacks, outside;
    uint64_t attempts, agents, cases;
};

static enum cor_status sample_arm(const struct cor_experiment *experiment, uint32_t arm,
                                  struct sample *sample, struct cor_error *error) {
    uint32_t wanted = experiment->suite_count > 0 && experiment->suite_count < SAMPLE_SUITES
                          ? experiment->suite_count
                          : SAMPLE_SUITES;
    *sample = (struct sample){0};
    for (uint32_t s = 0; s < wanted; s++) {
        COR_DESTROYED(cor_suite) struct cor_suite *suite = NULL;
        enum cor_inside inside = COR_INSIDE_UNKNOWN;
        COR_TRY(cor_suite_generate(experiment, arm, s, &suite, error));
        const enum cor_status status = cor_suite_start(suite, &inside, error);
        sample->outside += inside == COR_INSIDE_OUTSIDE;
        sample->drawn++;
        sample->fallbacks += suite->fallback;
        sample->attempts += suite->attempts;
        sample->agents += suite->configuration->agent_count;
        for (uint32_t i = 0; i < experiment->sequence_count; i++)
            sample->cases += suite->case_counts[i];
        COR_TRY(status);
    }
    return COR_OK;
}

/* "54 s", "12 min", "3.5 h" */
static const char *time_text(double seconds, char text[32]) {
    const bool short_of = seconds < 90;
    snprintf(text, 32,
             short_of         ? "%.2g s"
             : seconds < 5400 ? "%.0f min"
                              : "%.1f h",
             short_of         ? seconds
             : seconds < 5400 ? seconds / 60
                              : seconds / 3600);
    return text;
}

static void print_estimate(const struct cor_pilot_estimate *estimate) {
    const double bytes = estimate->bytes, error = 2 * estimate->error;
    char about[32], low[32], high[32], range[80] = "", size[32], text[512];
    if (estimate->pilot_suites == 0) {
        printf("\nEstimate: none, no suite was finished by the pilot (--pilot S).\n");
        return;
    }
    if (error > 0)
        snprintf(range, sizeof range, " (%s to %s)",
                 time_text(fmax(estimate->seconds - error, estimate->seconds / 2), low),
                 time_text(estimate->seconds + error, high));
    snprintf(size, sizeof size,
             bytes < 1e6   ? "%.0f kB"
             : bytes < 1e9 ? "%.3g MB"
                           : "%.3g GB",
             bytes < 1e6   ? bytes / 1e3
             : bytes < 1e9 ? bytes / 1e6
                           : bytes / 1e9);
    snprintf(text, sizeof text,
             "Estimate for %s, from a pilot of %" PRIu64 " suites on %u worker%s: about %s%s, %s",
             estimate->suites == 1 ? "a suite" : "all suites", estimate->pilot_suites, estimate->workers,
             estimate->workers == 1 ? "" : "s", time_text(estimate->seconds, about), range, size);
    fputc('\n', stdout);
    cor_print_text(stdout, text, 0, 0);
}

/* The covering array that an arm's configurations follow. */
static void print_configurations(const struct cor_experiment *experiment, const struct cor_arm *arm) {
    const struct cor_configurations *c = arm->configurations;
    cor_print("\nConfigurations of %s: %u rows of classes of", arm->name, c->row_count);
    for (uint32_t i = 0; i < c->parameter_count; i++)
        cor_print("%s %s", i > 0 ? "," : "", cor_parameter_laws_name(arm->laws, c->parameters[i]));
    printf(";\n  any %u of these together: %" PRIu64 " combinations of classes, %" PRIu64 " are impossible",
           c->strength, c->covered, c->impossible);
    if (c->undrawn > 0)
        printf(", %" PRIu64 " were never drawn", c->undrawn);
    puts("");
    if (experiment->suite_count > 0 && experiment->suite_count < c->row_count)
        cor_print("  %u suites follow the first rows only: to have all, ask for %u\n",
                  experiment->suite_count, c->row_count);
}

static void put_mean(struct cor_sheet *sheet, double probability) {
    if (probability > 0)
        cor_sheet_real(sheet, 1 / probability);
    else
        cor_sheet_nothing(sheet);
}

static enum cor_status fill_presence(const struct cor_test_model *model, struct cor_sheets *sheets,
                                     struct cor_error *error) {
    struct cor_sheet *sheet = model->comes_and_goes ? cor_sheets_add(sheets, &presence_sheet) : NULL;
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        double share[2];
        if (type->presence == COR_NOBODY)
            continue;
        COR_TRY(cor_profile_stationary(model->environments[type->presence].profile, share, error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, type->name);
        cor_sheet_real(sheet, type->arrives);
        cor_sheet_real(sheet, type->fails);
        cor_sheet_real(sheet, type->present);
        cor_sheet_real(sheet, share[COR_HERE]);
        put_mean(sheet, type->fails);
        put_mean(sheet, type->arrives);
    }
    return COR_OK;
}

static enum cor_status fill_arms(const struct cor_experiment *experiment, struct cor_sheets *sheets,
                                 struct cor_error *error) {
    struct cor_sheet *arms = cor_sheets_add(sheets, &arms_sheet),
                     *configurations = cor_sheets_add(sheets, &configurations_sheet);
    uint32_t drawn = 0, outside = 0;
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        const struct cor_arm *arm = &experiment->arms[a];
        struct sample sample;
        COR_TRY(sample_arm(experiment, a, &sample, error));
        const double share = sample.drawn / (double)sample.attempts;
        COR_SHEET_PUT(arms, struct arm_row,
                      &(struct arm_row){.name = arm->name,
                                        .algorithm = arm->algorithm->name,
                                        .fault = cor_algorithm_fault_name(arm->algorithm, arm->fault),
                                        .agents = (double)sample.agents / sample.drawn,
                                        .cases = (double)sample.cases / sample.drawn,
                                        .acceptance = share,
                                        .acceptance_pct = 100 * share,
                                        .drawn = sample.drawn,
                                        .fallbacks = sample.fallbacks,
                                        .outside = sample.outside});
        drawn += sample.drawn;
        outside += sample.outside;
        if (arm->configurations) {
            const struct cor_configurations *c = arm->configurations;
            char *names = cor_strdup("");
            for (uint32_t i = 0; i < c->parameter_count; i++)
                names = cor_join_take(names, ", ",
                                      cor_strdup(cor_parameter_laws_name(arm->laws, c->parameters[i])));
            cor_sheet_row(configurations);
            cor_sheet_word(configurations, arm->name);
            COR_SHEET_PUT(configurations, struct cor_configurations, c);
            cor_sheet_text_take(configurations, names);
        }
    }
    cor_sheet_remark(arms,
                     "Means over the first %u suites of each arm at most. Acceptance: share of random "
                     "configurations that met the constraints; fallback: suites that follow the fallback law "
                     "instead.",
                     SAMPLE_SUITES);
    if (outside > 0)
        cor_sheet_remark(
            arms,
            "%u of these %u suites begin outside of the corridor: there an algorithm may be called in "
            "the first case, and judged by what it makes of a structure that nobody organized. With %s"
            "\"start\": \"inside\" in \"structure\" they begin inside.",
            outside, drawn,
            experiment->model->threshold_given
                ? ""
                : "the threshold as a number, not by \"alarm_rate\", and with ");
    return fill_presence(experiment->model, sheets, error);
}

/* "corridor of A, B: can hold, for example with ..", where these are the arms of which the same was asked. */
static enum cor_status print_proof(const struct cor_arm_proof *proof, const char *names,
                                   struct cor_error *error) {
    static const char *const verdicts[] = {[COR_ANSWER_SATISFIABLE] = "can hold, ",
                                           [COR_ANSWER_EMPTY] = "cannot hold, ",
                                           [COR_ANSWER_UNDECIDED] = "undecided, "};
    const bool is_empty = proof->answer == COR_ANSWER_EMPTY;
    COR_FREED char *text = cor_format("corridor%s%s: %s%s%s", names[0] ? " of " : "", names,
                                      verdicts[proof->answer], proof->why, is_empty ? ":" : "");
    COR_TRY(cor_made(text, error));
    cor_print_text(stdout, text, 0, 0);
    for (const char *line = is_empty ? proof->conflict : NULL; line;) {
        const size_t length = strcspn(line, "\n");
        cor_print("  %.*s\n", (int)length, line);
        line = line[length] ? line + length + 1 : NULL;
    }
    return COR_OK;
}

/* An arm whose suites can never be inside. */
static enum cor_status refuse_empty(const struct cor_experiment *experiment,
                                    const struct cor_arm_proofs *proofs, struct cor_error *error) {
    for (uint32_t a = 0; a < proofs->count; a++)
        if (proofs->arms[a].answer == COR_ANSWER_EMPTY)
            return cor_fail(error, COR_STATUS_UNSATISFIABLE, proofs->arms[a].place,
                            "change one of the lines that the plan names, or the model",
                            "the corridor cannot hold in arm %s: %s", experiment->arms[a].name,
                            proofs->arms[a].why);
    return COR_OK;
}

static enum cor_status print_text(const struct cor_opened *opened, const struct cor_experiment *experiment,
                                  const struct cor_arm_proofs *proofs, const struct cor_sheets *sheets,
                                  struct cor_error *error) {
    const struct cor_experiment_head *head = opened->experiment;
    const struct cor_style style = cor_show_style();
    if (!experiment) {
        cor_print("%s: %u arm%s, %" PRIu64 " suites, seed 0x%" PRIx64 ", layer %s\n", head->path,
                  head->arm_count, head->arm_count == 1 ? "" : "s",
                  (uint64_t)head->arm_count * head->suite_count, head->seed, opened->layer->schema->name);
        cor_print_text(stdout, opened->notes ? opened->notes : "", 0, 0);
        return COR_OK;
    }
    char cases[32], text[1024];
    if (experiment->case_min == experiment->case_max)
        snprintf(cases, sizeof cases, "%u", experiment->case_min);
    else
        snprintf(cases, sizeof cases, "%u to %u", experiment->case_min, experiment->case_max);
    snprintf(text, sizeof text,
             "%s: %u arm%s, %s%" PRIu64 " suites, %u sequences each, %s cases a sequence, seed 0x%" PRIx64
             ", %s suites\nconstraints: can hold",
             experiment->name, experiment->arm_count, experiment->arm_count == 1 ? "" : "s",
             experiment->suite_count == 0 ? "endless, " : "",
             (uint64_t)experiment->arm_count * experiment->suite_count, experiment->sequence_count, cases,
             experiment->seed, experiment->paired ? "paired" : "independent");
    cor_print_text(stdout, text, 0, 0);
    for (uint32_t i = 0; i < proofs->count; i++) {
        if (proofs->arms[i].same != i)
            continue;
        uint32_t same = 0;
        COR_FREED char *names = cor_strdup("");
        for (uint32_t b = i; b < proofs->count; b++)
            if (proofs->arms[b].same == i)
                names = cor_join_take(names, same++ > 0 ? ", " : "", cor_strdup(experiment->arms[b].name));
        enum cor_status status = cor_made(names, error);
        if (status == COR_OK)
            status = print_proof(&proofs->arms[i], same == proofs->count ? "" : names, error);
        COR_TRY(status);
    }
    cor_print_text(stdout, opened->notes ? opened->notes : "", 0, 0);
    fputc('\n', stdout);
    COR_TRY(cor_sheets_text(sheets, &style, stdout, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].configurations)
            print_configurations(experiment, &experiment->arms[a]);
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].configuration_traps) {
            /* The conditions that an arm's configurations meet in turn. */
            const struct cor_configuration_traps *c = experiment->arms[a].configuration_traps;
            cor_print("\nConfigurations of %s meet in turn:\n", experiment->arms[a].name);
            for (uint32_t t = 0; t < c->count; t++)
                cor_print("  %s%s\n", c->traps[t].text,
                          c->has_example[t] ? "" : " (z3 could not decide whether any does)");
        }
    return COR_OK;
}

/* NULL in layers whose suites cannot be drawn apart from running them. */
static const struct cor_experiment *drawn_experiment(const struct cor_opened *opened) {
    return opened->layer == &cor_interaction_layer
               ? ((const struct cor_interaction *)opened->experiment)->experiment
               : NULL;
}

static enum cor_status print_suites(const struct cor_opened *opened, bool json,
                                    const struct cor_arm_proofs *proofs,
                                    const struct cor_pilot_estimate *estimate,
                                    const struct cor_folder_plan *folder, struct cor_error *error) {
    const struct cor_experiment *experiment = drawn_experiment(opened);
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-plan", 2, &sheets, error));
    cor_progress_doing("drawing a few suites");
    /* What the suites are, as far as it can be told without running them. */
    const struct cor_experiment_head *head = opened->experiment;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &plan_sheet);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, opened->layer->schema->name);
    cor_sheet_word(sheet, experiment ? experiment->name : NULL);
    cor_sheet_text(sheet, "0x%016" PRIx64, head->seed);
    cor_sheet_word(sheet, !experiment ? NULL : experiment->paired ? "paired" : "independent");
    cor_sheet_count(sheet, head->suite_count);
    if (experiment)
        cor_sheet_count(sheet, experiment->sequence_count);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, opened->notes ? opened->notes : "");
    if (experiment)
        COR_TRY(fill_arms(experiment, sheets, error));
    if (proofs->count > 0) {
        struct cor_sheet *proofs_sheet = cor_sheets_add(sheets, &corridor_sheet);
        for (uint32_t a = 0; a < proofs->count; a++) {
            const struct cor_arm_proof *proof = &proofs->arms[a];
            cor_sheet_row(proofs_sheet);
            cor_sheet_word(proofs_sheet, experiment->arms[a].name);
            cor_sheet_word(proofs_sheet, cor_answer_word(proof->answer));
            cor_sheet_count(proofs_sheet, proof->agents_low);
            cor_sheet_count(proofs_sheet, proof->agents_high);
            cor_sheet_text(proofs_sheet, "%s", proof->why);
            if (proof->answer == COR_ANSWER_EMPTY)
                cor_sheet_text(proofs_sheet, "%s", proof->conflict);
            else
                cor_sheet_nothing(proofs_sheet);
        }
    }
    if (estimate->pilot_suites > 0)
        COR_SHEET_PUT(cor_sheets_add(sheets, &estimate_sheet), struct cor_pilot_estimate, estimate);
    if (folder->folder && json)
        folder_plan_fill(folder, sheets);
    cor_progress_doing(NULL);
    return json ? cor_sheets_json(sheets, stdout, error)
                : print_text(opened, experiment, proofs, sheets, error);
}

struct request {
    const char *diagram;
    bool force;
    const char *output;
    double pilot; /* seconds; -1: not said */
    bool suites, json, show_config;
    struct cor_layer_options options;
};

/* What an operand and -o name together. */
struct target {
    const char *campaign; /* folder of a campaign to be made or looked at; NULL = none */
    const char *suites;   /* folder to write suites into; NULL = none */
    double pilot_seconds;
    bool log_solutions; /* there */
};

/* Asks whether the corridor can hold in each arm. One that is empty is said, and nothing is planned. */
static enum cor_status prove_arms(const struct cor_opened *opened, bool json, struct cor_arm_proofs *proofs,
                                  struct cor_error *error) {
    const struct cor_experiment *experiment = drawn_experiment(opened);
    const struct cor_pilot_estimate no_estimate = {0};
    const struct cor_folder_plan no_folder = {0};
    if (!experiment)
        return COR_OK;
    cor_progress_doing("asking whether the corridor can hold");
    COR_TRY(cor_experiment_prove(experiment, proofs, error));
    cor_progress_doing(NULL);
    struct cor_error empty = COR_NO_ERROR;
    if (refuse_empty(experiment, proofs, &empty) == COR_OK)
        return COR_OK;
    COR_TRY(print_suites(opened, json, proofs, &no_estimate, &no_folder, error));
    *error = empty;
    return error->status;
}

static enum cor_status plan_target(const struct cor_arguments *arguments, const struct target *target,
                                   struct cor_opened *opened, struct cor_error *error) {
    COR_FINISHED(folder_plan) struct cor_folder_plan folder = {0};
    COR_FINISHED(cor_arm_proofs) struct cor_arm_proofs proofs = {0};
    bool json = ((const struct request *)arguments->request)->json;
    if (target->suites && opened->layer != &cor_interaction_layer)
        return cor_fail(
            error, COR_STATUS_INPUT, arguments->words[0], "make a campaign's folder: leave out --suites",
            "is an experiment of the layer \"%s\", whose suites are no files", opened->layer->schema->name);
    COR_TRY(prove_arms(opened, json, &proofs, error));
    if (target->campaign)
        COR_TRY(folder_plan_make(opened, target->campaign, target->log_solutions, &folder, error));
    /* Tells what the experiment is and what it will take. Trouble of the pilot - an algorithm that ends its
     * process, no room for a file - is none of the plan: it is said, and there is no estimate. */
    struct cor_pilot_estimate estimate = {0};
    struct cor_error trouble = COR_NO_ERROR;
    if (target->pilot_seconds > 0) {
        cor_progress_doing("running a pilot, to estimate time and size");
        if (cor_pilot_run(opened, target->pilot_seconds, &estimate, &trouble) == COR_STATUS_INTERRUPTED)
            return cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
    }
    COR_TRY(print_suites(opened, json, &proofs, &estimate, &folder, error));
    if (trouble.status != COR_OK)
        cor_say("no estimate: the pilot failed: %s", trouble.cause);
    else if (!json && target->pilot_seconds > 0)
        print_estimate(&estimate);
    if (!json && folder.folder)
        COR_TRY(folder_plan_print(&folder, error));
    if (target->suites) {
        /* All suites, as files. */
        cor_progress_doing("writing suites");
        COR_TRY(cor_suite_folder_write(((const struct cor_interaction *)opened->experiment)->experiment,
                                       target->suites, error));
        cor_progress_doing(NULL);
        COR_FREED char *word = cor_shell_quoted(target->suites);
        if (word)
            fprintf(stderr, "%s: all suites; next: corridor run %s\n", target->suites, word);
    }
    return COR_OK;
}

/* The model as a class diagram, in the language that the ending of the path says. */
static enum cor_status write_diagram(const struct request *request, const struct cor_opened *opened,
                                     struct cor_error *error) {
    const char *ending = strrchr(request->diagram, '.');
    const bool is_plantuml = ending && strcmp(ending, ".puml") == 0;
    if (opened->layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, request->diagram,
                        COR_WITH_AGENT("corridor agent order draws the units of agents")
                            COR_WITHOUT_AGENT("leave it out"),
                        "only models of interacting agents are drawn as class diagrams");
    COR_FREED char *text = cor_model_diagram(((const struct cor_interaction *)opened->experiment)->experiment,
                                             is_plantuml ? COR_DIAGRAM_PLANTUML : COR_DIAGRAM_DOT, error);
    if (!text)
        return COR_STATUS_MEMORY;
    cor_progress_doing(NULL);
    return is_plantuml ? cor_output_text(request->diagram, text, request->force, error)
                       : cor_output_drawing(request->diagram, text, request->force, error);
}

static enum cor_exit run_plan(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    COR_FINISHED(cor_place) struct cor_place place = {0};
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    struct target target;
    struct request *request = arguments->request;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_place_of(arguments->words[0], &place, &error));
    COR_TRY_OUT(cor_place_check(arguments->words[0], &place, &error));
    const bool is_campaign = !request->output && place.folder && !place.suites;
    target = (struct target){
        .suites = request->suites ? request->output : NULL,
        .campaign = is_campaign       ? arguments->words[0]
                    : request->suites ? NULL
                                      : request->output,
        .pilot_seconds = request->pilot >= 0 ? request->pilot
                         : request->suites   ? 0
                                             : 6,
    };
    /* What goes for all that is run in the folder: as it was, or as it is said now. */
    struct cor_place there = {0};
    if (target.campaign)
        COR_TRY_OUT(cor_place_of(target.campaign, &there, &error));
    target.log_solutions = there.log_solutions || request->options.log_solutions;
    request->options.log_solutions = target.log_solutions;
    cor_place_fini(&there);
    if (request->show_config) {
        const struct cor_config config = {.json = request->json, .options = &request->options};
        return cor_show_config(arguments, place.experiment, &config);
    }
    cor_progress_doing("asking whether the constraints can hold");
    COR_TRY_OUT(cor_open_experiment(place.experiment, &request->options, &opened, &error));
    COR_TRY_OUT(request->diagram ? write_diagram(request, &opened, &error)
                                 : plan_target(arguments, &target, &opened, &error));
out:
    cor_progress_doing(NULL);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_plan = {
    .name = "plan",
    .summary = "check what a run would do",
    .operands = "EXPERIMENT.json | FOLDER",
    .takes = {1, 1, "needs one experiment file or folder of a campaign"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads an experiment and everything it names, and says what a run would do. It asks z3 whether "
        "the constraints can hold at all and, if not, which lines contradict each other. For a corridor "
        "that is a text it asks so for each arm (docs/look-up/corridor-language.md; exit code 3 if the "
        "corridor cannot hold). It draws a few suites to show their size and how often the parameters "
        "meet the constraints. It runs a few suites to estimate how long all of them take on this "
        "machine, and how large the result file gets.\n"
        "With -o, it makes a folder that holds all that the campaign needs, except modules of algorithms; "
        "corridor run FOLDER runs it there. Experiments with agents that are modules or programs have no "
        "folder. If the folder exists, plan says what is stored in it and why the rest must run. If "
        "another experiment is given for that folder, plan says whether it is the same with more suites, "
        "sequences or arms; if so, it extends the folder and keeps what is stored.\n"
        "With --suites, it writes every suite into the new folder as a file, to be edited or run "
        "elsewhere (off-line mode).",
    .options =
        {
            {"output", 'o', "FOLDER", "make this the folder of the campaign, or extend it", COR_TEXT(output)},
            {"log-solutions", 0, NULL,
             "keep structure and solution of every reorganization in a campaign's folder",
             COR_FLAG(options.log_solutions)},
            {"suites", 0, NULL, "write all suites into the new folder, as files", COR_FLAG(suites),
             .needs = "output"},
            {"pilot", 0, "S", "run suites, for S seconds at most, to estimate time and size; 0 = none",
             COR_REAL(pilot, 0, 1e6, -1), .otherwise = "6, with --suites 0"},
            {"algorithm", 'a', "[ARM=]ALGORITHM",
             "take that algorithm, by name or path, instead of the file's: in that arm, or in all",
             COR_TEXT(options.algorithm)},
            COR_ISOLATE_OPTION(options.isolation),
            COR_FRESH_OPTION(options),
            {"diagram", 0, "FILE",
             "draw the model as a class diagram instead: .svg, .pdf, .png, .dot or .puml", COR_TEXT(diagram)},
            {"force", 'f', NULL, "replace the diagram if it exists", COR_FLAG(force), .needs = "diagram"},
            COR_SHOW_CONFIG_OPTION(show_config),
            {"json", 0, NULL, "print one JSON document", COR_FLAG(json)},
        },
    .examples = {"corridor plan experiments/library/demo.json",
                 "corridor plan experiments/library/demo.json --diagram model.svg",
                 "corridor plan experiments/library/demo.json -o camp/     # then: corridor run camp/",
                 "corridor plan camp/                              # what is still to do, and why",
                 "corridor plan experiments/library/demo.json -o suites --suites"},
    .run = run_plan,
};
