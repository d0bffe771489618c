/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open.h"

#include <corridor/campaign.h>

#include <stdio.h>
#include <string.h>

static void warn_of_profile(const struct cor_environment *environment) {
    char warnings[4096];
    if (environment->is_random || cor_profile_warnings(environment->profile, warnings, sizeof warnings) == 0)
        return;
    for (char *line = strtok(warnings, "\n"); line; line = strtok(NULL, "\n"))
        fprintf(stderr, "corridor: warning: environment \"%s\": %s\n", environment->name, line);
}

enum cor_status cor_open_experiment(const char *path, struct cor_experiment **experiment, char **notes,
                                    struct cor_error *error) {
    enum cor_status status = cor_experiment_read(path, experiment, error);
    if (status == COR_OK)
        status = cor_experiment_analyse(*experiment, notes, error);
    for (uint32_t i = 0; status == COR_OK && i < (*experiment)->model->environment_count; i++)
        warn_of_profile(&(*experiment)->model->environments[i]);
    return status;
}
