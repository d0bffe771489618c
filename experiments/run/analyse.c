/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking z3, in a child process, whether the parameters of each arm can be drawn at all. What comes back are
 * plain numbers: the tightened ranges, by which this process and its workers then draw. */
#include <corridor/interaction.h>

#include <corridor/array.h>
#include <corridor/process.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_SIZE 65536
#define NOTE_SIZE 2048 /* of one arm */

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

/* "arm, arm: text", once for all arms of which the same is said. */
static void add_note(char *notes, const struct cor_experiment *experiment, const char (*note)[NOTE_SIZE],
                     uint32_t arm) {
    for (uint32_t before = 0; before < arm; before++)
        if (strcmp(note[before], note[arm]) == 0)
            return;
    size_t used = strlen(notes);
    uint32_t same = 0;
    for (uint32_t a = arm; a < experiment->arm_count; a++) {
        if (strcmp(note[a], note[arm]) != 0 || used >= NOTES_SIZE)
            continue;
        snprintf(notes + used, NOTES_SIZE - used, "%s%s", same++ > 0 ? ", " : "", experiment->arms[a].name);
        used = strlen(notes);
    }
    if (same == experiment->arm_count)
        snprintf(notes, NOTES_SIZE, "all arms");
    used = strlen(notes);
    snprintf(notes + used, NOTES_SIZE - used, ": %s\n", note[arm]);
}

static enum cor_status analyse_all(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)size;
    const struct cor_experiment *experiment = argument;
    struct analysis *analysis = answer;
    int64_t *bounds = analysis->bounds;
    enum cor_status status = COR_OK;
    char(*note)[NOTE_SIZE] = cor_calloc(experiment->arm_count, sizeof *note);
    if (!note)
        return cor_fail_memory(error);
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_parameter_laws *laws = experiment->arms[a].laws;
        COR_TRY_OUT(cor_parameter_laws_analyse(laws, note[a], sizeof note[a], error));
        cor_parameter_laws_get_bounds(laws, bounds);
        bounds += 2 * (size_t)cor_parameter_laws_size(laws);
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (note[a][0] != '\0')
            add_note(analysis->notes, experiment, (const char(*)[NOTE_SIZE])note, a);
out:
    free(note);
    return status;
}

enum cor_status cor_experiment_analyse(struct cor_experiment *experiment, char **notes,
                                       struct cor_error *error) {
    size_t size = sizeof(struct analysis) + bound_count(experiment) * sizeof(int64_t);
    enum cor_status status = COR_OK;
    struct analysis *analysis = cor_calloc(1, size);
    if (!analysis)
        return cor_fail_memory(error);
    COR_TRY_OUT(cor_in_child(analyse_all, experiment, analysis, size, error));
    const int64_t *bounds = analysis->bounds;
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        cor_parameter_laws_set_bounds(experiment->arms[a].laws, bounds);
        bounds += 2 * (size_t)cor_parameter_laws_size(experiment->arms[a].laws);
    }
    if (notes && !(*notes = cor_strdup(analysis->notes)))
        COR_TRY_OUT(cor_fail_memory(error));
out:
    free(analysis);
    return status;
}
