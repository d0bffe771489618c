/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of a test: what each test agent does in its turn, who judges it, and how the test ends. With
 * several test agents conditions are judged by what all of them were shown together. */
#include "goal_nodes.h"
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/hash.h>
#include <corridor/subject.h>
#include <corridor/system_layer.h>
#include <corridor/system_schema.h>
#include <corridor/world_program.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a test writes down: rows as it goes, and tallies that become rows in the end */

/* Things by their keys, in the order in which they came. */
struct system_layer__tally {
    struct system_layer__count {
        uint64_t key[3];
        uint64_t count;
        uint32_t first, last; /* cycles */
        uint32_t touched;     /* of entities: actions on it; of cells: 1 if one can stand there */
        uint32_t type;        /* of entities */
    } * items;                /* owned */
    uint32_t *slots;          /* owned; hash table of 1 + index, 0 = free */
    size_t capacity;
    uint32_t count, slot_count;
};

struct system_layer__rows {
    struct system_layer__rig *rig;
    struct cor_record *record;
    struct system_layer__tally entities, cells, steps, covered;
    uint64_t replies;
    struct cor_bytes text; /* of the present command */
};

#define TEXT_BYTES_MAX 4000
#define CELL_FREE 1u

/* ---- tallies */

static uint64_t hash_of(const uint64_t key[3]) {
    return cor_hash_word(cor_hash_word(cor_hash_word(COR_HASH_SEED, key[0]), key[1]), key[2]);
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
        for (uint32_t i = 0; i < tally->count; i++) {
            uint64_t slot = hash_of(tally->items[i].key) & (tally->slot_count - 1);
            while (tally->slots[slot] != 0)
                slot = (slot + 1) & (tally->slot_count - 1);
            tally->slots[slot] = i + 1;
        }
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
    COR_FREE(tally->items, tally->slots);
}

static void rows_fini(struct system_layer__rows *rows) {
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

/* What a view showed in a cycle: entities, cells, what was executed; a fingerprint of it. */
static enum cor_status rows_see(struct system_layer__rows *rows, uint32_t cycle,
                                const struct cor_world_view *view, struct cor_error *error) {
    struct system_layer__count *item;
    rows->replies = cor_hash_word(cor_hash_word(rows->replies, view->tick), (uint64_t)view->mode);
    for (uint32_t j = 0; j < view->entity_count; j++) {
        const struct cor_shown_entity *entity = &view->entities[j];
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
    COR_TRY(feed_identities(rows, view->lost, view->lost_count, error));
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

/* A command: entities that it touches; a fingerprint; its text. */
static enum cor_status rows_command(struct system_layer__rows *rows, uint32_t actor, uint32_t cycle,
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

/* ---- rows */

/* A text, cut at 4,000 bytes, into the vector of texts. */
static enum cor_status rows_text(struct cor_record *record, const char *text, uint64_t *start,
                                 uint32_t *bytes, struct cor_error *error) {
    const size_t length = cor_text_fit(text, TEXT_BYTES_MAX);
    *bytes = (uint32_t)length;
    return cor_record_put(record, COR_SYSTEM_VECTOR_TEXT, text, length, start, error);
}

/* The tallies as rows. */
static enum cor_status rows_put(const struct system_layer__rows *rows, struct cor_error *error) {
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
        COR_TRY(rows_text(rows->record, cor_words_text(rows->rig->declaration->words, (uint32_t)item->key[0]),
                          &row->identity_start, &row->identity_bytes, error));
    }
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

/* ---- a run */

#define WHY 4000

/* A test agent in a run. */
struct player {
    struct system_layer__actor *actor;
    struct cor_pursuit *pursuit; /* owned; NULL: it only looks */
    struct run *run;
    struct cor_rng rng;
    uint64_t tick; /* of its last view */
    uint32_t next; /* step of the script that it looks at next */
    uint32_t cycles, actions, waited;
    double reward;              /* so far */
    bool has_ended, is_unknown; /* an assert that ended its goal could not be told */
    char guard[300];
};

struct run {
    struct system_layer__rig *rig;
    struct system_layer__rows rows;
    struct cor_record *record;
    struct cor_error *error;
    enum cor_status status; /* of a note, which cannot fail */
    struct player players[COR_TEST_AGENTS_MAX];
    struct cor_beliefs *beliefs; /* by which conditions are judged */
    uint32_t *unknown;           /* owned; [invariant] 1 + the first cycle in which it was unknown */
    bool *is_asked;              /* owned; [formula] why it is violated is sought */
    char **whys;                 /* owned, and each; [formula] why it is violated; NULL: it is not, so far */
    struct cor_world_command last; /* that was carried out, by a test agent; NULL: none was */
    const struct player *last_by;
    uint32_t cycle, cycles;
    uint64_t tick, state, state_unknown;
    uint32_t judged, violated, unknowns;
    bool is_model_violated, is_full; /* it was cut, since it keeps no more turns */
    enum cor_test_verdict verdict;   /* 0: not decided */
    enum cor_system_trouble trouble;
    uint32_t decided;
    char why[WHY];
};

/* What was decided first stands. */
static void decide(struct run *run, enum cor_test_verdict verdict, uint32_t cycle, const char *format, ...)
    COR_PRINTF(4, 5);
static void decide(struct run *run, enum cor_test_verdict verdict, uint32_t cycle, const char *format, ...) {
    va_list arguments;
    if (run->verdict != 0)
        return;
    run->verdict = verdict;
    run->decided = cycle;
    va_start(arguments, format);
    vsnprintf(run->why, sizeof run->why, format, arguments);
    va_end(arguments);
}

/* ---- rows */

static enum cor_status put_verdict(struct run *run, enum cor_system_judge judge, uint16_t check,
                                   uint16_t test_agent, enum cor_verdict verdict, uint32_t cycle,
                                   const char *why) {
    struct cor_system_verdict_row *row = cor_record_row(run->record, COR_SYSTEM_TABLE_VERDICTS, run->error);
    COR_TRY(cor_made(row, run->error));
    row->judge = (uint8_t)judge;
    row->check = check;
    row->test_agent = test_agent;
    row->verdict = (uint8_t)verdict;
    row->cycle = cycle;
    run->judged++;
    run->violated += verdict == COR_VERDICT_FAILED;
    run->unknowns += verdict == COR_VERDICT_UNDECIDED;
    return rows_text(run->record, why, &row->why_start, &row->why_bytes, run->error);
}

static const struct cor_system_test *test_of(const struct system_layer__rig *rig) {
    return &rig->experiment->tests[rig->experiment->entries[rig->entry].test];
}

/* Without a goal that is pursued behind it a script takes as long as its commands, and what is judged then.
 */
static uint32_t cycles_of(const struct system_layer__rig *rig) {
    const struct system_layer__script *script = rig->script;
    return script && strncmp(script->expected, "goal", 4) != 0 ? script->count + 2 : test_of(rig)->cycles;
}

/* What is drawn in a repetition of the test. */
static struct cor_rng draws_of(const struct system_layer__rig *rig, uint32_t repetition,
                               enum cor_purpose purpose, uint32_t entity) {
    const char *test = test_of(rig)->name;
    const struct cor_stream_name name = {.seed = rig->experiment->head.seed,
                                         .identity = cor_hash_bytes(COR_HASH_SEED, test, strlen(test)),
                                         .suite = repetition,
                                         .entity = entity,
                                         .purpose = purpose};
    return cor_rng_named(&name);
}

static enum cor_verdict verdict_of(enum cor_truth truth) {
    return truth == COR_TRUTH_TRUE    ? COR_VERDICT_PASSED
           : truth == COR_TRUTH_FALSE ? COR_VERDICT_FAILED
                                      : COR_VERDICT_UNDECIDED;
}

static uint16_t code_in(const struct run *run, enum cor_system_names_of catalog, const char *text) {
    const uint32_t word = cor_words_find(&run->rig->experiment->names[catalog], text);
    return word < UINT16_MAX ? (uint16_t)word : 0;
}

/* A goal of a test agent ended. */
static void note_goal(void *context, const struct cor_goal_report *report) {
    struct player *player = context;
    struct run *run = player->run;
    struct cor_system_goal_row *row;
    enum cor_status status = run->status;
    COR_TRY_OUT(status);
    COR_TRY_OUT(cor_made(row = cor_record_row(run->record, COR_SYSTEM_TABLE_GOALS, run->error), run->error));
    row->test_agent = player->actor->code;
    row->goal = code_in(run, COR_SYSTEM_NAMES_GOAL, report->name);
    row->depth = report->depth;
    /* Its beliefs began to count with the first look. */
    row->begun = report->begun > 0 ? (uint32_t)report->begun - 1 : 0;
    row->ended = run->cycle;
    row->actions = (uint32_t)report->cost;
    row->end = (uint8_t)report->end;
    COR_TRY_OUT(rows_text(run->record, report->why, &row->why_start, &row->why_bytes, run->error));
out:
    run->status = status;
}

/* An assert or a post-condition was judged. */
static void note_assert(void *context, const struct cor_goal_verdict *verdict) {
    struct player *player = context;
    struct run *run = player->run;
    const char *judge = cor_term_word(COR_FAMILY_JUDGE, (int)verdict->judge);
    const bool has_name = strcmp(verdict->goal, judge) != 0; /* of its own */
    enum cor_status status = run->status;
    COR_TRY_OUT(status);
    COR_TRY_OUT(put_verdict(run, verdict->judge, code_in(run, COR_SYSTEM_NAMES_CHECK, verdict->text),
                            player->actor->code, verdict_of(verdict->truth), run->cycle, verdict->why));
    if (verdict->truth == COR_TRUTH_UNKNOWN)
        player->is_unknown = true;
    if (verdict->truth == COR_TRUTH_FALSE)
        decide(run, COR_TEST_FAIL, run->cycle, "%s%s%s: %s%s", judge, has_name ? " of " : "",
               has_name ? verdict->goal : "", verdict->why[0] ? verdict->why : verdict->text,
               verdict->why[0] ? "" : " does not hold");
out:
    run->status = status;
}

static enum cor_status put_turn(struct run *run, const struct player *player, enum cor_test_agent_turn turn,
                                uint16_t goal, const struct cor_world_command *command,
                                const struct cor_world_view *view) {
    struct system_layer__rig *rig = run->rig;
    struct cor_system_cycle_row *row = cor_record_row(run->record, COR_SYSTEM_TABLE_CYCLES, run->error);
    struct cor_believed self;
    uint32_t cell[3];
    COR_TRY(cor_made(row, run->error));
    row->cycle = run->cycle;
    row->test_agent = player->actor->code;
    row->turn = (uint8_t)turn;
    row->action = rig->action_codes[command->action];
    row->goal = goal;
    row->tick = run->tick;
    row->column = COR_NONE;
    row->trouble = (uint8_t)run->trouble;
    row->state = run->state;
    row->state_unknown = run->state_unknown;
    if (view) {
        row->shown = view->entity_count;
        if (cor_beliefs_find(player->actor->beliefs, player->actor->identity, &self) &&
            cor_beliefs_place(player->actor->beliefs, self.type, self.element, cell)) {
            row->column = cell[0];
            row->row = cell[1];
            row->floor = cell[2];
            /* Somebody stood there at the end of a turn. */
            struct system_layer__count *item;
            const uint32_t before = run->rows.cells.count;
            COR_TRY(count_of(&run->rows.cells, cell[0], cell[1], cell[2], run->cycle, &item, run->error));
            if (run->rows.cells.count > before)
                item->touched = CELL_FREE; /* no view says it, but somebody stands there */
            item->count += item->last != run->cycle;
            item->last = run->cycle;
        }
        if (view->picture)
            COR_TRY(
                rows_text(run->record, view->picture, &row->picture_start, &row->picture_bytes, run->error));
    }
    return rows_text(run->record, cor_bytes_text(&run->rows.text), &row->command_start, &row->command_bytes,
                     run->error);
}

/* ---- judges */

static enum cor_truth ask(const struct run *run, const struct cor_expression *expression) {
    return cor_expression_ask(expression, cor_beliefs_values(run->beliefs), cor_beliefs_world(run->beliefs),
                              NULL);
}

/* ", after press b1 by t": what was done last; "" if nothing was. */
static enum cor_status say_last(const struct run *run, char *text, size_t size) {
    COR_FINISHED(cor_bytes) struct cor_bytes command = {0};
    text[0] = '\0';
    if (!run->last_by)
        return COR_OK;
    system_layer__print_command(&command, run->rig->declaration, &run->last);
    const enum cor_status status = command.status;
    if (status == COR_OK)
        snprintf(text, size, ", after %.300s by %.100s", cor_bytes_text(&command), run->last_by->actor->name);
    return status == COR_OK ? COR_OK : cor_fail_memory(run->error);
}

static enum cor_status judge_invariants(struct run *run) {
    char why[WHY / 2], last[500];
    for (uint32_t i = 0; i < run->rig->invariant_count; i++) {
        const struct system_layer__claim *invariant = &run->rig->invariants[i];
        const enum cor_truth truth = ask(run, &invariant->expression);
        if (truth == COR_TRUTH_UNKNOWN && run->unknown[i] == 0)
            run->unknown[i] = 1 + run->cycle;
        if (truth != COR_TRUTH_FALSE)
            continue;
        system_layer__breach(&invariant->expression, run->beliefs, why, sizeof why);
        COR_TRY(
            put_verdict(run, COR_JUDGE_INVARIANT, invariant->code, 0, COR_VERDICT_FAILED, run->cycle, why));
        COR_TRY(say_last(run, last, sizeof last));
        decide(run, COR_TEST_FAIL, run->cycle, "always \"%s\" does not hold in cycle %u%s: %s",
               invariant->name, run->cycle, last, why);
    }
    return COR_OK;
}

/* A model beside the run, or within the world: until it does not allow something. */
static enum cor_status judge_model(struct run *run, const struct player *player,
                                   const struct cor_world_command *command) {
    struct system_layer__rig *rig = run->rig;
    char why[WHY] = "";
    bool is_allowed;
    if (!rig->model || run->is_model_violated)
        return COR_OK;
    if (rig->beside)
        COR_TRY(system_layer__beside_step(rig->beside, command, player->actor->beliefs, player->actor->travel,
                                          &is_allowed, why, sizeof why, run->error));
    else
        COR_TRY(rig->maker->judge(rig->world, why, sizeof why, run->error));
    if (why[0] == '\0')
        return COR_OK;
    run->is_model_violated = true;
    COR_TRY(put_verdict(run, COR_JUDGE_MODEL, rig->model_code, player->actor->code, COR_VERDICT_FAILED,
                        run->cycle, why));
    decide(run, COR_TEST_FAIL, run->cycle, "model \"%s\" does not allow what happened in cycle %u: %s",
           rig->model, run->cycle, why);
    return COR_OK;
}

/* Why the formulas that are asked for are violated; the first of them decides. */
static enum cor_status explain_formulas(struct run *run) {
    const struct system_layer__rig *rig = run->rig;
    char last[500];
    COR_TRY(system_layer__past_why(rig->past, run->is_asked, run->whys, run->error));
    COR_TRY(say_last(run, last, sizeof last));
    for (uint32_t f = 0; f < rig->formula_count; f++) {
        const struct system_layer__formula *formula = &rig->formulas[f];
        const uint64_t decided = cor_temporal_decided_at(formula->watch);
        if (run->is_asked[f] && decided == COR_TEMPORAL_OPEN)
            decide(run, COR_TEST_FAIL, 0, "formula \"%s\" is violated when the test ends%s: %s.",
                   formula->name, last, run->whys[f]);
        else if (run->is_asked[f])
            decide(run, COR_TEST_FAIL, (uint32_t)decided,
                   "formula \"%s\" is violated from cycle %u on%s: %s.", formula->name, (uint32_t)decided,
                   last, run->whys[f]);
    }
    return COR_OK;
}

/* Once behind each cycle, and behind what comes before the first. */
static enum cor_status judge_formulas(struct run *run) {
    const struct system_layer__rig *rig = run->rig;
    uint8_t conditions[SYSTEM_LAYER__CLAIMS_MAX];
    bool is_any = false;
    if (rig->formula_count == 0)
        return COR_OK;
    for (uint32_t c = 0; c < rig->claim_count; c++)
        conditions[c] = (uint8_t)cor_temporal_of(ask(run, &rig->claims[c].expression));
    for (uint32_t f = 0; f < rig->formula_count; f++) {
        const struct system_layer__formula *formula = &rig->formulas[f];
        COR_TRY(cor_temporal_step(formula->watch, conditions, run->error));
        run->is_asked[f] = cor_temporal_verdict(formula->watch) == COR_TEMPORAL_VIOLATED &&
                           cor_temporal_decided_at(formula->watch) != COR_TEMPORAL_OPEN;
        is_any |= run->is_asked[f];
    }
    COR_TRY(system_layer__past_judged(rig->past, conditions, run->error));
    return is_any ? explain_formulas(run) : COR_OK;
}

static enum cor_status compare_entity(struct run *run, const struct player *a, const struct player *b,
                                      uint32_t identity) {
    const struct cor_world_declaration *declaration = run->rig->declaration;
    struct cor_believed here, there;
    if (!cor_beliefs_find(a->actor->beliefs, identity, &here) ||
        !cor_beliefs_find(b->actor->beliefs, identity, &there) ||
        !cor_beliefs_sees(b->actor->beliefs, there.type, there.element))
        return COR_OK;
    const struct cor_entity_type *type = &declaration->types[here.type];
    for (uint32_t p = 0; p < type->property_count; p++) {
        const struct cor_value one = cor_beliefs_value(a->actor->beliefs, here.type, here.element, p),
                               other = cor_beliefs_value(b->actor->beliefs, there.type, there.element, p);
        char texts[2][100], why[WHY];
        if (one.kind == COR_VALUE_NULL || other.kind == COR_VALUE_NULL || cor_value_equal(one, other))
            continue;
        cor_value_text(one, type->properties[p].domain, declaration->words, texts[0], sizeof texts[0]);
        cor_value_text(other, type->properties[p].domain, declaration->words, texts[1], sizeof texts[1]);
        snprintf(why, sizeof why, "%.100s.%.100s is %s for %.60s and %s for %.60s in tick %llu",
                 cor_words_text(declaration->words, identity), type->properties[p].name, texts[0],
                 a->actor->name, texts[1], b->actor->name, (unsigned long long)a->tick);
        COR_TRY(put_verdict(run, COR_JUDGE_AGREEMENT, run->rig->agreement_codes[here.type], a->actor->code,
                            COR_VERDICT_FAILED, run->cycle, why));
        decide(run, COR_TEST_FAIL, run->cycle, "views do not agree: %s", why);
    }
    return COR_OK;
}

/* ---- turns */

static void say_trouble(struct run *run) {
    const char *words = run->rig->world->words;
    decide(run, COR_TEST_TROUBLE, run->cycle, "the world %s in cycle %u%s%s",
           system_layer__trouble_words(run->trouble), run->cycle, words[0] ? ": " : "", words);
}

/* A view of which nothing can be believed is the world's trouble, not ours. */
static enum cor_status blame(struct run *run, enum cor_status status, const struct cor_error *said) {
    if (status == COR_OK)
        return COR_OK;
    if (status != COR_STATUS_INPUT)
        return cor_fail(run->error, status, said->place, said->remedy, "%s", said->cause);
    run->trouble = COR_SYSTEM_GARBLED;
    decide(run, COR_TEST_TROUBLE, run->cycle, "the world %s in cycle %u: %s",
           system_layer__trouble_words(run->trouble), run->cycle, said->cause);
    return COR_OK;
}

/* Takes a view over; then run->trouble says whether it could be. */
static enum cor_status take_view(struct run *run, struct player *player, const struct cor_world_view *view) {
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(blame(run, cor_beliefs_merge(player->actor->beliefs, view, &said), &said));
    if (run->trouble == 0 && run->rig->joint)
        COR_TRY(blame(run, cor_beliefs_merge(run->rig->joint, view, &said), &said));
    if (run->trouble != 0)
        return COR_OK;
    if (run->rig->past)
        COR_TRY(system_layer__past_view(run->rig->past, view, run->error));
    player->tick = run->tick = view->tick;
    if (player->actor->travel)
        COR_TRY(blame(run, cor_travel_merge(player->actor->travel, view, &said), &said));
    if (run->trouble != 0)
        return COR_OK;
    COR_TRY(rows_see(&run->rows, run->cycle, view, run->error));
    if (run->rig->actor_count > 1) {
        /* Test agents that were shown an entity in one tick were shown the same. */
        for (uint32_t p = 0; p < run->rig->actor_count; p++) {
            const struct player *other = &run->players[p];
            if (other == player || other->tick != player->tick || other->tick == UINT64_MAX)
                continue;
            for (uint32_t i = 0; i < view->entity_count; i++)
                COR_TRY(compare_entity(run, player, other, view->entities[i].identity));
        }
    }
    run->state = run->state_unknown = 0;
    for (uint32_t s = 0; s < run->rig->state_count; s++) {
        const enum cor_truth truth = ask(run, &run->rig->claims[s].expression);
        run->state |= (uint64_t)(truth == COR_TRUTH_TRUE) << s;
        run->state_unknown |= (uint64_t)(truth == COR_TRUTH_UNKNOWN) << s;
    }
    return COR_OK;
}

/* A command to the world, its view, and the row of both. */
static enum cor_status act(struct run *run, struct player *player, enum cor_test_agent_turn turn,
                           uint16_t goal, const struct cor_world_command *command) {
    struct system_layer__rig *rig = run->rig;
    const uint64_t before = run->state, unknown_before = run->state_unknown;
    const uint32_t number = (uint32_t)(player - run->players);
    struct cor_world_view view = {0};
    COR_TRY(rows_command(&run->rows, number, run->cycle, command, run->error));
    if (player->actor->travel)
        COR_TRY(cor_travel_note_command(player->actor->travel, command, run->error));
    COR_TRY(rig->world->kind->act(rig->world, number, command, &view, &run->trouble, run->error));
    run->last = *command;
    run->last_by = player;
    if (run->trouble != 0)
        say_trouble(run);
    else
        COR_TRY(take_view(run, player, &view));
    COR_TRY(put_turn(run, player, turn, goal, command, run->trouble == 0 ? &view : NULL));
    if (run->trouble == 0 && rig->state_count > 0 && unknown_before == 0 && run->state_unknown == 0) {
        /* An action between named states, all of them known. */
        struct system_layer__count *item;
        COR_TRY(count_of(&run->rows.steps, before, rig->action_codes[command->action], run->state, run->cycle,
                         &item, run->error));
        item->count++;
    }
    return run->trouble == 0 ? judge_model(run, player, command) : COR_OK;
}

/* A command behind which the world is judged. */
static enum cor_status act_and_judge(struct run *run, struct player *player, enum cor_test_agent_turn turn,
                                     uint16_t goal, const struct cor_world_command *command) {
    COR_TRY(act(run, player, turn, goal, command));
    return run->trouble == 0 ? judge_invariants(run) : COR_OK;
}

/* What every world means by hp: at 0 a test agent can do nothing any more. */
static bool is_dead(const struct player *player) {
    const struct system_layer__actor *actor = player->actor;
    struct cor_believed self;
    if (actor->hp == COR_NONE || !cor_beliefs_find(actor->beliefs, actor->identity, &self) ||
        self.type != actor->type)
        return false;
    const struct cor_value hp = cor_beliefs_value(actor->beliefs, self.type, self.element, actor->hp);
    return (hp.kind == COR_VALUE_INTEGER && hp.as.integer <= 0) ||
           (hp.kind == COR_VALUE_REAL && hp.as.real <= 0);
}

/* Its goal is solved, or has failed. */
static void see_end(struct run *run, struct player *player) {
    const enum cor_goal_end end = cor_pursuit_status(player->pursuit);
    player->has_ended = end != COR_GOAL_OPEN;
    if (!player->has_ended || end == COR_GOAL_SUCCESS)
        return;
    if (player->is_unknown) /* no judge was violated: then that was decided */
        decide(run, COR_TEST_INCONCLUSIVE, run->cycle, "%s: it cannot be told whether an assert holds: %s",
               player->actor->name, cor_pursuit_why(player->pursuit));
    else if (cor_pursuit_is_impossible(player->pursuit))
        decide(run, COR_TEST_UNREACHABLE, run->cycle, "%s: %s", player->actor->name,
               cor_pursuit_why(player->pursuit));
    else
        decide(run, COR_TEST_FAIL, run->cycle, "%s failed: %s", player->actor->name,
               cor_pursuit_why(player->pursuit));
}

/* ---- a script in the place of goals */

/* Is all known that the command names? */
static bool is_possible(const struct run *run, const struct cor_world_command *command) {
    const struct cor_action *action = &run->rig->declaration->actions[command->action];
    struct cor_believed entity;
    bool is_known = true;
    for (uint32_t p = 0; p < action->parameter_count && is_known; p++)
        is_known = action->parameters[p].domain || command->arguments[p].kind != COR_VALUE_WORD ||
                   cor_beliefs_find(run->beliefs, command->arguments[p].as.word, &entity);
    return is_known;
}

/* The player's next step from `from` on; the number of steps: it has none. */
static uint32_t find_step(const struct run *run, const struct player *player, uint32_t from) {
    const struct system_layer__rig *rig = run->rig;
    const struct system_layer__script *script = rig->script;
    const uint32_t count = script ? script->count : 0;
    while (from < count &&
           (!rig->plays[from] || script->steps[from].kind != SYSTEM_LAYER__DO ||
            &run->players[rig->steps[from].actor] != player || !is_possible(run, &rig->steps[from].command)))
        from++;
    return from;
}

/* As one that a goal "do" chooses. With the one that is judged its goal, an assert, is looked at. */
static enum cor_status play(struct run *run, struct player *player, uint32_t step) {
    const struct system_layer__rig *rig = run->rig;
    const struct cor_world_command *command = &rig->steps[step].command;
    const struct cor_action *action = &rig->declaration->actions[command->action];
    const bool is_judged = rig->script->steps[step].need == SYSTEM_LAYER__JUDGED;
    struct cor_world_command none;
    enum cor_pursuit_choice choice;
    if (is_judged)
        COR_TRY(cor_pursuit_choose(player->pursuit, &player->rng, &choice, &none, run->error));
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        const struct cor_value argument = command->arguments[p];
        if (action->parameters[p].domain || argument.kind != COR_VALUE_WORD)
            continue;
        cor_beliefs_note_tried(player->actor->beliefs, argument.as.word);
        if (rig->past && !rig->joint)
            COR_TRY(system_layer__past_tried(rig->past, argument.as.word, run->error));
    }
    rig->happened[step] = true;
    player->next = step + 1;
    player->cycles++;
    player->actions++;
    COR_TRY(act_and_judge(run, player, COR_TURN_ACTED, 0, command));
    if (run->trouble != 0)
        return COR_OK;
    if (player->pursuit && is_dead(player))
        cor_pursuit_fail(player->pursuit, SYSTEM_LAYER__DEAD);
    else if (is_judged)
        COR_TRY(cor_pursuit_propose(player->pursuit, run->error));
    COR_TRY(run->status);
    if (player->pursuit)
        see_end(run, player);
    if (player->actor->only_plays && find_step(run, player, player->next) == rig->script->count)
        player->has_ended = true;
    return COR_OK;
}

static enum cor_status take_turn(struct run *run, struct player *player) {
    struct cor_world_command command = {.action = COR_ACTION_LOOK};
    enum cor_pursuit_choice choice = COR_PURSUIT_WAIT;
    if (player->actor->is_observer)
        return act_and_judge(run, player, COR_TURN_LOOKED, 0, &command);
    if (player->has_ended)
        return COR_OK;
    player->is_unknown = false;
    const struct system_layer__script *script = run->rig->script;
    const uint32_t step = find_step(run, player, player->next);
    if (script && step < script->count)
        return play(run, player, step);
    if (player->actor->only_plays) { /* it had nothing to do, or nothing that was possible */
        player->has_ended = true;
        return act_and_judge(run, player, COR_TURN_ACTED, 0, &command);
    }
    COR_TRY(cor_pursuit_choose(player->pursuit, &player->rng, &choice, &command, run->error));
    COR_TRY(run->status);
    if (choice == COR_PURSUIT_ENDED) {
        see_end(run, player);
        return COR_OK;
    }
    if (cor_pursuit_trouble(player->pursuit) != 0) {
        decide(run, COR_TEST_TROUBLE, run->cycle, "the policy of %s %s in cycle %u: %s", player->actor->name,
               system_layer__trouble_words(cor_pursuit_trouble(player->pursuit)), run->cycle,
               cor_policy_words(player->actor->policy));
        return COR_OK;
    }
    for (uint32_t p = 0; run->rig->past && !run->rig->joint && p < COR_WORLD_PARAMETERS_MAX; p++)
        if (system_layer__tries(player->pursuit, &command, p))
            COR_TRY(system_layer__past_tried(run->rig->past, command.arguments[p].as.word, run->error));
    const uint32_t goal = player->pursuit->leaf;
    COR_TRY(act_and_judge(run, player, choice == COR_PURSUIT_ACT ? COR_TURN_ACTED : COR_TURN_WAITED,
                          goal == COR_NONE ? 0 : run->rig->goal_codes[goal], &command));
    player->cycles++;
    player->actions += choice == COR_PURSUIT_ACT;
    player->waited += choice == COR_PURSUIT_WAIT;
    if (run->trouble != 0)
        return COR_OK;
    if (is_dead(player))
        cor_pursuit_fail(player->pursuit, SYSTEM_LAYER__DEAD);
    else
        COR_TRY(cor_pursuit_propose(player->pursuit, run->error));
    COR_TRY(run->status);
    see_end(run, player);
    struct cor_policy *policy = player->actor->policy;
    if (!policy)
        return COR_OK;
    /* What the turn is worth to the policy: conditions and rows have it, too. */
    const size_t turns = cor_record_size(run->record, COR_SYSTEM_TABLE_CYCLES);
    struct cor_system_cycle_row *row = cor_record_at(run->record, COR_SYSTEM_TABLE_CYCLES, turns - 1);
    double reward = 0;
    COR_TRY(cor_policy_reward(policy, player->actor->beliefs,
                              cor_pursuit_status(player->pursuit) == COR_GOAL_SUCCESS, player->has_ended,
                              &reward, run->error));
    cor_policy_learn(policy, reward, player->has_ended);
    cor_beliefs_note_reward(player->actor->beliefs, reward);
    if (run->rig->joint)
        cor_beliefs_note_reward(run->rig->joint, reward);
    row->reward = reward;
    player->reward += reward;
    return COR_OK;
}

/* Is there nobody whose goal is open? Observers alone go on to the last cycle. */
static bool is_over(const struct run *run) {
    uint32_t goals = 0, ended = 0;
    for (uint32_t p = 0; p < run->rig->actor_count; p++) {
        goals += !run->players[p].actor->is_observer;
        ended += run->players[p].has_ended;
    }
    return goals > 0 && ended == goals;
}

/* Is the test as long as it was meant to be? One that is cut says nothing of what might have come. */
static bool is_whole(const struct run *run) {
    for (uint32_t p = 0; p < run->rig->actor_count; p++)
        if (!run->players[p].actor->is_observer && !run->players[p].has_ended)
            return false;
    return true;
}

/* ---- a test */

static enum cor_status begin_run(struct run *run, uint32_t repetition) {
    struct system_layer__rig *rig = run->rig;
    for (uint32_t f = 0; f < rig->formula_count; f++)
        cor_temporal_restart(rig->formulas[f].watch);
    if (rig->joint)
        cor_beliefs_clear(rig->joint);
    if (rig->formula_count > 0 && !rig->past)
        COR_TRY(system_layer__past_create(rig, &rig->past, run->error));
    if (rig->past)
        system_layer__past_clear(rig->past);
    if (rig->beside)
        COR_TRY(system_layer__beside_restart(rig->beside, run->error));
    rig->world->run = repetition;
    rig->reply_count = 0;
    for (uint32_t s = 0; rig->script && s < rig->script->count; s++)
        rig->happened[s] = false;
    for (uint32_t a = 0; a < rig->actor_count; a++) {
        struct system_layer__actor *actor = &rig->actors[a];
        struct player *player = &run->players[a];
        *player = (struct player){.actor = actor,
                                  .run = run,
                                  .rng = draws_of(rig, repetition, COR_PURPOSE_POLICY, 1 + a),
                                  .tick = UINT64_MAX};
        cor_beliefs_clear(actor->beliefs);
        if (actor->travel)
            cor_travel_clear(actor->travel);
        if (actor->policy && !rig->trains)
            COR_TRY(cor_policy_forget(actor->policy, run->error));
        if (actor->policy)
            cor_policy_restart(actor->policy);
        if (actor->is_observer || actor->only_plays)
            continue;
        const struct cor_pursuit_definition definition = {.goals = rig->goals,
                                                          .root = actor->root,
                                                          .budget = actor->budget,
                                                          .patience = actor->patience,
                                                          .beliefs = actor->beliefs,
                                                          .policy = actor->policy,
                                                          .travel = actor->travel,
                                                          .advice = system_layer__advice(actor->adviser),
                                                          .test_agent = actor->name};
        COR_TRY(cor_pursuit_create(&definition, &player->pursuit, run->error));
        cor_pursuit_watch_goals(player->pursuit, note_goal, player);
        cor_pursuit_watch_asserts(player->pursuit, note_assert, player);
    }
    return COR_OK;
}

/* Reset, a look of each test agent, and what sets the world up: all in cycle 0. */
static enum cor_status set_up(struct run *run) {
    struct system_layer__rig *rig = run->rig;
    const struct cor_world_command look = {.action = COR_ACTION_LOOK};
    struct cor_world_view view = {0};
    COR_TRY(rows_command(&run->rows, 0, 0, &look, run->error));
    COR_TRY(rig->world->kind->reset(rig->world, &view, &run->trouble, run->error));
    if (run->trouble != 0)
        say_trouble(run);
    else
        COR_TRY(take_view(run, &run->players[0], &view));
    COR_TRY(put_turn(run, &run->players[0], COR_TURN_LOOKED, 0, &look, run->trouble == 0 ? &view : NULL));
    for (uint32_t a = 1; a < rig->actor_count && run->verdict == 0; a++)
        COR_TRY(act(run, &run->players[a], COR_TURN_LOOKED, 0, &look));
    if (run->verdict == 0) /* not before all have looked: until then something is unknown that need not be */
        COR_TRY(judge_invariants(run));
    for (uint32_t i = 0; i < rig->setup_count && run->verdict == 0; i++)
        COR_TRY(act_and_judge(run, &run->players[rig->setup[i].actor], COR_TURN_SET_UP, 0,
                              &rig->setup[i].command));
    const struct system_layer__script *script = rig->script;
    for (uint32_t s = 0; script && s < script->count && run->verdict == 0; s++) {
        const struct system_layer__setup *step = &rig->steps[s];
        if (!rig->plays[s] || script->steps[s].kind != SYSTEM_LAYER__SETUP ||
            !is_possible(run, &step->command))
            continue;
        rig->happened[s] = true;
        COR_TRY(act_and_judge(run, &run->players[step->actor], COR_TURN_SET_UP, 0, &step->command));
    }
    return run->trouble == 0 ? judge_formulas(run) : COR_OK;
}

/* What was said until the end of this cycle. */
static enum cor_status note_replies(const struct run *run) {
    struct system_layer__rig *rig = run->rig;
    if (!rig->follows)
        return COR_OK;
    COR_TRY(COR_RESERVE(&rig->replies, &rig->reply_capacity, rig->reply_count + 1, run->error));
    rig->replies[rig->reply_count++] = run->rows.replies;
    return COR_OK;
}

static enum cor_status go_through(struct run *run, uint32_t repetition, const struct cor_watch *watch) {
    const struct system_layer__rig *rig = run->rig;
    struct cor_rng rng = draws_of(rig, repetition, COR_PURPOSE_TURN_ORDER, 0);
    uint32_t order[COR_TEST_AGENTS_MAX];
    while (run->verdict == 0 && run->cycle < cycles_of(rig) && !is_over(run)) {
        if (watch && cor_watch_stopped(watch))
            return COR_STATUS_INTERRUPTED;
        if (watch)
            cor_watch_show(watch, run->cycle);
        run->is_full =
            cor_record_size(run->record, COR_SYSTEM_TABLE_CYCLES) + rig->actor_count > COR_SYSTEM_TURNS_MAX;
        if (run->is_full)
            break;
        run->cycle++;
        for (uint32_t a = 0; a < rig->actor_count; a++)
            order[a] = a;
        if (rig->actor_count > 1)
            cor_rng_shuffle(&rng, order, rig->actor_count);
        for (uint32_t i = 0; i < rig->actor_count && run->verdict == 0; i++)
            COR_TRY(take_turn(run, &run->players[order[i]]));
        if (run->trouble == 0)
            COR_TRY(judge_formulas(run));
        COR_TRY(note_replies(run));
    }
    for (uint32_t a = 0; a < rig->actor_count && run->verdict == 0; a++)
        if (run->players[a].pursuit && !run->players[a].has_ended) {
            cor_pursuit_close(run->players[a].pursuit);
            COR_TRY(run->status);
            see_end(run, &run->players[a]);
        }
    return COR_OK;
}

/* What judges say at the end, of all that they did not say on the way. */
static enum cor_status judge_in_the_end(struct run *run, bool is_cut) {
    const struct system_layer__rig *rig = run->rig;
    for (uint32_t i = 0; i < rig->invariant_count; i++) {
        const struct system_layer__claim *invariant = &rig->invariants[i];
        if (run->unknown[i] > 0)
            COR_TRY(put_verdict(run, COR_JUDGE_INVARIANT, invariant->code, 0, COR_VERDICT_UNDECIDED,
                                run->unknown[i] - 1, "something that it names is unknown"));
        else if (run->verdict == 0)
            COR_TRY(put_verdict(run, COR_JUDGE_INVARIANT, invariant->code, 0, COR_VERDICT_PASSED, 0, ""));
    }
    if (rig->model && run->verdict == 0)
        COR_TRY(put_verdict(run, COR_JUDGE_MODEL, rig->model_code, 0, COR_VERDICT_PASSED, 0, ""));
    /* Formulas that the end of the test violates. */
    bool is_any = false;
    for (uint32_t f = 0; f < rig->formula_count; f++) {
        const struct cor_temporal_watch *watch = rig->formulas[f].watch;
        run->is_asked[f] = !is_cut && !run->whys[f] && cor_temporal_so_far(watch) == COR_TEMPORAL_VIOLATED;
        is_any |= run->is_asked[f];
    }
    if (is_any)
        COR_TRY(explain_formulas(run));
    for (uint32_t f = 0; f < rig->formula_count; f++) {
        const struct system_layer__formula *formula = &rig->formulas[f];
        const enum cor_temporal_value value = cor_temporal_so_far(formula->watch);
        const uint64_t at = cor_temporal_decided_at(formula->watch);
        const bool is_open = at == COR_TEMPORAL_OPEN;
        if (is_open && is_cut) {
            COR_TRY(put_verdict(run, COR_JUDGE_FORMULA, formula->code, 0, COR_VERDICT_UNDECIDED, 0,
                                "the test was over before it was told"));
            continue;
        }
        COR_TRY(put_verdict(run, COR_JUDGE_FORMULA, formula->code, 0,
                            value == COR_TEMPORAL_HOLDS      ? COR_VERDICT_PASSED
                            : value == COR_TEMPORAL_VIOLATED ? COR_VERDICT_FAILED
                                                             : COR_VERDICT_UNDECIDED,
                            is_open ? 0 : (uint32_t)at,
                            value == COR_TEMPORAL_HOLDS      ? ""
                            : value == COR_TEMPORAL_VIOLATED ? run->whys[f]
                            : cor_temporal_verdict(formula->watch) == COR_TEMPORAL_VIOLATED
                                ? "the test was over before its bounds were"
                                : "something that it names is unknown"));
    }
    return COR_OK;
}

static enum cor_status put_players(struct run *run) {
    for (uint32_t p = 0; p < run->rig->actor_count; p++) {
        const struct player *player = &run->players[p];
        const struct cor_pursuit *pursuit = player->pursuit;
        struct cor_system_agent_row *row = cor_record_row(run->record, COR_SYSTEM_TABLE_AGENTS, run->error);
        COR_TRY(cor_made(row, run->error));
        row->test_agent = player->actor->code;
        enum cor_goal_end end = pursuit ? cor_pursuit_status(pursuit) : COR_GOAL_OPEN;
        if (pursuit && cor_pursuit_is_stalled(pursuit))
            end = COR_GOAL_STALLED;
        row->end = (uint8_t)end;
        row->cycles = pursuit ? player->cycles : run->cycle;
        row->actions = player->actions;
        row->waited = player->waited;
        row->reward = player->reward;
        row->budget_left = pursuit ? cor_pursuit_budget_left(pursuit) : COR_BUDGET_INFINITE;
        const char *why = !pursuit                  ? ""
                          : end == COR_GOAL_STALLED ? cor_pursuit_guard(pursuit)
                                                    : cor_pursuit_why(pursuit);
        COR_TRY(rows_text(run->record, why, &row->why_start, &row->why_bytes, run->error));
    }
    return COR_OK;
}

enum cor_status system_layer__run(struct system_layer__rig *rig, uint32_t repetition,
                                  const struct cor_watch *watch, struct cor_record *record,
                                  struct cor_suite_counts *tally, struct cor_error *error) {
    struct run run = {.rig = rig,
                      .rows = {.rig = rig, .record = record, .replies = COR_HASH_SEED},
                      .record = record,
                      .error = error,
                      .beliefs = rig->joint ? rig->joint : rig->actors[0].beliefs};
    enum cor_status status = COR_OK;
    run.unknown = cor_calloc(rig->invariant_count, sizeof *run.unknown);
    run.is_asked = cor_calloc(rig->formula_count, sizeof *run.is_asked);
    run.whys = cor_calloc(rig->formula_count, sizeof *run.whys);
    if (!run.unknown || !run.is_asked || !run.whys)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(begin_run(&run, repetition));
    COR_TRY_OUT(set_up(&run));
    COR_TRY_OUT(note_replies(&run));
    COR_TRY_OUT(go_through(&run, repetition, watch));
    COR_TRY_OUT(judge_in_the_end(&run, run.verdict != 0 || run.is_full || !is_whole(&run)));
    /* How the test ended, where nothing decided it before. */
    if (run.is_full)
        decide(&run, COR_TEST_INCONCLUSIVE, 0,
               "it was cut after %u of %u cycles: a test keeps %d turns at most, and nothing was decided",
               run.cycle, cycles_of(rig), COR_SYSTEM_TURNS_MAX);
    for (uint32_t p = 0; p < rig->actor_count; p++) {
        const struct player *player = &run.players[p];
        if (!player->pursuit || player->has_ended)
            continue;
        if (cor_pursuit_is_stalled(player->pursuit))
            decide(&run, COR_TEST_INCONCLUSIVE, 0, "%s is stalled after %u cycles: %s", player->actor->name,
                   run.cycle, cor_pursuit_guard(player->pursuit));
        else
            decide(&run, COR_TEST_INCONCLUSIVE, 0, "the goal of %s is open after %u cycles",
                   player->actor->name, run.cycle);
    }
    if (run.unknowns > 0)
        decide(&run, COR_TEST_INCONCLUSIVE, 0, "%u of %u verdicts cannot be told", run.unknowns, run.judged);
    decide(&run, COR_TEST_PASS, 0, "%s", "");
    COR_TRY_OUT(put_players(&run));
    COR_TRY_OUT(rows_put(&run.rows, error));
    struct cor_system_test_row *row = cor_record_row(record, COR_SYSTEM_TABLE_TESTS, error);
    COR_TRY_OUT(cor_made(row, error));
    row->test = (uint16_t)rig->entry;
    row->run = repetition;
    row->verdict = (uint8_t)run.verdict;
    row->trouble = (uint8_t)run.trouble;
    row->cycles = run.cycle;
    row->ticks = run.tick;
    row->decided = run.decided;
    row->judged = run.judged;
    row->violated = run.violated;
    row->unknown = run.unknowns;
    for (uint32_t i = 0; i < run.rows.entities.count; i++)
        row->entities += run.rows.entities.items[i].count > 0;
    for (uint32_t i = 0; i < run.rows.cells.count; i++)
        row->cells += run.rows.cells.items[i].touched != 0;
    row->replies = run.rows.replies;
    COR_TRY_OUT(rows_text(record, run.why, &row->why_start, &row->why_bytes, error));
    *tally = (struct cor_suite_counts){.cases = run.cycle, .failures = run.verdict == COR_TEST_FAIL};
out:
    for (uint32_t a = 0; a < rig->actor_count; a++)
        cor_pursuit_destroy(run.players[a].pursuit);
    rows_fini(&run.rows);
    for (uint32_t f = 0; f < rig->formula_count && run.whys; f++)
        free(run.whys[f]);
    COR_FREE(run.whys, run.is_asked, run.unknown);
    return status;
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
    COR_FREED struct executor *executor = with;
    for (int b = 0; executor && b < RIGS_KEPT; b++)
        system_layer__rig_destroy(executor->rigs[b]);
    if (executor)
        cor_world_programs_part(executor->experiment->programs);
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    const uint32_t entries = executor->experiment->entry_count;
    cor_record_begin(record, (uint16_t)arm, suite);
    /* The rig of that test in that arm, which is then the first. */
    const uint32_t entry = suite % entries;
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
        COR_TRY(system_layer__rig_create(executor->experiment, arm, entry, NULL, NULL, &found, error));
    }
    memmove(executor->rigs + 1, executor->rigs, (size_t)b * sizeof(struct system_layer__rig *));
    executor->rigs[0] = found;
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
    COR_FREED char *text = cor_json_text(&root);
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
    .subject = &system_layer__subject,
    .list = list_all,
    .provenance = put_provenance,
};
