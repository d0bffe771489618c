/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include <corridor/violation.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cor__integer_text(uint64_t value, char *text) {
    char digits[24];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; i++)
        text[i] = digits[count - 1 - i];
    text[count] = 0;
}

void cor__real_text(double value, char *text) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, COR__CELL, "%.*g", digits, value);
        if (strtod(text, NULL) == value) /* exactly: this is the point */
            return;
    }
}

void cor__float_text(float value, char *text) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, COR__CELL, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            return;
    }
}

void cor__violation_sentence(const struct cor_violation_row *row, char text[COR__SENTENCE]) {
    const struct cor_violation violation = {
        .check = (enum cor_check)row->check,
        .agent = row->agent,
        .partition = row->partition,
        .expected = row->expected,
        .found = row->found,
    };
    cor_violation_text(&violation, text, COR__SENTENCE);
}

void cor__csv_word(const char *word, FILE *file) {
    if (!word[strcspn(word, ",\"\r\n")]) {
        fputs(word, file);
        return;
    }
    fputc('"', file);
    for (; *word; word++) {
        if (*word == '"')
            fputc('"', file);
        fputc(*word, file);
    }
    fputc('"', file);
}

size_t cor__utf8_code(const char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = byte[0] < 0x80 ? 1 : byte[0] < 0xc0 ? 0 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (size == 0 || byte[0] > 0xf4)
        return 0;
    *code = size == 1 ? byte[0] : byte[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xc0) != 0x80) /* the 0 at the end is none either */
            return 0;
        *code = *code << 6 | (byte[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[size] || *code > 0x10ffff || surrogate ? 0 : size;
}

void cor__json_word(const char *word, FILE *file) {
    uint32_t code;
    fputc('"', file);
    for (size_t size; *word; word += size > 0 ? size : 1) {
        size = cor__utf8_code(word, &code);
        if (size == 0)
            fputs(COR__UNSAYABLE, file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (code < 0x20)
            fprintf(file, "\\u%04x", code);
        else
            fwrite(word, 1, size, file);
    }
    fputc('"', file);
}

enum cor_status cor__stream_status(FILE *file, struct cor_error *error) {
    if (fflush(file) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot write");
    return ferror(file) ? cor_fail(error, COR_STATUS_FILE, NULL, NULL, "cannot write") : COR_OK;
}

void cor__put_count(struct cor_json_writer *writer, const char *key, uint64_t count) {
    cor_json_put_integer(writer, key, count < INT64_MAX ? (int64_t)count : INT64_MAX);
}

enum cor_status cor__write_json(struct cor_json_writer *writer, int indent, FILE *file,
                                struct cor_error *error) {
    char *text = cor_json_writer_text(writer, indent, error);
    cor_json_writer_destroy(writer);
    if (!text)
        return error ? error->status : COR_STATUS_MEMORY;
    fputs(text, file);
    fputc('\n', file);
    free(text);
    return cor__stream_status(file, error);
}
