/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letters of JUnit XML and of TAP: what their readers would take amiss is escaped or replaced. */
#include "test_formats.h"

#include <corridor/cells.h>

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Characters that XML 1.0 allows (section 2.2). */
static bool is_xml(uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

/* Text for an attribute or for between tags. Line ends and tabs are written as references: a reader turns
 * those of an attribute into blanks. */
void cor__put_xml(const char *text, FILE *file) {
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

void cor__put_attribute(const char *name, const char *text, FILE *file) {
    fprintf(file, " %s=\"", name);
    cor__put_xml(text, file);
    fputc('"', file);
}

void cor__put_property(const char *name, const char *value, FILE *file) {
    fprintf(file, "        <property name=\"%s\"", name);
    cor__put_attribute("value", value, file);
    fputs("/>\n", file);
}

/* Characters that some reader takes for the end of a line, or a terminal for an order. */
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* The description of a test point: what stands behind a bare # would be a directive. */
void cor__put_description(const char *text, FILE *file) {
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
void cor__put_scalar(const char *text, FILE *file) {
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

void cor__put_scalar_text(const char *indent, const char *key, const char *text, FILE *file) {
    fprintf(file, "%s%s: \"", indent, key);
    cor__put_scalar(text, file);
    fputs("\"\n", file);
}
