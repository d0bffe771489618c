/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/structures.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ADOPTED "partitioning", "covering", "overlapping", "hierarchy", "tree"
const char *const cor_structure_words[] = {ADOPTED, "observed", NULL};
const char *const cor_structure_adopted_words[] = {ADOPTED, NULL};
#undef ADOPTED

/* Replaces each `from` in the text by the longer `to`, as far as there is room. */
static void replace_word(char *text, size_t size, const char *from, const char *to) {
    const size_t old_length = strlen(from), new_length = strlen(to);
    for (char *at = strstr(text, from); at; at = strstr(at + new_length, from)) {
        const size_t rest = strlen(at + old_length) + 1, before = (size_t)(at - text);
        if (before + new_length + rest > size)
            return;
        memmove(at + new_length, at + old_length, rest);
        memcpy(at, to, new_length);
    }
}

/* "organization 3", or "none". */
static const char *above(double organization, char *text, size_t size) {
    if (organization == (double)COR_NOBODY)
        snprintf(text, size, "none");
    else
        snprintf(text, size, "organization %.0f", organization);
    return text;
}

void cor_violation_kind_text(enum cor_structure_kind kind, const struct cor_violation *violation, char *text,
                             size_t size) {
    const uint32_t agent = violation->agent, organization = violation->partition;
    switch (kind == COR_STRUCTURE_PARTITIONING ? 0 : violation->check) {
    case COR_CHECK_MISSING:
        snprintf(text, size, "Agent %u is in no organization, expected in %s one.", agent,
                 kind == COR_STRUCTURE_COVERING ? "at least" : "exactly");
        break;
    case COR_CHECK_DOUBLE:
        if (cor_structure_nests(kind))
            snprintf(text, size, "Agent %u occurs %.0f times (last in organization %u), expected once.",
                     agent, violation->found, organization);
        else
            snprintf(text, size, "Agent %u occurs more than once in organization %u.", agent, organization);
        break;
    case COR_CHECK_EMPTY:
        snprintf(text, size, "Organization %u has no members%s.", organization,
                 cor_structure_nests(kind) ? " and no children" : "");
        break;
    case COR_CHECK_NOT_ADOPTED: {
        char found[32], expected[32];
        if (violation->partition == COR_NOBODY)
            snprintf(text, size, "Organization %.0f of the accepted solution is not in the structure.",
                     violation->expected);
        else if (violation->found == violation->expected)
            snprintf(text, size, "Organization %u of the structure is none of the accepted solution.",
                     violation->partition);
        else
            snprintf(text, size, "Organization %u stands below %s, in the accepted solution below %s.",
                     violation->partition, above(violation->found, found, sizeof found),
                     above(violation->expected, expected, sizeof expected));
        break;
    }
    default:
        cor_violation_text(violation, text, size);
        if (kind == COR_STRUCTURE_PARTITIONING)
            break;
        replace_word(text, size, "partition", "organization");
        replace_word(text, size, "Partition", "Organization");
    }
}
