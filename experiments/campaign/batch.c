/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Campaigns as job arrays: a script for each batch system is a row of a table. */
#include "batch.h"

#include "estimate.h"
#include "place.h"

#include <corridor/array.h>
#include <corridor/own_file.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
struct request {
    const struct engine *engine;
    struct cor_batch_options asked;
    const char *output;
    char *name, *command; /* owned */
};

/* The command that every task has in common, with this very program. */
static enum cor_status make_command(const struct cor_arguments *arguments, struct request *request,
                                    struct cor_error *error) {
    char path[4096];
    const char *output = request->output;
    cor_own_program(path, sizeof path);
    if (!path[0])
        return cor_fail_errno(error, COR_STATUS_FILE, cor_own_file(), NULL,
                              "cannot tell where the program is");
    char *program = cor_shell_quoted(path), *operand = cor_shell_quoted(arguments->words[0]),
         *file = cor_shell_quoted(output ? output : "");
    if (program && operand && file)
        request->command =
            cor_format("%s run %s%s%s", program, operand, output ? " -o " : "", output ? file : "");
    free(program);
    free(operand);
    free(file);
    return cor_made(request->command, error);
}

static void put(const struct request *request, const char *text, FILE *file) {
    while (*text != '\0') {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        size_t length = end ? (size_t)(end - text) + 1 : 0;
        if (length == 6 && strncmp(text, "{name}", length) == 0)
            fputs(request->name, file);
        else if (length == 7 && strncmp(text, "{tasks}", length) == 0)
            fprintf(file, "%" PRId64, request->asked.tasks);
        else if (length == 6 && strncmp(text, "{cpus}", length) == 0)
            fprintf(file, "%" PRId64, request->asked.cpus);
        else if (length == 9 && strncmp(text, "{minutes}", length) == 0)
            fprintf(file, "%" PRId64, request->asked.minutes);
        else if (length == 6 && strncmp(text, "{time}", length) == 0)
            fprintf(file, "%" PRId64 ":%02" PRId64 ":00", request->asked.minutes / 60,
                    request->asked.minutes % 60);
        else if (length == 9 && strncmp(text, "{command}", length) == 0)
            fputs(request->command, file);
        else
            length = 0;
        if (length == 0)
            fputc(*text, file);
        text += length > 0 ? length : 1;
    }
}

/* Both jobs, as a script for sh. */
static void put_script(const struct request *request, FILE *file) {
    fprintf(file,
            "#!/bin/sh\n# tasks: %" PRId64
            "; then a job that runs what they leave and makes the result file\n",
            request->asked.tasks);
    fprintf(file, "%s\n", request->engine->submit_array);
    put(request, request->engine->array, file);
    fprintf(file, "END\n) || exit\n%s <<'END'\n", request->engine->submit_merge);
    put(request, request->engine->merge, file);
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
static enum cor_status count_tasks(const struct cor_arguments *arguments, struct request *request,
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
    if (request->asked.tasks == 0) {
        COR_TRY_OUT(cor_pilot_run(&opened, request->asked.pilot, &estimate, error));
        if (estimate.pilot_suites == 0)
            COR_TRY_OUT(cor_fail(
                error, COR_STATUS_INPUT, place.experiment, "say it: --tasks N, or a longer --pilot S",
                "no suite was finished in the time of the pilot, so the number of tasks is not known"));
        double task = 60.0 * (double)(request->asked.task_minutes * request->asked.cpus);
        double tasks = estimate.seconds * estimate.workers / task;
        request->asked.tasks = tasks < 1                              ? 1
                               : tasks > (double)request->asked.limit ? request->asked.limit
                                                                      : (int64_t)tasks + 1;
    }
    request->asked.tasks = request->asked.tasks > suites ? suites : request->asked.tasks;
    request->asked.tasks =
        request->asked.tasks > request->asked.limit ? request->asked.limit : request->asked.tasks;
out:
    cor_opened_fini(&opened);
    cor_place_fini(&place);
    return status;
}

static enum cor_status submit(const struct request *request, struct cor_error *error) {
    fflush(stdout);
    FILE *shell = popen("exec sh", "w");
    if (!shell)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot start sh");
    put_script(request, shell);
    return pclose(shell) == 0
               ? COR_OK
               : cor_fail(error, COR_STATUS_FILE, NULL, NULL, "the batch system has not taken the jobs");
}

const char *cor_batch_word(size_t index) {
    return index < sizeof engines / sizeof *engines ? engines[index].name : NULL;
}

bool cor_batch_fits(const struct cor_arguments *arguments) {
    const struct cor_option *option = arguments->command->options;
    for (int i = 0; option[i].name; i++)
        if (arguments->value[i] && !(option[i].needs && strcmp(option[i].needs, "batch") == 0) &&
            strcmp(option[i].name, "output") != 0 && strcmp(option[i].name, "batch") != 0) {
            cor_misuse(arguments->command, "--%s has no place beside --batch", option[i].name);
            return false;
        }
    return true;
}

enum cor_exit cor_batch(const struct cor_arguments *arguments, const struct cor_batch_options *options,
                        const char *output) {
    struct cor_error error = COR_NO_ERROR;
    struct request request = {
        .engine = &engines[options->system],
        .output = output,
        .asked = *options,
    };
    const int64_t limit = options->limit > 0 ? options->limit : array_limit(request.engine);
    enum cor_status status = COR_OK;
    request.asked.limit = limit > COR_SHARES_MAX ? COR_SHARES_MAX : limit;
    if (options->minutes == 0)
        request.asked.minutes = 2 * options->task_minutes + 10;
    COR_TRY_OUT(make_command(arguments, &request, &error));
    /* A job's name is what the operand is called, as far as all batch systems take it. */
    const char *operand = arguments->words[0];
    size_t length = strlen(operand);
    while (length > 1 && operand[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && operand[start - 1] != '/')
        start--;
    request.name = cor_format("c-%.*s", (int)(length - start < 12 ? length - start : 12), operand + start);
    COR_TRY_OUT(cor_made(request.name, &error));
    for (char *at = request.name; *at != '\0'; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *at))
            *at = '-';
    COR_TRY_OUT(count_tasks(arguments, &request, &error));
    if (options->submit)
        COR_TRY_OUT(submit(&request, &error));
    else
        put_script(&request, stdout);
out:
    free(request.command);
    free(request.name);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}
