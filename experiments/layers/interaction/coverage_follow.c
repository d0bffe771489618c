/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coverage_follow.h"

#include <corridor/array.h>
#include <corridor/interaction.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What all suites of an arm have seen of an environment's profile. */
struct seen {
    uint32_t states, arcs; /* of the profile; 0 = no suite has walked it */
    uint32_t states_seen, arcs_seen;
    bool *state, *arc; /* owned; [states], [from * states + to] */
};

struct follower {
    const struct cor_test_model *model; /* borrowed */
    uint32_t arm_count;
    struct seen *seen; /* owned; [arm][environment] */
};

enum cor_status interaction__follow_open(const void *interaction, void **follower, struct cor_error *error) {
    const struct cor_experiment *experiment = ((const struct cor_interaction *)interaction)->experiment;
    struct follower *made = *follower = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->model = experiment->model;
    made->arm_count = experiment->arm_count;
    made->seen = cor_calloc((size_t)made->arm_count * made->model->environment_count, sizeof *made->seen);
    return cor_made(made->seen, error);
}

void interaction__follow_close(void *with) {
    struct follower *follower = with;
    if (!follower)
        return;
    for (size_t i = 0; follower->seen && i < (size_t)follower->arm_count * follower->model->environment_count;
         i++) {
        free(follower->seen[i].state);
        free(follower->seen[i].arc);
    }
    free(follower->seen);
    free(follower);
}

/* What is known of the profile of that number in the suite; NULL: it is drawn for each suite. */
static struct seen *seen_of(const struct follower *follower, uint32_t arm, struct cor_record *record,
                            uint16_t profile) {
    if (profile >= cor_record_size(record, COR_TABLE_PROFILES))
        return NULL;
    const struct cor_profile_row *row = cor_record_at(record, COR_TABLE_PROFILES, profile);
    if (row->environment >= follower->model->environment_count ||
        follower->model->environments[row->environment].is_random)
        return NULL;
    return &follower->seen[(size_t)arm * follower->model->environment_count + row->environment];
}

static void mark(bool *flag, uint32_t *count) {
    *count += !*flag;
    *flag = true;
}

enum cor_status interaction__follow_suite(void *follower, uint32_t arm, struct cor_record *record,
                                          struct cor_detections *detections, struct cor_error *error) {
    /* Reorganizations lie by sequence. */
    uint32_t last = UINT32_MAX;
    detections->sequences = (uint32_t)cor_record_size(record, COR_TABLE_SEQUENCES);
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, i);
        if ((cor_is_detection(row->gray) || cor_is_detection(row->black)) && row->sequence != last) {
            detections->detected++;
            last = row->sequence;
        }
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CHAINS); i++) { /* others take no part */
        const struct cor_chain_row *chain = cor_record_at(record, COR_TABLE_CHAINS, i);
        struct seen *seen = seen_of(follower, arm, record, chain->profile);
        if (seen) {
            const struct cor_profile_row *row = cor_record_at(record, COR_TABLE_PROFILES, chain->profile);
            if (seen->states > 0)
                continue;
            seen->state = cor_calloc(row->states, sizeof *seen->state);
            seen->arc = cor_calloc((size_t)row->states * row->states, sizeof *seen->arc);
            COR_TRY(cor_made(seen->state, error));
            COR_TRY(cor_made(seen->arc, error));
            seen->states = row->states;
            seen->arcs = row->arcs;
        }
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_VISITS); i++) {
        const struct cor_visit_row *visit = cor_record_at(record, COR_TABLE_VISITS, i);
        struct seen *seen = seen_of(follower, arm, record, visit->profile);
        if (seen && visit->count > 0 && visit->state < seen->states)
            mark(&seen->state[visit->state], &seen->states_seen);
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_TRANSITIONS); i++) {
        const struct cor_transition_row *taken = cor_record_at(record, COR_TABLE_TRANSITIONS, i);
        struct seen *seen = seen_of(follower, arm, record, taken->profile);
        if (seen && taken->count > 0 && taken->probability > 0 && taken->from < seen->states &&
            taken->to < seen->states)
            mark(&seen->arc[(size_t)taken->from * seen->states + taken->to], &seen->arcs_seen);
    }
    return COR_OK;
}

void interaction__follow_coverage(const void *with, uint32_t arm, double *states, double *transitions) {
    const struct follower *follower = with;
    *states = *transitions = NAN;
    COR_ASSERT(arm < follower->arm_count);
    for (uint32_t e = 0; e < follower->model->environment_count; e++) {
        const struct seen *seen = &follower->seen[(size_t)arm * follower->model->environment_count + e];
        if (seen->states == 0)
            continue;
        *states = fmin(*states, (double)seen->states_seen / seen->states);
        *transitions = fmin(*transitions, seen->arcs > 0 ? (double)seen->arcs_seen / seen->arcs : 1);
    }
}

/* Rows of one sequence, which lie together: where they begin, and how many. `sequence_in` is where a row says
 * which one it is of. */
static const void *rows_of(struct cor_record *record, enum cor_table table, size_t sequence_in,
                           uint32_t sequence, size_t *count) {
    const size_t size = cor_record_size(record, table);
    const unsigned char *first = NULL;
    *count = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char *row = cor_record_at(record, table, i);
        uint16_t of;
        memcpy(&of, row + sequence_in, sizeof of);
        if (of > sequence)
            break;
        if (of == sequence && (*count)++ == 0)
            first = row;
    }
    return first;
}

enum cor_status interaction__follow_ask(struct cor_property *property, struct cor_record *record,
                                        uint32_t sequence, struct cor_property_value *value,
                                        struct cor_error *error) {
    struct cor_case_tables rows = {0};
#define ROWS_OF(TABLE, table)                                                                           \
    rows.table##s = rows_of(record, COR_TABLE_##TABLE##S, offsetof(struct cor_##table##_row, sequence), \
                            sequence, &rows.table##_count)
    ROWS_OF(CASE, case);
    ROWS_OF(REORGANIZATION, reorganization);
    ROWS_OF(VIOLATION, violation);
    ROWS_OF(CONSTRAINT, constraint);
    ROWS_OF(TICK, tick);
    ROWS_OF(SNAPSHOT, snapshot);
#undef ROWS_OF
    rows.has_text =
        cor_record_size(record, COR_TABLE_FORMULAS) > 0; /* there is one of each sequence at least */
    return cor_property_ask(property, &rows, value, error);
}
