/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test Anything Protocol, version 13: https://testanything.org/tap-version-13-specification.html */
#include "verdicts.h"

#include <inttypes.h>
#include <stdlib.h>

/* Characters that some reader takes for the end of a line, or a terminal for an order. */
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* The description of a test point: what stands behind a bare # would be a directive. */
static void put_description(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0 || is_control(code))
            fputs(COR_UNSAYABLE, file);
        else {
            fputs(code == '#' || code == '\\' ? "\\" : "", file);
            fwrite(text, 1, size, file);
        }
    }
}

/* A double-quoted scalar of YAML. */
static void put_scalar(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0)
            fputs(COR_UNSAYABLE, file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (code == '\n')
            fputs("\\n", file);
        else if (is_control(code))
            fprintf(file, code < 0x100 ? "\\x%02" PRIx32 : "\\u%04" PRIx32, code);
        else
            fwrite(text, 1, size, file);
    }
}

static void put_text(const char *indent, const char *key, const char *text, FILE *file) {
    fprintf(file, "%s%s: \"", indent, key);
    put_scalar(text, file);
    fputs("\"\n", file);
}

static void put_block(const struct cor_arm_tables *arm, const char *experiment,
                      const struct cor__verdict *verdict, FILE *file) {
    fputs("  ---\n", file);
    put_text("  ", "message", verdict->message, file);
    if (verdict->verdict == COR_ARM_FAILED || verdict->verdict == COR_ARM_ERROR)
        put_text("  ", "severity", verdict->verdict == COR_ARM_FAILED ? "fail" : "error", file);
    if (verdict->first[0])
        put_text("  ", "first", verdict->first, file);
    put_text("  ", "experiment", experiment, file);
    put_text("  ", "arm", arm->name, file);
    for (const char *const *name = cor__verdict_settings; *name; name++) {
        char *text = cor__verdict_setting(arm, *name);
        if (text)
            put_text("  ", *name, text, file);
        free(text);
    }
    fputs("  data:\n", file);
    for (size_t i = 0; i < COR__VERDICT_FIGURES; i++)
        fprintf(file, "    %s: %" PRIu64 "\n", verdict->figure[i].name, verdict->figure[i].value);
    fputs("  ...\n", file);
}

static void put_point(const struct cor_tables *tables, size_t index, const char *experiment, FILE *file) {
    const struct cor_arm_tables *arm = &tables->arm[index];
    struct cor__verdict verdict;
    cor__verdict_explain(arm, &verdict);
    bool ok = verdict.verdict == COR_ARM_PASSED || verdict.verdict == COR_ARM_SKIPPED;
    fprintf(file, "%s %zu - ", ok ? "ok" : "not ok", index + 1);
    put_description(arm->name, file);
    if (verdict.verdict == COR_ARM_SKIPPED)
        fprintf(file, " # SKIP %s", verdict.message);
    fputc('\n', file);
    put_block(arm, experiment, &verdict, file);
}

enum cor_status cor_verdicts_tap(const struct cor_tables *tables, FILE *file, struct cor_error *error) {
    char *named = cor__verdict_experiment(tables);
    fprintf(file, "TAP version 13\n1..%zu%s\n", tables->arm_count,
            tables->arm_count == 0 ? " # SKIP the file has no arms" : "");
    for (size_t a = 0; a < tables->arm_count; a++)
        put_point(tables, a, named ? named : "corridor", file);
    free(named);
    return cor_stream_status(file, error);
}
