/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator "random": the suites and sequences of a campaign, in their order. What other generators are
 * measured against. */
#include <corridor/array.h>
#include <corridor/generator.h>
#include <corridor/test.h>

#include <stdlib.h>

struct random {
    struct cor_generator_definition definition;
    struct cor_suite *suite; /* owned; the present one */
    uint32_t suite_count, sequence;
};

static void destroy(void *self) {
    COR_FREED struct random *random = self;
    if (random)
        cor_suite_destroy(random->suite);
}

static enum cor_status create(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error) {
    struct random *random = *self = cor_calloc(1, sizeof *random);
    COR_TRY(cor_made(random, error));
    random->definition = *definition;
    return COR_OK;
}

static enum cor_status next(void *self, struct cor_proposal *proposal, struct cor_error *error) {
    struct random *random = self;
    if (!random->suite || random->sequence == random->definition.experiment->sequence_count) {
        const struct cor_generator_definition *d = &random->definition;
        cor_suite_destroy(random->suite);
        random->suite = NULL;
        random->sequence = 0;
        const uint32_t index = d->first_suite + random->suite_count++ % COR_ISLAND_SUITES;
        COR_TRY(cor_suite_generate(d->experiment, d->arm, index, &random->suite, error));
    }
    *proposal = (struct cor_proposal){.mutation = COR_MUTATION_FRESH, .energy = 1};
    return cor_suite_test(random->suite, random->sequence++, &proposal->test, error);
}

const struct cor_generator cor_generator_random = {
    .name = "random",
    .meaning = "suites and walks by the experiment's laws, in the order of a campaign",
    .takes = 1u << COR_GENERATOR_PATTERN,
    .check = cor_generator_check_walks,
    .create = create,
    .next = next,
    .destroy = destroy,
};
