/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules that cannot be used, one for each BAD_ that is defined. Their result() ends the process: a host
 * that calls into what it should have refused does not survive the test. */
#include <corridor/plugin.h>

#include <stdlib.h>

#ifdef BAD_SYMBOL
#define corridor_algorithm_1 corridor_algorithm_0
#endif

#ifdef BAD_RESULT
#define RESULT NULL
#else
static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    (void)task;
    (void)host;
    abort();
}
#define RESULT result
#endif

#ifdef BAD_MAGIC
#define MAGIC 0x12345678u
#else
#define MAGIC COR_PLUGIN_MAGIC
#endif
#ifdef BAD_MAJOR
#define MAJOR (COR_PLUGIN_MAJOR + 1)
#else
#define MAJOR COR_PLUGIN_MAJOR
#endif
#ifdef BAD_MINOR
#define MINOR (COR_PLUGIN_MINOR + 7)
#else
#define MINOR COR_PLUGIN_MINOR
#endif
#ifdef BAD_SIZE
#define SIZE 64
#else
#define SIZE sizeof(struct cor_algorithm)
#endif
#ifdef BAD_NAME
#define NAME "Upper-Case"
#else
#define NAME "bad"
#endif
#ifdef BAD_SHAPE
static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    (void)units;
    return result(state, task, host);
}
#define STEP step
#else
#define STEP NULL
#endif
#ifdef BAD_PARAMETER
static const struct cor_parameter parameters[] = {{"share", "1", "default outside its range", 2, 0, 1, 0},
                                                  {0}};
#define PARAMETERS parameters
#else
#define PARAMETERS NULL
#endif
#ifdef BAD_FAULT
static const struct cor_fault faults[] = {{"none", "a fault that cannot be asked for"}, {0}};
#define FAULTS faults
#else
#define FAULTS NULL
#endif
#ifdef BAD_NEED
static const char *const needs[] = {"load", "load [kW", NULL};
#define NEEDS needs
#else
#define NEEDS NULL
#endif

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {.magic = MAGIC,
                                                   .major = MAJOR,
                                                   .minor = MINOR,
                                                   .struct_size = (uint32_t)SIZE,
                                                   .name = NAME,
                                                   .version = "1.0",
                                                   .summary = "cannot be used",
                                                   .budget_unit = "calls",
                                                   .parameters = PARAMETERS,
                                                   .faults = FAULTS,
                                                   .needs = NEEDS,
                                                   .step = STEP,
                                                   .result = RESULT};
