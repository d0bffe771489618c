/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which share a process has, for every launcher and batch system: variables as their manuals and their own
 * processes give them. */
#include <corridor/share.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VARIABLES_MAX 6
static const char *const *environment; /* "NAME=value", ended by NULL */

static const char *lookup(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; environment[i]; i++)
        if (strncmp(environment[i], name, length) == 0 && environment[i][length] == '=')
            return environment[i] + length + 1;
    return NULL;
}

struct row {
    const char *what;
    const char *variables[VARIABLES_MAX + 1];
    const char *option; /* NULL: none is given */
    uint32_t index, count;
    bool launched, refused;
};

static const struct row rows[] = {
    {"nothing", {NULL}, NULL, 0, 1, false, false},
    {"Open MPI", {"OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8"}, NULL, 3, 8, true, false},
    {"Open MPI under Slurm, whose variables are those of its daemon",
     {"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=2", "PMIX_RANK=5", "OMPI_COMM_WORLD_RANK=5",
      "OMPI_COMM_WORLD_SIZE=6"},
     NULL,
     5,
     6,
     true,
     false},
    {"one process of Open MPI",
     {"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1"},
     NULL,
     0,
     1,
     false,
     false},
    {"MPICH", {"PMI_RANK=1", "PMI_SIZE=2"}, NULL, 1, 2, true, false},
    {"MVAPICH", {"MV2_COMM_WORLD_RANK=2", "MV2_COMM_WORLD_SIZE=3"}, NULL, 2, 3, true, false},
    {"srun with PMIx", {"PMIX_RANK=1", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=4"}, NULL, 1, 4, true, false},
    {"srun", {"SLURM_PROCID=3", "SLURM_NTASKS=4", "SLURM_STEP_NUM_TASKS=4"}, NULL, 3, 4, true, false},
    {"a batch script of Slurm, which is no step",
     {"SLURM_PROCID=0", "SLURM_NTASKS=4"},
     NULL,
     0,
     1,
     false,
     false},
    {"a rank without a size", {"PMIX_RANK=1"}, NULL, 0, 1, false, false},
    {"a rank beyond the size", {"PMI_RANK=2", "PMI_SIZE=2"}, NULL, 0, 0, false, true},
    {"a rank that is no number", {"PMI_RANK=-1", "PMI_SIZE=2"}, NULL, 0, 0, false, true},
    {"no processes", {"PMI_RANK=0", "PMI_SIZE=0"}, NULL, 0, 0, false, true},
    {"a job array is not taken unasked",
     {"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MAX=8"},
     NULL,
     0,
     1,
     false,
     false},
    {"an array of Slurm",
     {"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=8", "SLURM_ARRAY_TASK_STEP=1"},
     "auto",
     2,
     8,
     false,
     false},
    {"an array of Slurm from 0 by 5",
     {"SLURM_ARRAY_TASK_ID=10", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_MAX=17",
      "SLURM_ARRAY_TASK_STEP=5"},
     "auto",
     2,
     4,
     false,
     false},
    {"a task that the array does not have",
     {"SLURM_ARRAY_TASK_ID=11", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_MAX=17",
      "SLURM_ARRAY_TASK_STEP=5"},
     "auto",
     0,
     0,
     false,
     true},
    {"an array of SGE",
     {"SGE_TASK_ID=4", "SGE_TASK_FIRST=2", "SGE_TASK_LAST=6", "SGE_TASK_STEPSIZE=2"},
     "auto",
     1,
     3,
     false,
     false},
    {"a job of SGE that is no array", {"SGE_TASK_ID=undefined"}, "auto", 0, 0, false, true},
    {"an array of LSF",
     {"LSB_JOBINDEX=4", "LSB_JOBINDEX_END=4", "LSB_JOBINDEX_STEP=1"},
     "auto",
     3,
     4,
     false,
     false},
    {"a job of LSF that is no array", {"LSB_JOBINDEX=0"}, "auto", 0, 0, false, true},
    {"an array of PBS, which does not say of how many", {"PBS_ARRAY_INDEX=2"}, "auto", 0, 0, false, true},
    {"an array of PBS of eight", {"PBS_ARRAY_INDEX=2"}, "auto/8", 1, 8, false, false},
    {"an array of Torque", {"PBS_ARRAYID=8"}, "auto/8", 7, 8, false, false},
    {"a task of PBS beyond its array", {"PBS_ARRAY_INDEX=9"}, "auto/8", 0, 0, false, true},
    {"tasks of an array that are started by mpirun",
     {"PBS_ARRAY_INDEX=2", "OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=4"},
     "auto/8",
     5,
     32,
     false,
     false},
    {"nothing, and auto", {NULL}, "auto", 0, 0, false, true},
    {"a share by hand", {NULL}, "3/8", 2, 8, false, false},
    {"the first", {NULL}, "1/8", 0, 8, false, false},
    {"the last", {NULL}, "8/8", 7, 8, false, false},
    {"all of it, whatever the launcher says", {"PMI_RANK=1", "PMI_SIZE=2"}, "1/1", 0, 1, false, false},
    {"shares count from 1", {NULL}, "0/8", 0, 0, false, true},
    {"beyond the last", {NULL}, "9/8", 0, 0, false, true},
    {"no number", {NULL}, "x/8", 0, 0, false, true},
    {"no count", {NULL}, "3/", 0, 0, false, true},
    {"not of how many", {NULL}, "3", 0, 0, false, true},
    {"something behind it", {NULL}, "3/8x", 0, 0, false, true},
    {"signs", {NULL}, "+3/8", 0, 0, false, true},
    {"spaces", {NULL}, " 3/8", 0, 0, false, true},
    {"too many", {NULL}, "1/65537", 0, 0, false, true},
    {"far too many", {NULL}, "1/99999999999999999999", 0, 0, false, true},
    {"auto of nothing", {"PBS_ARRAY_INDEX=1"}, "auto/0", 0, 0, false, true},
    {"nearly auto", {"PBS_ARRAY_INDEX=1"}, "automatic/8", 0, 0, false, true},
    {"empty", {NULL}, "", 0, 0, false, true},
};

static void every_launcher_and_batch_system_says_which_share_a_process_has(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct cor_error error = COR_NO_ERROR;
        struct cor_share share = {99, 99, true};
        environment = row->variables;
        enum cor_status status = row->option ? cor_share_read(row->option, lookup, &share, &error)
                                             : cor_share_launched(lookup, &share, &error);
        if ((status != COR_OK) != row->refused)
            fail_msg("%s: status %d, %s", row->what, (int)status, error.cause);
        if (row->refused) {
            assert_int_equal(status, COR_STATUS_INPUT);
            assert_true(error.cause[0] != '\0' && error.remedy[0] != '\0');
        } else if (share.index != row->index || share.count != row->count ||
                   share.launched != row->launched) {
            fail_msg("%s: share %u of %u", row->what, share.index, share.count);
        }
    }
}

static void a_task_of_a_job_array_is_known_as_one(void **state) {
    (void)state;
    const char *const none[] = {"SGE_TASK_ID=undefined", "LSB_JOBINDEX=0", NULL};
    const char *const task[] = {"LSB_JOBINDEX=0", "PBS_ARRAY_INDEX=0", NULL};
    environment = none;
    assert_false(cor_share_is_array_task(lookup));
    environment = task;
    assert_true(cor_share_is_array_task(lookup));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_launcher_and_batch_system_says_which_share_a_process_has),
        cmocka_unit_test(a_task_of_a_job_array_is_known_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
