/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition that is asked over and over of a world that changes a little each time: of queries over all
 * elements only those are asked again that what changed can have changed.
 *
 * What is kept: of each query "all", "any", "one" or "count" over all elements that is a part of the
 * condition how each element counts; of those within these, for each element of the outer one, how each
 * element counts (so of "all(a in agents where a.leads: all(b in agents where b.leads: b == a))" a change of
 * agent 3 asks of a = 3, and of b = 3 for each a that leads). What else there is, is asked anew. The verdict
 * is that of cor_expression_ask, always. */
#ifndef CORRIDOR_CONDITION_MONITOR_H
#define CORRIDOR_CONDITION_MONITOR_H

#include <corridor/world.h>

struct cor_monitor;

/* What can change of an element: an attribute, an attribute in the state before, a collection. */
enum cor_monitored { COR_MONITORED_ATTRIBUTE, COR_MONITORED_BEFORE, COR_MONITORED_COLLECTION };

/* A monitor of a condition that was parsed over a shape of one type of elements. All are borrowed: the values
 * of the symbols stay as they are, the columns of the world have the same addresses, and as many elements.
 * Destroying it frees it; NULL is allowed. */
enum cor_status cor_monitor_create(const struct cor_expression *expression, const struct cor_shape *shape,
                                   const struct cor_value *values, const struct cor_world *world,
                                   struct cor_monitor **monitor, struct cor_error *error) COR_MUST_USE;
void cor_monitor_destroy(struct cor_monitor *monitor);

/* Whether the condition reads it at all, of any element. */
bool cor_monitor_reads(const struct cor_monitor *monitor, enum cor_monitored what, uint32_t index);

/* It was changed of an element since the last time the monitor was asked. */
void cor_monitor_change(struct cor_monitor *monitor, enum cor_monitored what, uint32_t index,
                        uint32_t element);

/* All may have changed. */
void cor_monitor_forget(struct cor_monitor *monitor);

/* The verdict in the world as it is. */
enum cor_truth cor_monitor_ask(struct cor_monitor *monitor);

#endif
