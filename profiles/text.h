/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for people; private to this room. */
#ifndef CORRIDOR_PROFILES_TEXT_H
#define CORRIDOR_PROFILES_TEXT_H

#include <corridor/profile.h>

/* Text that grows; {0} is an empty one. */
struct cor__text {
    char *chars; /* owned; ends with a 0 once anything was put */
    size_t length, capacity;
    bool failed; /* memory ran out; sticks */
};

/* printf behind what is there. */
void cor__text_put(struct cor__text *text, const char *format, ...) COR_PRINTF(2, 3);

/* Hands the text out, to be freed with free(); NULL with `error` set if memory ran out. */
char *cor__text_take(struct cor__text *text, struct cor_error *error);

/* The width of a column of states under the head "state". */
int cor__widest_name(const struct cor_profile *profile);

#endif
