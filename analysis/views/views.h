/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list that views.c makes of one file each. */
#ifndef CORRIDOR_VIEWS_VIEWS_H
#define CORRIDOR_VIEWS_VIEWS_H

#include <corridor/view.h>

#endif
