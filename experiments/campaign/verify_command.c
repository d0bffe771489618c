/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "place.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/identities.h>
#include <corridor/result.h>
#include <corridor/verdicts.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct cor_column_definition file_columns[] = {
    {"path", "file", "", "result file", COR_CELL_WORD, 0, 0},
    {"sealed", "sealed", "", "not a byte has changed since it was written; no: see the note", COR_CELL_FLAG,
     0, 0},
    {"content", "content as written", "",
     "whether the fingerprint of all that it says is the one written into it", COR_CELL_FLAG, 0, 0},
    {"broken", "broken identities", "", "of the tables; nothing: of another layer than interaction",
     COR_CELL_COUNT, 0, 0},
    {"problem", "problem", "", "the first, in words; nothing: none", COR_CELL_TEXT, 0, 0},
    {"note", "note", "", "what else there is to say: of a file that is whole, and not sealed", COR_CELL_TEXT,
     0, 0},
};
COR_SHEET_DEFINITION(file, "file", "Result file", "the result file", COR_SHEET_RECORD, 0);

#define STORED(member) COR_CELL_OF(struct cor_stored_report, member)
static const struct cor_column_definition stored_columns[] = {
    {"suites", "suites stored", "suites", "whole, in any journal", STORED(stored)},
    {"twins", "stored twice", "suites", "that a second journal holds, too", STORED(twins)},
    {"different", "and different", "suites", "thereof different: not deterministic", STORED(different)},
    {"missing", "missing", "suites", "planned and not stored; nothing: endless, or not said", COR_CELL_COUNT,
     0, 0},
};
COR_SHEET_DEFINITION(stored, "stored", "Campaign under way", "all journals", COR_SHEET_RECORD, 0);

#define JOURNAL(member) COR_CELL_OF(struct cor_journal_report, member)
static const struct cor_column_definition journals_columns[] = {
    {"journal", "journal", "", "path", JOURNAL(path)},
    {"suites", "suites", "suites", "whole", JOURNAL(suites)},
    {"foreign", "foreign", "suites", "whole, of another campaign, by what they say themselves: passed over",
     JOURNAL(foreign)},
    {"bytes", "bytes", "bytes", "of the file", JOURNAL(bytes)},
    {"damaged", "damaged", "bytes", "between whole suites: those in them are run again", JOURNAL(damaged)},
    {"torn", "torn", "bytes", "behind the last whole suite: what a killed worker leaves", JOURNAL(torn)},
    {"problem", "problem", "", "why nothing of it can be read; nothing: it can", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(journals, "journals", "Journals", "a journal", 0, 0);

struct request {
    struct cor_sheet_options sheets;
};

struct finding {
    size_t problems; /* damaged, foreign, or in contradiction to itself */
};

static void put_text_or_nothing(struct cor_sheet *sheet, const char *text) {
    if (text[0] != '\0')
        cor_sheet_text(sheet, "%s", text);
    else
        cor_sheet_nothing(sheet);
}

/* Identities of the tables; *known false for a layer that has none. */
static enum cor_status count_broken(struct cor_result *result, bool *known, size_t *broken,
                                    struct cor_error *error) {
    COR_DESTROYED(cor_measurement) struct cor_measurement *measurement = NULL;
    *known = strcmp(cor_result_head(result)->layer->format, COR_FORMAT_NAME) == 0;
    *broken = 0;
    if (!*known)
        return COR_OK;
    COR_TRY(cor_measurement_create(result, COR_MEASURE_TABLES, &measurement, error));
    *broken = cor_verdict_findings(measurement).broken;
    return COR_OK;
}

static enum cor_status check_file(const char *path, struct cor_sheets *sheets, struct finding *finding,
                                  struct cor_error *error) {
    struct cor_result *result;
    struct cor_error trouble = COR_NO_ERROR;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &file);
    bool known = false;
    size_t broken = 0;
    COR_TRY(cor_result_open_as(cor_layer_schemas(), path, &result,
                               error)); /* in a process of its own: output.h */
    cor_result_tell(result, cor_progress_reading, NULL);
    bool content = cor_result_verify(result, &trouble) == COR_OK;
    enum cor_status status = content ? count_broken(result, &known, &broken, &trouble) : COR_OK;
    if (content && status == COR_OK)
        status = cor_identities_check(result, &trouble);
    finding->problems += (!content || status != COR_OK) + broken;
    cor_progress_doing(NULL);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, path);
    cor_sheet_flag(sheet, cor_result_is_sealed(result));
    cor_sheet_flag(sheet, content);
    if (known && (status == COR_OK || broken > 0))
        cor_sheet_count(sheet, broken);
    else
        cor_sheet_nothing(sheet);
    /* Where it is, in the words of all commands. */
    const char *place = content ? trouble.place : "";
    if (trouble.cause[0] != '\0' && place[0] != '\0')
        cor_sheet_text(sheet, "%s: %s", place, trouble.cause);
    else
        put_text_or_nothing(sheet, trouble.cause);
    const bool is_unsealed = content && !cor_result_is_sealed(result);
    put_text_or_nothing(sheet, is_unsealed
                                   ? "another program has written the file since, or bytes that hold no "
                                     "data were changed, or lost: its last 16, the checksum of the file"
                                   : "");
    cor_result_close(result);
    return trouble.status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK;
}

static enum cor_status check_journals(const char *output, struct cor_sheets *sheets, struct finding *finding,
                                      struct cor_error *error) {
    COR_FINISHED(cor_stored_report) struct cor_stored_report report = {0};
    COR_FREED char *name = NULL;
    COR_TRY(cor_campaign_layer(output, &name, error));
    const struct cor_layer *layer = cor_layer_find(name);
    if (!layer)
        COR_TRY(
            cor_fail(error, COR_STATUS_INPUT, output, NULL, "is of a layer \"%s\" that there is not", name));
    COR_TRY(cor_campaign_verify(layer->schema, output, &report, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &stored);
    COR_SHEET_PUT(sheet, struct cor_stored_report, &report);
    /* By what the campaign says of itself. */
    struct cor_campaign_report said;
    struct cor_error ignored = COR_NO_ERROR;
    uint64_t planned = 0;
    if (cor_campaign_report_read(output, &said, &ignored) == COR_OK) {
        planned = said.status.suites_planned;
        cor_campaign_report_fini(&said);
    }
    if (planned > 0)
        cor_sheet_count(sheet, planned > report.stored ? planned - report.stored : 0);
    else
        cor_sheet_nothing(sheet);
    finding->problems += report.different > 0;
    sheet = cor_sheets_add(sheets, &journals);
    for (size_t i = 0; i < report.journal_count; i++) {
        const struct cor_journal_report *journal = &report.journals[i];
        COR_SHEET_PUT(sheet, struct cor_journal_report, journal);
        put_text_or_nothing(sheet, journal->error.cause);
        finding->problems += journal->damaged > 0 || journal->foreign > 0 || journal->error.status != COR_OK;
    }
    return COR_OK;
}

static enum cor_status verify(const struct cor_arguments *arguments, struct finding *finding,
                              struct cor_error *error) {
    const struct request *request = arguments->request;
    COR_FINISHED(cor_place) struct cor_place place = {0};
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_place_of(arguments->words[0], &place, error));
    COR_TRY(cor_sheets_create("corridor-verify", 1, &sheets, error));
    const bool under_way = cor_campaign_is_there(place.output);
    struct stat there;
    if (stat(place.output, &there) == 0 || !under_way)
        COR_TRY(check_file(place.output, sheets, finding, error));
    if (under_way)
        COR_TRY(check_journals(place.output, sheets, finding, error));
    return cor_show_sheets(&request->sheets, sheets, "file", error);
}

static enum cor_exit run_verify(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct finding finding = {0};
    if (verify(arguments, &finding, &error) != COR_OK)
        return cor_report(&error);
    return finding.problems == 0 ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
}

const struct cor_command cor_command_verify = {
    .name = "verify",
    .summary = "check a file for damage",
    .operands = "RESULTS.h5 | FOLDER",
    .takes = {1, 1, "needs a result file, there or under way, or a campaign's folder"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads everything: of a result file its seal, the fingerprint of its content, and the identities "
        "that its tables must meet; of a campaign under way (RESULTS.h5.parts) every journal with its "
        "checksums, and whether suites that were executed twice came out the same. Exit code 1 if anything "
        "is damaged, foreign or contradicts itself; torn ends of journals are normal.",
    .options = {COR_JSON_OPTION(sheets.json)},
    .examples = {"corridor verify demo.h5"},
    .run = run_verify,
    .reads = true,
};
