/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/status.h>
#include <corridor/violation.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whole numbers as such, thresholds and dissimilarities with nine digits. */
static void put_number(double number, char *text, size_t size) {
    bool whole = number >= 0 && number <= UINT32_MAX && number == (double)(uint32_t)number;
    snprintf(text, size, whole ? "%.0f" : "%.9g", number);
}

/* What stands for "{found member}": `field` is the part within the braces, `length` bytes long. */
static void put_field(const struct cor_violation *v, const char *field, size_t length, char *text,
                      size_t size) {
    const struct {
        const char *name;
        double value;
    } values[] = {
        {"agent", v->agent}, {"partition", v->partition}, {"expected", v->expected}, {"found", v->found}};
    size_t name = strcspn(field, " }"), i = 0;
    while (strncmp(values[i].name, field, name) != 0)
        COR_ASSERT(++i < sizeof values / sizeof *values);
    const char *noun = field + name + 1;
    int noun_length = name < length ? (int)(length - name - 1) : 0;
    bool one = values[i].value == 1;
    if (noun_length == 2 && strncmp(noun, "is", 2) == 0) {
        snprintf(text, size, "%s", one ? "is" : "are");
        return;
    }
    put_number(values[i].value, text, size);
    if (noun_length > 0)
        snprintf(text + strlen(text), size - strlen(text), " %.*s%s", noun_length, noun, one ? "" : "s");
}

void cor_violation_text(const struct cor_violation *violation, char *text, size_t size) {
    COR_ASSERT(size > 0);
    const struct cor_term *check = cor_term(COR_FAMILY_CHECK, (int)violation->check);
    if (!check) {
        snprintf(text, size, "Unknown check %d.", (int)violation->check);
        return;
    }
    size_t used = 0;
    const char *at = check->sentence;
    while (*at && used + 1 < size) {
        if (*at != '{') {
            text[used++] = *at++;
            continue;
        }
        size_t length = strcspn(at, "}") - 1;
        char field[64];
        put_field(violation, at + 1, length, field, sizeof field);
        int wrote = snprintf(text + used, size - used, "%s", field);
        used = used + (size_t)wrote < size ? used + (size_t)wrote : size - 1;
        at += length + 2;
    }
    text[used] = '\0';
}
