/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/stabilize_verdict.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

const char *cor_stabilize_verdict_word(enum cor_stabilize_verdict verdict) {
    static const char *const words[] = {
#define WORD(NAME, word, meaning) word,
        COR_STABILIZE_VERDICTS(WORD) NULL};
    return words[verdict];
}

void cor_stabilize_put_undecided(struct cor_stabilize_said *said, const char *why) {
    said->is_good = false;
    cor_stabilize_put(said, COR_STABILIZE_UNDECIDED, "undecided", ": ", "%s", why);
}

const char *cor_with_commas(uint64_t number, char text[COR_COMMAS_SIZE]) {
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    size_t at = 0;
    for (int d = 0; d < count; d++) {
        if (d > 0 && (count - d) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[d];
    }
    text[at] = '\0';
    return text;
}

const char *cor_real_with_commas(double number, char text[COR_COMMAS_SIZE]) {
    if (number < 9e15)
        return cor_with_commas((uint64_t)number, text);
    snprintf(text, COR_COMMAS_SIZE, "%.3g", number);
    return text;
}

void cor_stabilize_put(struct cor_stabilize_said *said, enum cor_stabilize_verdict verdict, const char *head,
                       const char *between, const char *format, ...) {
    va_list list;
    said->verdict = verdict;
    said->between = between;
    snprintf(said->head, sizeof said->head, "%s", head);
    va_start(list, format);
    vsnprintf(said->rest, sizeof said->rest, format, list);
    va_end(list);
}
