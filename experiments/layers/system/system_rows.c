/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "system_rows.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/world_program.h>

#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES_MAX 4000
#define CELL_FREE 1u

/* ---- tallies */

static uint64_t hash_of(const uint64_t key[3]) {
    return cor_hash_word(cor_hash_word(cor_hash_word(COR_HASH_SEED, key[0]), key[1]), key[2]);
}

static void fill_slots(struct system_layer__tally *tally) {
    for (uint32_t i = 0; i < tally->count; i++) {
        uint64_t slot = hash_of(tally->items[i].key) & (tally->slot_count - 1);
        while (tally->slots[slot] != 0)
            slot = (slot + 1) & (tally->slot_count - 1);
        tally->slots[slot] = i + 1;
    }
}

/* The item of that key, made if there is none. */
static enum cor_status count_of(struct system_layer__tally *tally, uint64_t a, uint64_t b, uint64_t c,
                                uint32_t cycle, struct system_layer__count **item, struct cor_error *error) {
    const uint64_t key[3] = {a, b, c};
    if (tally->count * 2 >= tally->slot_count) {
        const uint32_t slots = tally->slot_count ? 2 * tally->slot_count : 64;
        uint32_t *made = cor_calloc(slots, sizeof *made);
        COR_TRY(cor_made(made, error));
        free(tally->slots);
        tally->slots = made;
        tally->slot_count = slots;
        fill_slots(tally);
    }
    uint64_t slot = hash_of(key) & (tally->slot_count - 1);
    for (; tally->slots[slot] != 0; slot = (slot + 1) & (tally->slot_count - 1)) {
        *item = &tally->items[tally->slots[slot] - 1];
        if (memcmp((*item)->key, key, sizeof key) == 0)
            return COR_OK;
    }
    COR_TRY(COR_RESERVE(&tally->items, &tally->capacity, tally->count + 1, error));
    *item = &tally->items[tally->count];
    **item = (struct system_layer__count){.key = {a, b, c}, .first = cycle, .last = UINT32_MAX};
    tally->slots[slot] = ++tally->count;
    return COR_OK;
}

static void tally_fini(struct system_layer__tally *tally) {
    free(tally->items);
    free(tally->slots);
}

void system_layer__rows_fini(struct system_layer__rows *rows) {
    tally_fini(&rows->entities);
    tally_fini(&rows->cells);
    tally_fini(&rows->steps);
    tally_fini(&rows->covered);
    cor_bytes_fini(&rows->text);
    *rows = (struct system_layer__rows){0};
}

/* ---- fingerprints */

/* Of the text of a word: its number depends on what was said before. */
static enum cor_status hash_word(struct system_layer__rows *rows, uint32_t word, uint64_t *hash,
                                 struct cor_error *error) {
    struct system_layer__rig *rig = rows->rig;
    const struct cor_words *words = rig->declaration->words;
    if (word >= rig->word_hash_count) {
        COR_TRY(COR_RESERVE(&rig->word_hashes, &rig->word_hash_capacity, words->count, error));
        memset(rig->word_hashes + rig->word_hash_count, 0,
               (words->count - rig->word_hash_count) * sizeof *rig->word_hashes);
        rig->word_hash_count = words->count;
    }
    if (rig->word_hashes[word] == 0) {
        const char *text = cor_words_text(words, word);
        rig->word_hashes[word] = cor_hash_bytes(COR_HASH_SEED, text, strlen(text)) | 1;
    }
    *hash = rig->word_hashes[word];
    return COR_OK;
}

static enum cor_status feed_value(struct system_layer__rows *rows, struct cor_value value,
                                  struct cor_error *error) {
    uint64_t bits = 0;
    if (value.kind == COR_VALUE_WORD)
        COR_TRY(hash_word(rows, value.as.word, &bits, error));
    else if (value.kind == COR_VALUE_INTEGER)
        bits = (uint64_t)value.as.integer;
    else if (value.kind == COR_VALUE_REAL) {
        const double real = value.as.real == 0 ? 0 : value.as.real;
        memcpy(&bits, &real, sizeof bits);
    }
    rows->replies = cor_hash_word(rows->replies, bits ^ ((uint64_t)value.kind << 56));
    return COR_OK;
}

static enum cor_status feed_identity(struct system_layer__rows *rows, uint32_t word,
                                     struct cor_error *error) {
    uint64_t hash = 0;
    if (word != COR_NONE)
        COR_TRY(hash_word(rows, word, &hash, error));
    rows->replies = cor_hash_word(rows->replies, hash);
    return COR_OK;
}

static enum cor_status feed_identities(struct system_layer__rows *rows, const uint32_t *words, uint32_t count,
                                       struct cor_error *error) {
    rows->replies = cor_hash_word(rows->replies, count);
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(feed_identity(rows, words[i], error));
    return COR_OK;
}

/* ---- what is seen and done */

static enum cor_status see_entities(struct system_layer__rows *rows, uint32_t cycle,
                                    const struct cor_world_view *view, struct cor_error *error) {
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct cor_shown_entity *entity = &view->entities[i];
        struct system_layer__count *seen;
        COR_TRY(count_of(&rows->entities, entity->identity, 0, 0, cycle, &seen, error));
        seen->type = entity->type;
        seen->count += seen->last != cycle;
        seen->last = cycle;
        COR_TRY(feed_identity(rows, entity->identity, error));
        COR_TRY(feed_identity(rows, entity->parent, error));
        rows->replies = cor_hash_word(rows->replies, (uint64_t)entity->type << 32 | entity->value_count);
        for (uint32_t v = 0; v < entity->value_count; v++) {
            const struct cor_shown_value *shown = &view->values[entity->value_start + v];
            rows->replies = cor_hash_word(rows->replies, shown->property);
            COR_TRY(feed_value(rows, shown->value, error));
        }
    }
    COR_TRY(feed_identities(rows, view->gone, view->gone_count, error));
    return feed_identities(rows, view->lost, view->lost_count, error);
}

enum cor_status system_layer__rows_see(struct system_layer__rows *rows, uint32_t cycle,
                                       const struct cor_world_view *view, struct cor_error *error) {
    struct system_layer__count *item;
    rows->replies = cor_hash_word(cor_hash_word(rows->replies, view->tick), (uint64_t)view->mode);
    COR_TRY(see_entities(rows, cycle, view, error));
    for (uint32_t i = 0; i < view->cell_count; i++) {
        const struct cor_shown_cell *cell = &view->cells[i];
        COR_TRY(count_of(&rows->cells, cell->column, cell->row, cell->floor, cycle, &item, error));
        item->touched = cell->is_free ? CELL_FREE : 0;
    }
    for (uint32_t i = 0; i < view->covered_count; i++) {
        COR_TRY(count_of(&rows->covered, view->covered[i], 0, 0, cycle, &item, error));
        item->count += item->last != cycle;
        item->last = cycle;
    }
    return COR_OK;
}

enum cor_status system_layer__rows_command(struct system_layer__rows *rows, uint32_t actor, uint32_t cycle,
                                           const struct cor_world_command *command, struct cor_error *error) {
    const struct cor_action *action = &rows->rig->declaration->actions[command->action];
    struct system_layer__count *touched;
    rows->replies = cor_hash_word(cor_hash_word(rows->replies, actor), command->action);
    cor_bytes_clear(&rows->text);
    cor_bytes_print(&rows->text, "{\"do\":");
    cor_json_print_string(&rows->text, action->name);
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        const struct cor_domain *domain = action->parameters[p].domain;
        const struct cor_value value = command->arguments[p];
        COR_TRY(feed_value(rows, value, error));
        cor_bytes_print(&rows->text, ",");
        cor_json_print_string(&rows->text, action->parameters[p].name);
        cor_bytes_print(&rows->text, ":");
        cor_world_value_print(&rows->text, rows->rig->declaration->words, domain, value);
        if (!domain && value.kind == COR_VALUE_WORD) {
            COR_TRY(count_of(&rows->entities, value.as.word, 0, 0, cycle, &touched, error));
            touched->touched++;
        }
    }
    cor_bytes_print(&rows->text, "}");
    return rows->text.status == COR_OK ? COR_OK : cor_fail_memory(error);
}

enum cor_status system_layer__rows_visit(struct system_layer__rows *rows, uint32_t cycle,
                                         const uint32_t cell[3], struct cor_error *error) {
    struct system_layer__count *item;
    const uint32_t before = rows->cells.count;
    COR_TRY(count_of(&rows->cells, cell[0], cell[1], cell[2], cycle, &item, error));
    if (rows->cells.count > before)
        item->touched = CELL_FREE; /* no view says it, but somebody stands there */
    item->count += item->last != cycle;
    item->last = cycle;
    return COR_OK;
}

enum cor_status system_layer__rows_step(struct system_layer__rows *rows, uint64_t from, uint16_t action,
                                        uint64_t to, uint32_t cycle, struct cor_error *error) {
    struct system_layer__count *item;
    COR_TRY(count_of(&rows->steps, from, action, to, cycle, &item, error));
    item->count++;
    return COR_OK;
}

/* ---- rows */

enum cor_status system_layer__rows_text(struct cor_record *record, const char *text, uint64_t *start,
                                        uint32_t *bytes, struct cor_error *error) {
    size_t length = strlen(text);
    if (length > TEXT_BYTES_MAX) /* not within a letter */
        for (length = TEXT_BYTES_MAX; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;)
            length--;
    *bytes = (uint32_t)length;
    return cor_record_put(record, COR_SYSTEM_VECTOR_TEXT, text, length, start, error);
}

static enum cor_status put_entities(const struct system_layer__rows *rows, struct cor_error *error) {
    for (uint32_t i = 0; i < rows->entities.count; i++) {
        const struct system_layer__count *item = &rows->entities.items[i];
        if (item->count == 0) /* named by a command, and never seen */
            continue;
        struct cor_system_entity_row *row = cor_record_row(rows->record, COR_SYSTEM_TABLE_ENTITIES, error);
        COR_TRY(cor_made(row, error));
        row->type = rows->rig->type_codes[item->type];
        row->first = item->first;
        row->seen = (uint32_t)item->count;
        row->touched = item->touched;
        COR_TRY(system_layer__rows_text(rows->record,
                                        cor_words_text(rows->rig->declaration->words, (uint32_t)item->key[0]),
                                        &row->identity_start, &row->identity_bytes, error));
    }
    return COR_OK;
}

enum cor_status system_layer__rows_put(const struct system_layer__rows *rows, struct cor_error *error) {
    COR_TRY(put_entities(rows, error));
    for (uint32_t i = 0; i < rows->cells.count; i++) {
        const struct system_layer__count *item = &rows->cells.items[i];
        struct cor_system_cell_row *row = cor_record_row(rows->record, COR_SYSTEM_TABLE_CELLS, error);
        COR_TRY(cor_made(row, error));
        row->column = (uint32_t)item->key[0];
        row->row = (uint32_t)item->key[1];
        row->floor = (uint32_t)item->key[2];
        row->free = (uint8_t)item->touched;
        row->first = item->first;
        row->visits = (uint32_t)item->count;
    }
    for (uint32_t i = 0; i < rows->steps.count; i++) {
        const struct system_layer__count *item = &rows->steps.items[i];
        struct cor_system_step_row *row = cor_record_row(rows->record, COR_SYSTEM_TABLE_STEPS, error);
        COR_TRY(cor_made(row, error));
        row->from = item->key[0];
        row->action = (uint16_t)item->key[1];
        row->to = item->key[2];
        row->count = item->count;
    }
    for (uint32_t i = 0; i < rows->covered.count; i++) {
        const struct system_layer__count *item = &rows->covered.items[i];
        struct cor_system_covered_row *row = cor_record_row(rows->record, COR_SYSTEM_TABLE_COVERED, error);
        COR_TRY(cor_made(row, error));
        row->number = (uint32_t)item->key[0];
        row->first = item->first;
        row->count = item->count;
    }
    return COR_OK;
}
