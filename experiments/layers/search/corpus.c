/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corpus.h"

#include <corridor/array.h>
#include <corridor/generator.h>
#include <corridor/hash.h>
#include <corridor/interaction.h>
#include <corridor/property.h>
#include <corridor/search_schema.h>
#include <corridor/test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISTANCE_STEPS 16

struct cor_feature_collector {
    struct cor_feature_set set;         /* of the present test */
    uint32_t *features;                 /* owned */
    struct cor_feature_origin *origins; /* owned; [feature] */
    uint32_t *taken;                    /* owned; [profile][from][to] of the present walk */
    uint32_t *taken_since;              /* owned; likewise: the case in which its class was reached */
    size_t count, capacity, origin_capacity, taken_capacity, taken_since_capacity;
};

enum cor_status cor_feature_collector_create(struct cor_feature_collector **collector,
                                             struct cor_error *error) {
    *collector = cor_calloc(1, sizeof **collector);
    return cor_made(*collector, error);
}

void cor_feature_collector_destroy(struct cor_feature_collector *collector) {
    if (!collector)
        return;
    COR_FREE(collector->features, collector->origins, collector->taken, collector->taken_since, collector);
}

uint32_t cor_count_class(uint64_t count) {
    static const uint32_t first[] = {1, 2, 3, 4, 8, 16, 32, 128};
    uint32_t class = 0;
    while (class < sizeof first / sizeof *first && count >= first[class])
        class ++;
    return class;
}

uint32_t cor_feature(enum cor_feature_kind kind, uint32_t about, uint32_t which, uint32_t class) {
    const uint64_t hash = cor_hash_word(cor_hash_word(COR_HASH_SEED, (uint64_t)kind << 32 | about),
                                        (uint64_t)which << 32 | class);
    return (uint32_t)(hash % COR_FEATURES);
}

uint32_t cor_feature_set_add(struct cor_feature_set *set, const uint32_t *features, uint32_t count) {
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        COR_ASSERT(features[i] < COR_FEATURES);
        uint64_t *word = &set->bits[features[i] / 64];
        const uint64_t bit = UINT64_C(1) << features[i] % 64;
        fresh += (*word & bit) == 0;
        *word |= bit;
    }
    return fresh;
}

uint32_t cor_feature_set_size(const struct cor_feature_set *set) {
    uint32_t size = 0;
    for (size_t i = 0; i < COR_FEATURES / 64; i++)
        for (uint64_t word = set->bits[i]; word != 0; word &= word - 1)
            size++;
    return size;
}

static enum cor_status put(struct cor_feature_collector *collector, enum cor_feature_kind kind,
                           uint32_t about, uint32_t which, uint32_t class, uint32_t since,
                           struct cor_error *error) {
    const uint32_t feature = cor_feature(kind, about, which, class);
    if (class == 0 || cor_feature_set_add(&collector->set, &feature, 1) == 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&collector->features, &collector->capacity, collector->count + 1, error));
    COR_TRY(COR_RESERVE(&collector->origins, &collector->origin_capacity, collector->count + 1, error));
    collector->origins[collector->count] = (struct cor_feature_origin){kind, since};
    collector->features[collector->count++] = feature;
    return COR_OK;
}

/* The case in which a cell of the probes came to the class that it has in the end; 0: nobody has observed. */
static uint32_t counted_since(const struct cor_feature_source *source, uint32_t cell) {
    uint64_t count = 0;
    uint32_t since = 0;
    for (uint32_t number = 1; source->observed && number <= source->cases; number++) {
        const uint64_t before = count;
        count += cor_tester_reaction(source->observed, number).counted[cell];
        if (cor_count_class(count) != cor_count_class(before))
            since = number;
    }
    return since;
}

static enum cor_status put_transitions(struct cor_feature_collector *collector,
                                       const struct cor_feature_source *source, struct cor_error *error) {
    const uint32_t profiles = source->suite->configuration->profile_count;
    enum cor_status status = COR_OK;
    size_t *start = cor_calloc((size_t)profiles + 1, sizeof *start);
    COR_TRY(cor_made(start, error));
    for (uint32_t p = 0; p < profiles; p++) {
        const size_t states = source->suite->profiles[p]->state_count;
        start[p + 1] = start[p] + states * states;
    }
    COR_TRY_OUT(COR_RESERVE(&collector->taken, &collector->taken_capacity, start[profiles] + 1, error));
    COR_TRY_OUT(
        COR_RESERVE(&collector->taken_since, &collector->taken_since_capacity, start[profiles] + 1, error));
    memset(collector->taken, 0, start[profiles] * sizeof *collector->taken);
    /* Transitions of all chains of one profile are counted together. */
    const struct cor_configuration *c = source->suite->configuration;
    const struct cor_walk *walk = &source->suite->recorded[0];
    for (uint32_t i = 0; i < source->cases && i < walk->case_count; i++) {
        const uint8_t *from = cor_walk_at(walk, i), *to = cor_walk_at(walk, i + 1);
        for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
            const uint32_t profile = c->profile_of_chain[chain];
            const size_t arc = start[profile] +
                               (size_t)from[chain] * source->suite->profiles[profile]->state_count +
                               to[chain];
            const uint32_t before = collector->taken[arc]++;
            if (cor_count_class(before) != cor_count_class(before + 1))
                collector->taken_since[arc] = i + 1;
        }
    }
    for (uint32_t p = 0; p < profiles; p++)
        for (size_t i = start[p]; i < start[p + 1]; i++)
            COR_TRY_OUT(put(collector, COR_FEATURE_TRANSITION, p, (uint32_t)(i - start[p]),
                            cor_count_class(collector->taken[i]), collector->taken_since[i], error));
out:
    free(start);
    return status;
}

/* What is left of a limit: nothing is something, too. */
static enum cor_status put_slack(struct cor_feature_collector *collector, uint32_t limit, int64_t slack,
                                 uint32_t since, struct cor_error *error) {
    const uint32_t sign = slack < 0;
    const uint64_t size = (uint64_t)(slack < 0 ? -slack : slack);
    return put(collector, COR_FEATURE_SLACK, limit, sign, 1 + cor_count_class(size), since, error);
}

static enum cor_status put_reorganizations(struct cor_feature_collector *collector,
                                           const struct cor_feature_source *source, struct cor_error *error) {
    const struct cor_configuration *c = source->suite->configuration;
    const size_t count = cor_record_size(source->record, COR_TABLE_REORGANIZATIONS);
    for (size_t i = 0; i < count; i++) {
        const struct cor_reorganization_row *row =
            cor_record_at(source->record, COR_TABLE_REORGANIZATIONS, i);
        const int64_t after = row->partitions_after, agents = c->agent_count;
        const uint32_t now = row->case_;
        COR_TRY(
            put(collector, COR_FEATURE_PARTITIONS, 0, 0, cor_count_class(row->partitions_after), now, error));
        COR_TRY(put_slack(collector, 5, (int64_t)c->limits.count_max - after, now, error));
        COR_TRY(put_slack(collector, 6, after - c->limits.count_min, now, error));
        COR_TRY(put_slack(collector, 7, agents - after * c->limits.size_min, now, error));
        COR_TRY(put_slack(collector, 8, after * c->limits.size_max - agents, now, error));
        COR_TRY(put(collector, COR_FEATURE_SEAM, 0, 0, cor_count_class(row->fault_reached), now, error));
        COR_TRY(put(collector, COR_FEATURE_SEAM, 1, 0, cor_count_class(row->fault_held), now, error));
        COR_TRY(put(collector, COR_FEATURE_SEAM, 2, 0, cor_count_class(row->fault_activated), now, error));
        COR_TRY(put(collector, COR_FEATURE_END, row->stop, row->smoke, 1, now, error));
    }
    return COR_OK;
}

static enum cor_status put_distances(struct cor_feature_collector *collector,
                                     const struct cor_feature_source *source, struct cor_error *error) {
    const double threshold = source->suite->configuration->threshold;
    const size_t count = cor_record_size(source->record, COR_TABLE_CASES);
    double most = 0;
    uint32_t since = 0;
    for (size_t i = 0; i < count; i++) {
        const struct cor_case_row *row = cor_record_at(source->record, COR_TABLE_CASES, i);
        if (row->dissimilarity > most) {
            most = row->dissimilarity;
            since = row->case_;
        }
    }
    const double steps = threshold > 0 ? DISTANCE_STEPS * most / threshold : most > 0 ? DISTANCE_STEPS : 0;
    const uint32_t step = steps < 4 * DISTANCE_STEPS ? (uint32_t)steps : 4 * DISTANCE_STEPS;
    return put(collector, COR_FEATURE_DISTANCE, 0, 0, 1 + step, since, error);
}

enum cor_status cor_features_collect(struct cor_feature_collector *collector,
                                     const struct cor_feature_source *source, const uint32_t **features,
                                     const struct cor_feature_origin **origins, uint32_t *count,
                                     struct cor_error *error) {
    memset(&collector->set, 0, sizeof collector->set);
    collector->count = 0;
    for (uint32_t c = 0; c < source->counter_count; c++)
        for (uint32_t i = source->probe_start[c]; i < source->probe_start[c + 1]; i++)
            if (source->probes[i] > 0)
                COR_TRY(put(collector, COR_FEATURE_PROBE, c, i - source->probe_start[c],
                            cor_count_class(source->probes[i]), counted_since(source, i), error));
    COR_TRY(put_transitions(collector, source, error));
    /* Of the configuration: how many numbers of partitions the sizes leave, and the numbers themselves. */
    const struct cor_configuration *c = source->suite->configuration;
    const int64_t agents = c->agent_count, most = agents / c->limits.size_min,
                  least = (agents + c->limits.size_max - 1) / c->limits.size_max;
    COR_TRY(put_slack(collector, 0, most - c->limits.count_min, 0, error));
    COR_TRY(put_slack(collector, 1, (int64_t)c->limits.count_max - least, 0, error));
    COR_TRY(put_slack(collector, 2, most - least, 0, error));
    COR_TRY(put_slack(collector, 3, (int64_t)c->limits.count_max - c->limits.count_min, 0, error));
    COR_TRY(put_slack(collector, 4, (int64_t)c->limits.size_max - c->limits.size_min, 0, error));
    COR_TRY(put_reorganizations(collector, source, error));
    COR_TRY(put_distances(collector, source, error));
    *features = collector->features;
    *origins = collector->origins;
    *count = (uint32_t)collector->count;
    return COR_OK;
}

/* ---- pattern */

#define CELL_MAX 1e15     /* magnitude of the number of a cell */
#define NO_CELL INT64_MIN /* of tests that do not say an amount */

struct cell {
    int64_t at[SEARCH_LAYER__PATTERN_AXES]; /* amount / width, rounded down; 0 on axes that are not there */
    uint32_t tests, sampled, first;         /* that came to it; those of a fixed number; the first */
    uint64_t cases;                         /* executed when that was over */
};

struct search_layer__pattern {
    struct cor_property *measure[SEARCH_LAYER__PATTERN_AXES]; /* owned */
    double width[SEARCH_LAYER__PATTERN_AXES];
    uint32_t axes;
    uint64_t fixed;     /* of tests */
    struct cell *cells; /* owned; in the order in which they were come to */
    size_t count, capacity;
    uint32_t *slots; /* owned; hashed: 1 + cell, 0: none; a power of two, at least twice the cells */
    size_t slot_count;
    uint32_t feature;
    struct cor_feature_origin origin;
};

enum cor_status search_layer__pattern_create(const char *text, const char *place, uint64_t fixed,
                                             struct search_layer__pattern **made, struct cor_error *error) {
    struct search_layer__pattern *pattern = *made = cor_calloc(1, sizeof *pattern);
    char *copy = cor_strdup(text), *rest = copy;
    enum cor_status status = cor_made(pattern, error);
    if (status == COR_OK)
        status = cor_made(copy, error);
    if (status == COR_OK)
        pattern->fixed = fixed;
    while (status == COR_OK && rest) {
        char *axis = rest;
        rest = strchr(axis, ';');
        if (rest)
            *rest++ = '\0';
        /* "AMOUNT by WIDTH", which is cut into its parts. */
        char *by = NULL, *end = NULL;
        for (char *at = strstr(axis, " by "); at; at = strstr(at + 1, " by "))
            by = at;
        const double width = by ? strtod(by + 4, &end) : 0;
        if (by)
            end += strspn(end, " ");
        if (!by || end == by + 4 || *end != '\0' || !(width > 0) || !isfinite(width))
            status = cor_fail(error, COR_STATUS_INPUT, place, "write AMOUNT by WIDTH, as in sum moved by 100",
                              "\"%.200s\" is no amount with the width of its cells", axis);
        else if (pattern->axes == SEARCH_LAYER__PATTERN_AXES)
            status = cor_fail(error, COR_STATUS_INPUT, place, "leave some out",
                              "a pattern space has at most %d amounts", SEARCH_LAYER__PATTERN_AXES);
        else {
            *by = '\0';
            pattern->width[pattern->axes] = width;
            status =
                cor_measure_parse(axis + strspn(axis, " "), place, &pattern->measure[pattern->axes++], error);
        }
    }
    free(copy);
    if (status != COR_OK) {
        search_layer__pattern_destroy(pattern);
        *made = NULL;
    }
    return status;
}

void search_layer__pattern_destroy(struct search_layer__pattern *pattern) {
    if (!pattern)
        return;
    for (uint32_t a = 0; a < pattern->axes; a++)
        cor_property_destroy(pattern->measure[a]);
    COR_FREE(pattern->cells, pattern->slots, pattern);
}

/* The slot of a cell, or the free one where it would be. */
static uint32_t *slot_of(const struct search_layer__pattern *pattern, const int64_t *at) {
    uint64_t hash = COR_HASH_SEED;
    for (uint32_t a = 0; a < SEARCH_LAYER__PATTERN_AXES; a++)
        hash = cor_hash_word(hash, (uint64_t)at[a]);
    size_t slot = hash & (pattern->slot_count - 1);
    while (pattern->slots[slot] > 0 &&
           memcmp(pattern->cells[pattern->slots[slot] - 1].at, at, sizeof pattern->cells->at) != 0)
        slot = (slot + 1) & (pattern->slot_count - 1);
    return &pattern->slots[slot];
}

enum cor_status search_layer__pattern_see(struct search_layer__pattern *pattern, struct cor_seen *seen,
                                          struct cor_error *error) {
    int64_t at[SEARCH_LAYER__PATTERN_AXES] = {0};
    /* The cell of a test; NO_CELL on all axes: it does not say an amount, or one beyond all cells. */
    struct cor_record *record = seen->record;
    bool is_known = cor_record_size(record, COR_TABLE_CASES) > 0;
    for (uint32_t a = 0; a < pattern->axes && is_known; a++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, 0);
        struct cor_property_value value;
        COR_TRY(cor_interaction_layer.ask(pattern->measure[a], record, row->sequence, &value, error));
        const double cell = floor(value.value / pattern->width[a]);
        is_known = fabs(cell) <= CELL_MAX; /* not of NaN */
        at[a] = is_known ? (int64_t)cell : 0;
    }
    for (uint32_t a = 0; a < SEARCH_LAYER__PATTERN_AXES && !is_known; a++)
        at[a] = NO_CELL;
    /* Room for one more cell. */
    COR_TRY(COR_RESERVE(&pattern->cells, &pattern->capacity, pattern->count + 1, error));
    if (2 * (pattern->count + 1) > pattern->slot_count) {
        const size_t slot_count = pattern->slot_count > 0 ? 2 * pattern->slot_count : 256;
        uint32_t *slots = cor_calloc(slot_count, sizeof *slots);
        COR_TRY(cor_made(slots, error));
        free(pattern->slots);
        pattern->slots = slots;
        pattern->slot_count = slot_count;
        for (size_t c = 0; c < pattern->count; c++)
            *slot_of(pattern, pattern->cells[c].at) = (uint32_t)c + 1;
    }
    uint32_t *slot = slot_of(pattern, at);
    if (*slot == 0) {
        struct cell *cell = &pattern->cells[pattern->count++];
        *cell = (struct cell){.first = seen->number, .cases = seen->cases};
        memcpy(cell->at, at, sizeof at);
        *slot = (uint32_t)pattern->count;
    }
    pattern->cells[*slot - 1].tests++;
    pattern->cells[*slot - 1].sampled += seen->number <= pattern->fixed;
    pattern->feature = (*slot - 1) % COR_FEATURES;
    pattern->origin = (struct cor_feature_origin){.kind = COR_FEATURE_PATTERN};
    seen->features = &pattern->feature;
    seen->origins = &pattern->origin;
    seen->feature_count = at[0] != NO_CELL;
    return COR_OK;
}

enum cor_status search_layer__pattern_put(const struct search_layer__pattern *pattern,
                                          struct cor_record *record, struct cor_error *error) {
    for (size_t c = 0; c < pattern->count; c++) {
        const struct cell *cell = &pattern->cells[c];
        struct cor_search_cell_row *row = cor_record_row(record, COR_SEARCH_TABLE_CELLS, error);
        COR_TRY(cor_made(row, error));
        double low[SEARCH_LAYER__PATTERN_AXES];
        for (uint32_t a = 0; a < SEARCH_LAYER__PATTERN_AXES; a++)
            low[a] = a < pattern->axes && cell->at[a] != NO_CELL ? (double)cell->at[a] * pattern->width[a]
                                                                 : (double)NAN;
        row->cell = (uint32_t)c + 1;
        row->low_1 = low[0];
        row->low_2 = low[1];
        row->low_3 = low[2];
        row->tests = cell->tests;
        row->sampled = cell->sampled;
        row->first = cell->first;
        row->cases = cell->cases;
    }
    return COR_OK;
}

/* ---- corpus */

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

/* Idempotent. */
static void fini_mail_seen(struct search_layer__mail_seen *seen) {
    cor_mail_record_destroy(seen->record);
    free(seen->cases);
    *seen = (struct search_layer__mail_seen){0};
}

static void fini_entry(struct search_layer__corpus_entry *entry) {
    cor_test_destroy(entry->test);
    COR_FREE(entry->features, entry->since);
    fini_mail_seen(&entry->mail);
    *entry = (struct search_layer__corpus_entry){0};
}

void search_layer__corpus_fini(struct search_layer__corpus *corpus) {
    for (uint32_t i = 0; i < corpus->count; i++)
        fini_entry(&corpus->entry[i]);
    COR_FREE(corpus->entry, corpus->best, corpus->hits, corpus->weight, corpus->worth);
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
        COR_FREE(features, since);
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
    /* What an execution has left: `mail` of the tester, its rows. Identities of cases are their numbers. */
    struct search_layer__mail_seen *seen = &entry->mail;
    const size_t count = cor_record_size(rows, COR_TABLE_REORGANIZATIONS);
    *seen = (struct search_layer__mail_seen){.cases = cor_calloc(count, sizeof *seen->cases)};
    COR_TRY(cor_made(seen->cases, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_reorganization_row *row = cor_record_at(rows, COR_TABLE_REORGANIZATIONS, i);
        if (row->messages >= 2)
            seen->cases[seen->case_count++] = (struct search_layer__mail_case){row->case_, row->messages};
    }
    const enum cor_status status = cor_mail_record_copy(mail, &seen->record, error);
    if (status != COR_OK)
        fini_mail_seen(seen);
    COR_TRY(status);
    /* About what it takes in memory. */
    const size_t bytes =
        entry->mail.case_count * sizeof *entry->mail.cases +
        (entry->mail.record ? entry->mail.record->count * sizeof *entry->mail.record->entries : 0);
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
