/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file says of itself as a whole, judged (whole_file.c). */
#ifndef CORRIDOR_ANALYSIS_READ_WHOLE_FILE_H
#define CORRIDOR_ANALYSIS_READ_WHOLE_FILE_H

#include <corridor/identities.h>

/* As cor_suite_check, without chains and profiles (suite_reader.c). */
enum cor_status read__check_numbers(const struct cor_suite_rows *suite, const struct cor_result *result,
                                    struct cor_error *error) COR_MUST_USE;

#endif
