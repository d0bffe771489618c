/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking z3, in a child process, whether the parameters of each arm can be drawn at all. What comes back are
 * plain numbers: the tightened ranges, by which this process and its workers then draw. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_SIZE 65536

/* The answer of the child: notes, then the ranges of all arms one after another. */
struct analysis {
    char notes[NOTES_SIZE];
    int64_t bounds[];
};

static size_t bound_count(const struct cor_experiment *experiment) {
    size_t count = 0;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        count += 2 * (size_t)cor_parameter_laws_size(experiment->arms[a].laws);
    return count;
}

static void add_note(char *notes, const char *arm, const char *text) {
    size_t used = strlen(notes);
    if (text[0] != '\0')
        snprintf(notes + used, NOTES_SIZE - used, "%s: %s\n", arm, text);
}

static enum cor_status analyse_all(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)size;
    const struct cor_experiment *experiment = argument;
    struct analysis *analysis = answer;
    int64_t *bounds = analysis->bounds;
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_arm *arm = &experiment->arms[a];
        char note[2048] = "";
        enum cor_status status = cor_parameter_laws_analyse(arm->laws, note, sizeof note, error);
        if (status != COR_OK)
            return status;
        add_note(analysis->notes, arm->name, note);
        cor_parameter_laws_get_bounds(arm->laws, bounds);
        bounds += 2 * (size_t)cor_parameter_laws_size(arm->laws);
    }
    return COR_OK;
}

enum cor_status cor_experiment_analyse(struct cor_experiment *experiment, char **notes,
                                       struct cor_error *error) {
    size_t size = sizeof(struct analysis) + bound_count(experiment) * sizeof(int64_t);
    struct analysis *analysis = cor_calloc(1, size);
    if (!analysis)
        return cor_fail_memory(error);
    enum cor_status status = cor__in_child(analyse_all, experiment, analysis, size, error);
    const int64_t *bounds = analysis->bounds;
    for (uint32_t a = 0; a < experiment->arm_count && status == COR_OK; a++) {
        cor_parameter_laws_set_bounds(experiment->arms[a].laws, bounds);
        bounds += 2 * (size_t)cor_parameter_laws_size(experiment->arms[a].laws);
    }
    if (status == COR_OK && notes && !(*notes = cor_strdup(analysis->notes)))
        status = cor_fail_memory(error);
    free(analysis);
    return status;
}
