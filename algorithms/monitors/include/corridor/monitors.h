/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monitors under test (monitor.h) over one system: an instance for each organization, or for each agent,
 * each with what it may see. The built-in ones are "exact" and "lagging"; another is a module, by its path,
 * and runs in a cell of its own unless it is trusted: whatever it does instead of answering is smoke. */
#ifndef CORRIDOR_MONITORS_H
#define CORRIDOR_MONITORS_H

#include <corridor/host.h>
#include <corridor/lists.h>
#include <corridor/monitor.h>
#include <corridor/plugin.h>
#include <corridor/terms.h>

#define COR_MONITORS_NAME 128u /* bytes of a name, its end included */

/* What a monitor says of itself. */
struct cor_monitors_introduction {
    char name[COR_MONITORS_NAME];
    uint32_t watches;   /* set of enum cor_monitor_subject */
    uint32_t tolerance; /* looks that it may be late */
    uint32_t fault;     /* the one that was asked for, as in a view */
    uint64_t state_size;
};

/* Which monitor, and how it runs. Borrowed until it is created. */
struct cor_monitors_definition {
    const char *monitor; /* a built-in name, or a path: what has a slash */
    const char *fault;   /* "none", or one of its own */
    uint32_t subject;    /* enum cor_monitor_subject: whom an instance watches */
    bool in_cell;        /* of a module: in a process that can do no harm */
    bool is_full;        /* in a cell with all of its walls, or not at all */
    double cpu_seconds;  /* that all looks of a case may take in a cell */
    /* What it said before, so that a module in a cell is not loaded before it looks; NULL: it is asked. */
    const struct cor_monitors_introduction *introduction;
};

/* What does not change in a suite. Borrowed as long as the monitors live. */
struct cor_monitors_system {
    uint32_t agent_count, column_count, filter_count, condition_count;
    const struct cor_monitor_column *columns;
    uint8_t *const *filters;                /* [filter][agent] */
    const struct cor_objective *conditions; /* whose filters are not used */
    const uint32_t *looks;                  /* [condition] as in a view; NULL: 1 of each */
};

struct cor_monitors;

/* Those that are built in; NULL behind the last. */
const struct cor_monitor *cor_monitor_builtin(size_t index);

/* Loads the monitor, unless it is in a cell and known, and makes room. `system` NULL: only to see whether it
 * can be used. COR_STATUS_INPUT: there is no such monitor or fault, or it does not watch such a subject;
 * COR_STATUS_PLUGIN: a module that cannot be used; COR_STATUS_FILE: there is none. */
enum cor_status cor_monitors_create(const struct cor_monitors_definition *definition,
                                    const struct cor_monitors_system *system, struct cor_monitors **monitors,
                                    struct cor_error *error) COR_MUST_USE;

/* Ends and frees them. NULL is allowed. */
void cor_monitors_destroy(struct cor_monitors *monitors);
COR_DESTROYS(cor_monitors, struct cor_monitors)

/* What the monitor says of itself; belongs to it. */
const struct cor_monitors_introduction *cor_monitors_introduction(const struct cor_monitors *monitors);

/* A sequence begins: there are no instances. */
void cor_monitors_restart(struct cor_monitors *monitors);

/* What came of a case. */
struct cor_monitors_answer {
    bool is_new;                  /* organizations are not those of the case before */
    bool alarm;                   /* of the first instance that raised one: */
    uint32_t organization, agent; /* its organization, by index, and the agent or COR_NOBODY */
    enum cor_smoke smoke;         /* NONE: all instances answered */
    bool by_machine;              /* time, memory or a kill ended a look: module_cell.h */
    struct cor_fate fate;         /* of smoke, as the next */
    char complaint[256];
};

/* The next case: instances go over to the structure as it is, and look, if it is time to. `values` are
 * [column][agent]. */
enum cor_status cor_monitors_look(struct cor_monitors *monitors, bool is_time,
                                  const struct cor_lists *structure, const double *const *values,
                                  struct cor_monitors_answer *answer, struct cor_error *error) COR_MUST_USE;

/* What instances remember, into *saved, which is made if it is NULL; and back, into monitors of the same
 * definition and system. Destroying it frees it, NULL is allowed. */
struct cor_monitors_saved;
enum cor_status cor_monitors_save(const struct cor_monitors *monitors, struct cor_monitors_saved **saved,
                                  struct cor_error *error) COR_MUST_USE;
enum cor_status cor_monitors_restore(struct cor_monitors *monitors, const struct cor_monitors_saved *saved,
                                     struct cor_error *error) COR_MUST_USE;
void cor_monitors_saved_destroy(struct cor_monitors_saved *saved);

#endif
