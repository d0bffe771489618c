/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corpus.h"

#include <corridor/array.h>
#include <corridor/search_schema.h>

#include <stdlib.h>
#include <string.h>

#define ENERGY_MAX 8
#define INPUT_WEIGHT 0.25 /* of a feature of the walk: the system has not answered to it yet */

enum cor_status search_layer__corpus_init(struct search_layer__corpus *corpus, struct cor_error *error) {
    *corpus =
        (struct search_layer__corpus){.entry = cor_calloc(SEARCH_LAYER__CORPUS_MAX, sizeof *corpus->entry),
                                      .best = cor_calloc(COR_FEATURES, sizeof *corpus->best),
                                      .hits = cor_calloc(COR_FEATURES, sizeof *corpus->hits),
                                      .weight = cor_calloc(COR_FEATURES, sizeof *corpus->weight),
                                      .worth = cor_calloc(SEARCH_LAYER__CORPUS_MAX, sizeof *corpus->worth)};
    return corpus->entry && corpus->best && corpus->hits && corpus->weight && corpus->worth
               ? COR_OK
               : cor_fail_memory(error);
}

static void fini_entry(struct search_layer__corpus_entry *entry) {
    cor_test_destroy(entry->test);
    free(entry->features);
    free(entry->since);
    search_layer__mail_seen_fini(&entry->mail);
    *entry = (struct search_layer__corpus_entry){0};
}

void search_layer__corpus_fini(struct search_layer__corpus *corpus) {
    for (uint32_t i = 0; i < corpus->count; i++)
        fini_entry(&corpus->entry[i]);
    free(corpus->entry);
    free(corpus->best);
    free(corpus->hits);
    free(corpus->weight);
    free(corpus->worth);
    *corpus = (struct search_layer__corpus){0};
}

/* Entry `index` stands for those of its features that nobody shows for less. */
static void claim(struct search_layer__corpus *corpus, uint32_t index) {
    struct search_layer__corpus_entry *entry = &corpus->entry[index];
    for (uint32_t i = 0; i < entry->feature_count; i++) {
        uint16_t *best = &corpus->best[entry->features[i]];
        if (*best == index + 1 || (*best > 0 && corpus->entry[*best - 1].cost <= entry->cost))
            continue;
        if (*best > 0)
            corpus->entry[*best - 1].favoured--;
        *best = (uint16_t)(index + 1);
        entry->favoured++;
    }
}

/* All claims anew, after entries have gone. */
static void claim_all(struct search_layer__corpus *corpus) {
    memset(corpus->best, 0, COR_FEATURES * sizeof *corpus->best);
    for (uint32_t i = 0; i < corpus->count; i++)
        corpus->entry[i].favoured = 0;
    for (uint32_t i = 0; i < corpus->count; i++)
        claim(corpus, i);
}

/* The entry that stands for fewest features goes, of several the oldest; the last one is new, and stays. */
static void drop_least(struct search_layer__corpus *corpus) {
    uint32_t least = 0;
    for (uint32_t i = 1; i + 1 < corpus->count; i++)
        if (corpus->entry[i].favoured < corpus->entry[least].favoured)
            least = i;
    corpus->bytes -= corpus->entry[least].bytes;
    fini_entry(&corpus->entry[least]);
    corpus->count--;
    memmove(&corpus->entry[least], &corpus->entry[least + 1],
            (corpus->count - least) * sizeof *corpus->entry);
    corpus->entry[corpus->count] = (struct search_layer__corpus_entry){0};
    claim_all(corpus);
}

enum cor_status search_layer__corpus_see(struct search_layer__corpus *corpus, const struct cor_seen *seen,
                                         uint64_t lineage, struct cor_error *error) {
    corpus->has_answered = false;
    for (uint32_t i = 0; i < seen->feature_count; i++) {
        const enum cor_feature_kind kind = seen->origins[i].kind;
        if (corpus->hits[seen->features[i]] == 0 && kind != COR_FEATURE_TRANSITION &&
            kind != COR_FEATURE_DISTANCE)
            corpus->has_answered = true;
        corpus->hits[seen->features[i]]++;
        corpus->weight[seen->features[i]] =
            seen->origins[i].kind == COR_FEATURE_TRANSITION ? INPUT_WEIGHT : 1;
    }
    if (seen->fresh == 0)
        return COR_OK;
    if (corpus->count == SEARCH_LAYER__CORPUS_MAX)
        drop_least(corpus);
    struct search_layer__corpus_entry *entry = &corpus->entry[corpus->count];
    uint16_t *features = cor_calloc(seen->feature_count, sizeof *features);
    uint32_t *since = cor_calloc(seen->feature_count, sizeof *since);
    if (!features || !since) {
        free(features);
        free(since);
        return cor_fail_memory(error);
    }
    for (uint32_t i = 0; i < seen->feature_count; i++) {
        features[i] = (uint16_t)seen->features[i];
        since[i] = seen->origins[i].since;
    }
    /* About what a test takes in memory. */
    const struct cor_configuration *c = seen->test->suite->configuration;
    const struct cor_walk *walk = &seen->test->suite->recorded[0];
    *entry = (struct search_layer__corpus_entry){
        .test = (struct cor_test *)(uintptr_t)seen->test, /* handed over with *seen->keep */
        .features = features,
        .since = since,
        .feature_count = seen->feature_count,
        .number = seen->number,
        .executed = seen->result->cases,
        .cost = (uint64_t)seen->result->cases * seen->test->suite->configuration->agent_count,
        .lineage = lineage,
        .bytes = 64 * (size_t)c->agent_count + 24 * (size_t)c->chain_count +
                 ((size_t)walk->case_count + 1) * walk->chain_count +
                 (sizeof *features + sizeof *since) * seen->feature_count + 8192};
    *seen->keep = true;
    entry->test->expected = *seen->result;
    corpus->bytes += entry->bytes;
    claim(corpus, corpus->count++);
    while (corpus->bytes > SEARCH_LAYER__CORPUS_BYTES_MAX && corpus->count > 1)
        drop_least(corpus);
    return COR_OK;
}

enum cor_status search_layer__corpus_put_mail(struct search_layer__corpus *corpus,
                                              const struct cor_mail_record *mail, struct cor_record *rows,
                                              struct cor_error *error) {
    COR_ASSERT(corpus->count > 0);
    struct search_layer__corpus_entry *entry = &corpus->entry[corpus->count - 1];
    COR_TRY(search_layer__mail_seen_init(mail, rows, &entry->mail, error));
    const size_t bytes = search_layer__mail_seen_bytes(&entry->mail);
    entry->bytes += bytes;
    corpus->bytes += bytes;
    return COR_OK;
}

uint32_t search_layer__corpus_choose(struct search_layer__corpus *corpus, struct cor_rng *rng,
                                     double *energy) {
    double total = 0, sum = 0;
    uint32_t chosen = 0;
    COR_ASSERT(corpus->count > 0);
    memset(corpus->worth, 0, corpus->count * sizeof *corpus->worth);
    for (uint32_t f = 0; f < COR_FEATURES; f++)
        if (corpus->best[f] > 0)
            corpus->worth[corpus->best[f] - 1] += corpus->weight[f] / corpus->hits[f];
    for (uint32_t i = 0; i < corpus->count; i++)
        total += corpus->worth[i];
    const double unit = cor_rng_unit(rng), aim = unit * total;
    for (uint32_t i = 0; i < corpus->count && sum <= aim; i++) {
        if (corpus->worth[i] > 0)
            chosen = i;
        sum += corpus->worth[i];
    }
    const double relative = total > 0 ? 4 * corpus->worth[chosen] * corpus->count / total : 1;
    *energy = relative < 1 ? 1 : relative > ENERGY_MAX ? ENERGY_MAX : (double)(uint32_t)relative;
    return chosen;
}

uint32_t search_layer__corpus_aim(const struct search_layer__corpus *corpus, uint32_t index,
                                  struct cor_rng *rng) {
    const struct search_layer__corpus_entry *entry = &corpus->entry[index];
    double total = 0, sum = 0;
    uint32_t since = 0;
    for (uint32_t i = 0; i < entry->feature_count; i++)
        if (corpus->best[entry->features[i]] == index + 1)
            total += corpus->weight[entry->features[i]] / corpus->hits[entry->features[i]];
    const double unit = cor_rng_unit(rng), aim = unit * total;
    for (uint32_t i = 0; i < entry->feature_count && sum <= aim; i++)
        if (corpus->best[entry->features[i]] == index + 1) {
            since = entry->since[i];
            sum += corpus->weight[entry->features[i]] / corpus->hits[entry->features[i]];
        }
    return since;
}

void search_layer__corpus_minimize(struct search_layer__corpus *corpus) {
    struct cor_feature_set covered = {{0}};
    uint32_t kept = 0;
    while (kept < corpus->count) {
        uint32_t best = kept, most = 0;
        for (uint32_t i = kept; i < corpus->count; i++) {
            const struct search_layer__corpus_entry *it = &corpus->entry[i];
            uint32_t added = 0;
            for (uint32_t j = 0; j < it->feature_count; j++)
                added += !cor_feature_set_has(&covered, it->features[j]);
            /* more a cost: without a division */
            if (added > 0 && (most == 0 || (double)added * (double)corpus->entry[best].cost >
                                               (double)most * (double)corpus->entry[i].cost)) {
                best = i;
                most = added;
            }
        }
        if (most == 0)
            break;
        const struct search_layer__corpus_entry entry = corpus->entry[best];
        corpus->entry[best] = corpus->entry[kept];
        corpus->entry[kept++] = entry;
        for (uint32_t i = 0; i < entry.feature_count; i++)
            cor_feature_set_add(&covered, &(uint32_t){entry.features[i]}, 1);
    }
    while (corpus->count > kept)
        fini_entry(&corpus->entry[--corpus->count]);
    claim_all(corpus);
}

enum cor_status search_layer__put_test_text(struct cor_record *record, const struct cor_test *test,
                                            uint64_t *start, uint32_t *size, struct cor_error *error) {
    char *text;
    COR_TRY(cor_test_text(test, &text, error));
    *size = (uint32_t)strlen(text);
    const enum cor_status status = cor_record_put(record, COR_SEARCH_VECTOR_TEXT, text, *size, start, error);
    free(text);
    return status;
}

enum cor_status search_layer__corpus_put(const struct search_layer__corpus *corpus, struct cor_record *record,
                                         struct cor_error *error) {
    for (uint32_t i = 0; i < corpus->count; i++) {
        const struct search_layer__corpus_entry *entry = &corpus->entry[i];
        uint64_t text_start, feature_start;
        uint32_t size;
        COR_TRY(search_layer__put_test_text(record, entry->test, &text_start, &size, error));
        COR_TRY(cor_record_put(record, COR_SEARCH_VECTOR_FEATURE, entry->features, entry->feature_count,
                               &feature_start, error));
        struct cor_search_corpus_row *row = cor_record_row(record, COR_SEARCH_TABLE_CORPUS, error);
        COR_TRY(cor_made(row, error));
        row->test = entry->number;
        row->favoured = entry->favoured;
        row->feature_start = feature_start;
        row->features = entry->feature_count;
        row->text_start = text_start;
        row->text = size;
    }
    return COR_OK;
}
