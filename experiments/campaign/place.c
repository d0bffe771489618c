/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place.h"

#include "output.h"

#include <corridor/array.h>
#include <corridor/campaign.h>
#include <corridor/fields.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cor_is_folder(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static const struct cor_field options_fields[] = {
    {"log_solutions", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_place, log_solutions)}, {0}};

/* Of a folder, if they are there. */
static enum cor_status read_options(const char *folder, struct cor_place *place, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_json_document *document = NULL;
    struct stat there;
    char *path = cor_format("%s/options.json", folder);
    COR_TRY(cor_made(path, error));
    if (stat(path, &there) != 0)
        goto out;
    COR_TRY_OUT(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    status = cor_json_fields(&root, options_fields, place, error);
out:
    cor_json_destroy(document);
    free(path);
    return status;
}

enum cor_status cor_place_log_solutions(const char *folder, struct cor_error *error) {
    char *path = cor_format("%s/options.json", folder);
    COR_TRY(cor_made(path, error));
    enum cor_status status = cor_output_text(path, "{\"log_solutions\": true}\n", true, error);
    free(path);
    return status;
}

/* The result file of a folder: in it of a campaign's, beside it of what is stored of one under way. */
static char *output_of(const char *folder, int length) {
    static const char suffix[] = ".parts";
    const int end = (int)sizeof suffix - 1;
    bool is_stored = length > end && strncmp(folder + length - end, suffix, (size_t)end) == 0;
    return is_stored ? cor_format("%.*s", length - end, folder)
                     : cor_format("%.*s/results.h5", length, folder);
}

enum cor_status cor_place_of(const char *operand, struct cor_place *place, struct cor_error *error) {
    int length = (int)strlen(operand);
    while (length > 1 && operand[length - 1] == '/') /* as a shell completes it */
        length--;
    *place = (struct cor_place){.folder = cor_is_folder(operand)};
    place->experiment =
        place->folder ? cor_format("%.*s/experiment.json", length, operand) : cor_strdup(operand);
    place->output = place->folder ? output_of(operand, length) : cor_strdup(operand);
    char *suites = cor_format("%.*s/suites", length, operand);
    enum cor_status status = place->experiment && place->output && suites ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK && place->folder && cor_is_folder(suites))
        place->suites = operand;
    free(suites);
    if (status == COR_OK && place->folder)
        status = read_options(operand, place, error);
    if (status != COR_OK)
        cor_place_fini(place);
    return status;
}

enum cor_status cor_place_check(const char *operand, const struct cor_place *place, struct cor_error *error) {
    if (!place->folder || access(place->experiment, F_OK) == 0)
        return COR_OK;
    if (cor_campaign_is_there(place->output)) {
        char *remedy =
            cor_format("the same corridor run as before runs what is missing, and makes %s", place->output);
        const enum cor_status status =
            cor_fail(error, COR_STATUS_FILE, operand, remedy, "is what a campaign under way has stored");
        free(remedy);
        return status;
    }
    return cor_fail(error, COR_STATUS_FILE, operand,
                    "name an experiment, or a folder that corridor plan -o has made",
                    "is no folder of a campaign: %s is missing", place->experiment);
}

void cor_place_fini(struct cor_place *place) {
    COR_FREE(place->experiment, place->output);
    *place = (struct cor_place){0};
}
