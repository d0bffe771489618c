/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module in a cell of its own, which takes turns with its session. The cell is forked from the session's
 * process, so what the session knows is known there, and nothing that the module does to it comes back. What
 * a turn is about lies in a page, memory that both share, and a byte each way says that a turn is there and
 * that it is over. The module is loaded there alone. */
#ifndef CORRIDOR_MODULE_CELL_H
#define CORRIDOR_MODULE_CELL_H

#include <corridor/cell.h>
#include <corridor/host.h>
#include <corridor/needs.h>
#include <corridor/terms.h>

/* What a page begins with. What a cell wrote is not believed: it is looked at before it is used. */
struct cor_module_page {
    _Atomic uint32_t place; /* odd during a turn: see struct cor_cell_definition */
    _Atomic uint32_t is_loaded;
    enum cor_status status; /* of loading, as the error */
    struct cor_error error;
    enum cor_left left; /* of the last turn */
};

/* Where a part of a page begins, of which the parts before end at *end; moves that behind it. Whatever C has
 * may lie there. */
size_t cor_page_reserve(size_t *end, size_t bytes);

/* The caller's; it fills in the first part, and the rest is 0 before cor_module_cell_start. */
struct cor_module_cell {
    const char *path; /* of the module; borrowed, as the next two */
    const char *what; /* it is, and how it is called: "the mechanism drift"; may come later */
    struct cor_module_page *page;
    bool is_full;                                                  /* with all of its walls, or not at all */
    double cpu_seconds;                                            /* that a turn, and loading, may take */
    void *owner;                                                   /* given to: */
    enum cor_status (*load)(void *owner, struct cor_error *error); /* there */
    void (*lay_out)(void *owner); /* here: the page is as it was before the turn */
    void (*work)(void *owner);    /* there: the turn */

    struct cor_cell cell; /* its own, as all below */
    bool has_cell;
    struct cor_needs needs;
    char **withheld;
};

/* Starts it, unless it runs, and loads the module. COR_STATUS_PLUGIN or FILE: it cannot be used, or did not
 * get through being loaded. */
enum cor_status cor_module_cell_start(struct cor_module_cell *cell, struct cor_error *error) COR_MUST_USE;

/* What came of a turn. */
struct cor_turn_report {
    enum cor_smoke smoke; /* NONE: it is over, and the page says the rest */
    bool by_machine;      /* time, memory or a kill ended it, or it was not loaded again, once at least:
                             another machine may say otherwise */
    struct cor_fate fate; /* of smoke, as the next */
    char words[256];
};

/* A turn. Whatever the module does instead is smoke, and so is a module that does not get through being
 * loaded for it: it could be loaded when the campaign was planned. What time, memory or a kill ended is done
 * again, once, in a fresh process, as the machine may have been busy. */
enum cor_status cor_module_cell_turn(struct cor_module_cell *cell, struct cor_turn_report *report,
                                     struct cor_error *error) COR_MUST_USE;

/* Ends the process; it starts again when it is needed. The second frees all, too. */
void cor_module_cell_end(struct cor_module_cell *cell);
void cor_module_cell_fini(struct cor_module_cell *cell);

#endif
