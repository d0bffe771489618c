/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes of failures, from rows and as text. */
#include <corridor/failure_class.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cor_killer_word(size_t killer, char text[64]) {
    COR_ASSERT(killer < COR_KILLERS);
    if (killer == COR_KILLER_SMOKE)
        snprintf(text, 64, "smoke");
    else
        snprintf(text, 64, "%s.%s", cor_term_word(COR_FAMILY_BOX, (int)(killer / COR_CHECK_CODES)),
                 cor_term_word(COR_FAMILY_CHECK, (int)(killer % COR_CHECK_CODES)));
    return text;
}

const char *cor_killer_rule(size_t killer) {
    const struct cor_term *check = cor_term(COR_FAMILY_CHECK, (int)(killer % COR_CHECK_CODES));
    return check ? check->rule : "";
}

bool cor_killer_set_equal(const struct cor_killer_set *a, const struct cor_killer_set *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static const char *const unmets[] = {
#define UNMET_WORD(NAME, word) word,
    COR_UNMETS(UNMET_WORD)
#undef UNMET_WORD
};

static void add_word(char *text, const char *word) {
    const size_t used = strlen(text);
    COR_ASSERT(used + strlen(word) + 2 <= COR_FAILURE_CLASS_TEXT);
    snprintf(text + used, COR_FAILURE_CLASS_TEXT - used, "%s%s", used > 0 ? "," : "", word);
}

const char *cor_failure_class_text(const struct cor_failure_class *class, char text[COR_FAILURE_CLASS_TEXT]) {
    char word[64];
    text[0] = '\0';
    for (size_t killer = 1; killer < COR_KILLERS; killer++)
        if (cor_killer_set_has(&class->killers, killer))
            add_word(text, cor_killer_word(killer, word));
    if (cor_killer_set_has(&class->killers, COR_KILLER_SMOKE)) {
        snprintf(word, sizeof word, "smoke.%s", cor_term_word(COR_FAMILY_SMOKE, (int)class->smoke));
        add_word(text, word);
    }
    if (class->fault)
        add_word(text, "fault");
    if (class->unmet != COR_UNMET_NONE)
        add_word(text, unmets[class->unmet]);
    if (text[0] == '\0')
        add_word(text, "none");
    return text;
}

/* "gray.agent_missing", "smoke.crashed", "fault" or "property". */
static bool add_part(const char *word, struct cor_failure_class *class) {
    char box[64];
    const char *dot = strchr(word, '.');
    for (int b = COR_UNMET_NONE + 1; b < COR_UNMET_COUNT; b++)
        if (strcmp(word, unmets[b]) == 0) {
            class->unmet = (enum cor_unmet)b;
            return true;
        }
    if (!dot) {
        class->fault = class->fault || strcmp(word, "fault") == 0;
        return strcmp(word, "fault") == 0;
    }
    snprintf(box, sizeof box, "%.*s", (int)(dot - word), word);
    if (strcmp(box, "smoke") == 0) {
        class->smoke = (enum cor_smoke)cor_term_number(COR_FAMILY_SMOKE, dot + 1);
        cor_killer_set_add(&class->killers, COR_KILLER_SMOKE);
        return class->smoke > COR_SMOKE_NONE;
    }
    const int code = cor_term_number(COR_FAMILY_BOX, box), check = cor_term_number(COR_FAMILY_CHECK, dot + 1);
    if (code == 0 || check == 0)
        return false;
    cor_killer_set_add(&class->killers, cor_killer(code, check));
    return true;
}

enum cor_status cor_failure_class_parse(const char *text, const char *place, struct cor_failure_class *class,
                                        struct cor_error *error) {
    char part[64];
    *class = (struct cor_failure_class){.smoke = COR_SMOKE_NONE};
    if (strcmp(text, "none") == 0)
        return COR_OK;
    for (const char *at = text;;) {
        const size_t length = strcspn(at, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), at);
        if (length >= sizeof part || !add_part(part, class))
            return cor_fail(error, COR_STATUS_INPUT, place,
                            "boxes with checks, smoke and fault, as corridor failures shows them: "
                            "\"gray.agent_repeated,fault\", \"smoke.crashed\"",
                            "\"%s\" is no part of a class of failures", part);
        if (at[length] == '\0')
            return COR_OK;
        at += length + 1;
    }
}

uint32_t cor_failure_rows_next(struct cor_failure_rows *rows, struct cor_failure_class *class) {
    *class = (struct cor_failure_class){.smoke = COR_SMOKE_NONE};
    if (rows->violation_count + rows->reorganization_count == 0)
        return 0;
    uint32_t number = rows->violation_count > 0 ? rows->violations->case_ : UINT32_MAX;
    if (rows->reorganization_count > 0 && rows->reorganizations->case_ < number)
        number = rows->reorganizations->case_;
    /* What is said of time is about the sequence, and a class of its own behind that of the case. */
    const bool has_reorganized = rows->reorganization_count > 0 && rows->reorganizations->case_ == number;
    const bool is_time = !has_reorganized && rows->violations->box == COR_BOX_TIME;
    for (; rows->violation_count > 0 && rows->violations->case_ == number &&
           (rows->violations->box == COR_BOX_TIME) == is_time;
         rows->violation_count--) {
        const struct cor_violation_row *row = rows->violations++;
        if (row->box > 0 && row->box < COR_BOX_CODES && row->check > 0 && row->check < COR_CHECK_CODES)
            cor_killer_set_add(&class->killers, cor_killer(row->box, row->check));
    }
    for (; rows->reorganization_count > 0 && rows->reorganizations->case_ == number;
         rows->reorganization_count--) {
        const struct cor_reorganization_row *row = rows->reorganizations++;
        class->fault = class->fault || row->fault_activated > 0;
        if (row->gray != COR_VERDICT_SMOKE && row->black != COR_VERDICT_SMOKE)
            continue;
        cor_killer_set_add(&class->killers, COR_KILLER_SMOKE);
        class->smoke = (enum cor_smoke)row->smoke;
    }
    return number;
}

bool cor_failure_class_fails(const struct cor_failure_class *class) {
    for (int box = 0; box < COR_BOX_CODES; box++)
        if (box != COR_BOX_INTERIM && class->killers.checks[box] != 0)
            return true;
    return class->unmet != COR_UNMET_NONE;
}

uint32_t cor_first_failure(struct cor_failure_rows rows, struct cor_failure_class *class) {
    for (;;) {
        const uint32_t number = cor_failure_rows_next(&rows, class);
        if (number == 0 || cor_failure_class_fails(class))
            return number;
    }
}
