/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/delimited.h>
#include <corridor/letters.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cor_integer_text(uint64_t value, char text[COR_CELL]) {
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

void cor_real_text(double value, char text[COR_CELL]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, COR_CELL, "%.*g", digits, value);
        if (strtod(text, NULL) == value) /* exactly: this is the point */
            return;
    }
}

void cor_float_text(float value, char text[COR_CELL]) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, COR_CELL, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            return;
    }
}

void cor_brief_text(double value, char text[COR_CELL]) {
    double size = fabs(value);
    if (!isfinite(value))
        snprintf(text, COR_CELL, "n/a");
    else if (size < 1e7 && size == floor(size)) /* -0 is 0 */
        snprintf(text, COR_CELL, "%.0f", value + 0.0);
    else if (size >= 1e7 || size < 1e-4)
        snprintf(text, COR_CELL, "%.2g", value);
    else
        snprintf(text, COR_CELL, "%.*f",
                 size >= 1000  ? 0
                 : size >= 100 ? 1
                 : size >= 10  ? 2
                 : size >= 0.1 ? 3
                               : 5,
                 value);
}

size_t cor_utf8_code(const char *text, uint32_t *code) {
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

size_t cor_utf8_length(const char *text) {
    uint32_t code;
    size_t length = 0;
    for (size_t size; *text; text += size > 0 ? size : 1, length++)
        size = cor_utf8_code(text, &code);
    return length;
}

size_t cor_put_shown(FILE *file, const char *text) {
    uint32_t code;
    size_t size = cor_utf8_code(text, &code);
    if (size == 0)
        fputs(COR_UNSAYABLE, file);
    else if (cor_is_control(code))
        fputs(code < 0xa0 ? " " : COR_UNSAYABLE, file);
    else
        fwrite(text, 1, size, file);
    return size > 0 ? size : 1;
}

void cor_csv_word(const char *word, FILE *file) {
    const bool quoted = word[strcspn(word, ",\"\r\n")] != '\0' || cor_delimited_is_formula(word);
    fputs(quoted ? "\"" : "", file);
    while (*word)
        if (*word == '\n' || *word == '\t') {
            fputc(*word++, file);
        } else {
            fputs(*word == '"' ? "\"" : "", file);
            word += cor_put_shown(file, word);
        }
    fputs(quoted ? "\"" : "", file);
}

void cor_json_quoted(const char *word, FILE *file) {
    uint32_t code;
    fputc('"', file);
    for (size_t size; *word; word += size > 0 ? size : 1) {
        size = cor_utf8_code(word, &code);
        if (size == 0)
            fputs(COR_UNSAYABLE, file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (cor_is_control(code))
            fprintf(file, "\\u%04x", code);
        else
            fwrite(word, 1, size, file);
    }
    fputc('"', file);
}

/* Writes one character and returns how many bytes it took. */
static size_t put_html(FILE *file, const char *text) {
    static const char marks[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *mark = strchr(marks, *text);
    if (!mark)
        return cor_put_shown(file, text);
    fputs(names[mark - marks], file);
    return 1;
}

void cor_html_text(FILE *file, const char *text) {
    while (*text)
        text += put_html(file, text);
}

void cor_html_short(FILE *file, const char *text, size_t characters) {
    for (; *text && characters > 0; characters--)
        text += put_html(file, text);
    if (*text)
        fputs("\xe2\x80\xa6", file);
}

enum cor_status cor_stream_status(FILE *file, struct cor_error *error) {
    if (fflush(file) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot write");
    return ferror(file) ? cor_fail(error, COR_STATUS_FILE, NULL, NULL, "cannot write") : COR_OK;
}

void cor_put_count(struct cor_json_writer *writer, const char *key, uint64_t count) {
    cor_json_put_integer(writer, key, count < INT64_MAX ? (int64_t)count : INT64_MAX);
}

enum cor_status cor_json_print_take(struct cor_json_writer *writer, int indent, FILE *file,
                                    struct cor_error *error) {
    char *text;
    COR_TRY(cor_json_text_take(writer, indent, &text, error));
    fputs(text, file);
    fputc('\n', file);
    free(text);
    return cor_stream_status(file, error);
}
