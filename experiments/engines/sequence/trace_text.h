/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace of a sequence for readers: its sheet, a paragraph a case. */
#ifndef CORRIDOR_CLI_TRACE_TEXT_H
#define CORRIDOR_CLI_TRACE_TEXT_H

#include <corridor/sheet.h>

/* Appends the drawing of a sheet of the list that is filled as sequence_trace.c does. */
void sequence__draw_trace(struct cor_sheets *sheets, struct cor_sheet *sheet);

#endif
