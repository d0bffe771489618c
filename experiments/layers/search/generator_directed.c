/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator "directed": suites in the region of the parameters in which a seam is provoked, which it
 * learns. Of each suite it takes the first sequence: another suite tells more of the parameters than another
 * walk. With a trap its walk is steered there. */
#include "region_learning.h"
#include "trap_walks.h"

#include <corridor/array.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>

struct directed {
    struct cor_generator_definition definition;
    struct search_layer__seam seam;
    struct search_layer__region_learning learning;
    struct search_layer__trap_walks walks; /* where options->trap is given */
    uint32_t suite_count;
    bool by_law;       /* the last suite */
    int64_t *integers; /* owned; room for one draw */
    double *reals;     /* owned */
};

static enum cor_status check(const struct cor_generator_definition *definition, struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    const struct cor_generator_options *options = definition->options;
    struct search_layer__seam seam;
    COR_TRY(cor_generator_check_walks(definition, error));
    if (options->trap) {
        struct search_layer__trap_walks walks;
        const enum cor_status status = search_layer__trap_walks_init(definition, &walks, error);
        search_layer__trap_walks_fini(&walks);
        COR_TRY(status);
    }
    if (arm->configurations || arm->configuration_traps || arm->configuration_design)
        return cor_fail(error, COR_STATUS_INPUT, arm->name, "leave \"configurations\" out",
                        "the arm says already which configurations it has");
    return search_layer__seam_parse(arm, options->seam, &seam, error);
}

static void destroy(void *self) {
    struct directed *directed = self;
    if (!directed)
        return;
    search_layer__region_learning_fini(&directed->learning);
    search_layer__trap_walks_fini(&directed->walks);
    free(directed->integers);
    free(directed->reals);
    free(directed);
}

static enum cor_status create(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    const uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    struct directed *directed = *self = cor_calloc(1, sizeof *directed);
    COR_TRY(cor_made(directed, error));
    directed->definition = *definition;
    COR_TRY(search_layer__seam_parse(arm, definition->options->seam, &directed->seam, error));
    directed->integers = cor_calloc(capacity, sizeof *directed->integers);
    directed->reals = cor_calloc(capacity, sizeof *directed->reals);
    if (!directed->integers || !directed->reals)
        return cor_fail_memory(error);
    if (definition->options->trap)
        COR_TRY(search_layer__trap_walks_init(&directed->definition, &directed->walks, error));
    return search_layer__region_learning_init(&directed->definition, &directed->learning, error);
}

static enum cor_status next(void *self, struct cor_proposal *proposal, struct cor_error *error) {
    struct directed *directed = self;
    const struct cor_generator_definition *d = &directed->definition;
    const struct cor_parameter_laws *laws = search_layer__region_learning_laws(&directed->learning);
    const uint32_t index = d->first_suite + directed->suite_count++ % COR_ISLAND_SUITES;
    struct cor_suite *suite = NULL;
    *proposal =
        (struct cor_proposal){.mutation = laws ? COR_MUTATION_REGION : COR_MUTATION_FRESH, .energy = 1};
    directed->by_law = !laws;
    if (laws) {
        /* Suite `index` of the arm if its laws were these. */
        const struct cor_stream_name name = {.seed = d->experiment->seed,
                                             .arm = cor_experiment_stream(d->experiment, d->arm),
                                             .suite = index,
                                             .purpose = COR_PURPOSE_CONFIGURATION};
        struct cor_rng rng = cor_rng_named(&name);
        struct cor_draw draw;
        COR_TRY(cor_parameter_laws_draw(laws, &rng, directed->integers, directed->reals, &draw, error));
        COR_TRY(cor_suite_generate_of(d->experiment, d->arm, index, directed->reals, &suite, error));
    } else {
        COR_TRY(cor_suite_generate(d->experiment, d->arm, index, &suite, error));
    }
    const enum cor_status status =
        d->options->trap ? search_layer__trap_walks_test(&directed->walks, suite, proposal, error)
                         : cor_suite_test(suite, 0, &proposal->test, error);
    cor_suite_destroy(suite);
    return status;
}

static enum cor_status see(void *self, const struct cor_seen *seen, struct cor_error *error) {
    struct directed *directed = self;
    return search_layer__region_learning_see(
        &directed->learning, seen->test->suite->parameters, directed->by_law,
        search_layer__seam_grade(&directed->seam, seen), seen->cases, error);
}

static enum cor_status finish(void *self, struct cor_record *record, struct cor_error *error) {
    struct directed *directed = self;
    struct search_layer__region_learning *learning = &directed->learning;
    search_layer__region_learning_close(learning);
    for (size_t r = 0; r < learning->round_count; r++) {
        struct cor_search_region_row *row = cor_record_row(record, COR_SEARCH_TABLE_REGIONS, error);
        COR_TRY(cor_made(row, error));
        struct cor_search_region_row filled = learning->rounds[r].row;
        filled.arm = row->arm;
        filled.suite = row->suite;
        *row = filled;
        const char *text = learning->rounds[r].text;
        row->text = (uint32_t)strlen(text);
        COR_TRY(cor_record_put(record, COR_SEARCH_VECTOR_TEXT, text, row->text, &row->text_start, error));
    }
    return COR_OK;
}

const struct cor_generator cor_generator_directed = {
    .name = "directed",
    .takes = 1u << COR_GENERATOR_SEAM | 1u << COR_GENERATOR_TRAP,
    .meaning = "suites in the region of the parameters in which a seam is provoked, which it learns",
    .check = check,
    .create = create,
    .next = next,
    .see = see,
    .finish = finish,
    .destroy = destroy,
};
