/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test of what a result file has: the suite is generated again from the experiment in the file, for its
 * levels and probabilities do not stand there; that it is the same is told by its fingerprint. The walk is
 * the file's own. */
#include <corridor/array.h>
#include <corridor/test.h>

#include <stdlib.h>

static enum cor_status refuse(const struct cor_suite *suite, const char *remedy, const char *what,
                              struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, suite->experiment->path, remedy, "suite %u of arm %s: %s",
                    suite->index, suite->arm->name, what);
}

static enum cor_status check_suite(struct cor_result *result, const struct cor_suite *suite,
                                   struct cor_error *error) {
    const struct cor_row_key key = {(uint16_t)suite->arm_index, suite->index};
    struct cor_suite_row *row = NULL;
    uint64_t count = 0;
    void *rows = NULL;
    enum cor_status status = cor_result_read_suite(result, COR_TABLE_SUITES, key, &rows, &count, error);
    row = rows;
    if (status == COR_OK && count == 0)
        status = refuse(suite, "name one that is in it", "is not in the file", error);
    else if (status == COR_OK && row->configuration_hash != cor_configuration_hash(suite->configuration))
        status = refuse(suite, "generate it with the version that made the file",
                        "is generated as another configuration than the file's", error);
    free(rows);
    return status;
}

enum cor_status cor_suite_of_result(struct cor_result *result, const struct cor_experiment *experiment,
                                    uint32_t arm, uint32_t index, struct cor_suite **suite,
                                    struct cor_error *error) {
    COR_TRY(cor_suite_generate(experiment, arm, index, suite, error));
    enum cor_status status = check_suite(result, *suite, error);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}

static enum cor_status find_sequence(struct cor_result *result, const struct cor_suite *suite,
                                     uint32_t sequence, struct cor_sequence_row *found,
                                     struct cor_error *error) {
    const struct cor_row_key key = {(uint16_t)suite->arm_index, suite->index};
    void *rows = NULL;
    uint64_t count = 0;
    bool is_there = false;
    enum cor_status status = cor_result_read_suite(result, COR_TABLE_SEQUENCES, key, &rows, &count, error);
    for (uint64_t i = 0; status == COR_OK && i < count; i++) {
        const struct cor_sequence_row *row = (const struct cor_sequence_row *)rows + i;
        if (row->sequence != sequence)
            continue;
        *found = *row;
        is_there = true;
    }
    free(rows);
    if (status != COR_OK || is_there)
        return status;
    return cor_fail(error, COR_STATUS_INPUT, suite->experiment->path, "name one that is in it",
                    "suite %u of arm %s has no sequence %u in the file", suite->index, suite->arm->name,
                    sequence);
}

static enum cor_status find_branch(struct cor_result *result, const struct cor_suite *suite,
                                   uint32_t sequence, struct cor_branch *branch, bool *continues,
                                   struct cor_error *error) {
    const struct cor_row_key key = {(uint16_t)suite->arm_index, suite->index};
    void *rows = NULL;
    uint64_t count = 0;
    enum cor_status status = cor_result_read_suite(result, COR_TABLE_BRANCHES, key, &rows, &count, error);
    *continues = false;
    for (uint64_t i = 0; status == COR_OK && i < count; i++) {
        const struct cor_branch_row *row = (const struct cor_branch_row *)rows + i;
        if (row->sequence != sequence)
            continue;
        *branch = (struct cor_branch){row->parent, row->prefix};
        *continues = true;
    }
    free(rows);
    return status;
}

/* Are all states such that the profiles have? */
static bool fits(const struct cor_suite *suite, const struct cor_walk *walk) {
    const struct cor_configuration *c = suite->configuration;
    for (uint32_t i = 0; i <= walk->case_count; i++)
        for (uint32_t chain = 0; chain < c->chain_count; chain++)
            if (cor_walk_at(walk, i)[chain] >= suite->profiles[c->profile_of_chain[chain]]->state_count)
                return false;
    return true;
}

static enum cor_status read_walk(struct cor_result *result, const struct cor_suite *suite,
                                 const struct cor_sequence_row *row, struct cor_walk *walk,
                                 struct cor_error *error) {
    const uint32_t chains = suite->configuration->chain_count;
    const uint64_t size = ((uint64_t)row->cases + 1) * chains,
                   all = cor_result_vector_size(result, COR_VECTOR_WALK);
    if (row->walk_start > all || size > all - row->walk_start)
        return refuse(suite, "take a result file with /vectors/walk", "its walks are not in the file", error);
    uint8_t *states = cor_calloc((size_t)size, 1);
    COR_TRY(cor_made(states, error));
    enum cor_status status =
        cor_result_read_vector(result, COR_VECTOR_WALK, row->walk_start, size, states, error);
    if (status == COR_OK)
        status = cor_walk_of_chains(walk, chains, row->cases, states, error);
    free(states);
    if (status == COR_OK && !fits(suite, walk))
        status =
            refuse(suite, "the file is damaged: corridor verify", "its walks are of other profiles", error);
    return status;
}

enum cor_status cor_test_of_result(struct cor_result *result, const struct cor_suite *suite,
                                   uint32_t sequence, struct cor_test **test, struct cor_error *error) {
    struct cor_sequence_row row = {0};
    struct cor_branch branch;
    bool continues;
    struct cor_walk walk;
    *test = NULL;
    COR_TRY(find_sequence(result, suite, sequence, &row, error));
    COR_TRY(find_branch(result, suite, sequence, &branch, &continues, error));
    cor_walk_init(&walk);
    enum cor_status status = read_walk(result, suite, &row, &walk, error);
    if (status == COR_OK)
        status = cor_test_of_sequence(suite, sequence, continues ? &branch : NULL, &walk, test, error);
    cor_walk_fini(&walk);
    return status;
}
