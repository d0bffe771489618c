/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching as a layer of a campaign: an arm is a generator on an arm of an experiment, a suite is an island,
 * a search of its own that depends on no other. So workers, journals, stopping and merging come from the
 * campaign, and what is found depends on the number of islands and never on that of workers. */
#ifndef CORRIDOR_SEARCH_LAYER_H
#define CORRIDOR_SEARCH_LAYER_H

#include <corridor/generator.h>
#include <corridor/interaction.h>
#include <corridor/layer.h>

#define COR_SEARCH_BUDGET_MAX INT64_C(1000000000000)

/* An arm of a search. */
struct cor_search_arm {
    char *name, *description; /* owned; description: JSON */
    const struct cor_generator *generator;
    uint32_t target; /* arm of the experiment */
    struct cor_generator_options options;
};

/* A search as the layer takes it. */
struct cor_search {
    struct cor_experiment_head head;     /* first; suites are islands */
    struct cor_json_document *document;  /* owned */
    struct cor_interaction *interaction; /* owned; the experiment */
    uint64_t budget;                     /* test cases of an island */
    struct cor_search_arm *arms;         /* owned */
    size_t arm_capacity;
};

/* Its experiments are struct cor_search; their files have a member "corridor_search" (docs/do/search.md). */
extern const struct cor_layer cor_search_layer;

/* Searches islands, one after the other; what it keeps between them changes no result. */
struct cor_search_executor;

/* Searches one island of an arm into the record, whose tables are those of search_schema.h. Stopped by the
 * watch, it ends early and says so in its row. */
enum cor_status cor_search_island(struct cor_search_executor *executor, uint32_t arm, uint32_t island,
                                  const struct cor_watch *watch, struct cor_record *record,
                                  struct cor_suite_counts *tally, struct cor_error *error) COR_MUST_USE;

/* An executor for that search, which is borrowed until the executor is destroyed. */
enum cor_status cor_search_executor_create(const struct cor_search *search,
                                           struct cor_search_executor **executor,
                                           struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_search_executor_destroy(struct cor_search_executor *executor);

/* Reads a search from a document, which is its own from now on, also on failure. */
enum cor_status cor_search_take(const char *path, struct cor_json_document *document,
                                const struct cor_layer_options *options, struct cor_search **search,
                                char **notes, char **warnings, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_search_destroy(struct cor_search *search);
COR_DESTROYS(cor_search, struct cor_search)

#endif
