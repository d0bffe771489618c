/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequence diagrams as SVG: a line for each of those who talk, an arrow for each message from where it was
 * sent to where it came, a point for what else happens. */
#ifndef CORRIDOR_DIAGRAM_H
#define CORRIDOR_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A row: something that happens, from top to bottom. All texts are borrowed. */
struct cor_diagram_row {
    bool is_message;
    bool is_bad;      /* a point: of a fault; a message: it is lost on its way */
    uint32_t life;    /* at which line: of a message where it comes */
    uint32_t from;    /* messages: from which line, */
    uint32_t sent;    /* and in which row, from 1; 0: above the first */
    int turns;        /* -1: who lives there is down from here on; 1: up again; 0: as before */
    const char *when; /* at the left margin */
    const char *what; /* beside the point or the head of the arrow */
    const char *note; /* at the right margin; NULL: none */
};

struct cor_diagram {
    uint32_t life_count;
    const char *const *lives; /* what stands above the lines */
    size_t row_count;
    const struct cor_diagram_row *rows;
    const char *end; /* below; broken into lines */
};

/* Writes it; whether that could be done tells ferror. */
void cor_diagram_write(const struct cor_diagram *diagram, FILE *file);

#endif
