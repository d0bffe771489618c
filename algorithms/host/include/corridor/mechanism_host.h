/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The testbed's side of mechanism.h: which mechanisms there are, and one at work. It is shown copies, and
 * what it writes is checked before anybody sees it. One that is not built in works in a cell, unless the
 * isolation is NEVER: whatever it does instead is smoke, its own. In this process it is not caught what it
 * does to memory that it was not shown, nor that it never ends or crashes. */
#ifndef CORRIDOR_MECHANISM_HOST_H
#define CORRIDOR_MECHANISM_HOST_H

#include <corridor/host.h>
#include <corridor/mechanism.h>

/* The mechanism called `name`, valid as long as the registry; with a '/' in it the path of a module, which is
 * loaded now unless it is here already. COR_STATUS_INPUT: unknown (with the known ones); it may not be
 * loaded. COR_STATUS_PLUGIN: it cannot be used. */
enum cor_status cor_registry_mechanism(struct cor_registry *registry, const char *name,
                                       const struct cor_mechanism **mechanism,
                                       struct cor_error *error) COR_MUST_USE;

/* Those that are built in; NULL behind the last. */
const struct cor_mechanism *cor_mechanism_builtin(size_t index);

/* The path that it was loaded from, or its name if it is built in. */
const char *cor_registry_mechanism_origin(const struct cor_registry *registry,
                                          const struct cor_mechanism *mechanism);

/* SHA-256 of the file that it was loaded from; NULL: built in. */
const char *cor_registry_mechanism_digest(const struct cor_registry *registry,
                                          const struct cor_mechanism *mechanism);

/* Whether it declares that it writes the column of that name. */
bool cor_mechanism_writes(const struct cor_mechanism *mechanism, const char *column);

/* The path of its module, which is to be loaded in a cell; NULL: it works in this process. */
const char *cor_registry_mechanism_cell(const struct cor_registry *registry,
                                        const struct cor_mechanism *mechanism);

/* A mechanism, and what does not change while it works. All is borrowed as long as its desk lives. */
struct cor_mechanism_definition {
    const struct cor_mechanism *mechanism;
    const char *path;              /* in a cell: of its module; NULL: in this process */
    bool is_full;                  /* in a cell with all of its walls, or not at all */
    double cpu_seconds;            /* that it may take in a case, in a cell */
    const struct cor_rules *rules; /* the suite's; what is the algorithm's in it is left out */
    const double *parameters;      /* in the order declared */
    uint32_t fault;                /* 0: none, else 1 + index into the mechanism's */
    uint32_t agent_count;
};

/* What it is to work on. All is borrowed, and as it was afterwards. */
struct cor_mechanism_task {
    const double *const *columns; /* [column of the rules][agent] */
    const struct cor_lists *structure;
    struct cor_stream_name name; /* of the case; `entity` tells mechanisms apart */
};

/* What it did. */
struct cor_mechanism_outcome {
    enum cor_smoke
        smoke;        /* NONE: it did its work; else nothing was written, and nothing of the next holds: */
    uint32_t written; /* numbers, agents and columns counted once */
    double moved;     /* sum of how far real numbers were changed */
    double cost;      /* in its own unit */
    struct cor_fault_counts fault;
    bool by_machine;  /* time, memory or a kill ended it: module_cell.h */
    struct cor_fate fate; /* of smoke, as the next */
    char complaint[256];  /* what it did, and what would be right */
};

/* Room for what a mechanism is shown, and writes; and its cell. */
struct cor_mechanism_desk;
enum cor_status cor_mechanism_desk_create(const struct cor_mechanism_definition *definition,
                                          struct cor_mechanism_desk **desk,
                                          struct cor_error *error) COR_MUST_USE;
void cor_mechanism_desk_destroy(struct cor_mechanism_desk *desk);

/* Lets it work. That it wrote what it may not, changed what it was shown, claims a cost that is none, failed,
 * or did not come back, is smoke; a status is about us. */
enum cor_status cor_mechanism_work(struct cor_mechanism_desk *desk, const struct cor_mechanism_task *task,
                                   struct cor_mechanism_outcome *outcome,
                                   struct cor_error *error) COR_MUST_USE;

/* The column [agent] as it left it, valid until it works again; NULL: it wrote nothing in it. */
const double *cor_mechanism_desk_column(const struct cor_mechanism_desk *desk, uint32_t column);

#endif
