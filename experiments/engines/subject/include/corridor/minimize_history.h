/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Few calls of a history that have no order, whatever the others did. */
#ifndef CORRIDOR_MINIMIZE_HISTORY_H
#define CORRIDOR_MINIMIZE_HISTORY_H

#include <corridor/history.h>

/* Of a history that is impossible, as the verdict says it: relaxed, [call], are those whose end does not
 * matter. What is left stays impossible; none of it can be spared, as far as the work goes that is allowed for
 * all tries, and the steps for each. */
enum cor_status cor_history_minimize(struct cor_history *history, bool is_sequential, uint64_t steps_most,
                                     const struct cor_history_verdict *verdict, bool *relaxed,
                                     struct cor_error *error) COR_MUST_USE;

#endif
