/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"
#include "system_rows.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/system_layer.h>
#include <corridor/system_schema.h>
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

/* ---- what a campaign executes of the system layer: a suite is a test with a row of its examples, in an arm
 */

#define RIGS_KEPT 16 /* each may be a process */

struct executor {
    const struct cor_system_experiment *experiment;
    struct system_layer__rig *rigs[RIGS_KEPT]; /* owned; the one used last first */
};

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct executor *executor = cor_calloc(1, sizeof *executor);
    *with = executor;
    COR_TRY(cor_made(executor, error));
    executor->experiment = experiment;
    return COR_OK;
}

static void close_executor(void *with) {
    struct executor *executor = with;
    for (int b = 0; executor && b < RIGS_KEPT; b++)
        system_layer__rig_destroy(executor->rigs[b]);
    if (executor)
        cor_world_programs_part(executor->experiment->programs);
    free(executor);
}

/* The rig of that test in that arm, which is then the first. */
static enum cor_status find_rig(struct executor *executor, uint32_t arm, uint32_t entry,
                                struct cor_error *error) {
    struct system_layer__rig *found = NULL;
    int b = 0;
    while (b < RIGS_KEPT && executor->rigs[b] &&
           (executor->rigs[b]->arm != arm || executor->rigs[b]->entry != entry))
        b++;
    if (b < RIGS_KEPT && executor->rigs[b])
        found = executor->rigs[b];
    else {
        b = b < RIGS_KEPT ? b : RIGS_KEPT - 1;
        system_layer__rig_destroy(executor->rigs[b]);
        executor->rigs[b] = NULL;
        COR_TRY(system_layer__rig_create(executor->experiment, arm, entry, NULL, &found, error));
    }
    memmove(executor->rigs + 1, executor->rigs, (size_t)b * sizeof(struct system_layer__rig *));
    executor->rigs[0] = found;
    return COR_OK;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    const uint32_t entries = executor->experiment->entry_count;
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY(find_rig(executor, arm, suite % entries, error));
    struct cor_live_world *world = executor->rigs[0]->world;
    const enum cor_status status =
        system_layer__run(executor->rigs[0], suite / entries, watch, record, tally, error);
    if (world->kind->rest)
        world->kind->rest(world);
    return status;
}

static const struct {
    enum cor_system_catalog catalog;
    const char *description;
} catalogs_of[COR_SYSTEM_NAMES_COUNT] = {
    [COR_SYSTEM_NAMES_AGENT] = {COR_SYSTEM_CATALOG_AGENT, "test agent"},
    [COR_SYSTEM_NAMES_ACTION] = {COR_SYSTEM_CATALOG_ACTION, "action"},
    [COR_SYSTEM_NAMES_GOAL] = {COR_SYSTEM_CATALOG_GOAL, "goal"},
    [COR_SYSTEM_NAMES_CHECK] = {COR_SYSTEM_CATALOG_CHECK, "check"},
    [COR_SYSTEM_NAMES_STATE] = {COR_SYSTEM_CATALOG_STATE, "state"},
    [COR_SYSTEM_NAMES_TYPE] = {COR_SYSTEM_CATALOG_TYPE, "type of entities"},
};

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_system_experiment *experiment = with;
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json states, state;
    for (uint32_t e = 0; e < experiment->entry_count; e++)
        COR_TRY(
            cor_catalogs_add(catalogs, COR_SYSTEM_CATALOG_TEST, experiment->entries[e].name, "test", error));
    for (int n = 0; n < COR_SYSTEM_NAMES_COUNT; n++)
        for (uint32_t w = 0; w < experiment->names[n].count; w++) {
            const char *name = cor_words_text(&experiment->names[n], w), *description;
            description = catalogs_of[n].description;
            if (n == COR_SYSTEM_NAMES_STATE && cor_json_find(&root, "states", &states) &&
                cor_json_find(&states, name, &state))
                COR_TRY(cor_json_string(&state, &description, error));
            COR_TRY(cor_catalogs_add(catalogs, catalogs_of[n].catalog, name, description, error));
        }
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_system_experiment *experiment = with;
    cor_json_put_string(writer, "world", experiment->world->maker->key);
    cor_json_put_bool(writer, "foreign_systems", experiment->guest_count > 0 || experiment->runs_code);
    system_layer__guests_put(experiment, writer);
}

static void destroy(void *with) {
    cor_system_experiment_destroy(with);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_system_experiment *made = NULL;
    enum cor_status status = COR_OK;
    const struct cor_json root = cor_json_root(document);
    char *text = cor_json_text(&root);
    if (options->suite_folder || options->log_solutions || options->algorithm || options->fresh_processes)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                             "is an experiment with a running system, which has no suites in files, "
                             "solutions, algorithms or fresh processes"));
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_system_experiment_parse(text, path, options, &made, error));
    (void)notes;
    COR_TRY_OUT(system_layer__guests_look(made, options->isolation_required, warnings, error));
    cor_world_programs_part(made->programs); /* other processes of ours carry it out, with their own */
out:
    free(text);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_system_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_system_layer = {
    .key = "system",
    .schema = &cor_system_schema,
    .failures = "tests that failed",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
