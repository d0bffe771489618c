/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW (4u << 20) /* bytes of walks read at a time; less where there are fewer */

enum cor_status cor_walk_window_init(struct cor_walk_window *window, struct cor_result *result,
                                     struct cor_error *error) {
    const uint64_t size = cor_result_vector_size(result, COR_VECTOR_WALK);
    *window = (struct cor_walk_window){.result = result,
                                       .bytes = cor_calloc(size < WINDOW ? (size_t)size + 1 : WINDOW, 1)};
    return window->bytes ? COR_OK : cor_fail_memory(error);
}

void cor_walk_window_fini(struct cor_walk_window *window) {
    free(window->bytes);
    *window = (struct cor_walk_window){0};
}

/* Side by side in lanes, so that a compiler may use vectors. */
static uint8_t greatest(const uint8_t *bytes, size_t count) {
    enum { LANES = 16 };
    uint8_t lane[LANES] = {0}, most = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] = bytes[i + l] > lane[l] ? bytes[i + l] : lane[l];
    for (; i < count; i++)
        most = bytes[i] > most ? bytes[i] : most;
    for (size_t l = 0; l < LANES; l++)
        most = lane[l] > most ? lane[l] : most;
    return most;
}

enum cor_status cor_walk_look(struct cor_walk_window *window, uint64_t position, uint64_t wanted,
                              uint32_t states, const uint8_t **bytes, size_t *count,
                              struct cor_error *error) {
    COR_ASSERT(wanted > 0);
    if (position < window->start || position - window->start >= window->size) {
        uint64_t size = cor_result_vector_size(window->result, COR_VECTOR_WALK);
        uint64_t left = position < size ? size - position : 0;
        window->start = position;
        window->size = 0;
        if (left == 0)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "a walk begins or ends behind the %" PRIu64 " bytes of vectors/walk", size);
        size_t taken = left < WINDOW ? (size_t)left : WINDOW;
        COR_TRY(
            cor_result_read_vector(window->result, COR_VECTOR_WALK, position, taken, window->bytes, error));
        window->size = taken;
    }
    size_t offset = (size_t)(position - window->start), held = window->size - offset;
    *bytes = window->bytes + offset;
    *count = wanted < held ? (size_t)wanted : held;
    uint8_t most = greatest(*bytes, *count);
    if (most >= states)
        return cor_damaged(error, COR_TABLE_SEQUENCES,
                           "a walk visits state %u of a profile of %" PRIu32 " states", most, states);
    return COR_OK;
}

enum cor_status cor_sequence_walk_read(struct cor_sequence_walk *walk, const struct cor_suite_rows *suite,
                                       uint32_t sequence, struct cor_result *result,
                                       struct cor_error *error) {
    COR_ASSERT(sequence < suite->row.sequences && suite->sequence[sequence].row);
    const struct cor_sequence_row *row = suite->sequence[sequence].row;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    walk->length = (size_t)row->cases + 1;
    size_t size = walk->length * suite->row.chains;
    COR_TRY(COR_RESERVE(&walk->states, &walk->capacity, size, error));
    COR_TRY(cor_result_read_vector(result, COR_VECTOR_WALK, row->walk_start, size, walk->states, error));
    for (uint32_t c = 0; c < suite->row.chains; c++) {
        uint8_t most = greatest(walk->states + c * walk->length, walk->length);
        if (most >= profile[chain[c].profile].states)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": the walk of sequence %" PRIu32
                               " visits state %u of a profile of %u states",
                               suite->row.arm, suite->row.suite, sequence, most,
                               profile[chain[c].profile].states);
    }
    return COR_OK;
}

void cor_sequence_walk_fini(struct cor_sequence_walk *walk) {
    free(walk->states);
    *walk = (struct cor_sequence_walk){0};
}

/* ---- state names */

void cor_state_names_init(struct cor_state_names *names, const struct cor_result *result) {
    struct cor_error unread = COR_NO_ERROR;
    *names = (struct cor_state_names){.result = result};
    /* names are a service: without them states are numbered */
    if (cor_json_parse(cor_result_head(result)->experiment, "/experiment", &names->document, &unread) !=
        COR_OK)
        names->document = NULL;
}

void cor_state_names_fini(struct cor_state_names *names) {
    cor_json_destroy(names->document);
    names->document = NULL;
}

const char *cor_environment_name(const struct cor_state_names *names, uint16_t environment) {
    return cor_result_name(names->result, COR_CATALOG_ENVIRONMENT, environment);
}

/* What `use` is asked of /model/environments/NAME/profile; false if there is no such thing. The way there is
 * kept on the stack, as struct cor_json wants it. */
static bool with_profile(const struct cor_state_names *names, uint16_t environment,
                         bool (*use)(const struct cor_json *profile, uint32_t state, void *into),
                         uint32_t state, void *into) {
    struct cor_json model, environments, one, profile;
    if (!names->document)
        return false;
    struct cor_json root = cor_json_root(names->document);
    return cor_json_find(&root, "model", &model) && cor_json_find(&model, "environments", &environments) &&
           cor_json_find(&environments, cor_environment_name(names, environment), &one) &&
           cor_json_find(&one, "profile", &profile) && use(&profile, state, into);
}

static bool is_there(const struct cor_json *profile, uint32_t state, void *into) {
    (void)state;
    (void)into;
    return cor_json_is_object(profile);
}

bool cor_is_profile_given(const struct cor_state_names *names, uint16_t environment) {
    return with_profile(names, environment, is_there, 0, NULL);
}

static bool take_name(const struct cor_json *profile, uint32_t state, void *text) {
    struct cor_json states;
    const char *name;
    if (!cor_json_find(profile, "states", &states) || state >= cor_json_size(&states))
        return false;
    struct cor_json item = cor_json_at(&states, state);
    if (!cor_json_is_string(&item) || cor_json_string(&item, &name, NULL) != COR_OK ||
        !cor_is_printable(name))
        return false;
    snprintf(text, COR_STATE_NAME, "%s", name);
    return true;
}

void cor_state_name(const struct cor_state_names *names, uint16_t environment, uint32_t state,
                    char text[COR_STATE_NAME]) {
    if (!with_profile(names, environment, take_name, state, text))
        snprintf(text, COR_STATE_NAME, "state %u", state);
}

/* The state of a profile called `name`; `states` if there is none. */
static uint32_t state_called(const struct cor_json *profile, uint32_t states, const char *name) {
    for (uint32_t i = 0; i < states; i++) {
        char its[COR_STATE_NAME];
        if (take_name(profile, i, its) && strcmp(its, name) == 0)
            return i;
    }
    return states;
}

static bool take_start(const struct cor_json *profile, uint32_t states, void *into) {
    struct cor_json start;
    const char *name;
    double law[UINT8_MAX + 1] = {0}, sum = 0;
    if (!cor_json_find(profile, "start", &start) || states > UINT8_MAX)
        return false;
    if (cor_json_is_string(&start)) {
        if (cor_json_string(&start, &name, NULL) != COR_OK)
            return false;
        law[state_called(profile, states, name)] = 1;
    } else if (cor_json_is_object(&start)) {
        for (size_t i = 0; i < cor_json_size(&start); i++) {
            struct cor_json item = cor_json_at(&start, i);
            if (cor_json_real(&item, 0, 1, &law[state_called(profile, states, item.key)], NULL) != COR_OK)
                return false;
        }
    }
    for (uint32_t i = 0; i < states; i++)
        sum += law[i];
    if (!(fabs(sum - 1) <= 1e-6)) /* "stationary", or no law: what is not of a state was put behind them */
        return false;
    memcpy(into, law, states * sizeof *law);
    return true;
}

void cor_profile_start(const struct cor_state_names *names, uint16_t environment, uint32_t states,
                       double *start) {
    (void)with_profile(names, environment, take_start, states, start);
}
