/* SPDX-License-Identifier: MIT
 *
 * corridor/mechanism.h - the one header between Corridor and a mechanism that runs beside the algorithm under test
 * (003: an adaptation mechanism of the components, such as one that balances supply and demand in each organization).
 *
 * A mechanism is ONE exported constant:   const struct cor_mechanism corridor_mechanism_1 = { COR_MECHANISM, ... };
 *
 * It works in each test case, when a solution is adopted or none was asked for, and is a pure function
 *     (task, parameters, draws) -> writes
 * of what it is shown: the structure and all columns of values. It keeps nothing from one case to the next, changes
 * nothing that it is shown, and writes the columns that it declares alone. What it writes is there when agents
 * perceive in the next case, so monitor, oracle and algorithm see it from then on.
 *
 * Growth is that of plugin.h: fields are only appended, and each struct knows its size. */
#ifndef CORRIDOR_MECHANISM_H
#define CORRIDOR_MECHANISM_H

#include <corridor/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_MECHANISM_MAGIC 0x314D4F43u /* "COM1" */
#define COR_MECHANISM_MAJOR 1u
#define COR_MECHANISM_MINOR 1u
#define COR_MECHANISM_SYMBOL "corridor_mechanism_1"

struct cor_mechanism_host {
    uint32_t struct_size, minor;
    void *self;                /* the host's own */
    struct cor_random *random; /* the mechanism's own stream of this case */

    /* Memory of this call: zeroed, 16-byte aligned, released when it returns. NULL at the limit. */
    void *(*alloc)(const struct cor_mechanism_host *host, size_t bytes);

    /* Writes what an agent has in a column from now on; the last write counts. 0: refused, and the sequence ends with
     * the reason: a column that was not declared, no such agent, a number outside of the column's range, NaN. */
    int (*write)(const struct cor_mechanism_host *host, uint32_t column, uint32_t agent, double value);

    /* Why, before returning COR_FAILED: up to 199 characters. */
    void (*complain)(const struct cor_mechanism_host *host, const char *text);

    double *cost; /* of this call, in the mechanism's cost_unit: add to it, never less than 0 */

    struct cor_fault_counts *fault; /* [1.1] what became of the selected fault in this call: add to it */
};

struct cor_mechanism {
    uint32_t magic, major, minor, struct_size;
    const char *name, *version, *summary, *cost_unit;
    const struct cor_parameter *parameters; /* as of algorithms; given by numbers, never drawn. NULL: none */
    const char *const *writes; /* at least one column, "value" or an attribute of the model; ends with NULL */
    const char *const *needs;  /* columns that it reads, "load" or "load [kW]"; ends with NULL. NULL: none */

    /* COR_DONE, or COR_FAILED, which ends the sequence. Of the rules in the task, parameters are the mechanism's, and
     * so is the fault; budget is 0, and there is no objective. */
    enum cor_progress (*work)(const struct cor_task *task, const struct cor_mechanism_host *host);

    /* [1.1] Changes of the mechanism, to see whether they are found where it is under test; ends with an entry whose
     * name is NULL. NULL: none. */
    const struct cor_fault *faults;
};

/* The first fields of every mechanism. */
#define COR_MECHANISM                                                                                           \
    .magic = COR_MECHANISM_MAGIC, .major = COR_MECHANISM_MAJOR, .minor = COR_MECHANISM_MINOR,                     \
    .struct_size = (uint32_t)sizeof(struct cor_mechanism)

#ifdef __cplusplus
}
#endif
#endif
