/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: an algorithm loaded in a cell, by the cell program. */
#ifndef COR__REMOTE_H
#define COR__REMOTE_H

#include "describe.h"
#include "shared.h"

#include <corridor/cell.h>

struct cor__remote {
    struct cor_session_definition definition; /* without pointers */
    struct cor_cell cell;
    struct cor__shared shared;
    uint32_t generation; /* of the guest that is to work; 0: none yet */
    char program[4096];  /* the cell program's path */
    char origin[4096];   /* the algorithm's, for errors */
};

/* An algorithm that is not loaded yet: a path, or the name of one that is built in. COR_STATUS_INTERNAL where
 * there is no cell program. */
enum cor_status cor__remote_init(struct cor__remote *remote, const char *algorithm,
                                 const struct cor_session_definition *definition,
                                 struct cor_error *error) COR_MUST_USE;

/* Ends what there is of it. */
void cor__remote_fini(struct cor__remote *remote);

/* What the module at `path` declares, as the cell program says. COR_STATUS_PLUGIN if it cannot be used, or
 * did not get through being loaded. */
enum cor_status cor__remote_describe(const char *path, struct cor__description *description,
                                     struct cor_error *error) COR_MUST_USE;

/* Makes room for a request and an answer of so many bytes; what was started ends if there was not enough. */
enum cor_status cor__remote_reserve(struct cor__remote *remote, size_t request_size, size_t answer_size,
                                    struct cor_error *error) COR_MUST_USE;

/* How far a start or a request came. */
enum cor__news {
    COR__NEWS_DONE,      /* loaded; answered */
    COR__NEWS_UNUSABLE,  /* loaded, and it cannot be used: the answer's error says why */
    COR__NEWS_DEAD,      /* the guest that did the request died: the answer says how */
    COR__NEWS_CELL_DEAD, /* all in the cell died: the grave says how */
    COR__NEWS_OVERDUE,   /* nothing was heard for too long */
    COR__NEWS_TROUBLE    /* the cell program did not come to run: no affair of the algorithm */
};

/* Starts the cell and loads the algorithm, unless that is done. The error is of COR__NEWS_TROUBLE. */
enum cor__news cor__remote_start(struct cor__remote *remote, struct cor_error *error);

/* The next request is done by a process that has done nothing before. */
void cor__remote_refresh(struct cor__remote *remote);

/* Has the request that was put be done, and waits. */
enum cor__news cor__remote_ask(struct cor__remote *remote);

/* Ends all in the cell; it starts again when it is needed. */
void cor__remote_stop(struct cor__remote *remote);

/* How it ended, of a guest or of the cell likewise. */
struct cor_fate cor__remote_end(const struct cor__remote *remote, enum cor__news news);

/* "ended by signal 11 (Segmentation fault)", for people: of a guest, as the answer has it, or of the cell. */
void cor__remote_fate(const struct cor__remote *remote, enum cor__news news, char *text, size_t size);

#endif
