/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TEST_CURVE_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TEST_CURVE_H

#include "layer_commands.h"

#include <corridor/test.h>

/* Draws the curve of the test, as the request says, and shows it. COR_STATUS_INPUT: it has none. */
enum cor_status sequence__why_curve(const struct cor_test *test, struct cor_tester *tester,
                                    const struct cor_why_request *request, enum cor_exit *code,
                                    struct cor_error *error) COR_MUST_USE;

#endif
