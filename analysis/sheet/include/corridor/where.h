/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition over the columns of a table, as users write it behind --where: "masked_pct > 5 and arm != 'x'",
 * in the language of expression.h. A cell without a value is unknown, and a row of which the condition is
 * unknown is not chosen. */
#ifndef CORRIDOR_WHERE_H
#define CORRIDOR_WHERE_H

#include <corridor/error.h>
#include <corridor/value.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_WHERE_PLACE "--where" /* the place of messages */

/* A column: its name, and what its cells are. `words` of an ENUMERATION, ended by NULL; else NULL. Borrowed
 * until the condition is destroyed. */
struct cor_where_column {
    const char *name;
    enum cor_value_type type;
    const char *const *words;
};

/* A condition with the cells of one row. */
struct cor_where;

/* Parses the condition. COR_STATUS_INPUT: what is wrong with it, its place COR_WHERE_PLACE; an unknown column
 * gets those that are known. */
enum cor_status cor_where_create(const char *text, const struct cor_where_column *columns, size_t count,
                                 struct cor_where **where, struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is allowed. */
void cor_where_destroy(struct cor_where *where);
COR_DESTROYS(cor_where, struct cor_where)

/* Whether the condition reads that column: the cells of others need not be set. */
bool cor_where_reads(const struct cor_where *where, size_t column);

/* Set the cell of a column, by its type; a number beyond 2^63 - 1, or not finite, has no value here, and no
 * more has a word that is not among those of the column. */
void cor_where_nothing(struct cor_where *where, size_t column);
void cor_where_count(struct cor_where *where, size_t column, uint64_t count);
void cor_where_real(struct cor_where *where, size_t column, double real);
void cor_where_flag(struct cor_where *where, size_t column, bool flag);
enum cor_status cor_where_word(struct cor_where *where, size_t column, const char *word,
                               struct cor_error *error) COR_MUST_USE;

/* Whether the condition holds for the cells that are set. */
bool cor_where_holds(const struct cor_where *where);

#endif
