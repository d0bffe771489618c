/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What parsing and asking share: a property, and the columns that it speaks of. */
#ifndef CORRIDOR_ANALYSIS_PROPERTY_INTERNAL_H
#define CORRIDOR_ANALYSIS_PROPERTY_INTERNAL_H

#include <corridor/property.h>

#include <corridor/temporal.h>

/* Columns that are read as users mean them come first, "case" and last "failed"; of the interaction layer
 * also these. Then come those of the table of cases and of the one beside it, then conditions by their names,
 * which rows of their own or bits of columns tell. */
enum { PROPERTY__CASE, PROPERTY__INSIDE, PROPERTY__ALARM, PROPERTY__OWN_MAX = 4 };
#define PROPERTY__CONDITIONS_MAX 256
#define PROPERTY__COLUMNS_MAX (PROPERTY__OWN_MAX + 2 * COR_COLUMNS_MAX + PROPERTY__CONDITIONS_MAX)

struct property__column {
    const char *name;                /* borrowed, of the schema, or `condition` */
    char *condition;                 /* owned; NULL: it is none by its name */
    const struct cor_column *schema; /* NULL: read as users mean it */
    bool is_beside;                  /* in the row of the table beside, else in that of a case; */
    bool is_of_all;                  /* there, of all cases, else of that in which the sequence failed */
    bool has_none;                   /* its greatest value stands for none */
    bool is_read;                    /* by the property: others need no value */
    uint32_t code; /* of a condition; of a column with words of a catalog that of the first */
};

/* What struct cor_ending_source names; NULL: it names none. */
struct property__ending {
    const struct cor_column *sequence[COR_ASKED_COUNT], *number[COR_ASKED_COUNT],
        *condition[COR_ASKED_COUNT]; /* by the table that has it */
    const struct cor_column *verdict, *failed_case, *cut, *open, *whole, *state, *state_unknown;
};

/* The columns by their names, and what they can be. */
struct property__columns {
    const struct cor_layer_schema *layer; /* borrowed */
    struct property__column *items;       /* owned, as all here */
    struct cor_symbol *symbols;           /* [column] */
    struct cor_domain *domains;
    struct cor_value *values; /* of the case that was taken last */
    uint32_t **listed;        /* [column] words of codes; NULL: none */
    struct cor_words words;
    uint32_t no_word;               /* of a code where there was no reorganization: it equals none */
    uint32_t count, own, tables;    /* all; behind the own ones; behind those of tables, */
    uint32_t conditions;            /* and behind those that were met */
    struct property__ending ending; /* of layers that have such a source */
};

/* A condition of a formula. */
struct property__condition {
    char *name;                       /* owned; as it stands in the text */
    uint32_t column;                  /* COR_NONE: a comparison */
    struct cor_expression comparison; /* owned */
};

struct cor_property {
    char *text; /* owned */
    enum cor_property_kind kind;
    enum cor_property_relation relation;
    double bound, quantile;
    struct property__columns columns;

    char *formula;                          /* owned; NULL: none */
    struct property__condition *conditions; /* owned */
    const char **names;                     /* owned array; of conditions, NULL-terminated */
    uint8_t *states;                        /* owned; [condition] in the case that was taken last */
    struct cor_temporal_degrees *degrees;   /* owned; [condition] likewise */
    uint32_t condition_count;
    struct cor_temporal *temporal;    /* owned */
    struct cor_temporal_watch *watch; /* owned; made anew for each sequence (text_time.c says why) */

    struct cor_expression number; /* owned */
    enum cor_property_amount amount;
    uint32_t at; /* COR_PROPERTY_AT: the case */

    double *numbers; /* owned; S: of the cases */
    size_t capacity;
    bool is_stopped; /* S: the last case failed in the black box */
    bool is_cut;     /* a monitor or a mechanism ended the sequence: what would have come is unknown */

    double so_far;   /* sum, least or greatest, or the number of case `at` */
    uint32_t taken;  /* cases */
    bool is_unknown; /* in a case that counts the number was */
};

#endif
