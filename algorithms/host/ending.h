/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: how a guest in a cell ended that did not answer, as a smoke code, as data and in words. */
#ifndef CORRIDOR_ALGORITHMS_HOST_ENDING_H
#define CORRIDOR_ALGORITHMS_HOST_ENDING_H

#include <corridor/cell.h>
#include <corridor/host.h>

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

#endif
