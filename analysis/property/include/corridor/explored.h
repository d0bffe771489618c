/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "configurations": {"design": ..}: some numbers of an arm, its inputs, are those of the rows of a design
 * (sensitivity.h), suite after suite. All that is drawn beside them comes from the streams that the design
 * names: suites of one stream differ in inputs, and in what follows from them, alone. */
#ifndef CORRIDOR_EXPLORED_H
#define CORRIDOR_EXPLORED_H

#include <corridor/json.h>
#include <corridor/property.h>
#include <corridor/sensitivity.h>

/* An input, and the range in which it is varied. */
struct cor_explored_input {
    const char *name; /* borrowed from the JSON */
    double low, high; /* of whole numbers both are whole */
    bool is_integer;
    uint32_t index;  /* the layer's own number of it */
    double *real;    /* where cor_explored_set puts it, borrowed; */
    uint32_t *whole; /* or rounded; NULL: nowhere */
};

struct cor_explored {
    struct cor_input_design design;
    struct cor_explored_input inputs[COR_INPUT_DESIGN_INPUTS_MAX];
    const char *measures[COR_MEASURES_MAX]; /* borrowed from the JSON */
    uint32_t measure_count;
    double *rows; /* owned; as of cor_input_design_make; NULL: not made yet */
};

/* Finds what a member is called: sets the range in which it may be varied, and where it is put.
 * COR_STATUS_INPUT: there is no such input. */
typedef enum cor_status cor_find_input(const void *of, const struct cor_json *json,
                                       struct cor_explored_input *input, struct cor_error *error);

/* Reads the range of one input, [low, high] within what it may be. COR_STATUS_INPUT. */
enum cor_status cor_explored_input_read(const struct cor_json *json, cor_find_input *find, const void *of,
                                        struct cor_explored_input *input,
                                        struct cor_error *error) COR_MUST_USE;

/* Reads {"design", "points", "inputs", "measures"}; without `find` inputs are called as they please. To be
 * freed also on failure. COR_STATUS_INPUT. */
enum cor_status cor_explored_read(const struct cor_json *json, cor_find_input *find, const void *of,
                                  struct cor_explored *explored, struct cor_error *error) COR_MUST_USE;

/* Makes the rows, by the seed and stream of the arm. COR_STATUS_INPUT, at the JSON: suites are not as many as
 * rows at most. */
enum cor_status cor_explored_make(struct cor_explored *explored, const struct cor_json *json, uint64_t seed,
                                  uint32_t stream, uint32_t suites, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent; NULL is allowed. */
void cor_explored_fini(struct cor_explored *explored);

/* The suite whose streams a suite has: without a design its own. */
uint32_t cor_explored_stream(const struct cor_explored *explored, uint32_t suite);

/* An input in a suite: of whole numbers each has an equal part of 0 .. 1 if it is drawn, and levels of a grid
 * are rounded. */
double cor_explored_value(const struct cor_explored *explored, uint32_t input, uint32_t suite);

/* Puts all inputs of the suite where they belong, if there is a design. */
void cor_explored_set(const struct cor_explored *explored, uint32_t suite);

#endif
