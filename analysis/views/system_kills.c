/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a running system, and which choosers of actions told them from it: a test, a policy. */
#include "goals.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/interval.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A mutant beside a chooser. */
struct entry {
    const struct views__system_arm *arm;
    char *chooser; /* owned */
    uint64_t tests, killed, cycles_to_kill, spent;
    uint64_t carried_out; /* tests that were, whatever they found: without trouble of the world */
};

/* Whoever looked and killed nothing left it alive; a world in trouble tells nothing of it. */
static const char *state_of(const struct entry *entry) {
    return entry->killed > 0           ? "killed"
           : entry->arm->is_equivalent ? "equivalent"
           : entry->carried_out > 0    ? "alive"
                                       : "no verdict";
}

struct score {
    const char *chooser;
    uint64_t mutants, equivalent, killed, alive, open, spent;
};
#define SCORE(member) COR_CELL_OF(struct score, member)
static const struct cor_column_definition scores_columns[] = {
    {"chooser", "chooser", "", "what chose the actions: the test, its policy", SCORE(chooser)},
    {"mutants", "mutants", "1", "tested", SCORE(mutants)},
    {"equivalent", "equiv.", "1", "proven: they do what the system does", SCORE(equivalent)},
    {"killed", "killed", "1", "of which a test failed that passes without the mutant", SCORE(killed)},
    {"alive", "alive", "1", "survived: tests were carried out, and none killed it", SCORE(alive)},
    {"no_verdict", "no verdict", "1", "of which the world was in trouble in every test", SCORE(open)},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_ESTIMATE, 1, 0},
    {"spent", "spent", "cycles", "of all these tests together", SCORE(spent)},
};
const struct cor_sheet_definition views__system_scores = COR_SHEET_OVER(
    scores_columns, "scores", "Mutation scores", "a row a chooser; intervals over mutants", 0, 0);

#define ENTRY(member) COR_CELL_OF(struct entry, member)
static const struct cor_column_definition kills_columns[] = {
    {"mutant", "mutant", "", "what is changed in the system", COR_CELL_WORD, 0, 0},
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"chooser", "chooser", "", "what chose the actions: the test, its policy", ENTRY(chooser)},
    {"state", "is", "", "killed, alive, equivalent, no verdict", COR_CELL_WORD, 0, 0},
    {"killed", "killed by", "1", "tests that failed, and pass without the mutant", ENTRY(killed)},
    {"tests", "of", "1", "tests made", ENTRY(tests)},
    {"cycles", "cycles", "cycles", "to the verdict, mean of the tests that killed it", COR_CELL_REAL, 1, 0},
    {"spent", "spent", "cycles", "of all these tests together", ENTRY(spent)},
};
const struct cor_sheet_definition views__system_kill_matrix =
    COR_SHEET_OVER(kills_columns, "kills", "Kill matrix", "a row a mutant and chooser", 0, 60);

/* The name of a test without its examples: "key item [view = 4]". */
static size_t base_length(const char *name) {
    const char *examples = strstr(name, " [");
    return examples ? (size_t)(examples - name) : strlen(name);
}

static bool is_of_base(const struct cor_layer_tables *system, uint16_t test, const char *base) {
    const char *name = cor_system_name(system, COR_SYSTEM_CATALOG_TEST, test);
    return base_length(name) == base_length(base) && strncmp(name, base, base_length(base)) == 0;
}

/* Whether no test before `test` of the catalog has the same name without examples. */
static bool is_first_of_base(const struct cor_layer_tables *system, size_t test) {
    const struct cor_catalog_entry *tests = system->head->catalog[COR_SYSTEM_CATALOG_TEST];
    for (size_t t = 0; t < test; t++)
        if (is_of_base(system, tests[t].code, tests[test].name))
            return false;
    return true;
}

static enum cor_status add_entry(const struct cor_layer_tables *system, const struct views__system_arms *arms,
                                 size_t a, const char *base, bool is_only, struct entry *entry,
                                 struct cor_error *error) {
    const struct views__system_arm *arm = &arms->items[a];
    *entry = (struct entry){.arm = arm};
    entry->chooser = is_only       ? cor_strdup(arm->policy ? arm->policy : "goals")
                     : arm->policy ? cor_format("%.*s, %s", (int)base_length(base), base, arm->policy)
                                   : cor_format("%.*s", (int)base_length(base), base);
    COR_TRY(cor_made(entry->chooser, error));
    const struct views__system_range range = views__system_rows(system, COR_SYSTEM_TABLE_TESTS, a);
    for (uint64_t i = range.first; i < range.end; i++) {
        const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        if (!is_of_base(system, row->test, base))
            continue;
        entry->tests++;
        entry->carried_out += row->verdict != COR_TEST_TROUBLE;
        entry->spent += row->cycles;
        if (!views__system_kills(arms, row))
            continue;
        entry->killed++;
        entry->cycles_to_kill += row->decided > 0 ? row->decided : row->cycles;
    }
    return COR_OK;
}

/* Of all entries with the chooser of entry `first`, which is the first with it. */
static void fill_score(struct cor_sheet *sheet, const struct entry *entries, size_t count, size_t first,
                       double level) {
    struct score score = {.chooser = entries[first].chooser};
    for (size_t i = first; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (strcmp(entry->chooser, score.chooser) != 0)
            continue;
        score.mutants++;
        score.killed += entry->killed > 0;
        score.equivalent += entry->killed == 0 && entry->arm->is_equivalent;
        score.alive += entry->killed == 0 && !entry->arm->is_equivalent && entry->carried_out > 0;
        score.open += entry->killed == 0 && !entry->arm->is_equivalent && entry->carried_out == 0;
        score.spent += entry->spent;
    }
    COR_SHEET_PUT(sheet, struct score, &score);
    const uint64_t whole = score.mutants - score.equivalent;
    struct cor_estimate estimate =
        whole > 0 ? cor_estimate_suites(level, score.killed, whole) : cor_no_estimate();
    estimate.mean *= 100;
    estimate.low *= 100;
    estimate.high *= 100;
    cor_sheet_estimate(sheet, &estimate);
    COR_SHEET_PUT(sheet, struct score, &score);
}

static bool is_first(const struct entry *entries, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (strcmp(entries[i].chooser, entries[index].chooser) == 0)
            return false;
    return true;
}

enum cor_status views__put_system_kills(const struct cor_layer_tables *system,
                                        const struct views__system_arms *arms, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_catalog_entry *tests = system->head->catalog[COR_SYSTEM_CATALOG_TEST];
    const size_t test_count = system->head->catalog_size[COR_SYSTEM_CATALOG_TEST];
    struct entry *entries = NULL;
    size_t count = 0, capacity = 0, bases = 0, mutants = 0;
    enum cor_status status = COR_OK;
    for (size_t t = 0; t < test_count; t++)
        bases += is_first_of_base(system, t);
    for (size_t a = 0; a < arms->count; a++)
        mutants += arms->items[a].mutant != NULL;
    if (mutants == 0)
        return COR_OK;
    struct cor_sheet *scores = cor_sheets_more(sheets, &views__system_scores),
                     *kills = cor_sheets_more(sheets, &views__system_kill_matrix);
    for (size_t a = 0; a < arms->count; a++)
        for (size_t t = 0; t < test_count && arms->items[a].mutant; t++) {
            if (!is_first_of_base(system, t))
                continue;
            COR_TRY_OUT(COR_RESERVE(&entries, &capacity, count + 1, error));
            COR_TRY_OUT(add_entry(system, arms, a, tests[t].name, bases == 1, &entries[count++], error));
            if (entries[count - 1].tests == 0)
                free(entries[--count].chooser);
        }
    for (size_t i = 0; i < count; i++)
        if (is_first(entries, i))
            fill_score(scores, entries, count, i, level);
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        cor_sheet_row(kills);
        cor_sheet_word(kills, entry->arm->mutant);
        cor_sheet_word(kills, entry->arm->entry->name);
        COR_SHEET_PUT(kills, struct entry, entry);
        cor_sheet_word(kills, state_of(entry));
        cor_sheet_tone(kills, entry->killed > 0           ? COR_TONE_GOOD
                              : entry->arm->is_equivalent ? COR_TONE_FAINT
                                                          : COR_TONE_BAD);
        COR_SHEET_PUT(kills, struct entry, entry);
        if (entry->killed > 0)
            cor_sheet_real(kills, (double)entry->cycles_to_kill / (double)entry->killed);
        else
            cor_sheet_nothing(kills);
        COR_SHEET_PUT(kills, struct entry, entry);
    }
out:
    for (size_t i = 0; i < count; i++)
        free(entries[i].chooser);
    free(entries);
    return status;
}

/* ---- where test agents were: visits of cells, entities seen and touched, steps between named states, what
 * the world says was executed of it */

#define MAP_COLUMNS 100 /* of a drawing without a width */
#define MAP_ROWS 60     /* of a drawing */
#define MAP_NAME 60     /* characters of an arm's name above it */

/* A cell over the tests of an arm; `key` is first in each of these structs, rows with equal ones are one. */
struct cell {
    uint32_t floor, row, column;
    bool is_free;
    uint64_t tests, first, visits;
};
#define CELL(member) COR_CELL_OF(struct cell, member)
static const struct cor_column_definition cells_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"floor", "floor", "1", "from 0", CELL(floor)},
    {"row", "row", "1", "from 0 at the top", CELL(row)},
    {"column", "column", "1", "from 0 at the left", CELL(column)},
    {"free", "free", "", "one can stand in it", CELL(is_free)},
    {"tests", "tests", "tests", "in which it was seen", CELL(tests)},
    {"first", "first", "cycle", "in which it was seen, at the earliest", CELL(first)},
    {"visits", "visits", "cycles", "that a test agent stood in it, of all tests", CELL(visits)},
};
COR_SHEET_DEFINITION(cells_sheet, "cells", "Cells", "a row a cell that was seen", COR_SHEET_DATA, 0);

struct entity {
    const char *type;
    const struct cor_system_entity_row *row; /* of its first test: the identity */
    uint64_t tests, first, seen, touched;
};
#define ENTITY(member) COR_CELL_OF(struct entity, member)
static const struct cor_column_definition entities_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"entity", "entity", "", "its identity", COR_CELL_TEXT, 0, COR_COLUMN_KEY},
    {"type", "type", "", "its type", ENTITY(type)},
    {"tests", "tests", "tests", "in which it was seen", ENTITY(tests)},
    {"first", "first", "cycle", "in which it was seen, at the earliest", ENTITY(first)},
    {"seen", "seen", "cycles", "in which it was seen, or changed, of all tests", ENTITY(seen)},
    {"touched", "touched", "actions", "on it, of all tests", ENTITY(touched)},
};
COR_SHEET_DEFINITION(entities_sheet, "entities", "Entities", "a row an entity that was seen", 0, 30);

struct step {
    uint64_t from, to;
    const char *action;
    uint64_t tests, count;
};
#define STEP(member) COR_CELL_OF(struct step, member)
static const struct cor_column_definition steps_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"from", "from", "", "named states that hold before", COR_CELL_TEXT, 0, 0},
    {"action", "action", "", "carried out", STEP(action)},
    {"to", "to", "", "named states that hold behind it", COR_CELL_TEXT, 0, 0},
    {"tests", "tests", "tests", "in which that was seen", STEP(tests)},
    {"count", "times", "cycles", "in which that was seen, of all tests", STEP(count)},
};
COR_SHEET_DEFINITION(steps_sheet, "steps", "Steps learnt", "a row an action between named states", 0, 30);

struct covered {
    uint32_t number;
    uint64_t tests, first, count;
};
#define COVERED(member) COR_CELL_OF(struct covered, member)
static const struct cor_column_definition covered_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"number", "number", "1", "of what the world says was executed of it", COVERED(number)},
    {"tests", "tests", "tests", "in which it was", COVERED(tests)},
    {"first", "first", "cycle", "in which it was, at the earliest", COVERED(first)},
    {"count", "times", "cycles", "in which it was, of all tests", COVERED(count)},
};
COR_SHEET_DEFINITION(covered_sheet, "covered", "Executed of the world", "a row a number that the world gives",
                     0, 10);

/* An arm in short. */
struct reach {
    const char *name;
    uint64_t tests, entities, touched, cells, visited, steps, covered;
};
#define REACH(member) COR_CELL_OF(struct reach, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "its name", REACH(name)},
    {"tests", "tests", "1", "that are counted", REACH(tests)},
    {"entities", "entities", "entities", "seen in any test", REACH(entities)},
    {"touched", "touched", "1", "entities on which an action was carried out", REACH(touched)},
    {"cells", "cells", "cells", "free ones, seen in any test", REACH(cells)},
    {"visited", "visited", "1", "cells in which a test agent stood", REACH(visited)},
    {"visited_pct", "share", "%", "visited, of the free cells that were seen", COR_CELL_REAL, 1, 0},
    {"steps", "steps", "1", "different actions between named states", REACH(steps)},
    {"covered", "executed", "1", "different numbers that the world says were executed", REACH(covered)},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Where test agents were", "a row an arm", 0, 60);

/* A row on its way: what orders rows of one table, and the row. */
struct item {
    uint64_t key[3];
    const char *text; /* NULL: none */
    int bytes;
    uint64_t index; /* of the row */
};

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* 0: the same thing, in two tests. */
static int compare_things(const struct item *a, const struct item *b) {
    int order = 0;
    for (int k = 0; k < 3 && order == 0; k++)
        order = compare_numbers(a->key[k], b->key[k]);
    if (order != 0 || !a->text)
        return order;
    order = memcmp(a->text, b->text, (size_t)(a->bytes < b->bytes ? a->bytes : b->bytes));
    return order != 0 ? order : a->bytes - b->bytes;
}

static int compare_items(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    const int order = compare_things(x, y);
    return order != 0 ? order : compare_numbers(x->index, y->index);
}

/* What is looked at: the file, an arm, one of its tests or all. */
struct look {
    const struct cor_layer_tables *system;
    size_t arm;
    uint32_t suite; /* COR_ANY_SUITE: all */
    struct reach reach;
    struct item *items; /* owned; those of one table */
    size_t count, capacity;
};

typedef void name_item(const struct look *look, const void *row, struct item *item);

static void name_cell(const struct look *look, const void *with, struct item *item) {
    const struct cor_system_cell_row *row = with;
    (void)look;
    item->key[0] = row->floor;
    item->key[1] = row->row;
    item->key[2] = row->column;
}

static void name_entity(const struct look *look, const void *with, struct item *item) {
    const struct cor_system_entity_row *row = with;
    const char *texts = look->system->items[COR_SYSTEM_VECTOR_TEXT];
    item->key[0] = row->type;
    item->text = texts + row->identity_start;
    item->bytes = (int)row->identity_bytes;
}

static void name_step(const struct look *look, const void *with, struct item *item) {
    const struct cor_system_step_row *row = with;
    (void)look;
    item->key[0] = row->from;
    item->key[1] = row->action;
    item->key[2] = row->to;
}

static void name_covered(const struct look *look, const void *with, struct item *item) {
    const struct cor_system_covered_row *row = with;
    (void)look;
    item->key[0] = row->number;
}

/* The rows of a table that are looked at, such of the same thing beside each other. */
static enum cor_status gather_things(struct look *look, enum cor_system_table table, name_item *name,
                                     struct cor_error *error) {
    const struct views__system_range range = views__system_rows(look->system, table, look->arm);
    look->count = 0;
    for (uint64_t i = range.first; i < range.end; i++) {
        const void *row = cor_layer_row(look->system, (uint32_t)table, i);
        if (look->suite != COR_ANY_SUITE && cor_row_key_of(row).suite != look->suite)
            continue;
        COR_TRY(COR_RESERVE(&look->items, &look->capacity, look->count + 1, error));
        look->items[look->count] = (struct item){.index = i};
        name(look, row, &look->items[look->count++]);
    }
    if (look->count > 0)
        qsort(look->items, look->count, sizeof *look->items, compare_items);
    return COR_OK;
}

/* Behind the last item of the same thing as that of `first`. */
static size_t end_of_thing(const struct look *look, size_t first) {
    size_t end = first + 1;
    while (end < look->count && compare_things(&look->items[first], &look->items[end]) == 0)
        end++;
    return end;
}

static uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static const char *arm_name(const struct look *look) {
    return cor_arm_entry(look->system->head, look->arm)->name;
}

/* Cells of a floor as they are drawn. */
struct map {
    char *arm;          /* owned */
    struct cell *cells; /* owned; by floor, row and column */
    size_t count;
};

static void destroy_map(void *with) {
    struct map *map = with;
    if (!map)
        return;
    free(map->cells);
    free(map->arm);
    free(map);
}

/* 1 to 9 visits as digits, from 10 on a letter a decade. */
static char letter_of(const struct cell *cell) {
    char letter = 'A';
    if (!cell->is_free)
        return '#';
    if (cell->visits < 10)
        return cell->visits == 0 ? '.' : (char)('0' + cell->visits);
    for (uint64_t visits = cell->visits; visits >= 100; visits /= 10)
        letter++;
    return letter;
}

/* Of several cells in one letter: most visits, then free, then not, then unseen. */
static int rank_of(char letter) {
    return letter == ' ' ? 0 : letter == '#' ? 1 : letter == '.' ? 2 : letter;
}

static void draw_floor(const struct map *map, const struct cell *cells, size_t count, uint32_t most_columns,
                       const struct cor_style *style, FILE *file) {
    uint32_t left = UINT32_MAX, right = 0;
    const uint32_t top = cells[0].row, bottom = cells[count - 1].row;
    for (size_t i = 0; i < count; i++) {
        left = cells[i].column < left ? cells[i].column : left;
        right = cells[i].column > right ? cells[i].column : right;
    }
    const uint64_t wide = (uint64_t)right - left + 1, high = (uint64_t)bottom - top + 1;
    uint64_t step = (wide + most_columns - 1) / most_columns;
    step = (high + MAP_ROWS - 1) / MAP_ROWS > step ? (high + MAP_ROWS - 1) / MAP_ROWS : step;
    char line[MAP_COLUMNS + 1];
    const size_t columns = (size_t)((wide + step - 1) / step);
    fprintf(file,
            "%sVisits%s  %.*s, floor %" PRIu32 ", columns %" PRIu32 " to %" PRIu32 ", rows %" PRIu32
            " to %" PRIu32,
            style->strong, style->plain, MAP_NAME, map->arm, cells[0].floor, left, right, top, bottom);
    if (step > 1)
        fprintf(file, ", a letter %" PRIu64 " cells wide and high", step);
    fputc('\n', file);
    size_t next = 0;
    for (uint64_t row = top; row <= bottom; row += step) {
        memset(line, ' ', columns);
        for (; next < count && cells[next].row < row + step; next++) {
            char *at = &line[(cells[next].column - left) / step];
            const char letter = letter_of(&cells[next]);
            if (rank_of(letter) > rank_of(*at))
                *at = letter;
        }
        size_t length = columns;
        while (length > 0 && line[length - 1] == ' ')
            length--;
        line[length] = '\0';
        fprintf(file, "  %s\n", line);
    }
}

static void draw_map(const void *context, const struct cor_style *style, FILE *file) {
    const struct map *map = context;
    const size_t room = style->width > 12 ? style->width - 2 : MAP_COLUMNS;
    for (size_t first = 0, end; first < map->count; first = end) {
        for (end = first; end < map->count && map->cells[end].floor == map->cells[first].floor;)
            end++;
        draw_floor(map, &map->cells[first], end - first, room < MAP_COLUMNS ? (uint32_t)room : MAP_COLUMNS,
                   style, file);
    }
    fputs("  # no floor, . seen, 1 to 9 visits, A 10 and more, B 100, C 1000\n", file);
}

/* One of all its rows. */
static struct cell cell_of(const struct look *look, size_t first, size_t end) {
    struct cell cell = {.first = UINT64_MAX, .tests = end - first};
    for (size_t i = first; i < end; i++) {
        const struct cor_system_cell_row *row =
            cor_layer_row(look->system, COR_SYSTEM_TABLE_CELLS, look->items[i].index);
        cell.floor = row->floor;
        cell.row = row->row;
        cell.column = row->column;
        cell.is_free = cell.is_free || row->free;
        cell.first = earlier(cell.first, row->first);
        cell.visits += row->visits;
    }
    return cell;
}

/* A drawing of the cells of an arm, if there are any. */
static enum cor_status add_map(struct look *look, struct cor_sheets *sheets, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct map *map = cor_calloc(1, sizeof *map);
    COR_TRY(cor_made(map, error));
    COR_TRY_OUT(gather_things(look, COR_SYSTEM_TABLE_CELLS, name_cell, error));
    COR_TRY_OUT(cor_made(map->arm = cor_strdup(arm_name(look)), error));
    COR_TRY_OUT(cor_made(map->cells = cor_calloc(look->count, sizeof *map->cells), error));
    for (size_t first = 0, end; first < look->count; first = end) {
        end = end_of_thing(look, first);
        map->cells[map->count++] = cell_of(look, first, end);
    }
    if (map->count > 0) {
        cor_sheets_draw(sheets, draw_map, map, destroy_map);
        map = NULL;
    }
out:
    destroy_map(map);
    return status;
}

static enum cor_status fill_entities(struct look *look, struct cor_sheet *sheet, struct cor_error *error) {
    COR_TRY(gather_things(look, COR_SYSTEM_TABLE_ENTITIES, name_entity, error));
    for (size_t first = 0, end; first < look->count; first = end) {
        end = end_of_thing(look, first);
        struct entity entity = {.first = UINT64_MAX, .tests = end - first};
        for (size_t i = first; i < end; i++) {
            const struct cor_system_entity_row *row =
                cor_layer_row(look->system, COR_SYSTEM_TABLE_ENTITIES, look->items[i].index);
            entity.row = entity.row ? entity.row : row;
            entity.first = earlier(entity.first, row->first);
            entity.seen += row->seen;
            entity.touched += row->touched;
        }
        entity.type = cor_system_name(look->system, COR_SYSTEM_CATALOG_TYPE, entity.row->type);
        look->reach.entities++;
        look->reach.touched += entity.touched > 0;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm_name(look));
        VIEWS__PUT_SAID(sheet, look->system, entity.row, identity);
        COR_SHEET_PUT(sheet, struct entity, &entity);
    }
    return COR_OK;
}

static void put_states(const struct look *look, struct cor_sheet *sheet, uint64_t states) {
    char text[COR_SYSTEM_WORDS];
    cor_system_states_text(look->system, states, 0, text);
    if (text[0])
        cor_sheet_text(sheet, "%s", text);
    else
        cor_sheet_nothing(sheet);
}

static enum cor_status fill_steps(struct look *look, struct cor_sheet *sheet, struct cor_error *error) {
    COR_TRY(gather_things(look, COR_SYSTEM_TABLE_STEPS, name_step, error));
    for (size_t first = 0, end; first < look->count; first = end) {
        end = end_of_thing(look, first);
        struct step step = {.tests = end - first};
        for (size_t i = first; i < end; i++) {
            const struct cor_system_step_row *row =
                cor_layer_row(look->system, COR_SYSTEM_TABLE_STEPS, look->items[i].index);
            step.from = row->from;
            step.to = row->to;
            step.action = cor_system_name(look->system, COR_SYSTEM_CATALOG_ACTION, row->action);
            step.count += row->count;
        }
        look->reach.steps++;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm_name(look));
        put_states(look, sheet, step.from);
        COR_SHEET_PUT(sheet, struct step, &step);
        put_states(look, sheet, step.to);
        COR_SHEET_PUT(sheet, struct step, &step);
    }
    return COR_OK;
}

static enum cor_status fill_covered(struct look *look, struct cor_sheet *sheet, struct cor_error *error) {
    COR_TRY(gather_things(look, COR_SYSTEM_TABLE_COVERED, name_covered, error));
    for (size_t first = 0, end; first < look->count; first = end) {
        end = end_of_thing(look, first);
        struct covered covered = {.first = UINT64_MAX, .tests = end - first};
        for (size_t i = first; i < end; i++) {
            const struct cor_system_covered_row *row =
                cor_layer_row(look->system, COR_SYSTEM_TABLE_COVERED, look->items[i].index);
            covered.number = row->number;
            covered.first = earlier(covered.first, row->first);
            covered.count += row->count;
        }
        look->reach.covered++;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm_name(look));
        COR_SHEET_PUT(sheet, struct covered, &covered);
    }
    return COR_OK;
}

static enum cor_status fill_system_reach(const struct cor_view_request *request,
                                         const struct cor_layer_tables *system,
                                         const struct views__system_arms *all, size_t arm,
                                         struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_system_test_row *test = views__system_test(system, all, arm, request->suite);
    struct look look = {.system = system, .suite = request->suite, .arm = test ? test->arm : 0};
    enum cor_status status = COR_OK;
    struct cor_sheet *arms = cor_sheets_add(sheets, &arms_sheet);
    if (test)
        COR_TRY_OUT(add_map(&look, sheets, error));
    struct cor_sheet *cells = cor_sheets_add(sheets, &cells_sheet),
                     *entities = cor_sheets_add(sheets, &entities_sheet),
                     *steps = cor_sheets_add(sheets, &steps_sheet),
                     *covered = cor_sheets_add(sheets, &covered_sheet);
    if (request->suite != COR_ANY_SUITE)
        cor_sheet_title(arms, "Where test agents were in test %" PRIu32, request->suite);
    for (size_t a = 0; a < cor_arm_count(system->head); a++) {
        if (arm != SIZE_MAX && a != arm)
            continue;
        look.arm = a;
        look.reach = (struct reach){0};
        COR_TRY_OUT(gather_things(&look, COR_SYSTEM_TABLE_CELLS, name_cell, error));
        for (size_t first = 0, end; first < look.count; first = end) {
            end = end_of_thing(&look, first);
            const struct cell cell = cell_of(&look, first, end);
            look.reach.cells += cell.is_free;
            look.reach.visited += cell.visits > 0;
            cor_sheet_row(cells);
            cor_sheet_word(cells, arm_name(&look));
            COR_SHEET_PUT(cells, struct cell, &cell);
        }
        COR_TRY_OUT(fill_entities(&look, entities, error));
        COR_TRY_OUT(fill_steps(&look, steps, error));
        COR_TRY_OUT(fill_covered(&look, covered, error));
        const struct views__system_range range =
            views__system_rows(look.system, COR_SYSTEM_TABLE_TESTS, look.arm);
        look.reach.name = arm_name(&look);
        for (uint64_t i = range.first; i < range.end; i++)
            look.reach.tests +=
                look.suite == COR_ANY_SUITE ||
                cor_row_key_of(cor_layer_row(look.system, COR_SYSTEM_TABLE_TESTS, i)).suite == look.suite;
        COR_SHEET_PUT(arms, struct reach, &look.reach);
        if (look.reach.cells > 0)
            cor_sheet_real(arms, 100.0 * (double)look.reach.visited / (double)look.reach.cells);
        else
            cor_sheet_nothing(arms);
        COR_SHEET_PUT(arms, struct reach, &look.reach);
    }
out:
    free(look.items);
    return status;
}

static enum cor_status make_system_reach(const struct cor_view_request *request, struct cor_sheets *sheets,
                                         struct cor_view_findings *found, struct cor_error *error) {
    return views__show_system(request, fill_system_reach, sheets, found, error);
}

static const struct cor_sheet_definition *const sheets_of_places[] = {
    &arms_sheet, &cells_sheet, &entities_sheet, &steps_sheet, &covered_sheet, NULL};

const struct cor_view views__view_places = {
    .name = "places",
    .command = "show",
    .summary = "show where test agents were",
    .manual =
        "Prints where test agents were in running systems, of all tests of an arm, or of one by --suite: "
        "visits of cells and the area seen as a map (of --arm, else of the first arm with a test that "
        "failed), entities seen and touched, the steps between named states that were learnt, and what "
        "the world says was executed of it. --sheet cells has the map as CSV.",
    .options = "arm suite",
    .schema = "corridor-places",
    .version = 1,
    .layer = &cor_system_schema,
    .sheets = sheets_of_places,
    .make = make_system_reach,
};
