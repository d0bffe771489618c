/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hour in a cell of a time column; private to this room. */
#ifndef CORRIDOR_PROFILES_SERIES_TIME_H
#define CORRIDOR_PROFILES_SERIES_TIME_H

#include <stdbool.h>

enum { COR__HOUR_NONE = -1, COR__HOUR_BAD = -2 };

/* The hour 0 .. 23 in `text` (24:00 is hour 0), COR__HOUR_NONE for a date alone, COR__HOUR_BAD for anything
 * that is neither a date nor a time (series.h lists the forms). */
int cor__hour_in(const char *text);

#endif
