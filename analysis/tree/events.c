/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "events.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define ITEMS 3 /* chains or differences named before the rest is counted */

/* Appends, cut off at the end of the line. */
static void append(char text[COR__LINE], const char *format, ...) COR_PRINTF(2, 3);
static void append(char text[COR__LINE], const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, COR__LINE - length, format, arguments);
    va_end(arguments);
}

static const char *comma(const char *text) {
    return text[0] ? ", " : "";
}

void cor__stretch_text(const struct cor_tree_node *node, char text[COR__LINE]) {
    uint32_t last = node->first_case + node->cases - 1;
    text[0] = '\0';
    if (node->cases == 0)
        return;
    if (last == 0)
        append(text, "before the first case");
    else if (node->first_case == last)
        append(text, "case %" PRIu32, last);
    else
        append(text, "cases %" PRIu32 "-%" PRIu32, node->first_case, last);
}

void cor__verdict_text(uint8_t verdict, char text[64]) {
    int gray = verdict >> 3, black = verdict & 7;
    if (gray == COR_VERDICT_NOT_JUDGED && black == COR_VERDICT_NOT_JUDGED)
        snprintf(text, 64, "no reorganization");
    else
        snprintf(text, 64, "gray %s, black %s", cor_term_word(COR_FAMILY_VERDICT, gray),
                 cor_term_word(COR_FAMILY_VERDICT, black));
}

static void append_chain(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                         const uint8_t *before, const uint8_t *now, char text[COR__LINE]) {
    char from[COR_STATE_NAME], to[COR_STATE_NAME];
    uint16_t environment = tree->environment[index];
    cor_state_name(names, environment, now[index], to);
    append(text, "%schain %" PRIu32 " (%s): ", comma(text), tree->chain[index],
           cor_environment_name(names, environment));
    if (before) {
        cor_state_name(names, environment, before[index], from);
        append(text, "%s -> ", from);
    }
    append(text, "%s", to);
}

void cor__event_text(const struct cor_tree *tree, const struct cor_state_names *names,
                     const struct cor_tree_node *node, char text[COR__LINE]) {
    text[0] = '\0';
    if (node->cases == 0)
        return;
    uint32_t s = tree->order[node->first_sequence], changed = 0;
    const uint8_t *now = cor_tree_case(tree, s, node->first_case),
                  *before = node->first_case > 0 ? cor_tree_case(tree, s, node->first_case - 1) : NULL;
    for (uint32_t c = 0; c < tree->chain_count; c++)
        if ((!before || before[c] != now[c]) && ++changed <= ITEMS)
            append_chain(tree, names, c, before, now, text);
    if (changed > ITEMS)
        append(text, " and %" PRIu32 " more", changed - ITEMS);
    const uint8_t *rest = now + tree->chain_count;
    if (tree->projections >> COR_PROJECTION_ALARM & 1 && *rest++)
        append(text, "%salarm", comma(text));
    if (tree->projections >> COR_PROJECTION_VERDICT & 1) {
        char words_of[64];
        cor__verdict_text(*rest, words_of);
        if (strcmp(words_of, "no reorganization") != 0)
            append(text, "%s%s", comma(text), words_of);
    }
    if (text[0] == '\0')
        append(text, "nothing changes");
}

void cor__set_text(const struct cor_tree *tree, const struct cor_tree_node *node, char text[COR__LINE]) {
    uint32_t first = UINT32_MAX, last = 0, end = node->first_case + node->cases;
    const uint32_t *order = tree->order + node->first_sequence;
    text[0] = '\0';
    for (uint32_t i = 0; i < node->sequences; i++) {
        uint32_t failure = tree->sequence[order[i]].first_failure;
        if (failure < node->first_case || failure >= end || failure == 0)
            continue;
        first = failure < first ? failure : first;
        last = failure > last ? failure : last;
    }
    if (node->sequences == 1)
        append(text, "sequence %" PRIu32 " %s", order[0], node->failing > 0 ? "failed" : "passed");
    else if (node->failing == 0 || node->failing == node->sequences)
        append(text, "%" PRIu32 " sequences, all %s", node->sequences,
               node->failing > 0 ? "failed" : "passed");
    else
        append(text, "%" PRIu32 " sequences, %" PRIu32 " failed", node->sequences, node->failing);
    if (last > 0 && first == last)
        append(text, " in case %" PRIu32, first);
    else if (last > 0)
        append(text, " in cases %" PRIu32 "-%" PRIu32, first, last);
    if (node->sequences == 1 && tree->sequence[order[0]].continues)
        append(text, "; continues %u behind case %" PRIu32, tree->sequence[order[0]].parent,
               tree->sequence[order[0]].prefix);
}

/* Values of a set as words: states, alarm or none, verdicts. */
static void append_values(const struct cor_tree *tree, const struct cor_state_names *names,
                          const struct cor_distinction *difference, uint64_t values, char text[COR__LINE]) {
    const char *before = "";
    for (uint32_t v = 0; v < 64; v++) {
        char word[COR_STATE_NAME];
        if (!(values >> v & 1))
            continue;
        if (difference->what == COR_PROJECTION_CHAINS)
            cor_state_name(names, tree->environment[difference->index], v, word);
        else if (difference->what == COR_PROJECTION_ALARM)
            snprintf(word, sizeof word, "%s", v ? "alarm" : "no alarm");
        else
            cor__verdict_text((uint8_t)v, word);
        append(text, "%s%s", before, word);
        before = " or ";
    }
}

void cor__difference_text(const struct cor_tree *tree, const struct cor_state_names *names,
                          const struct cor_tree_node *node, char text[COR__LINE]) {
    text[0] = '\0';
    for (uint32_t i = 0; i < node->differences && i < ITEMS; i++) {
        const struct cor_distinction *difference = &tree->difference[node->first_difference + i];
        append(text, "%s", i > 0 ? "; " : "");
        if (difference->what == COR_PROJECTION_CHAINS)
            append(text, "chain %" PRIu32 " (%s): ", tree->chain[difference->index],
                   cor_environment_name(names, tree->environment[difference->index]));
        else
            append(text, "%s: ", cor_projection_words[difference->what]);
        append(text, "failing ");
        append_values(tree, names, difference, difference->failing, text);
        append(text, ", passing ");
        append_values(tree, names, difference, difference->passing, text);
    }
    if (node->differences > ITEMS)
        append(text, "; and %" PRIu32 " more", node->differences - ITEMS);
}
