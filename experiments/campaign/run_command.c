/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Campaigns as job arrays: a script for each batch system is a row of a table. */
#include "command.h"
#include "commands.h"
#include "estimate.h"
#include "isolation.h"
#include "output.h"
#include "place.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/campaign.h>
#include <corridor/cells.h>
#include <corridor/identities.h>
#include <corridor/kinds.h>
#include <corridor/own_file.h>
#include <corridor/verdicts.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- run --batch: a campaign as a job array, whose tasks each run a share of it */

/* What run is asked for of a batch; 0: to be found out. */
struct cor_batch_options {
    int system; /* index of the word; -1: no batch */
    bool submit;
    int64_t tasks, cpus, limit, task_minutes, minutes;
    double pilot;
};

/* A batch system. In the texts {name}, {tasks}, {cpus}, {minutes} (a task's limit), {time} (the same as
 * h:mm:ss) and {command} stand for what they say; a task has numbers from 1 on. */
struct engine {
    const char *name;
    uint32_t limit; /* tasks of an array, where nothing else is known */
    const char *array, *merge;
    const char *submit_array, *submit_merge; /* read a script; the first one's answer is in $array */
};

static const struct engine engines[] = {
    {"slurm", 1000,
     "#!/bin/sh\n#SBATCH --job-name={name}\n#SBATCH --array=1-{tasks}\n#SBATCH --cpus-per-task={cpus}\n"
     "#SBATCH --time={minutes}\n#SBATCH --signal=B:USR1@60\n"
     "exec {command} --jobs {cpus} --share \"$SLURM_ARRAY_TASK_ID/{tasks}\"\n",
     "#!/bin/sh\n#SBATCH --job-name={name}-merge\n#SBATCH --cpus-per-task={cpus}\n#SBATCH --time={minutes}\n"
     "#SBATCH --signal=B:USR1@60\nexec {command} --jobs {cpus} --share 1/1\n",
     "array=$(sbatch --parsable <<'END'", "sbatch --dependency=afterany:\"${array%%;*}\""},
    {"pbs", 10000,
     "#!/bin/sh\n#PBS -N {name}\n#PBS -J 1-{tasks}\n#PBS -l select=1:ncpus={cpus}\n#PBS -l walltime={time}\n"
     "cd \"$PBS_O_WORKDIR\" || exit 4\nexec {command} --jobs {cpus} --share \"$PBS_ARRAY_INDEX/{tasks}\"\n",
     "#!/bin/sh\n#PBS -N {name}-merge\n#PBS -l select=1:ncpus={cpus}\n#PBS -l walltime={time}\n"
     "cd \"$PBS_O_WORKDIR\" || exit 4\nexec {command} --jobs {cpus} --share 1/1\n",
     "array=$(qsub <<'END'", "qsub -W depend=afterany:\"$array\""},
    {"sge", 75000,
     "#!/bin/sh\n#$ -N {name}\n#$ -t 1-{tasks}\n#$ -l h_rt={time}\n#$ -notify\n#$ -cwd\n"
     "exec {command} --jobs {cpus} --share \"$SGE_TASK_ID/{tasks}\"\n",
     "#!/bin/sh\n#$ -N {name}-merge\n#$ -l h_rt={time}\n#$ -notify\n#$ -cwd\nexec {command} --jobs {cpus} "
     "--share 1/1\n",
     "array=$(qsub -terse <<'END'", "qsub -hold_jid \"${array%%.*}\""},
    {"lsf", 1000,
     "#!/bin/sh\n#BSUB -J \"{name}[1-{tasks}]\"\n#BSUB -n {cpus}\n#BSUB -W {minutes}\n#BSUB -wa USR1 -wt 1\n"
     "exec {command} --jobs {cpus} --share \"$LSB_JOBINDEX/{tasks}\"\n",
     "#!/bin/sh\n#BSUB -J {name}-merge\n#BSUB -n {cpus}\n#BSUB -W {minutes}\n#BSUB -wa USR1 -wt 1\n"
     "exec {command} --jobs {cpus} --share 1/1\n",
     "array=$(bsub <<'END' | sed 's/.*<\\([0-9]*\\)>.*/\\1/'", "bsub -w \"ended(${array})\""},
};

/* What is asked for. */
struct batch_job {
    const struct engine *engine;
    struct cor_batch_options asked;
    const char *output;
    char *name, *command; /* owned */
};

/* The command that every task has in common, with this very program. */
static enum cor_status make_command(const struct cor_arguments *arguments, struct batch_job *job,
                                    struct cor_error *error) {
    char path[4096];
    const char *output = job->output;
    cor_own_program(path, sizeof path);
    if (!path[0])
        return cor_fail_errno(error, COR_STATUS_FILE, cor_own_file(), NULL,
                              "cannot tell where the program is");
    char *program = cor_shell_quoted(path), *operand = cor_shell_quoted(arguments->words[0]),
         *file = cor_shell_quoted(output ? output : "");
    if (program && operand && file)
        job->command =
            cor_format("%s run %s%s%s", program, operand, output ? " -o " : "", output ? file : "");
    COR_FREE(program, operand, file);
    return cor_made(job->command, error);
}

static void put(const struct batch_job *job, const char *text, FILE *file) {
    while (*text != '\0') {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        size_t length = end ? (size_t)(end - text) + 1 : 0;
        if (length == 6 && strncmp(text, "{name}", length) == 0)
            fputs(job->name, file);
        else if (length == 7 && strncmp(text, "{tasks}", length) == 0)
            fprintf(file, "%" PRId64, job->asked.tasks);
        else if (length == 6 && strncmp(text, "{cpus}", length) == 0)
            fprintf(file, "%" PRId64, job->asked.cpus);
        else if (length == 9 && strncmp(text, "{minutes}", length) == 0)
            fprintf(file, "%" PRId64, job->asked.minutes);
        else if (length == 6 && strncmp(text, "{time}", length) == 0)
            fprintf(file, "%" PRId64 ":%02" PRId64 ":00", job->asked.minutes / 60, job->asked.minutes % 60);
        else if (length == 9 && strncmp(text, "{command}", length) == 0)
            fputs(job->command, file);
        else
            length = 0;
        if (length == 0)
            fputc(*text, file);
        text += length > 0 ? length : 1;
    }
}

/* Both jobs, as a script for sh. */
static void put_script(const struct batch_job *job, FILE *file) {
    fprintf(file,
            "#!/bin/sh\n# tasks: %" PRId64
            "; then a job that runs what they leave and makes the result file\n",
            job->asked.tasks);
    fprintf(file, "%s\n", job->engine->submit_array);
    put(job, job->engine->array, file);
    fprintf(file, "END\n) || exit\n%s <<'END'\n", job->engine->submit_merge);
    put(job, job->engine->merge, file);
    fputs("END\n", file);
}

/* Slurm says itself how long arrays may be: their indices are below MaxArraySize. */
static int64_t array_limit(const struct engine *engine) {
    char line[256];
    long found = 0;
    FILE *said = strcmp(engine->name, "slurm") == 0 ? popen("scontrol show config 2>&-", "r") : NULL;
    while (said && fgets(line, sizeof line, said))
        if (strncmp(line, "MaxArraySize", 12) == 0 && strchr(line, '='))
            found = strtol(strchr(line, '=') + 1, NULL, 10);
    if (said)
        pclose(said);
    return found > 1 ? found - 1 : engine->limit;
}

/* As many as give each task so many minutes of work, by a pilot on this machine. */
static enum cor_status count_tasks(const struct cor_arguments *arguments, struct batch_job *job,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_opened opened = {0};
    struct cor_place place;
    struct cor_pilot_estimate estimate = {0};
    COR_TRY(cor_place_of(arguments->words[0], &place, error));
    COR_TRY_OUT(cor_place_check(arguments->words[0], &place, error));
    COR_TRY_OUT(cor_open_experiment(
        place.experiment, &(struct cor_layer_options){.suite_folder = place.suites}, &opened, error));
    const struct cor_experiment_head *head = opened.experiment;
    int64_t suites = (int64_t)head->suite_count * head->arm_count;
    if (suites == 0)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place.experiment, "give \"suites\" a number",
                             "is endless, so no array of tasks can come to its end"));
    if (job->asked.tasks == 0) {
        COR_TRY_OUT(cor_pilot_run(&opened, job->asked.pilot, &estimate, error));
        if (estimate.pilot_suites == 0)
            COR_TRY_OUT(cor_fail(
                error, COR_STATUS_INPUT, place.experiment, "say it: --tasks N, or a longer --pilot S",
                "no suite was finished in the time of the pilot, so the number of tasks is not known"));
        double task = 60.0 * (double)(job->asked.task_minutes * job->asked.cpus);
        double tasks = estimate.seconds * estimate.workers / task;
        job->asked.tasks = tasks < 1                          ? 1
                           : tasks > (double)job->asked.limit ? job->asked.limit
                                                              : (int64_t)tasks + 1;
    }
    job->asked.tasks = job->asked.tasks > suites ? suites : job->asked.tasks;
    job->asked.tasks = job->asked.tasks > job->asked.limit ? job->asked.limit : job->asked.tasks;
out:
    cor_opened_fini(&opened);
    cor_place_fini(&place);
    return status;
}

static enum cor_status submit(const struct batch_job *job, struct cor_error *error) {
    fflush(stdout);
    FILE *shell = popen("exec sh", "w");
    if (!shell)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot start sh");
    put_script(job, shell);
    return pclose(shell) == 0
               ? COR_OK
               : cor_fail(error, COR_STATUS_FILE, NULL, NULL, "the batch system has not taken the jobs");
}

/* The batch systems by index; NULL behind the last. */
static const char *batch_word(size_t index) {
    return index < sizeof engines / sizeof *engines ? engines[index].name : NULL;
}

/* Whether the options of run that were given may stand beside --batch. False having said what is wrong. */
static bool batch_fits(const struct cor_arguments *arguments) {
    const struct cor_option *option = arguments->command->options;
    for (int i = 0; option[i].name; i++)
        if (arguments->value[i] && !(option[i].needs && strcmp(option[i].needs, "batch") == 0) &&
            strcmp(option[i].name, "output") != 0 && strcmp(option[i].name, "batch") != 0) {
            cor_misuse(arguments->command, "--%s has no place beside --batch", option[i].name);
            return false;
        }
    return true;
}

/* Prints the script for the batch system, or submits the jobs; output: of the run, NULL if none was named. */
static enum cor_exit run_batch(const struct cor_arguments *arguments, const struct cor_batch_options *options,
                               const char *output) {
    struct cor_error error = COR_NO_ERROR;
    struct batch_job job = {
        .engine = &engines[options->system],
        .output = output,
        .asked = *options,
    };
    const int64_t limit = options->limit > 0 ? options->limit : array_limit(job.engine);
    enum cor_status status = COR_OK;
    job.asked.limit = limit > COR_SHARES_MAX ? COR_SHARES_MAX : limit;
    if (options->minutes == 0)
        job.asked.minutes = 2 * options->task_minutes + 10;
    COR_TRY_OUT(make_command(arguments, &job, &error));
    /* A job's name is what the operand is called, as far as all batch systems take it. */
    const char *operand = arguments->words[0];
    size_t length = strlen(operand);
    while (length > 1 && operand[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && operand[start - 1] != '/')
        start--;
    job.name = cor_format("c-%.*s", (int)(length - start < 12 ? length - start : 12), operand + start);
    COR_TRY_OUT(cor_made(job.name, &error));
    for (char *at = job.name; *at != '\0'; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *at))
            *at = '-';
    COR_TRY_OUT(count_tasks(arguments, &job, &error));
    if (options->submit)
        COR_TRY_OUT(submit(&job, &error));
    else
        put_script(&job, stdout);
out:
    COR_FREE(job.command, job.name);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

/* ---- run: the loop around a campaign */

struct request {
    struct cor_campaign_definition campaign;
    const char *share, *hosts;
    bool json, drop_journals, show_config;
    int fail_on, progress;
    uint32_t jobs;              /* 0: as many as there are processors */
    struct cor_stop_group stop; /* added to what the experiment says */
    struct cor_layer_options options;
    struct cor_hosts reached;
    struct cor_batch_options batch;
};

/* Adds the conditions of the command line; false after saying that there is no room for them. */
static bool add_stop(const struct cor_command *command, const struct cor_stop_group *given,
                     struct cor_stop_conditions *stop) {
    bool any = false;
    for (int i = 0; i < COR_STOP_FIGURE_COUNT; i++)
        any = any || given->bound[i] > 0;
    if (!any)
        return true;
    if (stop->count == 0)
        cor_stop_add(stop, 0, false);
    uint32_t group = cor_stop_add(stop, 0, given->all);
    if (group == COR_STOP_GROUPS_MAX) {
        cor_misuse(command, "the experiment has as many groups of conditions as there may be");
        return false;
    }
    memcpy(stop->group[group].bound, given->bound, sizeof given->bound);
    return true;
}

/* What --fail-on takes: arms whose fault was not found (or not even reached), arms without a fault in which a
 * check failed, either. */
enum fail_on { FAIL_UNDETECTED, FAIL_UNEXPECTED, FAIL_ANY, FAIL_NEVER };

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
    if (undetected + unexpected + findings.broken == 0 && findings.undecided > 0) {
        cor_say("without a verdict: %zu; see corridor show %s", findings.undecided, path);
        return COR_EXIT_UNDECIDED;
    }
    if (undetected + unexpected + findings.broken == 0)
        return COR_EXIT_DONE;
    cor_say("arms whose fault was not found: %zu; arms that fail without a fault: %zu; "
            "contradictions: %zu; see corridor show %s",
            undetected, unexpected, findings.broken, path);
    return COR_EXIT_EXPECTATION;
}

/* How an interrupted campaign goes on. */
static const char *going_on(const struct cor_campaign_definition *definition, bool records) {
    if (records)
        return "; a recording is of one run, so remove what is stored beside it and begin anew";
    return definition->experiment->resumable
               ? "; the same command goes on from there"
               : "; what else it depends on is not known, so a new run begins anew";
}

static enum cor_exit show(const struct request *request, const struct cor_campaign_status *status,
                          bool whole) {
    const struct cor_campaign_definition *definition = &request->campaign;
    struct cor_error error = COR_NO_ERROR;
    if (status->partial) {
        /* Of a process that has a share of the plan. The others of a launcher say nothing where all goes
         * well: their output stands in one with that of the first. */
        const struct cor_share *share = &definition->share;
        if (!whole || !share->launched)
            cor_say("share %u of %u is %s; %" PRIu64 " suites are stored beside %s, and %s", share->index + 1,
                    share->count, whole ? "done" : "interrupted", status->suites_done, definition->output,
                    whole ? "when all shares are done, the command without a share makes the file"
                          : "the same command goes on from there");
        return whole ? COR_EXIT_DONE : COR_EXIT_INCOMPLETE;
    }
    const struct cor_summary summary = {definition->layer, definition->output, status, whole};
    if (cor_summary_print(&summary, request->json ? "corridor-run" : NULL, &error) != COR_OK)
        return cor_report(&error);
    if (whole)
        return judge(definition->output, (enum fail_on)request->fail_on);
    cor_say("interrupted: the file holds the first %" PRIu64 " of %" PRIu64 " suites%s", status->suites_kept,
            status->suites_planned, going_on(definition, request->options.record_traffic != NULL));
    return COR_EXIT_INCOMPLETE;
}

static enum cor_exit run_campaign(const struct request *request) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign_status status;
    struct cor_campaign *campaign;
    bool whole = false;
    if (cor_carry_out(&request->campaign, (enum cor_progress_style)request->progress, &status, &campaign,
                      &whole, &error) != COR_OK)
        return cor_report(&error);
    const enum cor_exit code = show(request, &status, whole);
    cor_campaign_destroy(campaign);
    return code;
}

static const char *variable(const char *name) {
    return getenv(name);
}

/* What the option says, or else the launcher; progress of all of a launcher's processes would be mixed. */
static enum cor_status read_share(const struct cor_arguments *arguments, struct request *request,
                                  struct cor_error *error) {
    struct cor_share *share = &request->campaign.share;
    COR_TRY(request->share ? cor_share_read(request->share, variable, share, error)
                           : cor_share_launched(variable, share, error));
    if (share->launched && share->index > 0 && !cor_given(arguments, "progress"))
        request->progress = COR_PROGRESS_NONE;
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
static bool read_hosts(const struct cor_command *command, struct request *request, enum cor_exit *code) {
    struct cor_error error = COR_NO_ERROR;
    request->reached.options = request->options;
    if (request->hosts && request->jobs > 0)
        *code = cor_misuse(command, "workers of this machine are a host, too: --hosts localhost:4,...");
    else if (request->hosts && cor_hosts_read(request->hosts, &request->reached, &error) != COR_OK)
        *code = cor_report(&error);
    else
        return true;
    return false;
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

/* More suites than there are would never be reached. */
static enum cor_status check_suites(const struct request *request, const struct cor_experiment_head *head,
                                    struct cor_error *error) {
    const uint64_t planned = (uint64_t)head->suite_count * head->arm_count;
    char remedy[96];
    if (planned == 0 || request->stop.bound[COR_STOP_AT_SUITES] <= (double)planned)
        return COR_OK;
    snprintf(remedy, sizeof remedy, "1 to %" PRIu64 ", or leave it out to run all", planned);
    return cor_fail(error, COR_STATUS_INPUT, "--suites", remedy,
                    "the experiment has %" PRIu64 " suites: %" PRIu32 " of each of %" PRIu32 " arm%s",
                    planned, head->suite_count, head->arm_count, head->arm_count == 1 ? "" : "s");
}

/* Reads the experiment, asks whether it can be, and runs it. */
static enum cor_exit run_experiment(const char *path, const struct cor_command *command,
                                    struct request *request) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_opened opened;
    enum cor_exit code = COR_EXIT_DONE;
    if (check_recording(&request->options, request->campaign.output, &error) != COR_OK)
        return cor_report(&error);
    if (cor_open_experiment(path, &request->options, &opened, &error) != COR_OK ||
        check_suites(request, opened.experiment, &error) != COR_OK) {
        code = cor_report(&error);
    } else if (opened.experiment->suite_count == 0 && request->options.suite_folder) {
        code = cor_misuse(command, "%s is endless, so it has no folder of suites", path);
    } else if (!add_stop(command, &request->stop, &opened.stop)) {
        code = COR_EXIT_USAGE;
    } else if (cor_opened_can_stop(&opened, &error) != COR_OK) {
        code = cor_report(&error);
    } else {
        request->campaign.layer = opened.layer;
        request->campaign.experiment = opened.experiment;
        request->campaign.stop = opened.stop;
        request->campaign.inquiries = &opened.inquiries;
        code = run_campaign(request);
    }
    cor_opened_fini(&opened);
    return code;
}

/* Of a folder: its own experiment and suites, and its own result file if no other is named. Journals of a
 * campaign's folder stay, so that it can be extended. */
static enum cor_exit run_operand(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    struct cor_campaign_definition *definition = &request->campaign;
    struct cor_error error = COR_NO_ERROR;
    struct cor_place place;
    enum cor_status status = cor_place_of(arguments->words[0], &place, &error);
    if (status != COR_OK)
        return cor_report(&error);
    if (cor_place_check(arguments->words[0], &place, &error) != COR_OK) {
        cor_place_fini(&place);
        return cor_report(&error);
    }
    request->options.suite_folder = place.suites;
    request->options.log_solutions = request->options.log_solutions || place.log_solutions;
    definition->keep = !definition->output && !place.suites && !request->drop_journals;
    if (!definition->output)
        definition->output = place.output;
    enum cor_exit code = run_experiment(place.experiment, arguments->command, request);
    cor_place_fini(&place);
    return code;
}

/* Is the file one that another command reads? Then no name of a result file helps. */
static bool is_no_experiment(const char *path, struct cor_error *error) {
    const char *reader, *what = cor_what_file(path, &reader);
    if (strcmp(path, "-") != 0 && access(path, F_OK) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot open") != COR_OK;
    return what && strncmp(what, "an experiment", strlen("an experiment")) != 0 &&
           cor_fail(error, COR_STATUS_INPUT, path, reader, "is %s, not an experiment", what) != COR_OK;
}

static enum cor_exit show_config(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_place place;
    if (cor_place_of(arguments->words[0], &place, &error) != COR_OK)
        return cor_report(&error);
    request->options.suite_folder = place.suites;
    const struct cor_config config = {.json = request->json, .options = &request->options};
    const enum cor_exit code = cor_show_config(arguments, place.experiment, &config);
    cor_place_fini(&place);
    return code;
}

static enum cor_exit run_arguments(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    enum cor_exit code = COR_EXIT_DONE;
    struct cor_error error = COR_NO_ERROR;
    struct cor_campaign_definition *campaign = &request->campaign;
    if (request->show_config)
        return show_config(arguments);
    if (!campaign->output && !cor_is_folder(arguments->words[0]))
        return is_no_experiment(arguments->words[0], &error)
                   ? cor_report(&error)
                   : cor_misuse(arguments->command, "needs a name for the result file: -o results.h5");
    if (request->batch.system >= 0)
        return batch_fits(arguments) ? run_batch(arguments, &request->batch, campaign->output)
                                     : COR_EXIT_USAGE;
    if (campaign->output && strcmp(campaign->output, "-") == 0)
        return cor_misuse(arguments->command,
                          "writes a result file, which standard output cannot be: -o results.h5");
    if (read_share(arguments, request, &error) != COR_OK)
        return cor_report(&error);
    const bool traffic = request->options.record_traffic || request->options.replay_traffic;
    if (traffic && (request->jobs > 1 || campaign->share.count > 1 || request->hosts))
        return cor_misuse(arguments->command, "records or replays traffic with one worker: --jobs 1");
    request->options.replace = campaign->overwrite;
    if (!read_hosts(arguments->command, request, &code))
        goto out;
    campaign->hosts = request->reached.count > 0 ? &request->reached : NULL;
    campaign->workers = campaign->hosts     ? request->reached.slots
                        : request->jobs > 0 ? request->jobs
                        : traffic           ? 1
                                            : default_workers(&campaign->share);
    code = run_operand(arguments);
out:
    cor_hosts_fini(&request->reached);
    return code;
}

const struct cor_command cor_command_run = {
    .name = "run",
    .summary = "run a campaign",
    .operands = "EXPERIMENT.json | FOLDER",
    .takes = {1, 1, "needs one experiment file or folder of suites"},
    .request_size = sizeof(struct request),
    .manual =
        "Generates the suites of an experiment, runs them on worker processes, and merges what happened into "
        "one HDF5 file. The file is the same, bit for bit, for any number of workers. Given the folder of a "
        "campaign, which \"corridor plan -o\" makes, runs what is missing there, into results.h5 in it; if "
        "corridor plan --suites has put suites there as files, these are run, and none are generated.\nAn "
        "experiment with \"suites\": 0 is endless (on-line mode): it goes on until a stop condition holds or "
        "until Ctrl-C. Stop conditions are judged on the suites in their order. Ctrl-C writes what is "
        "finished; a second one, while suites still run, ends at once. Times go into OUTPUT.times.csv, "
        "because they are true of one run only.\nFinished suites are kept in OUTPUT.parts until the result "
        "file holds all: whatever ended a campaign - Ctrl-C, a full disk, a crash, a kill - the same command "
        "runs what is missing, with as many workers as you like, and the file comes out as if nothing had "
        "happened.\nSeveral processes, also of several machines with one file system, share a campaign: "
        "under mpirun and srun each runs its share, and the first one what is left, and makes the file; in a "
        "job array --share auto runs the share of the task, and the same command without it, when all tasks "
        "have ended, makes the file. A share that is ended before its time - by SIGTERM, SIGUSR1 - leaves by "
        "exit code 5. With --hosts suites are executed on other machines, and stored on this one; what a "
        "lost host had goes to others.\n--batch prints a script for a batch system: a job array, each task "
        "of which runs its share of the suites, and a job that comes after it, runs what tasks have left "
        "that were cancelled or ran out of time, and makes the result file. All of them write to one folder, "
        "so it has to be on a file system that all nodes see. How many tasks there are follows from how long "
        "one is to take, by a pilot on this machine. Each is warned by a signal before its time ends, and "
        "leaves by exit code 5 then; submitting again runs what is missing.",
    .options =
        {
            {"output", 'o', "FILE", "write this result file", COR_TEXT(campaign.output),
             .otherwise = "of a folder: results.h5 in it"},
            {"drop-journals", 0, NULL,
             "delete working files in a campaign's folder at the end (no extension possible)",
             COR_FLAG(drop_journals)},
            COR_FORCE_OPTION(campaign.overwrite),
            {"jobs", 'j', "N", "use N worker processes", COR_INTEGER(jobs, 1, COR_WORKERS_MAX, 0),
             .otherwise = "all processors; 1 under mpirun"},
            {"shuffle", 0, "N", "take the suites in another order, drawn from N: the file stays the same",
             COR_INTEGER(campaign.shuffle, 0, INT64_MAX, 0), .otherwise = "the plan's"},
            {"log-solutions", 0, NULL,
             "keep structure and solution of every reorganization, not only of failures",
             COR_FLAG(options.log_solutions)},
            {"share", 0, "R/N",
             "run only share R of N, beside other processes on the same folder. auto: part and number of "
             "parts from the scheduler; auto/N if it tells only the part",
             COR_TEXT(share), .otherwise = "that of mpirun or srun, else all"},
            {"algorithm", 'a', "[ARM=]ALGORITHM",
             "run that algorithm, by name or path, instead of the file's: in that arm, or in all",
             COR_TEXT(options.algorithm)},
            {"record-traffic", 0, "FILE", "write down all that is said to programs and by them; one worker",
             COR_TEXT(options.record_traffic), .excludes = "replay-traffic"},
            {"replay-traffic", 0, "FILE",
             "take it from there instead of asking the programs, which need not be there",
             COR_TEXT(options.replay_traffic)},
            {"hosts", 0, "LIST",
             "run suites on other hosts, over ssh: a:8,b:4 with so many at a time, or a file with a line for "
             "each; localhost is this machine",
             COR_TEXT(hosts)},
            {"ssh-command", 0, "COMMAND", "reach hosts by COMMAND HOST corridor serve",
             COR_TEXT_OR(reached.reach, "ssh -o BatchMode=yes"), .needs = "hosts"},
            {"remote-corridor", 0, "PROGRAM", "call corridor by this name, or path, there",
             COR_TEXT_OR(reached.program, "corridor"), .needs = "hosts"},
            {"host-patience", 0, "S", "give a host up that shows no sign of life for S seconds",
             COR_REAL(reached.patience, 2, 1e6, 30)},
            {"suites", 0, "N", "stop after N suites, counted over all arms",
             COR_INTEGER(stop.bound[COR_STOP_AT_SUITES], 1, COR_STOP_SUITES_MAX, 0)},
            {"stop-cases", 0, "N", "stop when N test cases were executed",
             COR_INTEGER(stop.bound[COR_STOP_AT_CASES], 1, COR_STOP_COUNT_MAX, 0)},
            {"stop-failures", 0, "N", "stop when a check failed in N test cases",
             COR_INTEGER(stop.bound[COR_STOP_AT_FAILURES], 1, COR_STOP_COUNT_MAX, 0)},
            {"stop-states", 0, "SHARE",
             "stop when this share (0 to 1) of the states was seen, of profiles that are the same in all "
             "suites, in each arm",
             COR_REAL(stop.bound[COR_STOP_AT_STATES], COR_STOP_SHARE_MIN, 1, 0)},
            {"stop-transitions", 0, "SHARE", "stop when this share of their transitions was seen",
             COR_REAL(stop.bound[COR_STOP_AT_TRANSITIONS], COR_STOP_SHARE_MIN, 1, 0)},
            {"stop-half-width", 0, "W",
             "stop when in each arm the 95 % interval of the share of sequences with a detection is no wider "
             "than W to either side",
             COR_REAL(stop.bound[COR_STOP_AT_HALF_WIDTH], COR_STOP_SHARE_MIN, COR_STOP_WIDTH_MAX, 0)},
            {"stop-decided", 0, "SHARE",
             "stop when this share (0 to 1) of the experiment's properties is decided",
             COR_REAL(stop.bound[COR_STOP_AT_DECIDED], COR_STOP_SHARE_MIN, 1, 0)},
            {"stop-all", 0, NULL, "stop when all of these conditions hold, and not any", COR_FLAG(stop.all)},
            {"stop-seconds", 0, "S", "stop after S seconds; the file is then marked as not reproducible",
             COR_REAL(stop.bound[COR_STOP_AT_SECONDS], COR_STOP_SECONDS_MIN, COR_STOP_SECONDS_MAX, 0)},
            {"stop-patience", 0, "S", "discard tests that are still running S seconds after a stop",
             COR_REAL(campaign.stop_patience, 0.1, 1e6, COR_STOP_PATIENCE)},
            {"fail-on", 0, "WORD",
             "exit with 1 if a fault was not found or not reached (undetected), if an arm without a fault "
             "failed (unexpected), or either (any); with 7 if something is left without a verdict",
             COR_NAME(fail_on, COR_NAMES("undetected", "unexpected", "any"), 0, FAIL_NEVER)},
            COR_ISOLATION_OPTIONS(options),
            {"progress", 0, "STYLE", "show progress on stderr in this way",
             COR_NAME(progress, COR_NAMES("auto", "bar", "plain", "json", "none"), 0, COR_PROGRESS_AUTO)},
            COR_SHOW_CONFIG_OPTION(show_config),
            {"json", 0, NULL, "print the summary, or what --show-config does, as JSON", COR_FLAG(json)},
            {"batch", 0, "SYSTEM", "print a script that gives the campaign to a batch system",
             COR_WORD(batch.system, batch_word, 0, -1)},
            {"submit", 0, NULL, "with --batch: submit the jobs instead of printing the script",
             COR_FLAG(batch.submit), .needs = "batch"},
            {"task-minutes", 0, "N", "with --batch: give each task N minutes of work",
             COR_INTEGER(batch.task_minutes, 1, 1 << 20, 30), .needs = "batch"},
            {"tasks", 0, "N", "with --batch: make N tasks", COR_INTEGER(batch.tasks, 1, 1 << 22, 0),
             .otherwise = "by a pilot", .needs = "batch"},
            {"array-limit", 0, "N", "with --batch: make at most N tasks",
             COR_INTEGER(batch.limit, 1, COR_SHARES_MAX, 0),
             .otherwise = "what Slurm says; 1000 (PBS 10000, SGE 75000)", .needs = "batch"},
            {"cpus", 0, "N", "with --batch: give each task N processors, and worker processes",
             COR_INTEGER(batch.cpus, 1, COR_WORKERS_MAX, 1), .needs = "batch"},
            {"time", 0, "N", "with --batch: limit a task to N minutes",
             COR_INTEGER(batch.minutes, 2, 1 << 20, 0), .otherwise = "twice its work and ten",
             .needs = "batch"},
            {"pilot", 0, "S", "with --batch: run a few suites for S seconds at most, to estimate their time",
             COR_REAL(batch.pilot, 0.1, 1e6, 3), .needs = "batch"},
        },
    .examples =
        {
            "corridor run experiments/library/demo.json -o demo.h5          # all faults, a few suites each",
            "corridor run experiments/library/demo.json -o found.h5 --stop-failures 100",
            "corridor run mine.json --show-config --jobs 2          # what counts, and who says so",
            "corridor run mine.json -o mine.h5 --isolate always     # built-in algorithms, too, in cells",
            "corridor run camp/                                     # what is missing in a folder made by "
            "corridor plan",
            "corridor run camp/ --batch slurm --task-minutes 60     # look at the script; --submit submits "
            "it",
        },
    .run = run_arguments,
};
