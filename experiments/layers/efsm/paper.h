/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * data/paper004.csv, embedded. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_EFSM_PAPER_H
#define CORRIDOR_EXPERIMENTS_LAYERS_EFSM_PAPER_H

/* Its lines, the heading first; NULL-ended. */
extern const char *const efsm_layer__paper004[];

#endif
