/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that an experiment names, as its world and to choose: what they do is not in its text, but in the
 * files that they are made of. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/traffic.h>

#include <stdlib.h>

enum cor_status system_layer__guest_add(struct cor_system_experiment *experiment, const char *command,
                                        uint32_t arm, const struct cor_layer_options *options,
                                        struct cor_error *error) {
    if (options && !options->replay_traffic) /* then nothing is started */
        COR_TRY(cor_trust_check(&options->trust, command, error));
    COR_TRY(
        COR_RESERVE(&experiment->guests, &experiment->guest_capacity, experiment->guest_count + 1, error));
    experiment->guests[experiment->guest_count++] = (struct cor_system_guest){.command = command, .arm = arm};
    return COR_OK;
}

/* The digest of an arm is those of its programs, one behind the other; none if one is not known. */
static enum cor_status find_digests(struct cor_system_experiment *experiment, struct cor_error *error) {
    struct cor_experiment_head *head = &experiment->head;
    head->resumable = true;
    for (uint32_t a = 0; a < head->arm_count; a++) {
        struct cor_system_arm *arm = &experiment->arms[a];
        bool is_known = !experiment->runs_code;
        head->arms[a].foreign = experiment->runs_code;
        for (uint32_t g = 0; g < experiment->guest_count; g++) {
            const struct cor_system_guest *guest = &experiment->guests[g];
            if (guest->arm != COR_NONE && guest->arm != a)
                continue;
            head->arms[a].foreign = true;
            is_known = is_known && guest->files.digest;
            if (!is_known)
                continue;
            arm->digest = cor_join_take(arm->digest ? arm->digest : cor_strdup(""), "",
                                        cor_strdup(guest->files.digest));
            COR_TRY(cor_made(arm->digest, error));
        }
        head->arms[a].digest = is_known ? arm->digest : NULL;
        head->resumable = head->resumable && is_known;
    }
    return COR_OK;
}

enum cor_status system_layer__guests_look(struct cor_system_experiment *experiment, bool are_walls_required,
                                          char **warnings, struct cor_error *error) {
    struct cor_needs needs = {0};
    enum cor_status status = COR_OK;
    if (experiment->guest_count == 0 && !experiment->runs_code)
        return COR_OK;
    if (!experiment->traffic) { /* a recording is of one run, and is played without a program */
        for (uint32_t g = 0; g < experiment->guest_count; g++)
            COR_TRY(
                cor_guest_files(&experiment->guests[g].files, experiment->guests[g].command, false, error));
        COR_TRY(find_digests(experiment, error));
    }
    for (uint32_t g = 0; g < experiment->guest_count && !cor_traffic_replays(experiment->traffic); g++)
        COR_TRY_OUT(cor_needs_of_program(&needs, experiment->guests[g].command, false, error));
    if (experiment->runs_code)
        COR_TRY_OUT(experiment->world->maker->needs(
            experiment->world, !cor_traffic_replays(experiment->traffic), &needs, error));
    if (!experiment->is_free)
        COR_TRY_OUT(cor_guarantees_look(experiment->head.path, &needs, are_walls_required, warnings, error));
out:
    cor_needs_fini(&needs);
    return status;
}

static const struct cor_guest_files *files_of(const void *guests, size_t guest) {
    return &((const struct cor_system_guest *)guests)[guest].files;
}

void system_layer__guests_put(const struct cor_system_experiment *experiment,
                              struct cor_json_writer *writer) {
    cor_json_open_array(writer, "programs");
    cor_guest_files_put(writer, "program", files_of, experiment->guests, experiment->guest_count);
    cor_json_close(writer);
}

void system_layer__guests_fini(struct cor_system_experiment *experiment) {
    for (uint32_t g = 0; g < experiment->guest_count; g++)
        cor_guest_files_fini(&experiment->guests[g].files);
    free(experiment->guests);
}
