/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heap of a program that starts, allocates some megabytes in small pieces, and ends. */
#ifndef CORRIDOR_HEAP_H
#define CORRIDOR_HEAP_H

/* To be called once, first thing in main: takes the first 32 MB of the heap at once, as addresses only, asks
 * the kernel to fill them by large pages, and keeps them; pieces of 1 MB and more get pages of their own. A
 * context of z3 is 17 MB of small pieces that come and go, the columns of a result file are 6: page faults,
 * one for each 4 KB, took most of the time to open an experiment. A kernel without large pages fills the heap
 * by small ones; a sanitizer's own heap is left as it is. */
void cor_heap_begin(void);

#endif
