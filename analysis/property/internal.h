/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What parsing and asking share: a property, and the columns that it speaks of. */
#ifndef CORRIDOR_ANALYSIS_PROPERTY_INTERNAL_H
#define CORRIDOR_ANALYSIS_PROPERTY_INTERNAL_H

#include <corridor/property.h>

#include <corridor/temporal.h>

/* Columns that are read as users mean them come first, then those of /cases and /reorganizations. */
enum { PROPERTY__CASE, PROPERTY__INSIDE, PROPERTY__ALARM, PROPERTY__FAILED, PROPERTY__OWN };

struct property__column {
    const char *name;                /* borrowed, of the schema */
    const struct cor_column *schema; /* NULL: read as users mean it */
    bool of_reorganization;          /* in the row of a reorganization, else in that of a case */
    bool is_read;                    /* by the property: others need no value */
};

/* The columns by their names, and what they can be. */
struct property__columns {
    struct property__column *items; /* owned, as all here */
    struct cor_symbol *symbols;     /* [column] */
    struct cor_domain *domains;
    struct cor_value *values; /* of the case that was taken last */
    uint32_t **listed;        /* [column] words of codes; NULL: none */
    struct cor_words words;
    uint32_t no_word; /* of a code where there was no reorganization: it equals none */
    uint32_t count;
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
