/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to this room: values as text. */
#ifndef CORRIDOR_JSON_DUMP_H
#define CORRIDOR_JSON_DUMP_H

#include <jansson.h>
#include <stddef.h>

/* The value as text with 17 digits, scalars too; `layout` is jansson's JSON_COMPACT or JSON_INDENT(n). Freed
 * with free(); NULL when memory is out. */
char *cor__json_dump(const json_t *value, size_t layout);

#endif
