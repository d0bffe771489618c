/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests on line, again from their result file. */
#ifndef CORRIDOR_CLI_EFSM_REPLAY_H
#define CORRIDOR_CLI_EFSM_REPLAY_H

#include <corridor/result.h>
#include <corridor/sheet.h>

/* Executes the tests of a result file of the model layer again - systems of ours by their names, programs by
 * what they answered then -, compares all that is written of each, and fills the sheets. `key`: only that
 * one, "ARM/TEST"; NULL: all. *equal: all came out as in the file, which `path` names. COR_STATUS_INPUT: no
 * such test, or the file does not have what a program said. */
enum cor_status cor_efsm_replay(struct cor_result *result, const char *path, const char *key,
                                struct cor_sheets *sheets, bool *equal, struct cor_error *error) COR_MUST_USE;

#endif
