/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model layer (paper 004): can a tester steer a system to a goal, and is what it did allowed? Its
 * experiments name a model; arms are planners against systems, suites tests on line, cases moves. */
#ifndef CORRIDOR_EFSM_LAYER_H
#define CORRIDOR_EFSM_LAYER_H

#include <corridor/efsm_experiment.h>
#include <corridor/layer.h>

/* Its experiments are struct cor_efsm_experiment; their files have a member "efsm". */
extern const struct cor_layer cor_efsm_layer;

/* What the layer executes: a test of an arm into the record. `system` NULL: the arm's; else it takes the
 * place of the arm's, and is closed afterwards. */
enum cor_status cor_efsm_execute(const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t suite,
                                 struct cor_system *system_take, const struct cor_watch *watch,
                                 struct cor_record *record, struct cor_suite_counts *tally,
                                 struct cor_error *error) COR_MUST_USE;

#endif
