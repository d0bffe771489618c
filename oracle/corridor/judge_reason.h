/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a constraint is violated, for judge: a minimal set of facts. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_JUDGE_REASON_H
#define CORRIDOR_ORACLE_CORRIDOR_JUDGE_REASON_H

#include <corridor/json.h>
#include <corridor/reason.h>

/* Finds the reason, writes it where `writer` is not NULL, and gives a sentence, NULL where there is none;
 * freed with free(). The state is of its kind. */
enum cor_status judge_reason(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                             uint32_t constraint, struct cor_reason *reason, struct cor_json_writer *writer,
                             char **sentence, struct cor_error *error) COR_MUST_USE;

#endif
