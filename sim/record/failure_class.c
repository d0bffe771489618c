/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"

#include <corridor/array.h>
#include <corridor/failure_class.h>
#include <corridor/record.h>
#include <corridor/result.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cursor goes to the first row of a table that is not of an earlier case. */
#define GO(table)                                                                                       \
    do {                                                                                                \
        while (cursor->table < tables->table##_count && tables->table##s[cursor->table].case_ < number) \
            cursor->table++;                                                                            \
    } while (0)
#define IS_THERE(table, at) ((at) < tables->table##_count && tables->table##s[at].case_ == number)

struct cor_case_rows cor_case_at(const struct cor_case_tables *tables, size_t index,
                                 struct cor_case_cursor *cursor) {
    const uint32_t number = tables->cases[index].case_;
    struct cor_case_rows rows = {.row = &tables->cases[index], .has_text = tables->has_text};
    GO(reorganization);
    GO(violation);
    GO(constraint);
    GO(snapshot);
    if (IS_THERE(reorganization, cursor->reorganization))
        rows.reorganization = &tables->reorganizations[cursor->reorganization];
    if (IS_THERE(snapshot, cursor->snapshot))
        rows.snapshot = &tables->snapshots[cursor->snapshot];
    if (IS_THERE(constraint, cursor->constraint))
        rows.constraints = &tables->constraints[cursor->constraint];
    while (IS_THERE(constraint, cursor->constraint + rows.constraint_count))
        rows.constraint_count++;
    for (size_t v = cursor->violation; IS_THERE(violation, v) && !rows.is_violated; v++)
        rows.is_violated = !cor_is_foreign_smoke(tables->violations[v].check);
    const struct cor_reorganization_row *broken = rows.reorganization;
    if (rows.snapshot) {
        /* The reorganization that ended the sequence may be of an earlier case, and is over if none is under
         * way. */
        broken =
            index + 1 == tables->case_count && tables->reorganization_count > 0 && !rows.snapshot->under_way
                ? &tables->reorganizations[tables->reorganization_count - 1]
                : NULL;
        /* Ticks are named by the case in which the algorithm was asked, which the alarm may lie before. */
        for (; cursor->tick < tables->tick_count && tables->ticks[cursor->tick].alarm <= rows.snapshot->tick;
             cursor->tick++)
            rows.is_start = true;
    }
    rows.is_broken = broken && broken->black == COR_VERDICT_FAILED;
    return rows;
}

/* What the look at a case has noted of constraints. */
static enum cor_inside noted(const struct cor_case_rows *rows) {
    enum cor_inside inside = COR_INSIDE_INSIDE;
    for (size_t i = 0; i < rows->constraint_count && inside != COR_INSIDE_OUTSIDE; i++)
        if (rows->constraints[i].box == COR_BOX_DETECT)
            inside =
                rows->constraints[i].verdict == COR_VERDICT_FAILED ? COR_INSIDE_OUTSIDE : COR_INSIDE_UNKNOWN;
    return inside;
}

/* In time a look in the case is not what it leaves; where there was none, the end of the case was noted, and
 * the structure is of its kind unless it is on its way. */
static enum cor_inside seen_in_time(const struct cor_case_rows *rows) {
    const struct cor_snapshot_row *snapshot = rows->snapshot;
    if (snapshot->inside != COR_INSIDE_NOT_LOOKED)
        return (enum cor_inside)snapshot->inside;
    return rows->has_text && snapshot->looks == 0 && !snapshot->under_way ? noted(rows) : COR_INSIDE_UNKNOWN;
}

enum cor_case_answer cor_case_inside(const struct cor_case_rows *rows) {
    const struct cor_reorganization_row *reorganization = rows->reorganization;
    enum cor_inside seen = (enum cor_inside)rows->row->inside;
    if (rows->is_broken)
        return COR_CASE_NO;
    if (rows->snapshot)
        seen = seen_in_time(rows);
    else if (reorganization && reorganization->inside_after != COR_INSIDE_NOT_LOOKED)
        seen = (enum cor_inside)reorganization->inside_after;
    else if (rows->has_text)
        seen = noted(rows);
    return seen == COR_INSIDE_INSIDE || seen == COR_INSIDE_EDGE ? COR_CASE_YES
           : seen == COR_INSIDE_OUTSIDE                         ? COR_CASE_NO
                                                                : COR_CASE_UNKNOWN;
}

enum cor_case_answer cor_case_alarm(const struct cor_case_rows *rows) {
    /* A case's row tells of one look, and of one that R-Detect fails rather than of one with an alarm. */
    const bool may_hide = rows->snapshot && rows->snapshot->looks > 1 && cor_is_detection(rows->row->detect);
    return rows->row->alarm || rows->is_start ? COR_CASE_YES : may_hide ? COR_CASE_UNKNOWN : COR_CASE_NO;
}

bool cor_case_failed(const struct cor_case_rows *rows) {
    const struct cor_case_row *row = rows->row;
    return rows->is_violated || cor_is_detection(row->detect) || cor_is_detection(row->gray) ||
           cor_is_detection(row->black);
}

/* ---- classes of failures, from rows and as text */

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

/* ---- A suite that was executed again beside the file: rows by their columns, and of columns that count
 * within a vector the items that they lead to */

#define WHOLE_SUITE UINT32_MAX

struct comparison {
    uint32_t sequence; /* of which alone the record is, or WHOLE_SUITE */
    struct cor_result *result;
    const struct cor_record *record;
    const struct cor_layer_schema *layer;
    struct cor_suite_difference *difference;
    void *rows[COR_TABLES_MAX]; /* owned; the file's, as the record has them */
    uint64_t count[COR_TABLES_MAX];
    const unsigned char *now[COR_TABLES_MAX]; /* the record's */
    uint64_t now_count[COR_TABLES_MAX];
    uint64_t base[COR_VECTORS_MAX];    /* items of earlier suites in the file */
    uint64_t begins[COR_VECTORS_MAX];  /* the first item of the record that is compared */
    uint64_t differs[COR_VECTORS_MAX]; /* the first item that is not the same; UINT64_MAX: none */
};

/* The first row of the table that is not before the key. */
static enum cor_status find_row(struct cor_result *result, uint32_t table, struct cor_row_key key,
                                uint64_t *row, struct cor_error *error) {
    COR_FREED void *room = cor_calloc(1, cor_result_head(result)->layer->tables[table].row_size);
    uint64_t low = 0, high = cor_result_size(result, table);
    COR_TRY(cor_made(room, error));
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        COR_TRY(cor_result_read_columns(result, table, COR_ROW_KEY_COLUMNS, middle, 1, room, error));
        if (cor_row_key_before(cor_row_key_of(room), key))
            low = middle + 1;
        else
            high = middle;
    }
    *row = low;
    return COR_OK;
}

enum cor_status cor_result_read_suite(struct cor_result *result, uint32_t table, struct cor_row_key key,
                                      void **rows, uint64_t *count, struct cor_error *error) {
    const struct cor_row_key behind = key.suite == UINT32_MAX
                                          ? (struct cor_row_key){(uint16_t)(key.arm + 1), 0}
                                          : (struct cor_row_key){key.arm, key.suite + 1};
    uint64_t first, end;
    COR_TRY(find_row(result, table, key, &first, error));
    COR_TRY(find_row(result, table, behind, &end, error));
    *count = end > first ? end - first : 0;
    *rows = cor_calloc((size_t)*count, cor_result_head(result)->layer->tables[table].row_size);
    COR_TRY(cor_made(*rows, error));
    return *count == 0 ? COR_OK : cor_result_read(result, table, first, *count, *rows, error);
}

static const struct cor_column *find_column(const struct cor_table_schema *schema, const char *name,
                                            enum cor_type type) {
    const struct cor_column *column = cor_table_column(schema, name);
    return column && column->type == type ? column : NULL;
}

static const struct cor_column *sequence_column(const struct cor_table_schema *schema) {
    return find_column(schema, "sequence", COR_TYPE_U16);
}

/* Whether a row is of the suite, from before the first case of a sequence. */
static bool is_of_beginning(const struct cor_table_schema *schema, const unsigned char *row) {
    const struct cor_column *column = find_column(schema, "case", COR_TYPE_U32);
    uint32_t number = 1;
    if (column)
        memcpy(&number, row + column->offset, sizeof number);
    return number == 0;
}

/* Of one sequence alone nothing is known that is counted over all of them. */
static bool is_compared(const struct comparison *c, uint32_t table) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    return !schema->is_aside &&
           (c->sequence == WHOLE_SUITE || sequence_column(schema) || cor_record_size(c->record, table) > 0);
}

static uint64_t offset_of(const void *rows, size_t row_size, uint64_t row, size_t offset) {
    uint64_t start;
    memcpy(&start, (const unsigned char *)rows + row * row_size + offset, sizeof start);
    return start;
}

/* The least offset of the rows that leads into the vector; UINT64_MAX: none does. */
static uint64_t least_offset(const struct cor_offset_column *column, size_t row_size, const void *rows,
                             uint64_t count) {
    uint64_t least = UINT64_MAX;
    for (uint64_t row = 0; row < count; row++) {
        const uint64_t start = offset_of(rows, row_size, row, column->offset);
        least = start < least ? start : least;
    }
    return least;
}

/* The first item that differs; one that the file does not have does. What the file has beyond belongs to the
 * next suite, or is known by the rows that lead to it. */
static enum cor_status compare_vector(struct comparison *c, uint32_t vector, struct cor_error *error) {
    const struct cor_vector_schema *schema = &c->layer->vectors[vector];
    const size_t size = cor_type_size(schema->type);
    size_t count;
    const unsigned char *now = cor_record_items(c->record, vector, &count);
    const uint64_t all = cor_result_vector_size(c->result, vector),
                   there = all > c->base[vector] ? all - c->base[vector] : 0;
    const uint64_t both = there < count ? there : count;
    COR_FREED unsigned char *stored = cor_calloc((size_t)both, size);
    COR_TRY(cor_made(stored, error));
    c->differs[vector] = both < count ? both : UINT64_MAX;
    if (both > 0)
        COR_TRY(cor_result_read_vector(c->result, vector, c->base[vector], both, stored, error));
    for (uint64_t i = c->begins[vector]; i < both && c->differs[vector] >= both; i++)
        if (memcmp(now + i * size, stored + i * size, size) != 0)
            c->differs[vector] = i;
    return COR_OK;
}

/* Where the next items in the vector begin, behind those at `start`. */
static uint64_t next_start(const struct comparison *c, uint32_t vector, uint64_t start) {
    uint64_t next = UINT64_MAX;
    for (uint32_t o = 0; o < c->layer->offset_count; o++) {
        const struct cor_offset_column *it = &c->layer->offsets[o];
        const uint64_t rows = it->vector == vector ? c->now_count[it->table] : 0;
        for (uint64_t row = 0; row < rows; row++) {
            const uint64_t other =
                offset_of(c->now[it->table], c->layer->tables[it->table].row_size, row, it->offset);
            if (other > start && other < next)
                next = other;
        }
    }
    return next;
}

static double number_of(enum cor_type type, const unsigned char *value) {
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } it = {0};
    memcpy(&it, value, cor_type_size(type));
    return type == COR_TYPE_U8    ? it.u8
           : type == COR_TYPE_U16 ? it.u16
           : type == COR_TYPE_U32 ? it.u32
           : type == COR_TYPE_U64 ? (double)it.u64
           : type == COR_TYPE_F32 ? (double)it.f32
                                  : it.f64;
}

/* Which NaN an operation gives is the compiler's choice. */
static bool both_are_none(enum cor_type type, const unsigned char *a, const unsigned char *b) {
    return (type == COR_TYPE_F32 || type == COR_TYPE_F64) && isnan(number_of(type, a)) &&
           isnan(number_of(type, b));
}

static void put_value(char text[64], enum cor_type type, enum cor_family family, const unsigned char *value) {
    const double number = number_of(type, value);
    uint64_t bits;
    if (type == COR_TYPE_U64) { /* fingerprints do not fit into a double */
        memcpy(&bits, value, sizeof bits);
        snprintf(text, 64, "%" PRIu64, bits);
    } else if (family != COR_FAMILY_NONE && number > 0)
        snprintf(text, 64, "%.0f (%s)", number, cor_term_word(family, (int)number));
    else
        snprintf(text, 64, "%.17g", number);
}

/* The items that differ, both as text; "nothing" where the file ends. */
static enum cor_status tell_items(struct comparison *c, uint32_t vector, struct cor_error *error) {
    const struct cor_vector_schema *schema = &c->layer->vectors[vector];
    const uint64_t at = c->differs[vector], in_file = c->base[vector] + at;
    const unsigned char *now = cor_record_items(c->record, vector, NULL);
    unsigned char stored[8];
    put_value(c->difference->now, schema->type, COR_FAMILY_NONE, now + at * cor_type_size(schema->type));
    snprintf(c->difference->stored, sizeof c->difference->stored, "nothing");
    if (in_file >= cor_result_vector_size(c->result, vector))
        return COR_OK;
    COR_TRY(cor_result_read_vector(c->result, vector, in_file, 1, stored, error));
    put_value(c->difference->stored, schema->type, COR_FAMILY_NONE, stored);
    return COR_OK;
}

/* Do the items at this offset begin where those of a later one do? Then they are none. */
static bool is_empty(const struct comparison *c, const struct cor_offset_column *leads, uint64_t row,
                     uint64_t start) {
    const unsigned char *rows = c->now[leads->table];
    const size_t row_size = c->layer->tables[leads->table].row_size;
    for (uint32_t o = 0; o < c->layer->offset_count; o++) {
        const struct cor_offset_column *it = &c->layer->offsets[o];
        if (it->table != leads->table || it->vector != leads->vector)
            continue;
        if (it->offset > leads->offset && offset_of(rows, row_size, row, it->offset) == start)
            return true;
        if (row + 1 < c->now_count[leads->table] && offset_of(rows, row_size, row + 1, it->offset) == start)
            return true;
    }
    return false;
}

/* One column of one row; the difference is told if there is one. */
static enum cor_status compare_cell(struct comparison *c, uint32_t table, uint64_t row,
                                    const struct cor_column *column, struct cor_error *error) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    const struct cor_offset_column *leads = NULL;
    for (uint32_t o = 0; o < c->layer->offset_count && !leads; o++)
        if (c->layer->offsets[o].table == table && c->layer->offsets[o].offset == column->offset)
            leads = &c->layer->offsets[o];
    const unsigned char *stored =
        (const unsigned char *)c->rows[table] + row * schema->row_size + column->offset;
    const unsigned char *now = c->now[table] + row * schema->row_size + column->offset;
    if (leads) {
        const uint64_t start = offset_of(now, 0, 0, 0), differs = c->differs[leads->vector];
        const uint64_t before = offset_of(stored, 0, 0, 0) - c->base[leads->vector];
        const bool here = differs != UINT64_MAX && start <= differs &&
                          differs < next_start(c, leads->vector, start) && !is_empty(c, leads, row, start);
        if (before == start && !here)
            return COR_OK;
        c->difference->equal = false;
        if (here) {
            COR_TRY(tell_items(c, leads->vector, error));
        } else {
            snprintf(c->difference->stored, sizeof c->difference->stored, "%" PRIu64, before);
            snprintf(c->difference->now, sizeof c->difference->now, "%" PRIu64, start);
        }
    } else {
        if (memcmp(stored, now, cor_type_size(column->type)) == 0 || both_are_none(column->type, stored, now))
            return COR_OK;
        c->difference->equal = false;
        put_value(c->difference->stored, column->type, column->family, stored);
        put_value(c->difference->now, column->type, column->family, now);
    }
    c->difference->table = schema->group;
    c->difference->column = column->name;
    c->difference->row = row;
    return COR_OK;
}

static enum cor_status compare_table(struct comparison *c, uint32_t table, struct cor_error *error) {
    const struct cor_table_schema *schema = &c->layer->tables[table];
    const uint64_t now = c->now_count[table], there = c->count[table];
    const uint64_t both = now < there ? now : there;
    for (uint64_t row = 0; row < both; row++)
        for (uint32_t column = 0; column < schema->column_count && c->difference->equal; column++)
            if (c->sequence == WHOLE_SUITE || strcmp(schema->columns[column].name, "sequences") != 0)
                COR_TRY(compare_cell(c, table, row, &schema->columns[column], error));
    if (!c->difference->equal || now == there)
        return COR_OK;
    *c->difference = (struct cor_suite_difference){.table = schema->group, .row = both};
    snprintf(c->difference->stored, sizeof c->difference->stored, "%" PRIu64, there);
    snprintf(c->difference->now, sizeof c->difference->now, "%" PRIu64, now);
    return COR_OK;
}

static enum cor_status compare_all(struct comparison *c, uint32_t first, struct cor_error *error) {
    for (uint32_t t = 0; t < c->layer->table_count; t++) {
        /* The record's rows; of a sequence alone without those of the suite, which come first. */
        const struct cor_table_schema *schema = &c->layer->tables[t];
        c->now[t] = c->record->tables[t].items;
        c->now_count[t] = c->record->tables[t].count;
        while (c->sequence != WHOLE_SUITE && sequence_column(schema) && c->now_count[t] > 0 &&
               is_of_beginning(schema, c->now[t])) {
            c->now[t] += schema->row_size;
            c->now_count[t]--;
        }
    }
    for (uint32_t t = 0; t < c->layer->table_count; t++) {
        if (t != first && !is_compared(c, t))
            continue;
        COR_TRY(cor_result_read_suite(c->result, t, (struct cor_row_key){c->record->arm, c->record->suite},
                                      &c->rows[t], &c->count[t], error));
        /* Leaves the rows of the sequence, in their order. */
        const struct cor_table_schema *schema = &c->layer->tables[t];
        const struct cor_column *column = sequence_column(schema);
        unsigned char *rows = c->rows[t];
        uint64_t kept = 0;
        if (c->sequence == WHOLE_SUITE || !column)
            continue;
        for (uint64_t i = 0; i < c->count[t]; i++) {
            uint16_t sequence;
            memcpy(&sequence, rows + i * schema->row_size + column->offset, sizeof sequence);
            if (sequence == c->sequence && !is_of_beginning(schema, rows + i * schema->row_size))
                memmove(rows + kept++ * schema->row_size, rows + i * schema->row_size, schema->row_size);
        }
        c->count[t] = kept;
    }
    for (uint32_t v = 0; v < c->layer->vector_count; v++) {
        c->differs[v] = UINT64_MAX;
        /* Offsets of the file are those of a record and the items of earlier suites: told by the least of
         * each. */
        uint64_t stored = UINT64_MAX, now = UINT64_MAX;
        bool any = false; /* offsets lead there */
        for (uint32_t o = 0; o < c->layer->offset_count; o++) {
            const struct cor_offset_column *it = &c->layer->offsets[o];
            const size_t row_size = c->layer->tables[it->table].row_size;
            if (it->vector != v)
                continue;
            any = true;
            const uint64_t there = least_offset(it, row_size, c->rows[it->table], c->count[it->table]);
            const uint64_t here = least_offset(it, row_size, c->now[it->table], c->now_count[it->table]);
            stored = there < stored ? there : stored;
            now = here < now ? here : now;
        }
        c->base[v] = stored == UINT64_MAX || now == UINT64_MAX || stored < now ? 0 : stored - now;
        c->begins[v] = c->sequence == WHOLE_SUITE || now == UINT64_MAX ? 0 : now;
        if (any && !c->layer->vectors[v].is_aside)
            COR_TRY(compare_vector(c, v, error));
    }
    COR_TRY(compare_table(c, first, error));
    for (uint32_t t = 0; t < c->layer->table_count && c->difference->equal; t++)
        if (is_compared(c, t))
            COR_TRY(compare_table(c, t, error));
    return COR_OK;
}

static enum cor_status compare_sequence(struct cor_result *result, const struct cor_record *record,
                                        uint32_t sequence, uint32_t first,
                                        struct cor_suite_difference *difference, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    struct comparison comparison = {
        .sequence = sequence, .result = result, .record = record, .layer = layer, .difference = difference};
    COR_ASSERT(record->layer == layer && first < layer->table_count);
    *difference = (struct cor_suite_difference){.equal = true};
    enum cor_status status = compare_all(&comparison, first, error);
    for (uint32_t t = 0; t < layer->table_count; t++)
        free(comparison.rows[t]);
    return status;
}

enum cor_status cor_result_compare_suite(struct cor_result *result, const struct cor_record *record,
                                         uint32_t first, struct cor_suite_difference *difference,
                                         struct cor_error *error) {
    return compare_sequence(result, record, WHOLE_SUITE, first, difference, error);
}

enum cor_status cor_result_compare_sequence(struct cor_result *result, const struct cor_record *record,
                                            uint32_t sequence, uint32_t first,
                                            struct cor_suite_difference *difference,
                                            struct cor_error *error) {
    COR_ASSERT(sequence <= UINT16_MAX);
    return compare_sequence(result, record, sequence, first, difference, error);
}

static const void *rows_from(struct cor_record *record, enum cor_table table, size_t first, size_t *count) {
    *count = cor_record_size(record, table) - first;
    return *count > 0 ? cor_record_at(record, table, first) : NULL;
}

struct cor_failure_rows cor_failure_rows_of(struct cor_record *record, size_t violations,
                                            size_t reorganizations) {
    struct cor_failure_rows rows;
    rows.violations = rows_from(record, COR_TABLE_VIOLATIONS, violations, &rows.violation_count);
    rows.reorganizations =
        rows_from(record, COR_TABLE_REORGANIZATIONS, reorganizations, &rows.reorganization_count);
    return rows;
}

struct cor_case_tables cor_case_tables_of(struct cor_record *record) {
    struct cor_case_tables rows = {0};
    rows.cases = rows_from(record, COR_TABLE_CASES, 0, &rows.case_count);
    rows.reorganizations = rows_from(record, COR_TABLE_REORGANIZATIONS, 0, &rows.reorganization_count);
    rows.violations = rows_from(record, COR_TABLE_VIOLATIONS, 0, &rows.violation_count);
    rows.constraints = rows_from(record, COR_TABLE_CONSTRAINTS, 0, &rows.constraint_count);
    rows.ticks = rows_from(record, COR_TABLE_TICKS, 0, &rows.tick_count);
    rows.snapshots = rows_from(record, COR_TABLE_SNAPSHOTS, 0, &rows.snapshot_count);
    rows.has_text =
        cor_record_size(record, COR_TABLE_FORMULAS) > 0; /* there is one of each sequence at least */
    return rows;
}
