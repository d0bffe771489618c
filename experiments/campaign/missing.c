/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which suites of a campaign are stored, and of those that are not, why each must run. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/record.h>

#include <stdlib.h>

enum reason { NEVER_STORED, DAMAGED, FEWER_SEQUENCES };

typedef enum cor_status scan_function(const struct cor_layer_schema *layer, const char *path,
                                      struct cor_journal_entry **entries, size_t *count,
                                      struct cor_error *error);

static enum cor_status scan_whole(const struct cor_layer_schema *layer, const char *path,
                                  struct cor_journal_entry **entries, size_t *count,
                                  struct cor_error *error) {
    uint64_t torn;
    return cor_journal_scan(layer, path, entries, count, &torn, error);
}

/* Notes the reason at the plan positions of all suites that `scan` finds in the journals. */
static enum cor_status note_reason(const struct cor_campaign *campaign, char *const *paths, size_t count,
                                   scan_function *scan, enum reason reason, unsigned char *reasons,
                                   struct cor_error *error) {
    for (size_t j = 0; j < count; j++) {
        struct cor_journal_entry *entries;
        size_t found;
        COR_TRY(scan(campaign->definition.layer->schema, paths[j], &entries, &found, error));
        for (size_t i = 0; i < found; i++) {
            uint64_t position =
                (uint64_t)entries[i].suite * campaign->definition.experiment->arm_count + entries[i].arm;
            if (campaign__is_own(campaign, &entries[i]) && position < campaign->planned)
                reasons[position] = (unsigned char)reason;
        }
        free(entries);
    }
    return COR_OK;
}

static enum cor_status find_reasons(const struct cor_campaign *campaign, unsigned char *reasons,
                                    struct cor_error *error) {
    char **journals = NULL, **earlier = NULL;
    size_t journal_count = 0, earlier_count = 0;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(campaign__folder_earlier(campaign->folder, &earlier, &earlier_count, error));
    COR_TRY_OUT(note_reason(campaign, earlier, earlier_count, scan_whole, FEWER_SEQUENCES, reasons, error));
    COR_TRY_OUT(campaign__folder_journals(campaign->folder, &journals, &journal_count, error));
    COR_TRY_OUT(
        note_reason(campaign, journals, journal_count, cor_journal_scan_damaged, DAMAGED, reasons, error));
out:
    campaign__folder_free(journals, journal_count);
    campaign__folder_free(earlier, earlier_count);
    return status;
}

enum cor_status cor_campaign_missing(const struct cor_campaign *campaign, struct cor_arm_missing *arms,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++)
        arms[a] = (struct cor_arm_missing){.name = campaign__arm_name_at(campaign, a),
                                           .planned = campaign->definition.experiment->suite_count};
    unsigned char *reasons = cor_calloc(campaign->planned, 1);
    COR_TRY(cor_made(reasons, error));
    COR_TRY_OUT(find_reasons(campaign, reasons, error));
    for (uint64_t i = 0; i < campaign__position_count(campaign); i++) {
        struct cor_arm_missing *arm = &arms[campaign__arm_at(campaign, i)];
        bool stored = atomic_load(&campaign->shared->note[i].done) != 0;
        arm->stored += stored;
        if (!stored && i < campaign->planned) {
            arm->never += reasons[i] == NEVER_STORED;
            arm->damaged += reasons[i] == DAMAGED;
            arm->extended += reasons[i] == FEWER_SEQUENCES;
        }
    }
out:
    free(reasons);
    return status;
}
