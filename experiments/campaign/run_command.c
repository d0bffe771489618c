/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch.h"
#include "commands.h"
#include "isolation.h"
#include "output.h"
#include "place.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/campaign.h>
#include <corridor/cells.h>
#include <corridor/identities.h>
#include <corridor/verdicts.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads the conditions among the options, of which any must hold, or all; false after saying what is wrong.
 */
static bool read_stop(const struct cor_arguments *arguments, struct cor_stop_conditions *stop) {
    static const char *const options[COR_STOP_FIGURE_COUNT] = {
        "suites",           "stop-cases",      "stop-failures", "stop-states",
        "stop-transitions", "stop-half-width", "stop-seconds"};
    struct cor_stop_group given = {.all = cor_argument_given(arguments, "stop-all")};
    bool any = false;
    for (int i = 0; i < COR_STOP_FIGURE_COUNT; i++) {
        double least, greatest;
        int64_t count = 0;
        bool whole = cor_stop_range((enum cor_stop_figure)i, &least, &greatest);
        if (whole ? !cor_argument_integer(arguments, options[i], (int64_t)least, (int64_t)greatest, 0, &count)
                  : !cor_argument_real(arguments, options[i], least, greatest, 0, &given.bound[i]))
            return false;
        if (whole)
            given.bound[i] = (double)count;
        any = any || given.bound[i] > 0;
    }
    if (!any)
        return true;
    if (stop->count == 0)
        cor_stop_add(stop, 0, false);
    uint32_t group = cor_stop_add(stop, 0, given.all);
    if (group == COR_STOP_GROUPS_MAX) {
        cor_misuse(arguments->command, "the experiment has as many groups of conditions as there may be");
        return false;
    }
    memcpy(stop->group[group].bound, given.bound, sizeof given.bound);
    return true;
}

/* What --fail-on takes: arms whose fault was not found (or not even reached), arms without a fault in which a
 * check failed, either. */
enum fail_on { FAIL_UNDETECTED, FAIL_UNEXPECTED, FAIL_ANY, FAIL_NEVER };

static const char *fail_on_word(size_t index) {
    static const char *const words[] = {"undetected", "unexpected", "any"};
    return index < FAIL_NEVER ? words[index] : NULL;
}

static enum cor_status find(const char *path, struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_result *result;
    COR_TRY(cor_result_open(path, &result, error));
    enum cor_status status = cor_identities_check(result, error);
    if (status == COR_OK)
        status = cor_result_findings(result, findings, error);
    cor_result_close(result);
    return status;
}

/* The exit code of a campaign that ran to its end. */
static enum cor_exit judge(const char *path, enum fail_on fail_on) {
    struct cor_view_findings findings;
    struct cor_error error = COR_NO_ERROR;
    if (fail_on == FAIL_NEVER)
        return COR_EXIT_DONE;
    if (find(path, &findings, &error) != COR_OK)
        return cor_report(&error);
    size_t undetected = fail_on != FAIL_UNEXPECTED ? findings.undetected + findings.unreached : 0;
    size_t unexpected = fail_on != FAIL_UNDETECTED ? findings.unexpected : 0;
    if (undetected + unexpected + findings.broken == 0)
        return findings.undecided > 0 ? COR_EXIT_UNDECIDED : COR_EXIT_DONE;
    fprintf(stderr,
            "corridor: arms whose fault was not found: %zu; arms that fail without a fault: %zu; "
            "contradictions: %zu; see corridor show %s\n",
            undetected, unexpected, findings.broken, path);
    return COR_EXIT_EXPECTATION;
}

/* Of a process that has a share of the plan. The others of a launcher say nothing where all goes well: their
 * output stands in one with that of the first. */
static enum cor_exit judge_share(const struct cor_campaign_definition *definition,
                                 const struct cor_campaign_status *status, bool whole) {
    const struct cor_share *share = &definition->share;
    if (!whole || !share->launched)
        fprintf(stderr, "corridor: share %u of %u is %s; %" PRIu64 " suites are stored beside %s, and %s\n",
                share->index + 1, share->count, whole ? "done" : "interrupted", status->suites_done,
                definition->output,
                whole ? "when all shares are done, the command without a share makes the file"
                      : "the same command goes on from there");
    return whole ? COR_EXIT_DONE : COR_EXIT_INCOMPLETE;
}

/* How an interrupted campaign goes on. */
static const char *going_on(const struct cor_campaign_definition *definition, bool records) {
    if (records)
        return "; a recording is of one run, so remove what is stored beside it and begin anew";
    return definition->experiment->resumable
               ? "; the same command goes on from there"
               : "; what else it depends on is not known, so a new run begins anew";
}

static enum cor_exit run_campaign(const struct cor_campaign_definition *definition,
                                  enum cor_progress_style style, bool json, bool records,
                                  enum fail_on fail_on) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign_status status;
    bool whole = false;
    if (cor_carry_out(definition, style, &status, &whole, &error) != COR_OK)
        return cor_report(&error);
    if (status.partial)
        return judge_share(definition, &status, whole);
    const struct cor_summary summary = {definition->layer, definition->output, &status, whole};
    if (cor_summary_print(&summary, json ? "corridor-run" : NULL, &error) != COR_OK)
        return cor_report(&error);
    if (whole)
        return judge(definition->output, fail_on);
    fprintf(stderr, "corridor: interrupted: the file holds the first %" PRIu64 " of %" PRIu64 " suites%s\n",
            status.suites_kept, status.suites_planned, going_on(definition, records));
    return COR_EXIT_INCOMPLETE;
}

static const char *variable(const char *name) {
    return getenv(name);
}

/* What the option says, or else the launcher; progress of all of a launcher's processes would be mixed. */
static enum cor_status read_share(const struct cor_arguments *arguments, struct cor_share *share, int *style,
                                  struct cor_error *error) {
    const char *text = cor_argument(arguments, "share");
    COR_TRY(text ? cor_share_read(text, variable, share, error) : cor_share_launched(variable, share, error));
    if (share->launched && share->index > 0 && !cor_argument_given(arguments, "progress"))
        *style = COR_PROGRESS_NONE;
    return COR_OK;
}

/* A launcher starts a process for each processor, but for what Slurm was told of processors for each task. */
static uint32_t default_workers(const struct cor_share *share) {
    const char *said = share->launched ? getenv("SLURM_CPUS_PER_TASK") : NULL;
    unsigned long processors = said ? strtoul(said, NULL, 10) : 1;
    if (!share->launched)
        return cor_default_workers();
    return processors < 1 ? 1 : processors > COR_WORKERS_MAX ? COR_WORKERS_MAX : (uint32_t)processors;
}

/* The hosts, and how they are reached; false with *code after saying what is wrong. */
static bool read_hosts(const struct cor_arguments *arguments, struct cor_hosts *hosts, enum cor_exit *code) {
    const char *text = cor_argument(arguments, "hosts"), *reach = cor_argument(arguments, "ssh-command");
    const char *program = cor_argument(arguments, "remote-corridor");
    struct cor_error error = COR_NO_ERROR;
    hosts->reach = reach ? reach : "ssh -o BatchMode=yes";
    hosts->program = program ? program : "corridor";
    *code = COR_EXIT_USAGE;
    if (!cor_argument_real(arguments, "host-patience", 2, 1e6, 30, &hosts->patience))
        return false;
    if (text && cor_argument_given(arguments, "jobs")) {
        *code = cor_misuse(arguments->command,
                           "workers of this machine are a host, too: --hosts localhost:4,...");
        return false;
    }
    if (!text && (reach || program)) {
        *code = cor_misuse(arguments->command, "reaches no host: --hosts names them");
        return false;
    }
    if (text && cor_hosts_read(text, hosts, &error) != COR_OK) {
        *code = cor_report(&error);
        return false;
    }
    return true;
}

/* A recording has all that is said from the first suite on, so none may be stored yet. */
static enum cor_status check_recording(const struct cor_layer_options *options, const char *output,
                                       struct cor_error *error) {
    if (!options->record_traffic)
        return COR_OK;
    struct stat there;
    enum cor_status status = COR_OK;
    char *folder = cor_format("%s.parts", output);
    COR_TRY(cor_made(folder, error));
    if (stat(folder, &there) == 0)
        status = cor_fail(error, COR_STATUS_EXISTS, folder,
                          "remove it to begin anew, or go on without --record-traffic",
                          "holds suites of an earlier run, which the recording would lack");
    free(folder);
    return status;
}

/* Reads the experiment, asks whether it can be, and runs it. */
static enum cor_exit run_experiment(const char *path, const struct cor_layer_options *options,
                                    struct cor_campaign_definition *definition, enum cor_progress_style style,
                                    enum fail_on fail_on, const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_opened opened;
    enum cor_exit code = COR_EXIT_DONE;
    if (check_recording(options, definition->output, &error) != COR_OK)
        return cor_report(&error);
    if (cor_open_experiment(path, options, &opened, &error) != COR_OK) {
        code = cor_report(&error);
    } else if (opened.experiment->suite_count == 0 && options->suite_folder) {
        code = cor_misuse(arguments->command, "%s is endless, so it has no folder of suites", path);
    } else if (!read_stop(arguments, &opened.stop)) {
        code = COR_EXIT_USAGE;
    } else {
        definition->layer = opened.layer;
        definition->experiment = opened.experiment;
        definition->stop = opened.stop;
        code = run_campaign(definition, style, cor_argument_given(arguments, "json"),
                            options->record_traffic != NULL, fail_on);
    }
    cor_opened_fini(&opened);
    return code;
}

/* Of a folder: its own experiment and suites, and its own result file if no other is named. Journals of a
 * campaign's folder stay, so that it can be extended. */
static enum cor_exit run_operand(const char *operand, struct cor_layer_options *options,
                                 struct cor_campaign_definition *definition, enum cor_progress_style style,
                                 enum fail_on fail_on, const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_place place;
    if (cor_place_of(operand, &place, &error) != COR_OK)
        return cor_report(&error);
    options->suite_folder = place.suites;
    options->log_solutions = options->log_solutions || place.log_solutions;
    definition->keep =
        !definition->output && !place.suites && !cor_argument_given(arguments, "drop-journals");
    if (!definition->output)
        definition->output = place.output;
    enum cor_exit code = run_experiment(place.experiment, options, definition, style, fail_on, arguments);
    cor_place_fini(&place);
    return code;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    int64_t workers, shuffle, given;
    int style, fail_on;
    enum cor_exit code = COR_EXIT_DONE;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign_definition definition = {
        .output = cor_argument(arguments, "output"),
        .overwrite = cor_argument_given(arguments, "force"),
    };
    struct cor_layer_options options = {.log_solutions = cor_argument_given(arguments, "log-solutions"),
                                        .algorithm = cor_argument(arguments, "algorithm"),
                                        .record_traffic = cor_argument(arguments, "record-traffic"),
                                        .replay_traffic = cor_argument(arguments, "replay-traffic"),
                                        .replace = definition.overwrite};
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one experiment file or folder of suites");
    if (!definition.output && !cor_is_folder(arguments->words[0]))
        return cor_misuse(arguments->command, "needs a name for the result file: -o results.h5");
    if (!cor_batch_fits(arguments))
        return COR_EXIT_USAGE;
    if (cor_argument_given(arguments, "batch"))
        return cor_batch(arguments);
    if (definition.output && strcmp(definition.output, "-") == 0)
        return cor_misuse(arguments->command,
                          "writes a result file, which standard output cannot be: -o results.h5");
    if (!cor_argument_word(arguments, "progress", COR_PROGRESS_AUTO, &style) ||
        !cor_argument_word(arguments, "fail-on", FAIL_NEVER, &fail_on) ||
        !cor_argument_integer(arguments, "jobs", 1, COR_WORKERS_MAX, 0, &given) ||
        !cor_argument_integer(arguments, "shuffle", 0, INT64_MAX, 0, &shuffle) ||
        !read_stop(arguments, &(struct cor_stop_conditions){0}) || !cor_read_isolation(arguments, &options))
        return COR_EXIT_USAGE;
    if (read_share(arguments, &definition.share, &style, &error) != COR_OK)
        return cor_report(&error);
    if (options.record_traffic || options.replay_traffic) {
        if (options.record_traffic && options.replay_traffic)
            return cor_misuse(arguments->command, "cannot record traffic and replay it in one");
        if (given > 1 || definition.share.count > 1 || cor_argument_given(arguments, "hosts"))
            return cor_misuse(arguments->command, "records or replays traffic with one worker: --jobs 1");
        given = 1;
    }
    struct cor_hosts hosts = {.options = options};
    workers = given > 0 ? given : default_workers(&definition.share);
    if (!read_hosts(arguments, &hosts, &code))
        goto out;
    definition.hosts = hosts.count > 0 ? &hosts : NULL;
    workers = hosts.count > 0 ? hosts.slots : workers;
    definition.workers = (uint32_t)workers;
    definition.shuffle = (uint64_t)shuffle;
    code = run_operand(arguments->words[0], &options, &definition, (enum cor_progress_style)style,
                       (enum fail_on)fail_on, arguments);
out:
    cor_hosts_fini(&hosts);
    return code;
}

const struct cor_command cor_command_run = {
    .name = "run",
    .summary = "run a campaign",
    .operands = "EXPERIMENT.json | FOLDER",
    .manual =
        "Generates the suites of an experiment, runs them on worker processes, and merges what happened into "
        "one HDF5 file. The file is the same, bit for bit, for any number of workers. Given the folder of a "
        "campaign, which \"corridor plan -o\" makes, runs what is missing there, into results.h5 in it; if "
        "suites are in it as files (plan --suites), those instead of generated ones (off-line mode).\n"
        "An experiment with \"suites\": 0 is endless (on-line mode): it goes on until a stop condition holds "
        "or until Ctrl-C. Stop conditions are judged on the suites in their order. Ctrl-C writes what is "
        "finished; a second one, while suites still run, ends at once. Times go into OUTPUT.times.csv, "
        "because they are true of one run only.\n"
        "Finished suites are kept in OUTPUT.parts until the result file holds all: whatever ended a campaign "
        "- "
        "Ctrl-C, a full disk, a crash, a kill - the same command runs what is missing, with as many workers "
        "as "
        "you like, and the file comes out as if nothing had happened.\n"
        "Several processes, also of several machines with one file system, share a campaign: under mpirun "
        "and "
        "srun each runs its share, and the first one what is left, and makes the file; in a job array "
        "--share "
        "auto runs the share of the task, and the same command without it, when all tasks have ended, makes "
        "the file. A share that is ended before its time - by SIGTERM, SIGUSR1 - leaves by exit code 5. With "
        "--hosts suites are executed on other machines, and stored on this one; what a lost host had goes to "
        "others.\n"
        "--batch prints a script for a batch system: a job array, each task of which runs its share of the "
        "suites, and a job that comes after it, runs what tasks have left that were cancelled or ran out of "
        "time, and makes the result file. All of them write to one folder, so it has to be on a file system "
        "that all nodes see. How many tasks there are follows from how long one is to take, by a pilot on "
        "this "
        "machine. Each is warned by a signal before its time ends, and leaves by exit code 5 then; "
        "submitting "
        "again runs what is missing.",
    .options =
        {
            {"output", 'o', "FILE", "write this result file", "of a folder: results.h5 in it"},
            {"drop-journals", 0, NULL,
             "delete working files in a campaign's folder at the end (no extension possible)", NULL},
            {"force", 'f', NULL, "replace the result file if it exists", NULL},
            {"jobs", 'j', "N", "use N worker processes", "all processors; 1 under mpirun"},
            {"shuffle", 0, "N", "take the suites in another order, drawn from N: the file stays the same",
             "the plan's"},
            {"log-solutions", 0, NULL,
             "keep structure and solution of every reorganization, not only of failures", NULL},
            {"share", 0, "R/N",
             "run only share R of N, beside other processes on the same folder. auto: part and number of "
             "parts "
             "from the scheduler; auto/N if it tells only the part",
             "that of mpirun or srun, else all"},
            {"algorithm", 'a', "[ARM=]ALGORITHM",
             "run that algorithm, by name or path, instead of the file's: in that arm, or in all", NULL},
            {"record-traffic", 0, "FILE", "write down all that is said to programs and by them; one worker",
             NULL},
            {"replay-traffic", 0, "FILE",
             "take it from there instead of asking the programs, which need not be there", NULL},
            {"hosts", 0, "LIST",
             "run suites on other hosts, over ssh: a:8,b:4 with so many at a time, or a file with a line for "
             "each; "
             "localhost is this machine",
             NULL},
            {"ssh-command", 0, "COMMAND", "reach hosts by COMMAND HOST corridor serve",
             "ssh -o BatchMode=yes"},
            {"remote-corridor", 0, "PROGRAM", "call corridor by this name, or path, there", "corridor"},
            {"host-patience", 0, "S", "give a host up that shows no sign of life for S seconds", "30"},
            {"suites", 0, "N", "stop after N suites, counted over all arms", NULL},
            {"stop-cases", 0, "N", "stop when N test cases were executed", NULL},
            {"stop-failures", 0, "N", "stop when a check failed in N test cases", NULL},
            {"stop-states", 0, "SHARE",
             "stop when this share (0 to 1) of the states was seen, of profiles that are the same in all "
             "suites, in each arm",
             NULL},
            {"stop-transitions", 0, "SHARE", "stop when this share of their transitions was seen", NULL},
            {"stop-half-width", 0, "W",
             "stop when in each arm the 95 % interval of the share of sequences with a detection is no wider "
             "than W to either side",
             NULL},
            {"stop-all", 0, NULL, "stop when all of these conditions hold, and not any", NULL},
            {"stop-seconds", 0, "S", "stop after S seconds; the file is then marked as not reproducible",
             NULL},
            {"fail-on", 0, "WORD",
             "exit with 1 if a fault was not found or not reached (undetected), if an arm without a fault "
             "failed (unexpected), or either (any)",
             NULL},
            COR_ISOLATE_OPTION,
            COR_FRESH_OPTION,
            COR_REQUIRE_OPTION,
            {"progress", 0, "STYLE", "show progress on stderr in this way", "auto"},
            {"json", 0, NULL, "print the summary as JSON", NULL},
            {"batch", 0, "SYSTEM", "print a script that gives the campaign to a batch system", NULL},
            COR_BATCH_OPTIONS,
        },
    .choices = {{"progress", cor_progress_word},
                {"fail-on", fail_on_word},
                {"batch", cor_batch_word},
                COR_ISOLATION_CHOICE,
                COR_REQUIRE_CHOICE},
    .examples =
        {
            "corridor run experiments/library/demo.json -o demo.h5          # all faults, a few suites each",
            "corridor run experiments/library/demo.json -o found.h5 --stop-failures 100",
            "corridor run mine.json -o mine.h5 --isolate always     # built-in algorithms, too, in cells",
            "corridor run camp/                                     # what is missing in a folder made by "
            "corridor plan",
            "corridor run camp/ --batch slurm --task-minutes 60     # look at the script; --submit submits "
            "it",
        },
    .run = run,
};
