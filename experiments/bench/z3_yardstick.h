/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations of experiments/models/paper.json from z3: what drawing them by the law is measured against.
 */
#ifndef COR_BENCH_Z3_YARDSTICK_H
#define COR_BENCH_Z3_YARDSTICK_H

struct bench_z3;

/* A context with the model's ranges and constraints asserted in a simple solver. */
struct bench_z3 *bench_z3_create(void);
void bench_z3_destroy(struct bench_z3 *z3);

/* So many configurations, for each: push, the number of agents (another each time), check, model, pop.
 * Returns how many z3 found; what takes it too much work is not counted. */
double bench_z3_configurations(struct bench_z3 *z3, unsigned count);

#endif
