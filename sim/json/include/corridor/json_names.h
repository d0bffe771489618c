/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a value says by name, also of a file; and what was said of it elsewhere. */
#ifndef CORRIDOR_JSON_NAMES_H
#define CORRIDOR_JSON_NAMES_H

#include <corridor/json.h>
#include <corridor/names.h>

/* Complains about a value as was said without its place; what is no COR_STATUS_INPUT as it was said. */
enum cor_status cor_json_repeat(const struct cor_json *json, enum cor_status status,
                                const struct cor_error *said, struct cor_error *error);

/* Reads the file that a string names, beside the one in which it stands. */
enum cor_status cor_json_read_named(const struct cor_json *json, struct cor_json_document **document,
                                    struct cor_error *error) COR_MUST_USE;

/* The same, or an object that stands there itself, as a document that is called as the file it is in. */
enum cor_status cor_json_read_whole(const struct cor_json *json, struct cor_json_document **document,
                                    struct cor_error *error) COR_MUST_USE;

/* What the members of an object or the items of an array are called (cor_json_called; "": nothing), while
 * `json` lives. */
struct cor_names cor_json_names(const struct cor_json *json);

/* cor_names_find for what a value says, or what it is called. */
enum cor_status cor_json_find_name(const struct cor_json *json, struct cor_names names, const char *name,
                                   uint32_t *index, struct cor_error *error, const char *cause_format, ...)
    COR_PRINTF(6, 7) COR_MUST_USE;

/* The index of a string among names; else it complains: unknown `what` "word". */
enum cor_status cor_json_one_name(const struct cor_json *json, struct cor_names names, const char *what,
                                  uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* Checks a name that something is given, which is called `what` ("an arm"): 1 to `most` bytes without control
 * characters, and none of `others`. It stands at the value, or is its key. */
enum cor_status cor_json_check_name(const struct cor_json *json, const char *name, size_t most,
                                    struct cor_names others, const char *what,
                                    struct cor_error *error) COR_MUST_USE;

/* Checks that the value is an object all of whose keys are among the names. */
enum cor_status cor_json_expect_names(const struct cor_json *json, struct cor_names names,
                                      struct cor_error *error) COR_MUST_USE;

#endif
