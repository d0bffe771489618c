/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system that says what another one said: a test on line, again without it. */
#include <corridor/array.h>
#include <corridor/system.h>

#include <stdio.h>
#include <stdlib.h>

struct recording {
    struct cor_system system;
    const struct cor_recorded_answer *answers;
    size_t count, next;
};

/* The next answer, if it is one to such a question. */
static const struct cor_recorded_answer *answer(struct recording *recording, bool is_reset,
                                                enum cor_system_trouble *trouble) {
    const struct cor_recorded_answer *it =
        recording->next < recording->count ? &recording->answers[recording->next++] : NULL;
    if (!it || it->is_reset != is_reset) {
        *trouble = COR_SYSTEM_DIED;
        snprintf(recording->system.words, sizeof recording->system.words,
                 it ? "the record has %s here" : "the record ends here", is_reset ? "an input" : "a reset");
        return NULL;
    }
    *trouble = it->trouble;
    recording->system.timeouts += it->timeout;
    return it;
}

static enum cor_status reset(struct cor_system *system, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    (void)error;
    (void)answer((struct recording *)system, true, trouble);
    return COR_OK;
}

static enum cor_status give(struct cor_system *system, uint32_t label, const int64_t *values,
                            struct cor_efsm_observation *observation, enum cor_system_trouble *trouble,
                            struct cor_error *error) {
    const struct cor_recorded_answer *it = answer((struct recording *)system, false, trouble);
    (void)label;
    (void)values;
    cor_efsm_observation_clear(observation);
    system->told_count = it ? it->told_count : 0;
    for (uint32_t t = 0; t < system->told_count; t++)
        system->told[t] = it->told[t];
    for (uint32_t o = 0; it && o < it->observation.label_count; o++)
        COR_TRY(cor_efsm_observation_label(observation, it->observation.labels[o], error));
    for (uint32_t a = 0; it && a < it->observation.argument_count; a++)
        COR_TRY(cor_efsm_observation_argument(observation, it->observation.arguments[a], error));
    return COR_OK;
}

static void close_recording(struct cor_system *system) {
    free(system);
}

static const struct cor_system_kind kind = {reset, give, close_recording};

enum cor_status cor_recording_create(const struct cor_recorded_answer *answers, size_t count,
                                     struct cor_system **system, struct cor_error *error) {
    struct recording *made = cor_calloc(1, sizeof *made);
    *system = NULL;
    COR_TRY(cor_made(made, error));
    *made = (struct recording){.system.kind = &kind, .answers = answers, .count = count};
    *system = &made->system;
    return COR_OK;
}
