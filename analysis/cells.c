/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include <corridor/violation.h>

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

enum cor_status cor__stream_status(FILE *file, struct cor_error *error) {
    if (fflush(file) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot write");
    return ferror(file) ? cor_fail(error, COR_STATUS_FILE, NULL, NULL, "cannot write") : COR_OK;
}
