/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main flow: suite after suite, rows of six tables and the walks, added up into arms. */
#include "sums.h"
#include "walks.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/coverage.h>
#include <corridor/state_names.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cor_coverage_options cor_default_coverage(void) {
    return (struct cor_coverage_options){.arm = NULL, .suite = -1};
}

/* The walks of all suites, and how often probes were reached. */
static enum cor_status read_walks(struct cor_coverage *coverage, struct cor_suite_reader *reader,
                                  struct coverage__walks *walks, struct coverage__expectations *expectations,
                                  struct cor_error *error) {
    const struct cor_suite_rows *suite;
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            return COR_OK;
        if (!coverage__wanted(coverage, &suite->row))
            continue;
        struct cor_arm_coverage *arm = coverage__find_arm(coverage, suite->row.arm);
        COR_TRY(coverage__walks_read(walks, suite, error));
        COR_TRY(coverage__expect(expectations, walks, arm->by_profile, arm->suites, error));
        COR_TRY(coverage__add_suite(&coverage->arm[0], walks, &suite->row, expectations->of_profile,
                                    coverage->head, error));
        COR_TRY(
            coverage__add_suite(arm, walks, &suite->row, expectations->of_profile, coverage->head, error));
        COR_TRY(coverage__add_probes(coverage, suite, error));
    }
}

static enum cor_status read_all(struct cor_coverage *coverage, struct cor_result *result,
                                struct cor_error *error) {
    struct cor_reading readings[COVERAGE__WALKS_READINGS + 1];
    struct cor_suite_reader *reader = NULL;
    struct coverage__walks walks = {0};
    struct coverage__expectations expectations = {
        .stride = coverage__expectation_stride(
            coverage->suite >= 0 ? 0 : cor_result_size(result, COR_TABLE_PROFILES))};
    enum cor_status status = COR_OK;
    memcpy(readings, coverage__walks_readings, sizeof coverage__walks_readings);
    readings[COVERAGE__WALKS_READINGS] = coverage__probes_reading;
    COR_TRY_OUT(cor_suite_reader_create(result, readings, COVERAGE__WALKS_READINGS + 1, &reader, error));
    COR_TRY_OUT(coverage__walks_init(&walks, result, error));
    COR_TRY_OUT(read_walks(coverage, reader, &walks, &expectations, error));
out:
    coverage__expectations_fini(&expectations);
    coverage__walks_fini(&walks);
    cor_suite_reader_destroy(reader);
    return status;
}

static enum cor_status create_arms(struct cor_coverage *coverage, const char *only, struct cor_error *error) {
    const struct cor_result_header *head = coverage->head;
    size_t listed = cor_arm_count(head), chosen = 0;
    if (only)
        COR_TRY(cor_arm_find(head, "--arm", only, &chosen, error));
    coverage->arm = cor_calloc(listed + 1, sizeof *coverage->arm);
    if (!coverage->arm)
        return cor_fail_memory(error);
    struct cor_arm_coverage *all = &coverage->arm[coverage->arm_count++];
    *all = (struct cor_arm_coverage){.name = "all", .code = UINT16_MAX, .by_profile = true};
    for (size_t i = only ? chosen : 0; i < (only ? chosen + 1 : listed); i++) {
        const struct cor_catalog_entry *entry = cor_arm_entry(head, i);
        struct cor_arm_coverage *arm = &coverage->arm[coverage->arm_count++];
        char *source; /* of walks; NULL: a file of old, whose walks follow profiles */
        COR_TRY(cor_text_under(entry->description, "environment", &source, error));
        *arm = (struct cor_arm_coverage){.name = entry->name,
                                         .code = entry->code,
                                         .by_profile = !source || strcmp(source, "profile") == 0};
        free(source);
        all->by_profile = all->by_profile && arm->by_profile;
    }
    return COR_OK;
}

static enum cor_status name_states(struct cor_environment_coverage *environment,
                                   const struct cor_state_names *words, struct cor_error *error) {
    if (!environment->fixed || !cor_is_profile_given(words, environment->code))
        return COR_OK;
    environment->state_name = cor_calloc(environment->states, sizeof(char *));
    if (!environment->state_name)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < environment->states; i++) {
        char word[COR_STATE_NAME];
        cor_state_name(words, environment->code, i, word);
        environment->state_name[i] = cor_strdup(word);
        if (!environment->state_name[i])
            return cor_fail_memory(error);
    }
    return COR_OK;
}

enum cor_status cor_coverage_create(struct cor_result *result, const struct cor_coverage_options *options,
                                    struct cor_coverage **coverage, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_coverage *made = *coverage = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->head = cor_result_head(result);
    made->suite = options->suite;
    COR_TRY_OUT(create_arms(made, options->arm, error));
    COR_TRY_OUT(read_all(made, result, error));
    char place[64];
    if (made->suite >= 0 && made->arm[0].suites == 0) {
        snprintf(place, sizeof place, "suite %" PRId64, made->suite);
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place, "suites are numbered from 0 within each arm",
                             "no arm that is looked at has such a suite"));
    }
    for (size_t a = 0; a < made->arm_count; a++)
        COR_TRY_OUT(coverage__make_figures(&made->arm[a], error));
    struct cor_state_names words;
    cor_state_names_init(&words, result);
    for (size_t a = 0; a < made->arm_count; a++)
        for (size_t i = 1; i < made->arm[a].environment_count && status == COR_OK; i++)
            status = name_states(made->arm[a].environment[i], &words, error);
    cor_state_names_fini(&words);
    if (status != COR_OK)
        goto out;
    COR_TRY_OUT(coverage__find_parameters(result, made, error));
out:
    if (status != COR_OK) {
        cor_coverage_destroy(made);
        *coverage = NULL;
    }
    return status;
}

void cor_coverage_destroy(struct cor_coverage *coverage) {
    if (!coverage)
        return;
    for (size_t a = 0; a < coverage->arm_count; a++) {
        coverage__sums_fini(&coverage->arm[a]);
        free(coverage->arm[a].parameter);
        free(coverage->arm[a].probe);
    }
    free(coverage->arm);
    free(coverage);
}

/* ---- failing environment */

/* The laws of the suite's profiles, and the walk of a sequence; memory serves one suite after the other. */
struct laws {
    struct cor_chain_walk *chain; /* owned; [chain of the suite] */
    double *arc;                  /* owned; profile after profile, states x states each */
    size_t *start;                /* owned; [profile] where it begins in `arc` */
    size_t chain_capacity, arc_capacity, start_capacity;
    struct cor_sequence_walk walk;
};

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
        const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
        const struct cor_transition_row *arc = suite->table[COR_TABLE_TRANSITIONS].row;
        const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
        const size_t profiles = suite->table[COR_TABLE_PROFILES].count;
        size_t cells = 0;
        COR_TRY_OUT(COR_RESERVE(&laws.start, &laws.start_capacity, profiles + 1, error));
        for (size_t p = 0; p < profiles; p++) {
            laws.start[p] = cells;
            cells += (size_t)profile[p].states * profile[p].states;
        }
        COR_TRY_OUT(COR_RESERVE(&laws.arc, &laws.arc_capacity, cells + 1, error));
        for (size_t cell = 0; cell < cells; cell++)
            laws.arc[cell] = 0;
        for (size_t j = 0; j < suite->table[COR_TABLE_TRANSITIONS].count; j++)
            laws.arc[laws.start[arc[j].profile] + (size_t)arc[j].from * profile[arc[j].profile].states +
                     arc[j].to] = arc[j].probability;
        COR_TRY_OUT(COR_RESERVE(&laws.chain, &laws.chain_capacity, (size_t)suite->row.chains + 1, error));
        for (uint32_t c = 0; c < suite->row.chains; c++)
            laws.chain[c] = (struct cor_chain_walk){.states = profile[chain[c].profile].states,
                                                    .transition = laws.arc + laws.start[chain[c].profile]};
        for (; i < list->count && list->items[i].key.arm == suite->arm &&
               list->items[i].key.suite == suite->row.suite;
             i++, left--) {
            const struct cor_failing *failing = &list->items[i];
            COR_TRY_OUT(cor_sequence_walk_read(&laws.walk, suite, failing->key.sequence, result, error));
            for (uint32_t c = 0; c < suite->row.chains; c++)
                laws.chain[c].walk = laws.walk.states + c * laws.walk.length;
            const uint32_t steps =
                failing->key.case_ < laws.walk.length ? failing->key.case_ : (uint32_t)laws.walk.length - 1;
            const struct cor_stream_name name = {.seed = cor_result_head(result)->seed,
                                                 .identity = failing->key.case_,
                                                 .arm = 1 + (uint32_t)suite->arm,
                                                 .suite = suite->row.suite,
                                                 .sequence = failing->key.sequence,
                                                 .purpose = COR_PURPOSE_LIKELIHOOD};
            struct cor_rng rng = cor_rng_named(&name);
            COR_TRY_OUT(
                cor_walks_likelihood(laws.chain, suite->row.chains, steps, &rng, &likelihood[i], error));
        }
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
