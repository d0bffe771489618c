/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites of any layer again: the experiment in the file, executed as a worker does. */
#include "output.h"
#include "replay.h"
#include "running.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>

struct stored {
    struct cor_opened opened;
    void *executor;
    struct cor_alone *alone; /* owned; NULL: not asked for yet */
    uint32_t arms;
};

static void close_stored(void *self) {
    struct stored *stored = self;
    if (!stored)
        return;
    cor_alone_destroy(stored->alone);
    if (stored->executor)
        stored->opened.layer->close(stored->executor);
    cor_opened_fini(&stored->opened);
    free(stored);
}

enum cor_status cor_note_build(const struct cor_opened *opened, const struct cor_result *result,
                               const char *path, struct cor_error *error) {
    char *words;
    COR_TRY(cor_provenance_differs(opened->layer, opened->experiment, cor_result_head(result)->provenance,
                                   &words, error));
    if (words)
        cor_say("note: %s was made by something else: %s", path, words);
    free(words);
    return COR_OK;
}

static enum cor_status open_stored(struct cor_result *result, const char *path, bool trust,
                                   enum cor_isolation isolation, const char *traffic, void **self,
                                   struct cor_error *error) {
    struct stored *stored = cor_calloc(1, sizeof *stored);
    COR_TRY(cor_made(stored, error));
    enum cor_status status = COR_OK;
    const struct cor_layer_options asked = {.isolation = (int)isolation, .replay_traffic = traffic};
    COR_TRY_OUT(cor_open_stored(result, path, trust, &asked, &stored->opened, error));
    const struct cor_layer *layer = stored->opened.layer;
    if (layer->schema != cor_result_head(result)->layer)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "it is not as it was written",
                             "is a \"%s\" with an experiment of another layer",
                             cor_result_head(result)->layer->format));
    stored->arms = stored->opened.experiment->arm_count;
    COR_TRY_OUT(cor_note_build(&stored->opened, result, path, error));
    status = layer->open(stored->opened.experiment, &stored->executor, error);
out:
    if (status != COR_OK)
        close_stored(stored);
    else
        *self = stored;
    return status;
}

static enum cor_status execute_stored(void *self, uint16_t arm, uint32_t suite, struct cor_record *record,
                                      struct cor_error *error) {
    struct stored *stored = self;
    struct cor_suite_counts tally = {0};
    if (arm >= stored->arms)
        return cor_fail(error, COR_STATUS_INPUT, "the file", "it is not as it was written",
                        "has suites of arm %u, and an experiment of %u arms", arm, stored->arms);
    return stored->opened.layer->execute(stored->executor, arm, suite, NULL, record, &tally, error);
}

static enum cor_status execute_alone(void *self, struct cor_alone **alone, struct cor_error *error) {
    struct stored *stored = self;
    if (stored->opened.layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "name a suite of it: ARM/SUITE",
                        "suites of this file have no sequences");
    if (!stored->alone)
        COR_TRY(cor_alone_create((const struct cor_interaction *)stored->opened.experiment, &stored->alone,
                                 error));
    *alone = stored->alone;
    return COR_OK;
}

struct cor_alone_definition cor_alone_of(const struct cor_result_header *head,
                                         const struct cor_failing *which, struct cor_branch *branch) {
    *branch = (struct cor_branch){which->parent, which->prefix};
    return (struct cor_alone_definition){.arm = cor_arm_entry(head, which->key.arm)->code,
                                         .suite = which->key.suite,
                                         .sequence = which->key.sequence,
                                         .branch = which->continues ? branch : NULL};
}

const struct cor_replayer cor_suite_replayer = {
    .open = open_stored, .execute = execute_stored, .alone = execute_alone, .close = close_stored};
