/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "follow.h"

#include <corridor/array.h>
#include <corridor/inquiries.h>
#include <corridor/interval.h>

#include <math.h>
#include <stdlib.h>

#define LEVEL 0.95

/* Suites of an arm: sequences with a detection, and sequences. */
struct campaign__sample {
    double *detected, *sequences; /* owned */
    size_t count, detected_capacity, sequences_capacity;
};

enum cor_status campaign__follower_create(const struct cor_campaign_definition *definition,
                                          struct campaign__follower **follower, struct cor_error *error) {
    const struct cor_layer *layer = definition->layer;
    enum cor_status status = COR_OK;
    *follower = NULL;
    if (!layer->follow)
        return COR_OK;
    struct campaign__follower *f = cor_calloc(1, sizeof *f);
    COR_TRY(cor_made(f, error));
    f->layer = layer;
    f->inquiries = definition->inquiries;
    f->arm_count = definition->experiment->arm_count;
    f->half_width = NAN;
    f->sample = cor_calloc(f->arm_count, sizeof *f->sample);
    COR_TRY_OUT(cor_made(f->sample, error));
    COR_TRY_OUT(cor_record_create(layer->schema, &f->record, error));
    COR_TRY_OUT(layer->follow_open(definition->experiment, &f->own, error));
    *follower = f;
out:
    if (status != COR_OK)
        campaign__follower_destroy(f);
    return status;
}

void campaign__follower_destroy(struct campaign__follower *follower) {
    if (!follower)
        return;
    for (uint32_t a = 0; follower->sample && a < follower->arm_count; a++) {
        free(follower->sample[a].detected);
        free(follower->sample[a].sequences);
    }
    free(follower->sample);
    cor_record_destroy(follower->record);
    follower->layer->follow_close(follower->own);
    free(follower);
}

/* Looked at after whole rounds: each of the first thousand, then one in a thousandth of those there were, as
 * each look goes through all suites. */
static enum cor_status find_half_width(struct campaign__follower *follower, struct cor_error *error) {
    uint64_t rounds = follower->followed / follower->arm_count;
    if (follower->followed % follower->arm_count != 0 || rounds % (1 + rounds / 1000) != 0)
        return COR_OK;
    follower->half_width = 0;
    for (uint32_t a = 0; a < follower->arm_count; a++) {
        const struct campaign__sample *sample = &follower->sample[a];
        struct cor_estimate estimate;
        const struct cor_suite_sample suites = {.y = sample->detected,
                                                .x = sample->sequences,
                                                .suites = (uint32_t)sample->count,
                                                .whole = 1,
                                                .level = LEVEL};
        COR_TRY(cor_estimate_ratio(COR_INTERVAL_LINEARISED, &suites, &estimate, error));
        const double half_width = (estimate.high - estimate.low) / 2;
        if (isnan(half_width) || half_width > follower->half_width)
            follower->half_width = half_width;
        if (isnan(half_width))
            break;
    }
    return COR_OK;
}

void campaign__follower_coverage(const struct campaign__follower *follower, double *states,
                                 double *transitions) {
    *states = *transitions = NAN;
    for (uint32_t a = 0; a < follower->arm_count; a++) {
        double arm_states, arm_transitions;
        follower->layer->coverage(follower->own, a, &arm_states, &arm_transitions);
        if (isnan(arm_states)) { /* nothing was seen there yet, or nothing can be */
            *states = *transitions = NAN;
            return;
        }
        *states = fmin(*states, arm_states);
        *transitions = fmin(*transitions, arm_transitions);
    }
}

/* What the first sequence of the suite says of the properties that are asked of its arm. */
static enum cor_status decide(struct campaign__follower *follower, const struct cor_journal_entry *entry,
                              struct cor_error *error) {
    for (uint32_t c = 0; follower->inquiries && c < follower->inquiries->count; c++) {
        struct cor_inquiry *inquiry = &follower->inquiries->items[c];
        struct cor_property_value value;
        if (!cor_inquiry_asks(inquiry, entry->arm) || inquiry->ruling.is_over)
            continue;
        COR_TRY(follower->layer->ask(inquiry->property, follower->record, 0, &value, error));
        COR_TRY(cor_inquiry_take(inquiry, entry->arm, entry->suite, &value, error));
    }
    return COR_OK;
}

/* 1, 2, 5, 10, 20, 50, ... */
static uint64_t growth_at(size_t index) {
    static const uint64_t steps[] = {1, 2, 5};
    uint64_t at = steps[index % 3];
    for (size_t i = 0; i < index / 3; i++)
        at *= 10;
    return at;
}

enum cor_status campaign__follow(struct campaign__follower *follower, const char *journal,
                                 const struct cor_journal_entry *entry, struct cor_error *error) {
    struct cor_detections detections = {0};
    COR_ASSERT(entry->arm < follower->arm_count);
    COR_TRY(cor_journal_read(journal, entry, follower->record, error));
    COR_TRY(follower->layer->follow(follower->own, entry->arm, follower->record, &detections, error));
    struct campaign__sample *sample = &follower->sample[entry->arm];
    COR_TRY(COR_RESERVE(&sample->detected, &sample->detected_capacity, sample->count + 1, error));
    COR_TRY(COR_RESERVE(&sample->sequences, &sample->sequences_capacity, sample->count + 1, error));
    sample->detected[sample->count] = detections.detected;
    sample->sequences[sample->count++] = detections.sequences;
    COR_TRY(decide(follower, entry, error));
    follower->followed++;
    follower->failures += entry->counts.failures;
    if (follower->growth_count < CAMPAIGN__GROWTH_MAX &&
        follower->followed == growth_at(follower->growth_count)) {
        struct cor_campaign_growth *point = &follower->growth[follower->growth_count++];
        *point = (struct cor_campaign_growth){.suites = follower->followed, .failures = follower->failures};
        campaign__follower_coverage(follower, &point->states, &point->transitions);
    }
    return find_half_width(follower, error);
}

enum cor_status campaign__follow_none(struct campaign__follower *follower, struct cor_error *error) {
    follower->followed++;
    return find_half_width(follower, error);
}
