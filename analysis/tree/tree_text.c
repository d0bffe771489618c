/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree for a reader at a terminal: a line a stretch. */
#include <corridor/cells.h>

#include "events.h"

#include <inttypes.h>
#include <string.h>

#define DEPTH_MAX 100 /* drawn; deeper lines would begin outside any terminal */
#define SIBLINGS 20   /* children drawn of a node, those aside that only passed */

/* How branches are drawn: all of one width. */
struct strokes {
    const char *fork, *last, *through, *nothing;
};
static const struct strokes lines = {"├─ ", "└─ ", "│  ", "   "}, letters = {"|- ", "`- ", "|  ", "   "};

struct page {
    const struct cor_tree *tree;
    const struct cor_state_names *names;
    const struct cor_drawing *drawing;
    const struct strokes *strokes;
    FILE *file;
    const char *before[DEPTH_MAX + 1]; /* [level] what stands before a line that is deeper */
};

static void indent(const struct page *page, uint32_t level) {
    for (uint32_t l = 1; l < level; l++)
        fputs(page->before[l], page->file);
}

/* Begins an item below a node; what comes below the item in its turn is indented accordingly. */
static void begin_item(struct page *page, uint32_t level, bool is_last) {
    indent(page, level);
    fputs(is_last ? page->strokes->last : page->strokes->fork, page->file);
    page->before[level] = is_last ? page->strokes->nothing : page->strokes->through;
}

static void put_node(const struct page *page, const struct cor_tree_node *node) {
    char stretch[COR__LINE], event[COR__LINE], set[COR__LINE];
    const struct cor_drawing *d = page->drawing;
    cor__stretch_text(node, stretch);
    cor__event_text(page->tree, page->names, node, event);
    cor__set_text(page->tree, node, set);
    const char *colour = node->failing == 0 ? d->good : node->failing == node->sequences ? d->bad : d->strong;
    fprintf(page->file, "%s%s%s%s%s", stretch, stretch[0] ? ": " : "", colour, set, d->plain);
    fprintf(page->file, "%s%s%s\n", event[0] ? "  [" : "", event, event[0] ? "]" : "");
}

/* Below a node: that verdicts part behind it, and by what. */
static void put_parting(const struct page *page, const struct cor_tree_node *node) {
    char text[COR__LINE];
    if (!node->parts)
        return;
    cor__difference_text(page->tree, page->names, node, text);
    indent(page, node->depth + 1);
    fprintf(page->file, "%s* verdicts part%s%s%s\n", page->drawing->strong, text[0] ? ": " : "", text,
            page->drawing->plain);
}

/* What is below a node, one item each. */
struct items {
    uint32_t ending; /* sequences that end where others go on */
    uint32_t drawn;  /* children that are drawn, in their order; the rest is counted: */
    uint32_t rest, rest_sequences;
    uint32_t passing, passing_sequences; /* children that only passed */
    const struct cor_tree_node *passed;  /* the last of them */
    uint32_t left;                       /* items to come */
};

static struct items items_of(const struct cor_tree *tree, const struct cor_tree_node *node) {
    struct items items = {.ending = node->children > 0 ? node->ending : 0};
    for (uint32_t c = 0; c < node->children; c++) {
        const struct cor_tree_node *child = &tree->node[node->first_child + c];
        if (child->failing == 0) {
            items.passing++;
            items.passing_sequences += child->sequences;
            items.passed = child;
        } else if (items.drawn < SIBLINGS) {
            items.drawn++;
        } else {
            items.rest++;
            items.rest_sequences += child->sequences;
        }
    }
    items.left = (items.ending > 0) + items.drawn + (items.rest > 0) + (items.passing > 0);
    return items;
}

static void put_ending(const struct page *page, const struct cor_tree_node *node) {
    const struct cor_tree *tree = page->tree;
    uint32_t failing = 0;
    for (uint32_t i = 0; i < node->ending; i++)
        failing += tree->sequence[tree->order[node->first_sequence + i]].first_failure > 0;
    fprintf(page->file, "%" PRIu32 " of them end%s here, %" PRIu32 " failed\n", node->ending,
            node->ending == 1 ? "s" : "", failing);
}

static void put_passing(const struct page *page, const struct items *items) {
    if (items->passing == 1)
        put_node(page, items->passed);
    else
        fprintf(page->file, "%s%" PRIu32 " sequences, all passed%s, in %" PRIu32 " ways\n",
                page->drawing->good, items->passing_sequences, page->drawing->plain, items->passing);
}

/* Everything below a node. */
static void put_below(struct page *page, const struct cor_tree_node *node) {
    uint32_t level = node->depth + 1;
    if (node->failing == 0 || node->children == 0)
        return;
    if (level > page->drawing->depth || level > DEPTH_MAX) {
        page->before[level < DEPTH_MAX ? level : DEPTH_MAX] = "";
        indent(page, level < DEPTH_MAX ? level : DEPTH_MAX);
        fprintf(page->file, "   goes on in %" PRIu32 " ways\n", node->children);
        return;
    }
    struct items items = items_of(page->tree, node);
    put_parting(page, node);
    if (items.ending > 0) {
        begin_item(page, level, --items.left == 0);
        put_ending(page, node);
    }
    for (uint32_t c = 0; items.drawn > 0; c++) {
        const struct cor_tree_node *child = &page->tree->node[node->first_child + c];
        if (child->failing == 0)
            continue;
        items.drawn--;
        begin_item(page, level, --items.left == 0);
        put_node(page, child);
        put_below(page, child);
    }
    if (items.rest > 0) {
        begin_item(page, level, --items.left == 0);
        fprintf(page->file, "and %" PRIu32 " more sequences, in %" PRIu32 " ways\n", items.rest_sequences,
                items.rest);
    }
    if (items.passing > 0) {
        begin_item(page, level, --items.left == 0);
        put_passing(page, &items);
    }
}

static void put_title(const struct page *page, struct cor_result *result) {
    const struct cor_tree *tree = page->tree;
    const char *before = "";
    fprintf(page->file, "%s%s%s, suite %" PRIu32 ": %" PRIu32 " of %" PRIu32 " sequences failed; tree over ",
            page->drawing->strong, cor_result_name(result, COR_CATALOG_ARM, tree->arm), page->drawing->plain,
            tree->suite, tree->failing, tree->sequence_count);
    for (enum cor_projection p = 0; p < COR_PROJECTION_COUNT; p++) {
        if (!(tree->projections >> p & 1))
            continue;
        fprintf(page->file, "%s%s", before, cor_projection_words[p]);
        if (p == COR_PROJECTION_CHAINS || p == COR_PROJECTION_INVOLVED)
            fprintf(page->file, " (%" PRIu32 ")", tree->chain_count);
        before = ", ";
    }
    fputc('\n', page->file);
}

enum cor_status cor_tree_text(const struct cor_tree *tree, struct cor_result *result,
                              const struct cor_drawing *drawing, FILE *file, struct cor_error *error) {
    struct cor_state_names names;
    struct page page = {.tree = tree, .names = &names, .drawing = drawing, .file = file};
    page.strokes = drawing->ascii ? &letters : &lines;
    cor_state_names_init(&names, result);
    put_title(&page, result);
    if (tree->failing == 0) {
        fputs("nothing failed: no tree to part\n", file);
    } else {
        put_node(&page, &tree->node[0]);
        put_below(&page, &tree->node[0]);
    }
    cor_state_names_fini(&names);
    return cor_stream_status(file, error);
}
