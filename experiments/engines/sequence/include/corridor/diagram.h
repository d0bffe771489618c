/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequence diagrams as SVG: a line for each of those who talk, an arrow for each message from where it was
 * sent to where it came, a point for what else happens. */
#ifndef CORRIDOR_DIAGRAM_H
#define CORRIDOR_DIAGRAM_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row: something that happens, from top to bottom. */
struct cor_diagram_row {
    bool is_message;
    bool is_bad;   /* a point: of a fault; a message: it is lost on its way */
    uint32_t life; /* at which line: of a message where it comes */
    uint32_t from; /* messages: from which line, */
    uint32_t sent; /* and in which row, from 1; 0: above the first */
    int turns;     /* -1: who lives there is down from here on; 1: up again; 0: as before */
    /* Owned: */
    char *when; /* at the left margin */
    char *what; /* beside the point or the head of the arrow */
    char *note; /* at the right margin; \"\": none */
};

struct cor_diagram {
    uint32_t life_count;
    char **lives; /* owned, and each; what stands above the lines */
    size_t row_count;
    struct cor_diagram_row *rows; /* owned */
    const char *end;              /* below; broken into lines */
    const char *last;             /* SVG below that, a square of `last_size`; NULL: none */
    double last_size;
};

/* Its text, to be freed with free(); frees what it owns, also on failure. A text of it that is NULL is one
 * for which there was no memory. */
enum cor_status cor_diagram_text_take(struct cor_diagram *diagram, char **text,
                                      struct cor_error *error) COR_MUST_USE;

#endif
