/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: an algorithm loaded in a cell, by the cell program. */
#ifndef CORRIDOR_ALGORITHMS_HOST_REMOTE_H
#define CORRIDOR_ALGORITHMS_HOST_REMOTE_H

#include "describe.h"
#include "shared.h"

#include <corridor/cell.h>
#include <corridor/host.h>
#include <corridor/needs.h>

/* ---- private to host: how a guest in a cell ended that did not answer, as a smoke code, as data and in
 * words */

/* Seconds without an answer, for each of CPU time that it may use, until it is overdue. */
#define HOST__WALL_FACTOR 20.

/* What is known of it. */
struct host__ending {
    bool is_overdue;      /* nothing was heard of it for too long: what follows says nothing */
    enum cor_death death; /* of the guest, or of all in its cell */
    int code;             /* as in a grave */
    bool is_starved;      /* it had used most of the memory that it may */
    enum cor_left left;   /* of COR_DEATH_EXIT: its host ended it, as this was left when its call was over */
    double cpu_seconds;   /* that it may use */
    uint64_t place;       /* in the module's file, where the signal was raised; 0: not known */
    uint64_t address;     /* that was touched there */
};

struct host__remote {
    struct cor_session_definition definition; /* without pointers */
    struct cor_cell cell;
    struct host__shared shared;
    uint32_t generation; /* of the guest that is to work; 0: none yet */
    char program[4096];  /* the cell program's path */
    struct cor_needs needs;
    char origin[4096]; /* the algorithm's, for errors */
};

/* An algorithm that is not loaded yet: a path, or the name of one that is built in. COR_STATUS_INTERNAL where
 * there is no cell program. */
enum cor_status host__remote_init(struct host__remote *remote, const char *algorithm,
                                  const struct cor_session_definition *definition,
                                  struct cor_error *error) COR_MUST_USE;

/* Ends what there is of it. */
void host__remote_fini(struct host__remote *remote);

/* What a cell of the algorithm reads: the cell program, the module. */
enum cor_status host__remote_needs(const char *algorithm, struct cor_needs *needs,
                                   struct cor_error *error) COR_MUST_USE;

/* What the module at `path` declares, as the cell program says. COR_STATUS_PLUGIN if it cannot be used, or
 * did not get through being loaded. */
enum cor_status host__remote_describe(const char *path, bool is_full, struct host__description *description,
                                      struct cor_error *error) COR_MUST_USE;

/* How far a start or a request came. */
enum host__news {
    HOST__NEWS_DONE,      /* loaded; answered */
    HOST__NEWS_UNUSABLE,  /* loaded, and it cannot be used: the answer's error says why */
    HOST__NEWS_DEAD,      /* the guest that did the request died: the answer says how */
    HOST__NEWS_CELL_DEAD, /* all in the cell died: the grave says how */
    HOST__NEWS_OVERDUE,   /* nothing was heard for too long */
    HOST__NEWS_TROUBLE    /* the cell program did not come to run: no affair of the algorithm */
};

/* Starts the cell and loads the algorithm, unless that is done. The error is of HOST__NEWS_TROUBLE. */
enum host__news host__remote_start(struct host__remote *remote, struct cor_error *error);

#endif
