/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main flow: suite after suite, rows of six tables and the walks, added up into arms. */
#include "cursor.h"
#include "expectation.h"
#include "gather.h"
#include "parameters.h"

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/state_names.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct cor_coverage_options cor_default_coverage(void) {
    return (struct cor_coverage_options){.arm = NULL, .suite = -1};
}

struct cor_arm_coverage *cor__find_arm(const struct cor_coverage *coverage, uint16_t code) {
    for (size_t a = 1; a < coverage->arm_count; a++)
        if (coverage->arm[a].code == code)
            return &coverage->arm[a];
    return NULL;
}

bool cor__wanted(const struct cor_coverage *coverage, uint16_t arm, uint32_t suite) {
    return (coverage->suite < 0 || coverage->suite == (int64_t)suite) && cor__find_arm(coverage, arm);
}

struct reader {
    struct cor_result *result; /* borrowed */
    struct cor_coverage *coverage;
    struct cor__cursor cursor[COR_TABLE_COUNT];
    struct cor__ground ground;
    struct cor_suite_row suite; /* the present one */
    bool begun;                 /* its profiles and chains are complete */
    uint64_t cases;             /* generated in it */
    uint64_t sequences;         /* rows in it */
    struct cor__expectations expectations;
};

typedef enum cor_status take_row(struct reader *reader, const void *row, struct cor_error *error);

static enum cor_status take_profile(struct reader *reader, const void *row, struct cor_error *error) {
    return cor__ground_profile(&reader->ground, row, error);
}

static enum cor_status take_transition(struct reader *reader, const void *row, struct cor_error *error) {
    return cor__ground_transition(&reader->ground, row, error);
}

static enum cor_status take_visit(struct reader *reader, const void *row, struct cor_error *error) {
    return cor__ground_visit(&reader->ground, row, error);
}

static enum cor_status take_chain(struct reader *reader, const void *row, struct cor_error *error) {
    return cor__ground_chain(&reader->ground, row, error);
}

static enum cor_status take_sequence(struct reader *reader, const void *any, struct cor_error *error) {
    const struct cor_sequence_row *row = any;
    enum cor_status status = COR_OK;
    if (!reader->begun)
        status = cor__ground_begin(&reader->ground, error);
    reader->begun = true;
    reader->cases += row->cases;
    if (status == COR_OK && ++reader->sequences > reader->suite.sequences)
        return cor__damaged(error, COR_TABLE_SEQUENCES,
                            "arm %u, suite %" PRIu32 " has more than its %" PRIu32 " sequences", row->arm,
                            row->suite, reader->suite.sequences);
    return status == COR_OK ? cor__ground_walk(&reader->ground, row, error) : status;
}

/* In an order in which each finds what it refers to. */
static const struct source {
    enum cor_table table;
    take_row *take;
    const char *columns[6];
} sources[] = {
    {COR_TABLE_PROFILES, take_profile, {"profile", "environment", "states", "arcs"}},
    {COR_TABLE_TRANSITIONS, take_transition, {"profile", "from", "to", "probability", "count"}},
    {COR_TABLE_VISITS, take_visit, {"profile", "state", "count"}},
    {COR_TABLE_CHAINS, take_chain, {"chain", "profile"}},
    {COR_TABLE_SEQUENCES, take_sequence, {"sequence", "cases", "walk_start"}},
};
#define SOURCES (sizeof sources / sizeof *sources)

static enum cor_status reader_init(struct reader *reader, struct cor_result *result,
                                   struct cor_coverage *coverage, struct cor_error *error) {
    static const char *const suite_columns[] = {"sequences", NULL};
    *reader = (struct reader){.result = result, .coverage = coverage};
    reader->expectations.stride =
        cor__expectation_stride(coverage->suite >= 0 ? 0 : cor_result_size(result, COR_TABLE_PROFILES));
    enum cor_status status = cor__ground_init(&reader->ground, result, error);
    if (status == COR_OK)
        status = cor__cursor_init(&reader->cursor[COR_TABLE_SUITES], result, COR_TABLE_SUITES, suite_columns,
                                  error);
    for (size_t i = 0; i < SOURCES && status == COR_OK; i++)
        status = cor__cursor_init(&reader->cursor[sources[i].table], result, sources[i].table,
                                  sources[i].columns, error);
    return status;
}

static void reader_fini(struct reader *reader) {
    for (size_t i = 0; i < COR_TABLE_COUNT; i++)
        cor__cursor_fini(&reader->cursor[i]);
    cor__ground_fini(&reader->ground);
    cor__expectations_fini(&reader->expectations);
}

/* ---- going through */

static enum cor_status read_rows(struct reader *reader, bool wanted, struct cor_error *error) {
    for (size_t i = 0; i < SOURCES; i++) {
        const void *row = NULL;
        do {
            enum cor_status status = cor__cursor_next(&reader->cursor[sources[i].table], reader->suite.arm,
                                                      reader->suite.suite, &row, error);
            if (status == COR_OK && row && wanted)
                status = sources[i].take(reader, row, error);
            if (status != COR_OK)
                return status;
        } while (row);
    }
    return COR_OK;
}

static enum cor_status read_suite(struct reader *reader, struct cor_error *error) {
    struct cor_arm_coverage *arm = cor__find_arm(reader->coverage, reader->suite.arm);
    bool wanted = cor__wanted(reader->coverage, reader->suite.arm, reader->suite.suite);
    cor__ground_clear(&reader->ground);
    reader->begun = false;
    reader->cases = reader->sequences = 0;
    enum cor_status status = read_rows(reader, wanted, error);
    if (status != COR_OK || !wanted)
        return status;
    if (!reader->begun)
        status = cor__ground_begin(&reader->ground, error);
    if (status == COR_OK)
        status = cor__ground_end(&reader->ground, &reader->suite, error);
    if (status == COR_OK)
        status = cor__expect(&reader->expectations, &reader->ground, arm->by_profile, arm->suites, error);
    for (int all = 1; all >= 0 && status == COR_OK; all--) {
        struct cor_arm_coverage *to = all ? &reader->coverage->arm[0] : arm;
        to->cases += reader->cases;
        status = cor__gather_suite(to, &reader->ground, &reader->suite, reader->expectations.of_profile,
                                   reader->coverage->head, error);
    }
    return status;
}

static bool in_catalog(const struct cor_result_header *head, uint16_t arm) {
    for (size_t i = 0; i < head->catalog_size[COR_CATALOG_ARM]; i++)
        if (head->catalog[COR_CATALOG_ARM][i].code == arm)
            return true;
    return false;
}

static enum cor_status read_all(struct reader *reader, struct cor_error *error) {
    for (;;) {
        const void *row = NULL;
        enum cor_status status = cor__cursor_any(&reader->cursor[COR_TABLE_SUITES], &row, error);
        if (status != COR_OK || !row)
            break;
        reader->suite = *(const struct cor_suite_row *)row;
        if (!in_catalog(reader->coverage->head, reader->suite.arm))
            return cor__damaged(error, COR_TABLE_SUITES,
                                "suite %" PRIu32 " is of arm %u, which catalog/arm lacks",
                                reader->suite.suite, reader->suite.arm);
        status = read_suite(reader, error);
        if (status != COR_OK)
            return status;
    }
    for (size_t i = 0; i < SOURCES; i++) {
        enum cor_status status = cor__cursor_end(&reader->cursor[sources[i].table], error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}

/* ---- arms */

/* An arm whose environment is "uniform" walks anywhere. What cannot be understood is taken for a profile. */
static enum cor_status follows_profiles(const char *description, bool *follows, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json root, member;
    const char *word = NULL;
    enum cor_status status = cor_json_parse(description, "catalog/arm", &document, NULL);
    *follows = true;
    if (status != COR_OK)
        return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK;
    root = cor_json_root(document);
    if (cor_json_find(&root, "environment", &member) && cor_json_string(&member, &word, NULL) == COR_OK)
        *follows = strcmp(word, "uniform") != 0;
    cor_json_destroy(document);
    return COR_OK;
}

static enum cor_status unknown_arm(const struct cor_result_header *head, const char *name,
                                   struct cor_error *error) {
    size_t count = head->catalog_size[COR_CATALOG_ARM];
    const char **names = cor_calloc(count + 1, sizeof(const char *));
    char known[512] = "";
    if (!names)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = head->catalog[COR_CATALOG_ARM][i].name;
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return cor_fail(error, COR_STATUS_INPUT, "catalog/arm", known, "there is no arm \"%s\"", name);
}

static enum cor_status create_arms(struct cor_coverage *coverage, const char *only, struct cor_error *error) {
    const struct cor_result_header *head = coverage->head;
    size_t listed = head->catalog_size[COR_CATALOG_ARM];
    coverage->arm = cor_calloc(listed + 1, sizeof *coverage->arm);
    if (!coverage->arm)
        return cor_fail_memory(error);
    struct cor_arm_coverage *all = &coverage->arm[coverage->arm_count++];
    *all = (struct cor_arm_coverage){.name = "all", .code = UINT16_MAX, .by_profile = true};
    for (size_t i = 0; i < listed; i++) {
        const struct cor_catalog_entry *entry = &head->catalog[COR_CATALOG_ARM][i];
        if (only && strcmp(only, entry->name) != 0)
            continue;
        struct cor_arm_coverage *arm = &coverage->arm[coverage->arm_count++];
        *arm = (struct cor_arm_coverage){.name = entry->name, .code = entry->code};
        enum cor_status status = follows_profiles(entry->description, &arm->by_profile, error);
        if (status != COR_OK)
            return status;
        all->by_profile = all->by_profile && arm->by_profile;
    }
    return only && coverage->arm_count == 1 ? unknown_arm(head, only, error) : COR_OK;
}

static enum cor_status end_arms(struct cor_coverage *coverage, struct cor_error *error) {
    char place[64];
    if (coverage->suite >= 0 && coverage->arm[0].suites == 0) {
        snprintf(place, sizeof place, "suite %" PRId64, coverage->suite);
        return cor_fail(error, COR_STATUS_INPUT, place, "suites are numbered from 0 within each arm",
                        "no arm that is looked at has such a suite");
    }
    for (size_t a = 0; a < coverage->arm_count; a++) {
        enum cor_status status = cor__gather_end(&coverage->arm[a], error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}

static enum cor_status name_states(struct cor_ep_coverage *ep, const struct cor_state_names *words,
                                   struct cor_error *error) {
    if (!ep->fixed || !cor_is_profile_given(words, ep->code))
        return COR_OK;
    ep->state_name = cor_calloc(ep->states, sizeof(char *));
    if (!ep->state_name)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < ep->states; i++) {
        char word[COR_STATE_NAME];
        cor_state_name(words, ep->code, i, word);
        ep->state_name[i] = cor_strdup(word);
        if (!ep->state_name[i])
            return cor_fail_memory(error);
    }
    return COR_OK;
}

static enum cor_status name_all(struct cor_coverage *coverage, const struct cor_result *result,
                                struct cor_error *error) {
    struct cor_state_names words;
    enum cor_status status = COR_OK;
    cor_state_names_init(&words, result);
    for (size_t a = 0; a < coverage->arm_count; a++)
        for (size_t i = 1; i < coverage->arm[a].ep_count && status == COR_OK; i++)
            status = name_states(coverage->arm[a].ep[i], &words, error);
    cor_state_names_fini(&words);
    return status;
}

enum cor_status cor_coverage_create(struct cor_result *result, const struct cor_coverage_options *options,
                                    struct cor_coverage **coverage, struct cor_error *error) {
    struct reader reader = {0};
    struct cor_coverage *made = *coverage = cor_calloc(1, sizeof *made);
    enum cor_status status = made ? COR_OK : cor_fail_memory(error);
    if (status != COR_OK)
        return status;
    made->head = cor_result_head(result);
    made->suite = options->suite;
    status = create_arms(made, options->arm, error);
    if (status == COR_OK)
        status = reader_init(&reader, result, made, error);
    if (status == COR_OK)
        status = read_all(&reader, error);
    reader_fini(&reader);
    if (status == COR_OK)
        status = end_arms(made, error);
    if (status == COR_OK)
        status = name_all(made, result, error);
    if (status == COR_OK)
        status = cor__find_parameters(result, made, error);
    if (status == COR_OK)
        status = cor__find_probes(result, made, error);
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
        cor__gather_fini(&coverage->arm[a]);
        free(coverage->arm[a].parameter);
        free(coverage->arm[a].probe);
    }
    free(coverage->arm);
    free(coverage);
}
