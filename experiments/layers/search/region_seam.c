/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_seam.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "name[bucket]". False: it is none of a probe that there is. */
static bool parse_probe(const struct cor_algorithm *algorithm, const char *text,
                        struct search_layer__seam *seam) {
    const char *bracket = strchr(text, '[');
    char *end;
    if (!bracket || bracket[1] < '0' || bracket[1] > '9')
        return false;
    const unsigned long bucket = strtoul(bracket + 1, &end, 10);
    if (strcmp(end, "]") != 0)
        return false;
    for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm); c++) {
        const struct cor_counter *counter = &algorithm->counters[c];
        if (strlen(counter->name) == (size_t)(bracket - text) &&
            strncmp(counter->name, text, strlen(counter->name)) == 0 && bucket < counter->bucket_count) {
            *seam = (struct search_layer__seam){.is_probe = true, .counter = c, .bucket = (uint32_t)bucket};
            return true;
        }
    }
    return false;
}

enum cor_status search_layer__seam_parse(const struct cor_arm *arm, const char *text,
                                         struct search_layer__seam *seam, struct cor_error *error) {
    *seam = (struct search_layer__seam){.is_probe = false};
    if (!text && arm->fault > 0)
        return COR_OK;
    if (text && arm->fault > 0 && strcasecmp(text, cor_algorithm_fault_name(arm->algorithm, arm->fault)) == 0)
        return COR_OK;
    if (text && parse_probe(arm->algorithm, text, seam))
        return COR_OK;
    /* "f5", probe[0..2], other[0]: what there is. NULL: memory is out. */
    char *known = arm->fault > 0 ? cor_format("\"%s\"", cor_algorithm_fault_name(arm->algorithm, arm->fault))
                                 : cor_strdup("");
    for (uint32_t c = 0; c < cor_algorithm_counter_count(arm->algorithm); c++) {
        const struct cor_counter *counter = &arm->algorithm->counters[c];
        known = cor_join_take(known, ", ",
                              counter->bucket_count > 1
                                  ? cor_format("%s[0..%u]", counter->name, counter->bucket_count - 1)
                                  : cor_format("%s[0]", counter->name));
    }
    char *remedy = known ? cor_format("known: %s", *known ? known : "none") : NULL;
    enum cor_status status = cor_made(remedy, error);
    if (status == COR_OK && text)
        status = cor_fail(error, COR_STATUS_INPUT, arm->name, remedy,
                          "%s has no seam \"%s\" that shows in this arm", arm->algorithm->name, text);
    else if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INPUT, arm->name, remedy,
                          "the arm has no fault: which seam is to be provoked?");
    free(known);
    free(remedy);
    return status;
}

enum search_layer__grade search_layer__seam_grade(const struct search_layer__seam *seam,
                                                  const struct cor_seen *seen) {
    uint64_t reached = 0, held = 0, activated = 0;
    if (seam->is_probe)
        return seen->probes[seen->probe_start[seam->counter] + seam->bucket] > 0
                   ? SEARCH_LAYER__GRADE_ACTIVATED
                   : SEARCH_LAYER__GRADE_NOTHING;
    for (size_t i = 0; i < cor_record_size(seen->record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = cor_record_at(seen->record, COR_TABLE_REORGANIZATIONS, i);
        reached += row->fault_reached;
        held += row->fault_held;
        activated += row->fault_activated;
    }
    return activated > 0 ? SEARCH_LAYER__GRADE_ACTIVATED
           : held > 0    ? SEARCH_LAYER__GRADE_HELD
           : reached > 0 ? SEARCH_LAYER__GRADE_REACHED
                         : SEARCH_LAYER__GRADE_NOTHING;
}
