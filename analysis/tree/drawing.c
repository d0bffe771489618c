/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree as a drawing for a reader at a terminal, a line a stretch, and as a graph for Graphviz, from left
 * to right: long labels then cost no width. Both say the same of a node. */
#include <corridor/tree.h>

#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE 512      /* bytes of a description; what is longer is cut */
#define ITEMS 3       /* chains or differences named before the rest is counted */
#define DEPTH_MAX 100 /* drawn; deeper lines would begin outside any terminal */
#define SIBLINGS 20   /* children drawn of a node, those aside that only passed */
#define RED "#f4b6b0"
#define GREEN "#bfe3bf"
#define YELLOW "#fbe6a2"
#define LABEL 56 /* letters of a line of a label */

/* Appends, cut off at the end of the line. */
static void append(char text[LINE], const char *format, ...) COR_PRINTF(2, 3);
static void append(char text[LINE], const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, LINE - length, format, arguments);
    va_end(arguments);
}

static const char *comma(const char *text) {
    return text[0] ? ", " : "";
}

/* "cases 3-17", "case 3", "up to case 3", "before the first case", or "" of a root that is alike in nothing.
 */
static void stretch_text(const struct cor_tree_node *node, char text[LINE]) {
    uint32_t last = node->first_case + node->cases - 1;
    text[0] = '\0';
    if (node->cases == 0)
        return;
    if (last == 0)
        append(text, "before the first case");
    else if (node->first_case == 0)
        append(text, "up to case %" PRIu32, last);
    else if (node->first_case == last)
        append(text, "case %" PRIu32, last);
    else
        append(text, "cases %" PRIu32 "-%" PRIu32, node->first_case, last);
}

void cor_tree_verdict_text(uint8_t verdict, char text[64]) {
    int gray = verdict >> 3, black = verdict & 7;
    if (gray == COR_VERDICT_NOT_JUDGED && black == COR_VERDICT_NOT_JUDGED)
        snprintf(text, 64, "no reorganization");
    else
        snprintf(text, 64, "gray %s, black %s", cor_term_word(COR_FAMILY_VERDICT, gray),
                 cor_term_word(COR_FAMILY_VERDICT, black));
}

void cor_tree_seen_text(uint8_t seen, char text[COR_TREE_SEEN]) {
    static const char *const words[] = {"gray", "black", "look", "on the way", "time"};
    const uint8_t violated = seen & (COR_TREE_UNKNOWN - 1);
    size_t length = (size_t)snprintf(text, COR_TREE_SEEN, "%s", violated ? "violated (" : seen ? "" : "met");
    const char *before = "";
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (violated >> w & 1) {
            length += (size_t)snprintf(text + length, COR_TREE_SEEN - length, "%s%s", before, words[w]);
            before = ", ";
        }
    snprintf(text + length, COR_TREE_SEEN - length, "%s%s", violated ? ")" : "",
             !(seen & COR_TREE_UNKNOWN) ? ""
             : violated                 ? ", unknown"
                                        : "unknown");
}

/* What is new in the first case of a node: chains that changed, the alarm, the verdicts, constraints. */
static void event_text(const struct cor_tree *tree, const struct cor_state_names *names,
                       const struct cor_tree_node *node, char text[LINE]) {
    text[0] = '\0';
    if (node->cases == 0)
        return;
    uint32_t s = tree->order[node->first_sequence], changed = 0;
    const uint8_t *now = cor_tree_case(tree, s, node->first_case),
                  *before = node->first_case > 0 ? cor_tree_case(tree, s, node->first_case - 1) : NULL;
    for (uint32_t c = 0; c < tree->chain_count; c++)
        if ((!before || before[c] != now[c]) && ++changed <= ITEMS) {
            char from[COR_STATE_NAME], to[COR_STATE_NAME];
            uint16_t environment = tree->environment[c];
            cor_state_name(names, environment, now[c], to);
            append(text, "%schain %" PRIu32 " (%s): ", comma(text), tree->chain[c],
                   cor_environment_name(names, environment));
            if (before) {
                cor_state_name(names, environment, before[c], from);
                append(text, "%s -> ", from);
            }
            append(text, "%s", to);
        }
    if (changed > ITEMS)
        append(text, " and %" PRIu32 " more", changed - ITEMS);
    const uint8_t *rest = now + tree->chain_count;
    if (tree->projections >> COR_PROJECTION_ALARM & 1 && *rest++)
        append(text, "%salarm", comma(text));
    if (tree->projections >> COR_PROJECTION_VERDICT & 1) {
        char words_of[64];
        cor_tree_verdict_text(*rest, words_of);
        if (strcmp(words_of, "no reorganization") != 0)
            append(text, "%s%s", comma(text), words_of);
    }
    const uint8_t *seen = cor_tree_constraints(tree, s, node->first_case);
    uint32_t named = 0;
    for (uint32_t c = 0; c < tree->constraint_count; c++) {
        char words_of[COR_TREE_SEEN];
        if (seen[c] == 0 || ++named > ITEMS)
            continue;
        cor_tree_seen_text(seen[c], words_of);
        append(text, "%s%s %s", comma(text),
               cor_result_name(names->result, COR_CATALOG_CONSTRAINT, (uint16_t)c), words_of);
    }
    if (named > ITEMS)
        append(text, " and %" PRIu32 " more constraints", named - ITEMS);
    if (text[0] == '\0')
        append(text, "nothing changes");
}

/* "sequence 4 passed", "6 sequences, 2 failed", and in which cases they failed first if that is in its
 * stretch. */
static void set_text(const struct cor_tree *tree, const struct cor_tree_node *node, char text[LINE]) {
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

void cor_tree_value_text(const struct cor_tree *tree, const struct cor_state_names *names,
                         const struct cor_distinction *difference, uint32_t value,
                         char text[COR_STATE_NAME]) {
    COR_ASSERT(value < 64);
    if (difference->what == COR_PROJECTION_CHAINS)
        cor_state_name(names, tree->environment[difference->index], value, text);
    else if (difference->what == COR_PROJECTION_ALARM)
        strcpy(text, value ? "alarm" : "no alarm");
    else if (difference->what == COR_PROJECTION_CONSTRAINTS)
        cor_tree_seen_text((uint8_t)value, text);
    else
        cor_tree_verdict_text((uint8_t)value, text);
}

/* The words of a set of values. */
static void append_values(const struct cor_tree *tree, const struct cor_state_names *names,
                          const struct cor_distinction *difference, uint64_t values, char text[LINE]) {
    const char *before = "";
    for (uint32_t v = 0; v < 64; v++) {
        char word[COR_STATE_NAME];
        if (!(values >> v & 1))
            continue;
        cor_tree_value_text(tree, names, difference, v, word);
        append(text, "%s%s", before, word);
        before = " or ";
    }
}

/* What tells failing from passing where they part, "" if no single thing does. */
static void difference_text(const struct cor_tree *tree, const struct cor_state_names *names,
                            const struct cor_tree_node *node, char text[LINE]) {
    text[0] = '\0';
    for (uint32_t i = 0; i < node->differences && i < ITEMS; i++) {
        const struct cor_distinction *difference = &tree->difference[node->first_difference + i];
        append(text, "%s", i > 0 ? "; " : "");
        if (difference->what == COR_PROJECTION_CHAINS)
            append(text, "chain %" PRIu32 " (%s): ", tree->chain[difference->index],
                   cor_environment_name(names, tree->environment[difference->index]));
        else if (difference->what == COR_PROJECTION_CONSTRAINTS)
            append(text, "%s: ",
                   cor_result_name(names->result, COR_CATALOG_CONSTRAINT, (uint16_t)difference->index));
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

/* How branches are drawn: all of one width. */
struct strokes {
    const char *fork, *last, *through, *nothing;
};
static const struct strokes lines = {"├─ ", "└─ ", "│  ", "   "}, letters = {"|- ", "`- ", "|  ", "   "};

struct drawing {
    const struct cor_tree *tree;
    const struct cor_state_names *names;
    const struct cor_style *style;
    const struct strokes *strokes;
    uint32_t depth; /* that is drawn */
    FILE *file;
    const char *before[DEPTH_MAX + 1]; /* [level] what stands before a line that is deeper */
};

static void indent(const struct drawing *drawing, uint32_t level) {
    for (uint32_t l = 1; l < level; l++)
        fputs(drawing->before[l], drawing->file);
}

/* Begins an item below a node; what comes below the item in its turn is indented accordingly. */
static void begin_item(struct drawing *drawing, uint32_t level, bool is_last) {
    indent(drawing, level);
    fputs(is_last ? drawing->strokes->last : drawing->strokes->fork, drawing->file);
    drawing->before[level] = is_last ? drawing->strokes->nothing : drawing->strokes->through;
}

static void draw_node(const struct drawing *drawing, const struct cor_tree_node *node) {
    char stretch[LINE], event[LINE], set[LINE];
    const struct cor_style *style = drawing->style;
    stretch_text(node, stretch);
    event_text(drawing->tree, drawing->names, node, event);
    set_text(drawing->tree, node, set);
    const char *colour = node->failing == 0                 ? style->good
                         : node->failing == node->sequences ? style->bad
                                                            : style->strong;
    fprintf(drawing->file, "%s%s%s%s%s", stretch, stretch[0] ? ": " : "", colour, set, style->plain);
    fprintf(drawing->file, "%s%s%s\n", event[0] ? "  [" : "", event, event[0] ? "]" : "");
}

/* Below a node: that verdicts part behind it, and by what. */
static void put_parting(const struct drawing *drawing, const struct cor_tree_node *node) {
    char text[LINE];
    if (!node->parts)
        return;
    difference_text(drawing->tree, drawing->names, node, text);
    indent(drawing, node->depth + 1);
    fprintf(drawing->file, "%s* verdicts part%s%s%s\n", drawing->style->strong, text[0] ? ": " : "", text,
            drawing->style->plain);
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

/* Everything below a node. */
static void put_below(struct drawing *drawing, const struct cor_tree_node *node) {
    uint32_t level = node->depth + 1;
    if (node->failing == 0 || node->children == 0)
        return;
    if (level > drawing->depth || level > DEPTH_MAX) {
        drawing->before[level < DEPTH_MAX ? level : DEPTH_MAX] = "";
        indent(drawing, level < DEPTH_MAX ? level : DEPTH_MAX);
        fprintf(drawing->file, "   goes on in %" PRIu32 " ways\n", node->children);
        return;
    }
    struct items items = items_of(drawing->tree, node);
    put_parting(drawing, node);
    if (items.ending > 0) {
        begin_item(drawing, level, --items.left == 0);
        const struct cor_tree *tree = drawing->tree;
        uint32_t failing = 0;
        for (uint32_t i = 0; i < node->ending; i++)
            failing += tree->sequence[tree->order[node->first_sequence + i]].first_failure > 0;
        fprintf(drawing->file, "%" PRIu32 " of them end%s here, %" PRIu32 " failed\n", node->ending,
                node->ending == 1 ? "s" : "", failing);
    }
    for (uint32_t c = 0; items.drawn > 0; c++) {
        const struct cor_tree_node *child = &drawing->tree->node[node->first_child + c];
        if (child->failing == 0)
            continue;
        items.drawn--;
        begin_item(drawing, level, --items.left == 0);
        draw_node(drawing, child);
        put_below(drawing, child);
    }
    if (items.rest > 0) {
        begin_item(drawing, level, --items.left == 0);
        fprintf(drawing->file, "and %" PRIu32 " more sequences, in %" PRIu32 " ways\n", items.rest_sequences,
                items.rest);
    }
    if (items.passing > 0) {
        begin_item(drawing, level, --items.left == 0);
        if (items.passing == 1)
            draw_node(drawing, items.passed);
        else
            fprintf(drawing->file, "%s%" PRIu32 " sequences, all passed%s, in %" PRIu32 " ways\n",
                    drawing->style->good, items.passing_sequences, drawing->style->plain, items.passing);
    }
}

static void put_title(const struct drawing *drawing) {
    const struct cor_tree *tree = drawing->tree;
    const char *before = "";
    fprintf(drawing->file,
            "%s%s%s, suite %" PRIu32 ": %" PRIu32 " of %" PRIu32 " sequences failed; tree over ",
            drawing->style->strong, cor_result_name(drawing->names->result, COR_CATALOG_ARM, tree->arm),
            drawing->style->plain, tree->suite, tree->failing, tree->sequence_count);
    for (enum cor_tree_projection p = 0; p < COR_PROJECTION_COUNT; p++) {
        if (!(tree->projections >> p & 1))
            continue;
        fprintf(drawing->file, "%s%s", before, cor_projection_words[p]);
        if (p == COR_PROJECTION_CHAINS || p == COR_PROJECTION_INVOLVED)
            fprintf(drawing->file, " (%" PRIu32 ")", tree->chain_count);
        before = ", ";
    }
    fputc('\n', drawing->file);
}

void cor_tree_text(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t depth,
                   const struct cor_style *style, FILE *file) {
    struct drawing drawing = {.tree = tree,
                              .names = names,
                              .style = style,
                              .strokes = style->ascii ? &letters : &lines,
                              .depth = depth > 0 ? depth : UINT32_MAX,
                              .file = file};
    put_title(&drawing);
    if (tree->failing == 0) {
        fputs("nothing failed: no tree to part\n", file);
        return;
    }
    draw_node(&drawing, &tree->node[0]);
    put_below(&drawing, &tree->node[0]);
}

/* Text within a label: quoted, and broken at blanks. */
static void put_label(const char *text, FILE *file) {
    size_t column = 0;
    for (; *text; text++, column++) {
        if (*text == ' ' && column >= LABEL) {
            fputs("\\l", file);
            column = 0;
            continue;
        }
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputs("\\l", file);
}

static const char *colour_of(const struct cor_tree_node *node) {
    return node->failing == 0 ? GREEN : node->failing == node->sequences ? RED : YELLOW;
}

static void put_node(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                     FILE *file) {
    const struct cor_tree_node *node = &tree->node[index];
    char text[LINE];
    fprintf(file, "  n%" PRIu32 " [fillcolor=\"%s\"%s, label=\"", index, colour_of(node),
            node->parts ? ", peripheries=2" : "");
    stretch_text(node, text);
    if (text[0])
        put_label(text, file);
    set_text(tree, node, text);
    put_label(text, file);
    difference_text(tree, names, node, text);
    if (node->parts) {
        fputs("verdicts part", file);
        put_label(text[0] ? ":" : "", file);
        if (text[0])
            put_label(text, file);
    }
    fputs("\"];\n", file);
}

/* Children that only passed, as one node; or what is deeper than wanted. */
static void put_rest(uint32_t parent, const char *name, const char *colour, uint32_t sequences, uint32_t ways,
                     FILE *file) {
    fprintf(file,
            "  %s%" PRIu32 " [fillcolor=\"%s\", label=\"%" PRIu32 " sequences%s\\lin %" PRIu32
            " ways\\l\"];\n"
            "  n%" PRIu32 " -> %s%" PRIu32 ";\n",
            name, parent, colour, sequences, strcmp(colour, GREEN) == 0 ? ", all passed" : "", ways, parent,
            name, parent);
}

/* A node, and its children as far as they are drawn together or not at all. */
static void put_shown(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                      uint32_t depth, bool *shown, FILE *file) {
    const struct cor_tree_node *node = &tree->node[index];
    uint32_t passing = 0, sequences = 0;
    put_node(tree, names, index, file);
    if (index > 0) {
        char text[LINE];
        event_text(tree, names, &tree->node[index], text);
        fprintf(file, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"", tree->node[index].parent, index);
        put_label(text, file);
        fputs("\"];\n", file);
    }
    if (node->children == 0 || node->failing == 0)
        return;
    if (node->depth >= depth) {
        put_rest(index, "deeper", colour_of(node), node->sequences - node->ending, node->children, file);
        return;
    }
    for (uint32_t c = node->first_child; c < node->first_child + node->children; c++)
        if (tree->node[c].failing == 0) {
            passing++;
            sequences += tree->node[c].sequences;
        }
    for (uint32_t c = node->first_child; c < node->first_child + node->children; c++)
        shown[c] = tree->node[c].failing > 0 || passing == 1;
    if (passing > 1)
        put_rest(index, "passed", GREEN, sequences, passing, file);
}

enum cor_status cor_tree_dot(const struct cor_tree *tree, struct cor_result *result, uint32_t depth,
                             FILE *file, struct cor_error *error) {
    struct cor_state_names names;
    bool *shown = cor_calloc(tree->node_count, sizeof *shown);
    if (!shown)
        return cor_fail_memory(error);
    depth = depth > 0 ? depth : UINT32_MAX;
    cor_state_names_init(&names, result);
    fputs("digraph tree {\n"
          "  rankdir=LR;\n"
          "  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=10];\n"
          "  edge [fontname=\"Helvetica\", fontsize=9];\n"
          "  labelloc=t;\n  fontname=\"Helvetica\";\n  label=\"",
          file);
    put_label(cor_result_name(result, COR_CATALOG_ARM, tree->arm), file);
    fprintf(file, "suite %" PRIu32 ": %" PRIu32 " of %" PRIu32 " sequences failed\\l\";\n", tree->suite,
            tree->failing, tree->sequence_count);
    shown[0] = true;
    for (uint32_t i = 0; i < tree->node_count; i++) /* children come behind their parent */
        if (shown[i])
            put_shown(tree, &names, i, depth, shown, file);
    fputs("}\n", file);
    cor_state_names_fini(&names);
    free(shown);
    return cor_stream_status(file, error);
}
