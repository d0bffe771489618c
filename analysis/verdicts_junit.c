/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdicts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Characters that XML 1.0 allows (section 2.2). */
static bool is_xml(uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

/* Text for an attribute or for between tags. Line ends and tabs are written as references: a reader turns
 * those of an attribute into blanks. */
static void put_xml(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0 || !is_xml(code))
            fputs(COR_UNSAYABLE, file);
        else if (code < 0x20 || (code < 0x80 && code > 0 && strchr("&<>\"'", (int)code)))
            fprintf(file, "&#%" PRIu32 ";", code);
        else
            fwrite(text, 1, size, file);
    }
}

static void put_attribute(const char *name, const char *text, FILE *file) {
    fprintf(file, " %s=\"", name);
    put_xml(text, file);
    fputc('"', file);
}

static void put_property(const char *name, const char *value, FILE *file) {
    fprintf(file, "        <property name=\"%s\"", name);
    put_attribute("value", value, file);
    fputs("/>\n", file);
}

static void put_properties(const struct cor_arm_tables *arm, const struct cor__verdict *verdict, FILE *file) {
    fputs("      <properties>\n", file);
    for (const char *const *name = cor__verdict_settings; *name; name++) {
        char *text = cor__verdict_setting(arm, *name);
        if (text)
            put_property(*name, text, file);
        free(text);
    }
    for (size_t i = 0; i < COR__VERDICT_FIGURES; i++) {
        char number[COR_CELL];
        cor_integer_text(verdict->figure[i].value, number);
        put_property(verdict->figure[i].name, number, file);
    }
    fputs("      </properties>\n", file);
}

/* The message holds the first violation, too: most programs show nothing else. */
static void put_outcome(const char *element, const struct cor__verdict *verdict, FILE *file) {
    fprintf(file, "      <%s", element);
    if (verdict->kind)
        put_attribute("type", verdict->kind, file);
    fputs(" message=\"", file);
    put_xml(verdict->message, file);
    if (verdict->first[0]) {
        fputs("; ", file);
        put_xml(verdict->first, file);
    }
    fputs("\"/>\n", file);
}

static void put_output(const struct cor__verdict *verdict, FILE *file) {
    fputs("      <system-out>", file);
    put_xml(verdict->message, file);
    if (verdict->first[0]) {
        fputs("\n", file);
        put_xml(verdict->first, file);
    }
    fputs("</system-out>\n", file);
}

static void put_case(const struct cor_arm_tables *arm, const char *experiment, FILE *file) {
    static const char *const element[COR_ARM_VERDICT_COUNT] = {
        [COR_ARM_FAILED] = "failure", [COR_ARM_ERROR] = "error", [COR_ARM_SKIPPED] = "skipped"};
    struct cor__verdict verdict;
    cor__verdict_explain(arm, &verdict);
    fputs("    <testcase", file);
    put_attribute("classname", experiment, file);
    put_attribute("name", arm->name, file);
    fputs(">\n", file);
    put_properties(arm, &verdict, file);
    if (element[verdict.verdict])
        put_outcome(element[verdict.verdict], &verdict, file);
    else
        put_output(&verdict, file);
    fputs("    </testcase>\n", file);
}

static void put_counts(const struct cor_tables *tables, FILE *file) {
    size_t count[COR_ARM_VERDICT_COUNT] = {0};
    for (size_t a = 0; a < tables->arm_count; a++)
        count[cor_arm_judge(&tables->arm[a])]++;
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", tables->arm_count,
            count[COR_ARM_FAILED], count[COR_ARM_ERROR], count[COR_ARM_SKIPPED]);
}

enum cor_status cor_verdicts_junit(const struct cor_tables *tables, FILE *file, struct cor_error *error) {
    char *named = cor__verdict_experiment(tables);
    const char *experiment = named ? named : "corridor";
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(tables, file);
    fputs(">\n  <testsuite", file);
    put_attribute("name", experiment, file);
    put_counts(tables, file);
    fprintf(file,
            ">\n    <properties>\n      <property name=\"seed\" value=\"0x%016" PRIx64 "\"/>\n"
            "      <property name=\"complete\" value=\"%d\"/>\n    </properties>\n",
            tables->head->seed, tables->head->complete);
    for (size_t a = 0; a < tables->arm_count; a++)
        put_case(&tables->arm[a], experiment, file);
    fputs("  </testsuite>\n</testsuites>\n", file);
    free(named);
    return cor_stream_status(file, error);
}
