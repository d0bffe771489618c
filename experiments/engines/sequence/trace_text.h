/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace of a sequence for readers: its sheet, a paragraph a case. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TRACE_TEXT_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TRACE_TEXT_H

#include <corridor/sheet.h>

/* Appends the drawing of sheets of the list that are filled as sequence_trace.c does; `constraints` NULL: the
 * corridor is no text. COR_STATUS_MEMORY. */
enum cor_status sequence__draw_trace(struct cor_sheets *sheets, struct cor_sheet *sheet,
                                     const struct cor_sheet *constraints,
                                     struct cor_error *error) COR_MUST_USE;

#endif
