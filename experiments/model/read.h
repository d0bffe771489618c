/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of experiments, models and suites have in common. */
#ifndef CORRIDOR_MODEL_READ_H
#define CORRIDOR_MODEL_READ_H

#include <corridor/json.h>

/* The member `key` must say 1: the only version there is. */
enum cor_status cor__read_version(const struct cor_json *json, const char *key,
                                  struct cor_error *error) COR_MUST_USE;

/* The member "description", where there is one, must be text. Nothing reads it. */
enum cor_status cor__read_description(const struct cor_json *json, struct cor_error *error) COR_MUST_USE;

/* Refuses a name that a table cannot show: empty, over 63 bytes, or with control characters. `json` is where
 * it stands, `what` is named by it. */
enum cor_status cor__check_name(const struct cor_json *json, const char *name, const char *what,
                                struct cor_error *error) COR_MUST_USE;

/* Parses the file that the text `json` names, looked up beside the file that `json` stands in. */
enum cor_status cor__read_named(const struct cor_json *json, struct cor_json_document **document,
                                struct cor_error *error) COR_MUST_USE;

#endif
