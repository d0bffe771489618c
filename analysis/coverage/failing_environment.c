/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/failing_environment.h>

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The laws of the suite's profiles, and the walk of a sequence; memory serves one suite after the other. */
struct laws {
    struct cor_chain_walk *chain; /* owned; [chain of the suite] */
    double *arc;                  /* owned; profile after profile, states x states each */
    size_t *start;                /* owned; [profile] where it begins in `arc` */
    size_t chain_capacity, arc_capacity, start_capacity;
    struct cor_sequence_walk walk;
};

static enum cor_status take_laws(struct laws *laws, const struct cor_suite_rows *suite,
                                 struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *arc = suite->table[COR_TABLE_TRANSITIONS].row;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    size_t cells = 0;
    COR_TRY(COR_RESERVE(&laws->start, &laws->start_capacity, profiles + 1, error));
    for (size_t p = 0; p < profiles; p++) {
        laws->start[p] = cells;
        cells += (size_t)profile[p].states * profile[p].states;
    }
    COR_TRY(COR_RESERVE(&laws->arc, &laws->arc_capacity, cells + 1, error));
    for (size_t cell = 0; cell < cells; cell++)
        laws->arc[cell] = 0;
    for (size_t i = 0; i < suite->table[COR_TABLE_TRANSITIONS].count; i++)
        laws->arc[laws->start[arc[i].profile] + (size_t)arc[i].from * profile[arc[i].profile].states +
                  arc[i].to] = arc[i].probability;
    COR_TRY(COR_RESERVE(&laws->chain, &laws->chain_capacity, (size_t)suite->row.chains + 1, error));
    for (uint32_t c = 0; c < suite->row.chains; c++)
        laws->chain[c] = (struct cor_chain_walk){.states = profile[chain[c].profile].states,
                                                 .transition = laws->arc + laws->start[chain[c].profile]};
    return COR_OK;
}

static enum cor_status judge(struct laws *laws, const struct cor_suite_rows *suite,
                             const struct cor_failing *failing, struct cor_result *result,
                             struct cor_likelihood *likelihood, struct cor_error *error) {
    COR_TRY(cor_sequence_walk_read(&laws->walk, suite, failing->key.sequence, result, error));
    for (uint32_t c = 0; c < suite->row.chains; c++)
        laws->chain[c].walk = laws->walk.states + c * laws->walk.length;
    const uint32_t steps =
        failing->key.case_ < laws->walk.length ? failing->key.case_ : (uint32_t)laws->walk.length - 1;
    const struct cor_stream_name name = {.seed = cor_result_head(result)->seed,
                                         .identity = failing->key.case_,
                                         .arm = 1 + (uint32_t)suite->arm,
                                         .suite = suite->row.suite,
                                         .sequence = failing->key.sequence,
                                         .purpose = COR_PURPOSE_LIKELIHOOD};
    struct cor_rng rng = cor_rng_named(&name);
    return cor_walks_likelihood(laws->chain, suite->row.chains, steps, &rng, likelihood, error);
}

/* The first item of that arm and suite; the list is in the order of both. */
static size_t first_of(const struct cor_failing_list *list, const struct cor_suite_rows *suite) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct cor_failure_key *key = &list->items[middle].key;
        if (key->arm < suite->arm || (key->arm == suite->arm && key->suite < suite->row.suite))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum cor_status cor_failing_environment(struct cor_result *result, const struct cor_failing_list *list,
                                        struct cor_likelihood *likelihood, struct cor_error *error) {
    static const struct cor_reading readings[] = {{COR_TABLE_CHAINS, NULL},
                                                  {COR_TABLE_PROFILES, NULL},
                                                  {COR_TABLE_TRANSITIONS, NULL},
                                                  {COR_TABLE_SEQUENCES, NULL}};
    struct cor_suite_reader *reader = NULL;
    struct laws laws = {0};
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    for (size_t left = list->count; left > 0;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        size_t i = first_of(list, suite);
        if (i == list->count || list->items[i].key.arm != suite->arm ||
            list->items[i].key.suite != suite->row.suite)
            continue;
        COR_TRY_OUT(cor_suite_check(suite, result, error));
        COR_TRY_OUT(cor_environment_check(suite, error));
        COR_TRY_OUT(take_laws(&laws, suite, error));
        for (; i < list->count && list->items[i].key.arm == suite->arm &&
               list->items[i].key.suite == suite->row.suite;
             i++, left--)
            COR_TRY_OUT(judge(&laws, suite, &list->items[i], result, &likelihood[i], error));
    }
out:
    cor_sequence_walk_fini(&laws.walk);
    free(laws.chain);
    free(laws.arc);
    free(laws.start);
    cor_suite_reader_destroy(reader);
    return status;
}

const char *cor_rarity_text(const struct cor_likelihood *likelihood, char text[COR_RARITY_TEXT]) {
    if (!(likelihood->bits < INFINITY))
        snprintf(text, COR_RARITY_TEXT, "never");
    else if (likelihood->rarer >= COR_ORDINARY_SHARE)
        snprintf(text, COR_RARITY_TEXT, "ordinary");
    else
        snprintf(text, COR_RARITY_TEXT, "1 in %.0f", 1 / likelihood->rarer);
    return text;
}
