/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan_folder.h"

#include "output.h"
#include "place.h"

#include <corridor/array.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARM(member) COR_CELL_OF(struct cor_arm_missing, member)
static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "name of the arm", ARM(name)},
    {"planned", "suites", "suites", "of the plan; nothing: endless",
     COR_SOME_OF(struct cor_arm_missing, planned)},
    {"stored", "stored", "suites", "whole: they need not run", ARM(stored)},
    {"never", "never run", "suites", "to do: nothing of them is stored", ARM(never)},
    {"damaged", "damaged", "suites", "to do: what is stored of them is damaged", ARM(damaged)},
    {"extended", "extended", "suites", "to do again: they are stored with fewer sequences", ARM(extended)},
};
COR_SHEET_DEFINITION(arms, "stored", "What is stored, and why the rest must run", "an arm", COR_SHEET_TOP, 0);

#define CAMPAIGN(member) COR_CELL_OF(struct cor_folder_plan, member)
static const struct cor_column_definition campaign_sheet_columns[] = {
    {"folder", "folder", "", "of the campaign", CAMPAIGN(folder)},
    {"planned", "planned", "suites", "over all arms; 0: endless", CAMPAIGN(planned)},
    {"stored", "stored", "suites", "thereof whole", CAMPAIGN(stored)},
    {"stopped", "stopped", "", "the stop conditions hold: no more are wanted", CAMPAIGN(stopped)},
};
COR_SHEET_DEFINITION(campaign_sheet, "campaign", "Campaign", "the folder",
                     COR_SHEET_RECORD | COR_SHEET_DATA | COR_SHEET_UNDER, 0);

void cor_folder_plan_fini(struct cor_folder_plan *plan) {
    free(plan->arms);
    *plan = (struct cor_folder_plan){0};
}

/* A folder that somebody made for something else is left alone; one that is not there is made under another
 * name, set->draft, so that it is whole or not there. */
static enum cor_status open_folder(const char *folder, struct cor_file_set *set, struct cor_error *error) {
    struct cor_place place;
    struct stat there;
    if (lstat(folder, &there) == 0 && rmdir(folder) != 0) { /* an empty one is as good as none */
        COR_TRY(cor_place_of(folder, &place, error));
        bool campaign = place.folder && !place.suites && stat(place.experiment, &there) == 0;
        cor_place_fini(&place);
        return campaign ? COR_OK
                        : cor_fail(error, COR_STATUS_EXISTS, folder, "name a new folder with -o",
                                   "exists already, and is no folder of a campaign");
    }
    return cor_file_set_open(folder, set, error);
}

enum cor_status cor_folder_plan_make(struct cor_opened *opened, const char *folder, bool log_solutions,
                                     struct cor_folder_plan *plan, struct cor_error *error) {
    struct cor_place place = {0};
    struct cor_file_set set = {.lock = -1};
    enum cor_status status = COR_OK;
    *plan = (struct cor_folder_plan){.folder = folder};
    if (opened->experiment->arm_count == 0 || !opened->experiment->arms[0].text)
        return cor_fail(error, COR_STATUS_INPUT, opened->experiment->path, "run it as it is: corridor run",
                        "experiments of this kind have no folder of a campaign");
    if (opened->experiment->bound)
        return cor_fail(error, COR_STATUS_INPUT, opened->experiment->path, "run it as it is: corridor run",
                        "names modules or programs by their files, which no folder of a campaign can hold");
    COR_TRY(open_folder(folder, &set, error));
    const char *there = set.draft ? set.draft : folder;
    COR_TRY_OUT(cor_place_of(there, &place, error));
    struct cor_campaign *campaign = NULL;
    const struct cor_campaign_definition definition = {.layer = opened->layer,
                                                       .experiment = opened->experiment,
                                                       .output = place.output,
                                                       .text_path = place.experiment,
                                                       .stop = opened->stop,
                                                       .inquiries = &opened->inquiries,
                                                       .keep = true};
    const struct cor_experiment_head *head = opened->experiment;
    plan->arm_count = head->arm_count;
    plan->planned = (uint64_t)head->arm_count * head->suite_count;
    plan->arms = cor_calloc(head->arm_count, sizeof *plan->arms);
    COR_TRY_OUT(cor_made(plan->arms, error));
    COR_TRY_OUT(cor_campaign_start(&definition, &campaign, error));
    struct cor_campaign_status progress; /* said in the folder, too */
    status = cor_campaign_look(campaign, 0, &progress, error);
    plan->stopped = progress.stopped;
    if (status == COR_OK)
        status = cor_campaign_missing(campaign, plan->arms, error);
    for (uint32_t a = 0; a < plan->arm_count; a++)
        plan->stored += plan->arms[a].stored;
    cor_campaign_destroy(campaign);
    if (status == COR_OK && log_solutions)
        status = cor_place_log_solutions(there, error);
out:
    cor_place_fini(&place);
    if (set.draft)
        status = cor_file_set_close(&set, status, false, error);
    if (status != COR_OK)
        cor_folder_plan_fini(plan);
    return status;
}

void cor_folder_plan_fill(const struct cor_folder_plan *plan, struct cor_sheets *sheets) {
    COR_SHEET_PUT(cor_sheets_add(sheets, &campaign_sheet), struct cor_folder_plan, plan);
    COR_SHEET_PUT_ALL(cor_sheets_add(sheets, &arms), struct cor_arm_missing, plan->arms, plan->arm_count);
}

enum cor_status cor_folder_plan_print(const struct cor_folder_plan *plan, struct cor_error *error) {
    struct cor_sheets *sheets;
    COR_TRY(cor_sheets_create("corridor-plan", 2, &sheets, error));
    cor_folder_plan_fill(plan, sheets);
    const struct cor_style style = cor_show_style();
    puts("");
    enum cor_status status = cor_sheets_text(sheets, &style, stdout, error);
    cor_sheets_destroy(sheets);
    char *word = cor_shell_quoted(plan->folder);
    if (!word)
        return cor_made(word, error);
    if (plan->stopped)
        printf("\n%s: %" PRIu64 " suites stored, and the stop conditions hold: no more are wanted\n",
               plan->folder, plan->stored);
    else if (plan->planned == 0)
        printf("\n%s: %" PRIu64 " suites stored, endless; next: corridor run %s\n", plan->folder,
               plan->stored, word);
    else if (plan->stored == plan->planned)
        printf("\n%s: 0 of %" PRIu64
               " suites to do; what is stored becomes the result file by corridor run %s\n",
               plan->folder, plan->planned, word);
    else
        printf("\n%s: %" PRIu64 " of %" PRIu64 " suites to do; next: corridor run %s\n", plan->folder,
               plan->planned - plan->stored, plan->planned, word);
    free(word);
    return status;
}
