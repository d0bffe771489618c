/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system of rules as a space: a state is a number with a digit for each process, which is its local state;
 * the last one's goes fastest. What a rule said of a view stands as what is added to that number. */
#include "internal.h"
#include "stabilize_messages.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/observed.h>
#include <corridor/process_stabilize.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEWS_MOST 1000000u /* of a process, that are asked */
#define STATES_USUAL 20000000
#define OPEN \
    "fairness together with coins is not decided so far; nearest is --fair chance, or to leave --fair out"

/* ---- "stabilize" in the file */

static const char *const daemon_words[] = {"central", "distributed", "synchronous", "any", NULL};

const char *cor_stabilize_daemon_word(uint32_t daemon) {
    return daemon_words[daemon];
}

static enum cor_status read_daemon(const struct cor_json *json, void *into, struct cor_error *error) {
    int index;
    COR_TRY(cor_json_one_of(json, daemon_words, "daemon", &index, error));
    ((struct cor_stabilize_asked *)into)->daemons |= 1u << index;
    return COR_OK;
}

static enum cor_status read_again(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_stabilize_asked *asked = into;
    return cor_json_string(json, &asked->again[asked->again_count++], error);
}

static const char *const mediums[] = {"memory", "messages", NULL};

static enum cor_status read_wrong(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_stabilize_corrupt *corrupt = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_PROCESS_ATTRIBUTES_MAX, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(cor_json_string(&item, &corrupt->variables[corrupt->variable_count++], error));
    return COR_OK;
}

static const struct cor_field corrupt_fields[] = {
    {"processes", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_stabilize_corrupt, processes, 1, COR_RULES_PROCESSES_MAX)},
    {"variables", COR_OPTIONAL, COR_READ_FIELD(read_wrong)},
    {"mail", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_stabilize_corrupt, mail)},
    {0}};

#define BOUND(name) \
    { #name, COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_stabilize_within, name, 0, 1000000000) }
static const struct cor_field within_fields[] = {BOUND(steps), BOUND(moves), BOUND(rounds), {0}};
static const struct cor_field asked_fields[] = {
    {"daemons", COR_OPTIONAL, COR_EACH_FIELD(read_daemon, 1, COR_DAEMON_COUNT)},
    {"within", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_stabilize_asked, within, within_fields, NULL)},
    {"again", COR_OPTIONAL, COR_EACH_FIELD(read_again, 1, COR_PROCESS_TRAPS_MAX)},
    {"graph", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"graphs", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"counts", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"states", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_stabilize_asked, states_most, 1, COR_SPACE_STATES_MAX)},
    {"over", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_stabilize_asked, is_over_messages, mediums, 0, "medium")},
    {"mail", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_stabilize_asked, mail, 1, PROCESS_LAYER__MAIL_MOST)},
    {"sample", COR_OPTIONAL, COR_READ_FIELD(cor_stabilize_sample_read)},
    {"corrupt", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_stabilize_asked, corrupt, corrupt_fields, NULL)},
    {0}};

static bool find_member(const struct cor_process_experiment *experiment, const char *key,
                        struct cor_json *root, struct cor_json *stabilize, struct cor_json *member) {
    *root = cor_json_root(experiment->document);
    return cor_json_find(root, "stabilize", stabilize) && cor_json_find(stabilize, key, member);
}

bool cor_stabilize_has_messages(const struct cor_stabilize_asked *asked, const struct cor_process_arm *arm) {
    return asked->is_over_messages || !cor_process_description(arm->program)->rule;
}

uint32_t cor_stabilize_daemons(const struct cor_stabilize_asked *asked, const struct cor_process_arm *arm) {
    const uint32_t any = 1u << COR_STABILIZE_ANY;
    const uint32_t all = cor_stabilize_has_messages(asked, arm) ? any : any - 1;
    return asked->daemons ? asked->daemons & all : all;
}

/* Daemons, mail and medium are to be those of the arm. */
static enum cor_status check_medium(const struct cor_json *json, const struct cor_process_arm *arm,
                                    const struct cor_stabilize_asked *asked, struct cor_error *error) {
    const struct cor_process *program = cor_process_description(arm->program);
    const bool has_messages = cor_stabilize_has_messages(asked, arm);
    struct cor_json member;
    if (!program->rule && cor_json_find(json, "over", &member) && !asked->is_over_messages)
        return cor_json_fail(&member, error, "leave it out",
                             "program \"%.80s\" sends messages, and reads no memory", program->name);
    if (!program->rule && !program->save && cor_json_find(json, "corrupt", &member))
        return cor_json_fail(&member, error, "leave it out",
                             "program \"%.80s\" does not say what it keeps, and a part of that has no name",
                             program->name);
    if (!has_messages && !asked->corrupt.mail && cor_json_find(json, "corrupt", &member))
        return cor_json_fail(&member, error, "leave \"mail\" out",
                             "nothing is under way where rules read each other's variables");
    if (!has_messages && cor_json_find(json, "mail", &member))
        return cor_json_fail(&member, error, "write \"over\": \"messages\"",
                             "nothing is under way where rules read each other's variables");
    if (!cor_json_find(json, "daemons", &member))
        return COR_OK;
    COR_JSON_CHILDREN(item, &member) {
        const char *word;
        COR_TRY(cor_json_string(&item, &word, error));
        if (!has_messages && strcmp(word, "any") == 0)
            return cor_json_fail(&item, error, "central, distributed or synchronous",
                                 "the daemon any is of programs with messages, and rules have none");
        if (has_messages && strcmp(word, "any") != 0)
            return cor_json_fail(
                &item, error, "write \"any\", or leave it out",
                "%s is a daemon of rules that read each other: of messages any may come next", word);
    }
    return COR_OK;
}

enum cor_status cor_stabilize_asked_read(const struct cor_process_experiment *experiment,
                                         struct cor_stabilize_asked *asked, struct cor_error *error) {
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json json, list;
    *asked = (struct cor_stabilize_asked){.mail = 1,
                                          .within = {COR_UNBOUNDED, COR_UNBOUNDED, COR_UNBOUNDED},
                                          .states_most = STATES_USUAL,
                                          .corrupt = {.processes = COR_RULES_PROCESSES_MAX, .mail = true},
                                          .sample = {.share = 0.99, .error = 0.01}};
    if (!cor_json_find(&root, "stabilize", &json))
        return COR_OK;
    COR_TRY(cor_json_fields(&json, asked_fields, asked, error));
    for (uint32_t a = 0; a < experiment->head.arm_count; a++)
        COR_TRY(check_medium(&json, &experiment->arms[a], asked, error));
    for (uint32_t g = 0; g < asked->again_count; g++)
        for (uint32_t a = 0; a < experiment->head.arm_count; a++)
            if (cor_process_trap(&experiment->arms[a], asked->again[g]) == COR_NONE) {
                COR_TRY(cor_json_need(&json, "again", &list, error));
                const struct cor_json item = cor_json_at(&list, g);
                return cor_json_fail(&item, error, "write \"traps\": {\"served\": \"any(a in agents: ..)\"}",
                                     "no condition \"%.80s\" is among the traps of arm \"%.80s\"",
                                     asked->again[g], experiment->arms[a].name);
            }
    return COR_OK;
}

/* ---- sizes and graphs */

static void join(uint64_t *neighbours, uint32_t p, uint32_t q) {
    neighbours[p] |= UINT64_C(1) << q;
    neighbours[q] |= UINT64_C(1) << p;
}

static bool is_connected(const uint64_t *neighbours, uint32_t count) {
    uint64_t met = 1, before = 0;
    while (met != before) {
        before = met;
        for (uint32_t p = 0; p < count; p++)
            met |= before >> p & 1 ? neighbours[p] : 0;
    }
    return (uint32_t)__builtin_popcountll(met) == count;
}

static enum cor_status read_lists(const struct cor_json *json, uint32_t count, uint64_t *neighbours,
                                  struct cor_error *error) {
    if (cor_json_size(json) != count)
        return cor_json_fail(json, error, "a list of neighbours for each process",
                             "has %zu lists of neighbours, and there are %" PRIu32 " processes",
                             cor_json_size(json), count);
    for (uint32_t p = 0; p < count; p++) {
        const struct cor_json list = cor_json_at(json, p);
        COR_TRY(cor_json_expect_array(&list, 0, count, error));
        COR_JSON_CHILDREN(item, &list) {
            int64_t q;
            COR_TRY(cor_json_integer(&item, 0, count - 1, &q, error));
            if (q == p)
                return cor_json_fail(&item, error, "name others", "process %" PRIu32 " is its own neighbour",
                                     p);
            neighbours[p] |= UINT64_C(1) << q;
        }
    }
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = 0; q < count; q++)
            if ((neighbours[p] >> q & 1) && !(neighbours[q] >> p & 1)) {
                const struct cor_json list = cor_json_at(json, q);
                return cor_json_fail(&list, error, "name both, each in the other's list",
                                     "has a gap: process %" PRIu32 " is a neighbour of %" PRIu32
                                     ", and not the other way round",
                                     q, p);
            }
    return COR_OK;
}

static enum cor_status read_graph(const struct cor_json *json, uint32_t count, uint64_t *neighbours,
                                  struct cor_error *error) {
    static const char *const words[] = {"ring", "line", "star", "complete", NULL};
    const char *text;
    unsigned rows, columns;
    int index, end = 0;
    if (cor_json_is_array(json))
        return read_lists(json, count, neighbours, error);
    COR_TRY(cor_json_string(json, &text, error));
    if (strspn(text, "grid 0123456789") == strlen(text) &&
        sscanf(text, "grid %3u %3u%n", &rows, &columns, &end) == 2 && text[end] == '\0' && rows >= 1 &&
        rows <= COR_RULES_PROCESSES_MAX && columns >= 1 && columns <= COR_RULES_PROCESSES_MAX) {
        if (rows * columns != count)
            return cor_json_fail(json, error, "rows times columns processes",
                                 "a grid of %u by %u has %u processes, and there are %" PRIu32, rows, columns,
                                 rows * columns, count);
        for (uint32_t p = 0; p < count; p++) {
            if (p % columns + 1 < columns)
                join(neighbours, p, p + 1);
            if (p + columns < count)
                join(neighbours, p, p + columns);
        }
        return COR_OK;
    }
    if (strncmp(text, "grid", 4) == 0)
        return cor_json_fail(json, error, "\"grid 3 3\"",
                             "a grid has rows and columns, two numbers from 1 to %u",
                             COR_RULES_PROCESSES_MAX);
    COR_TRY(cor_json_one_of(json, words, "graph", &index, error));
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = p + 1; q < count; q++)
            if (index == 3 || (index == 2 && p == 0) || (index < 2 && q == p + 1) ||
                (index == 0 && p == 0 && q == count - 1))
                join(neighbours, p, q);
    return COR_OK;
}

static enum cor_status make_size(const struct cor_json *graph, uint32_t count,
                                 struct cor_stabilize_size *size, struct cor_error *error) {
    char *name = cor_format("%" PRIu32 " %s", count, count == 1 ? "process" : "processes");
    size->process_count = count;
    if (graph) {
        size->neighbours = cor_calloc(count, sizeof *size->neighbours);
        if (!size->neighbours) {
            free(name);
            return cor_fail_memory(error);
        }
        const enum cor_status status = read_graph(graph, count, size->neighbours, error);
        if (status != COR_OK) {
            free(name);
            return status;
        }
        size->is_apart = !is_connected(size->neighbours, count);
        const char *word = NULL;
        size->graph = cor_json_text(graph);
        if (cor_json_is_string(graph))
            COR_TRY(cor_json_string(graph, &word, error));
        name = cor_join_take(name, ", ", cor_format("%s", word ? word : size->graph ? size->graph : "graph"));
    }
    size->name = name;
    return cor_made(name, error);
}

enum cor_status cor_stabilize_size_of(const struct cor_process_experiment *experiment, uint32_t count,
                                      struct cor_stabilize_size *size, struct cor_error *error) {
    struct cor_json root, stabilize, graph;
    *size = (struct cor_stabilize_size){0};
    return make_size(find_member(experiment, "graph", &root, &stabilize, &graph) ? &graph : NULL, count, size,
                     error);
}

enum cor_status cor_stabilize_sizes(const struct cor_process_experiment *experiment, uint32_t arm,
                                    struct cor_stabilize_size *sizes, uint32_t *count,
                                    struct cor_error *error) {
    struct cor_json root, stabilize, counts, graph, graphs, other;
    const bool has_counts = find_member(experiment, "counts", &root, &stabilize, &counts);
    const bool has_graphs = find_member(experiment, "graphs", &root, &stabilize, &graphs);
    const bool has_graph = find_member(experiment, "graph", &root, &stabilize, &graph);
    *count = 0;
    memset(sizes, 0, COR_STABILIZE_SIZES_MAX * sizeof *sizes);
    if (has_graph && has_graphs && cor_json_find(&stabilize, "graph", &other))
        return cor_json_fail(&other, error, "write one of the two", "has both a \"graph\" and \"graphs\"");
    if (has_counts)
        COR_TRY(cor_json_expect_array(&counts, 1, COR_STABILIZE_SIZES_MAX, error));
    if (has_graphs)
        COR_TRY(cor_json_expect_array(&graphs, 1, COR_STABILIZE_SIZES_MAX, error));
    const size_t sizes_wanted = has_counts ? cor_json_size(&counts) : 1,
                 graphs_wanted = has_graphs ? cor_json_size(&graphs) : 1;
    if (sizes_wanted * graphs_wanted > COR_STABILIZE_SIZES_MAX)
        return cor_json_fail(&graphs, error, "fewer of both",
                             "%zu counts and %zu graphs are more than %u systems", sizes_wanted,
                             graphs_wanted, COR_STABILIZE_SIZES_MAX);
    for (size_t g = 0; g < graphs_wanted; g++)
        for (size_t c = 0; c < sizes_wanted; c++) {
            int64_t number = experiment->arms[arm].count;
            struct cor_json one = {0};
            if (has_graphs)
                one = cor_json_at(&graphs, g);
            if (has_counts) {
                const struct cor_json item = cor_json_at(&counts, c);
                COR_TRY(cor_json_integer(&item, 1, COR_RULES_PROCESSES_MAX, &number, error));
            } else if (has_graphs && cor_json_is_array(&one))
                number = (int64_t)cor_json_size(&one); /* lists say how many there are */
            if (number > COR_RULES_PROCESSES_MAX && !has_graphs)
                return cor_acts_check_count(experiment->arms[arm].name, (uint32_t)number, error);
            if (number < 1 || number > COR_RULES_PROCESSES_MAX)
                return cor_json_fail(&one, error, NULL, "has %" PRId64 " processes, and 1 to %u may be",
                                     number, COR_RULES_PROCESSES_MAX);
            COR_TRY(make_size(has_graphs  ? &one
                              : has_graph ? &graph
                                          : NULL,
                              (uint32_t)number, &sizes[(*count)++], error));
        }
    return COR_OK;
}

void cor_stabilize_sizes_fini(struct cor_stabilize_size *sizes, uint32_t count) {
    for (uint32_t s = 0; s < count; s++) {
        free(sizes[s].name);
        free(sizes[s].graph);
        free(sizes[s].neighbours);
        sizes[s] = (struct cor_stabilize_size){0};
    }
}

/* ---- the system */

/* How an attribute of the corridor comes of the states. */
__extension__ typedef unsigned __int128 wide;
enum source { OF_NOTHING, OF_VARIABLE, OF_READS, OF_ENABLED, OF_OLD, OF_SHOWN, OF_MAIL, OF_NEXT };

struct watcher {
    struct cor_observed *observed; /* owned */
    const struct cor_corridor *corridor;
    enum source *sources; /* owned; [attribute] */
    uint32_t *variables;  /* owned; likewise, its number: of a variable, attribute or kind of message */
    uint32_t digits[COR_RULES_PROCESSES_MAX]; /* of the state that is shown; */
    bool is_shown;                            /* false: none is */
};

struct cor_stabilize_system {
    const struct cor_process_arm *arm;
    const struct cor_stabilize_asked *asked;
    struct cor_process_rules *rules; /* owned */
    struct cor_space space;
    uint64_t *inside, *starts;              /* owned; starts: NULL: all of them */
    uint64_t *again[COR_PROCESS_TRAPS_MAX]; /* owned */
    uint32_t stride[COR_RULES_PROCESSES_MAX];
    uint64_t inverse[COR_RULES_PROCESSES_MAX]; /* 2^64 by that, rounded up: what is below 2^30 is divided
                                                  exactly */
    int32_t
        *by[COR_RULES_PROCESSES_MAX]; /* owned; as the outcomes of its rules: what is added to the state */
    char *undecided;                  /* owned */
    double states;
    struct process_layer__mail *mail;            /* owned; NULL: rules read each other's variables */
    char *names[2 * COR_PROCESS_ATTRIBUTES_MAX]; /* owned; "mail_token", "next_token" */
    uint64_t seen_by[COR_RULES_PROCESSES_MAX];   /* [digit] bit p: what process p shows hangs on it */
    struct state_at {
        uint32_t state, digits[COR_RULES_PROCESSES_MAX];
        uint64_t views[COR_RULES_PROCESSES_MAX]; /* of each process, */
        uint64_t enabled;                        /* bit p: process p can move by it */
    } * last; /* owned; the state that was asked about last; COR_UNBOUNDED: none was */
    struct watcher corridor, traps;
};

uint32_t cor_stabilize_system_digits(const struct cor_stabilize_system *system) {
    return system->mail ? system->mail->digit_count : system->rules->definition.process_count;
}

bool cor_stabilize_system_has_messages(const struct cor_stabilize_system *system) {
    return system->mail != NULL;
}

uint32_t cor_stabilize_system_variables_of(const struct cor_stabilize_system *system, const uint32_t *locals,
                                           uint32_t process) {
    return system->mail ? system->mail->acts->processes[process].values[locals[process]] : locals[process];
}

uint32_t cor_stabilize_system_number(const struct cor_stabilize_system *system, const uint32_t *locals) {
    uint32_t state = 0;
    for (uint32_t p = 0; p < system->space.actor_count; p++)
        state += locals[p] * system->stride[p];
    return state;
}

void cor_stabilize_system_strides(const struct cor_stabilize_system *system, uint32_t *strides) {
    memcpy(strides, system->stride, system->space.actor_count * sizeof *strides);
}

static uint64_t view_of(const struct cor_stabilize_system *system, const uint32_t *locals, uint32_t p) {
    const struct cor_rules_process *process = &system->rules->processes[p];
    uint64_t stride = process->local_count, view = locals[p];
    for (uint32_t r = 0; r < process->read_count; r++) {
        view += stride * locals[process->reads[r]];
        stride *= system->rules->processes[process->reads[r]].local_count;
    }
    return view;
}

/* Goes to a state of rules that read each other: what hangs on the digits that change is found again. */
static const struct state_at *go_to(const struct cor_stabilize_system *system, uint32_t state) {
    struct state_at *at = system->last;
    uint32_t p = system->space.actor_count, rest = state;
    uint64_t changed = at->state == state ? 0 : UINT64_MAX >> (64 - p);
    if (at->state != COR_UNBOUNDED && state == at->state + 1) { /* the next one, mostly */
        changed = system->seen_by[p - 1];
        while (++at->digits[p - 1] == system->rules->processes[p - 1].local_count) {
            at->digits[--p] = 0;
            changed |= system->seen_by[p - 1];
        }
    } else
        for (uint32_t q = 0; q < p && changed != 0; q++) {
            at->digits[q] = system->stride[q] == 1 ? rest : (uint32_t)((wide)rest * system->inverse[q] >> 64);
            rest -= at->digits[q] * system->stride[q];
        }
    at->state = state;
    for (; changed != 0; changed &= changed - 1) {
        const uint32_t q = (uint32_t)__builtin_ctzll(changed);
        const uint64_t view = at->views[q] = view_of(system, at->digits, q);
        const uint32_t *first = &system->rules->processes[q].first[view];
        at->enabled = (at->enabled & ~(UINT64_C(1) << q)) | (uint64_t)(first[1] > first[0]) << q;
    }
    return at;
}

void cor_stabilize_system_locals(const struct cor_stabilize_system *system, uint32_t state,
                                 uint32_t *locals) {
    if (system->mail)
        process_layer__mail_digits(system->mail, state, locals);
    else
        memcpy(locals, go_to(system, state)->digits, system->space.actor_count * sizeof *locals);
}

static void add_moves(const struct cor_stabilize_system *system, uint32_t p, uint64_t view,
                      struct cor_space_moves *moves) {
    const struct cor_rules_process *process = &system->rules->processes[p];
    for (uint32_t c = process->first[view]; c < process->first[view + 1]; c++)
        moves->items[moves->count++] =
            (struct cor_space_move){p, process->choices[c].count, system->by[p] + process->choices[c].first};
}

void cor_stabilize_system_moves_of(const struct cor_stabilize_system *system, const uint32_t *locals,
                                   uint32_t p, struct cor_space_moves *moves) {
    add_moves(system, p, view_of(system, locals, p), moves);
}

void cor_stabilize_system_moves(const struct cor_stabilize_system *system, const uint32_t *locals,
                                struct cor_space_moves *moves) {
    for (uint32_t p = 0; p < system->space.actor_count; p++)
        cor_stabilize_system_moves_of(system, locals, p, moves);
}

static void moves_by_messages(const void *self, uint32_t state, struct cor_space_moves *moves) {
    const struct cor_stabilize_system *system = self;
    process_layer__mail_moves(system->mail, state, moves);
}

static void moves_of(const void *self, uint32_t state, struct cor_space_moves *moves) {
    const struct state_at *at = go_to(self, state);
    for (uint64_t left = at->enabled; left != 0; left &= left - 1) {
        const uint32_t p = (uint32_t)__builtin_ctzll(left);
        add_moves(self, p, at->views[p], moves);
    }
}

static enum cor_status make_moves(struct cor_stabilize_system *system, struct cor_error *error) {
    const struct cor_process_rules *rules = system->rules;
    uint64_t most = 0;
    for (uint32_t p = 0; p < rules->definition.process_count; p++) {
        const struct cor_rules_process *process = &rules->processes[p];
        uint32_t its = 0;
        COR_TRY(
            cor_made(system->by[p] = cor_calloc(process->outcome_count + 1, sizeof *system->by[p]), error));
        for (uint64_t view = 0; view < process->view_count; view++) {
            const int64_t own = (int64_t)(view % process->local_count);
            its = process->first[view + 1] - process->first[view] > its
                      ? process->first[view + 1] - process->first[view]
                      : its;
            for (uint32_t c = process->first[view]; c < process->first[view + 1]; c++)
                for (uint32_t o = process->choices[c].first;
                     o < process->choices[c].first + process->choices[c].count; o++)
                    system->by[p][o] = (int32_t)((process->outcomes[o] - own) * system->stride[p]);
        }
        most += its;
    }
    if (most > COR_SPACE_MOVES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, system->arm->name, NULL,
                        "%" PRIu64 " moves are possible at once, and %u may be", most, COR_SPACE_MOVES_MAX);
    return COR_OK;
}

/* ---- the corridor beside it */

static struct cor_value value_of(const struct watcher *watcher, const struct cor_rules_domain *domain,
                                 uint32_t value) {
    return domain->words ? cor_word(cor_words_find(&watcher->corridor->words, domain->words[value]))
                         : cor_integer(domain->numbers ? domain->numbers[value] : domain->from + value);
}

struct cor_value process_layer__shown(const struct cor_corridor *corridor,
                                      const struct cor_process_attribute *attribute,
                                      union cor_process_value value) {
    return attribute->type == COR_PROCESS_REAL ? cor_real(value.real)
           : attribute->type == COR_PROCESS_WORD
               ? cor_word(cor_words_find(&corridor->words, attribute->words[value.count]))
               : cor_integer((int64_t)value.count);
}

/* What a program with messages shows of itself, by the values that the process has. */
static struct cor_value shown_of(const struct cor_stabilize_system *system, const struct watcher *watcher,
                                 uint32_t p, uint32_t local, uint32_t number) {
    const struct cor_process *program = cor_process_description(system->arm->program);
    return process_layer__shown(
        watcher->corridor, &program->attributes[number],
        system->mail->acts->processes[p].shown[(size_t)local * program->attribute_count + number]);
}

/* Messages of a kind that are under way to a process: how many, or (next) from whom one of them comes first.
 */
static int64_t count_mail(const struct process_layer__mail *mail, const uint32_t *locals, uint32_t p,
                          uint32_t kind, bool next) {
    uint32_t messages[PROCESS_LAYER__MAIL_MOST];
    uint64_t count = 0;
    for (uint32_t i = 0; i < mail->acts->processes[p].link_count; i++) {
        const uint32_t link = mail->acts->processes[p].links[i];
        const uint32_t there = process_layer__mail_on(mail, locals, link, messages);
        for (uint32_t m = 0; m < there; m++) {
            const bool is_it = mail->acts->messages[messages[m]].kind == kind;
            if (next)
                count |= (uint64_t)(is_it && m == 0) << mail->acts->links[link].from;
            else
                count += is_it;
        }
    }
    return (int64_t)count;
}

/* Processes show what has changed since the state before. */
static void show(const struct cor_stabilize_system *system, struct watcher *watcher, const uint32_t *locals) {
    const struct cor_process_rules *rules = system->rules;
    uint64_t changed = watcher->is_shown ? 0 : UINT64_MAX;
    for (uint32_t d = 0; d < cor_stabilize_system_digits(system); d++) {
        changed |= locals[d] != watcher->digits[d] ? system->seen_by[d] : 0;
        watcher->digits[d] = locals[d];
    }
    watcher->is_shown = true;
    for (uint32_t p = 0; p < rules->definition.process_count; p++) {
        if (!(changed >> p & 1))
            continue;
        const struct cor_rules_process *process = &rules->processes[p];
        const uint32_t local = cor_stabilize_system_variables_of(system, locals, p);
        const uint32_t *can = system->mail ? NULL : &process->first[view_of(system, locals, p)];
        for (uint32_t a = 0; a < watcher->corridor->attribute_count; a++) {
            uint64_t reads = 0;
            switch (watcher->sources[a]) {
            case OF_NOTHING:
                break;
            case OF_VARIABLE:
                cor_observed_show(watcher->observed, p, a,
                                  value_of(watcher, &process->domains[watcher->variables[a]],
                                           cor_rules_value(process, local, watcher->variables[a])));
                break;
            case OF_READS:
                for (uint32_t r = 0; r < process->read_count; r++)
                    reads |= UINT64_C(1) << process->reads[r];
                cor_observed_show(watcher->observed, p, a, cor_integer((int64_t)reads));
                break;
            case OF_ENABLED:
                cor_observed_show(watcher->observed, p, a,
                                  cor_integer(system->mail
                                                  ? process_layer__mail_enabled(system->mail, locals, p)
                                                  : can[1] > can[0]));
                break;
            case OF_OLD:
                cor_observed_show(watcher->observed, p, a,
                                  cor_integer(process_layer__mail_old(system->mail, locals, p)));
                break;
            case OF_SHOWN:
                cor_observed_show(watcher->observed, p, a,
                                  shown_of(system, watcher, p, local, watcher->variables[a]));
                break;
            case OF_MAIL:
            case OF_NEXT:
                cor_observed_show(watcher->observed, p, a,
                                  cor_integer(count_mail(system->mail, locals, p, watcher->variables[a],
                                                         watcher->sources[a] == OF_NEXT)));
            }
        }
    }
}

/* On a digit hangs what its process shows, and whoever reads it; on a link what he shows who hears by it. */
static void find_seen(struct cor_stabilize_system *system) {
    const struct cor_process_rules *rules = system->rules;
    const uint32_t count = rules->definition.process_count;
    for (uint32_t p = 0; p < count; p++) {
        system->seen_by[p] |= UINT64_C(1) << p;
        for (uint32_t r = 0; r < rules->processes[p].read_count; r++)
            system->seen_by[rules->processes[p].reads[r]] |= UINT64_C(1) << p;
    }
    for (uint32_t l = 0; system->mail && l < system->mail->acts->link_count; l++)
        system->seen_by[count + l] = UINT64_C(1) << system->mail->acts->links[l].to;
}

static enum cor_status make_watcher(const struct cor_stabilize_system *system,
                                    const struct cor_corridor *corridor, const bool *watched,
                                    struct watcher *watcher, struct cor_error *error) {
    const struct cor_process_rules *rules = system->rules;
    const struct cor_process *program = cor_process_description(rules->definition.program);
    const uint32_t count = corridor->attribute_count;
    watcher->corridor = corridor;
    watcher->sources = cor_calloc(count + 1, sizeof *watcher->sources);
    watcher->variables = cor_calloc(count + 1, sizeof *watcher->variables);
    COR_TRY(watcher->sources && watcher->variables ? COR_OK : cor_fail_memory(error));
    for (uint32_t a = 0; a < count; a++) {
        const char *name = corridor->attributes[a].name;
        if (!corridor->attributes[a].at)
            continue;
        for (uint32_t v = 0; v < rules->variable_count; v++)
            if (strcmp(rules->variables[v], name) == 0) {
                watcher->sources[a] = OF_VARIABLE;
                watcher->variables[a] = v;
            }
        for (uint32_t s = 0; s < program->attribute_count; s++)
            if (strcmp(program->attributes[s].name, name) == 0) {
                watcher->sources[a] = OF_SHOWN;
                watcher->variables[a] = s;
            }
        for (uint32_t k = 0; k < 2 * program->message_count && watcher->sources[a] == OF_NOTHING; k++)
            if (strcmp(system->names[k], name) == 0) {
                watcher->sources[a] = k % 2 == 0 ? OF_MAIL : OF_NEXT;
                watcher->variables[a] = k / 2;
            }
        if (watcher->sources[a] == OF_NOTHING)
            watcher->sources[a] = strcmp(name, "reads") == 0     ? OF_READS
                                  : strcmp(name, "enabled") == 0 ? OF_ENABLED
                                                                 : OF_OLD;
    }
    COR_TRY(cor_observed_create(corridor, rules->definition.process_count, system->arm->parameters,
                                &watcher->observed, error));
    if (watched)
        cor_observed_watch(watcher->observed, watched);
    return COR_OK;
}

static void watcher_fini(struct watcher *watcher) {
    cor_observed_destroy(watcher->observed);
    free(watcher->sources);
    free(watcher->variables);
}

/* What processes of rules show, for the check of the corridor: their variables, whom they read, whether they
 * can move. Texts are those of the rules. */
static enum cor_status check_corridor(struct cor_stabilize_system *system, bool has_messages,
                                      struct cor_error *error) {
    static const char *const own[] = {"reads", "enabled", "old"};
    static const char *const what[] = {"whom a process reads", "whether it can move", "what is out of date"};
    const struct cor_process *program = cor_process_description(system->arm->program);
    const size_t own_count = !program->rule ? 0 : has_messages ? 3 : 2;
    const struct cor_process_rules *rules = system->rules;
    const struct cor_corridor *corridor = system->arm->corridor;
    struct cor_process_attribute shown[4 * COR_PROCESS_ATTRIBUTES_MAX + 3] = {{0}};
    const char **words = NULL;
    size_t capacity = 0, used = 0;
    enum cor_status status = COR_OK;
    for (uint32_t v = 0; v < rules->variable_count && status == COR_OK; v++) {
        shown[v].name = rules->variables[v];
        shown[v].type = rules->processes[0].domains[v].words ? COR_PROCESS_WORD : COR_PROCESS_COUNT;
        for (size_t o = 0; o < own_count; o++)
            if (strcmp(own[o], rules->variables[v]) == 0)
                return cor_fail(error, COR_STATUS_INPUT,
                                cor_process_description(rules->definition.program)->name, "call it otherwise",
                                "a variable is called %s, which is what the corridor sees of %s", own[o],
                                what[o]);
        for (uint32_t p = 0; p < rules->definition.process_count && shown[v].type == COR_PROCESS_WORD; p++)
            capacity += rules->processes[p].domains[v].count;
    }
    COR_TRY(cor_made(words = cor_calloc(capacity + 1, sizeof *words), error));
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        if (shown[v].type != COR_PROCESS_WORD)
            continue;
        shown[v].words = words + used; /* those of all processes, each once */
        for (uint32_t p = 0; p < rules->definition.process_count; p++)
            for (uint32_t w = 0; w < rules->processes[p].domains[v].count; w++) {
                const char *word = rules->processes[p].domains[v].words[w];
                uint32_t before = 0;
                while (before < shown[v].word_count && strcmp(shown[v].words[before], word) != 0)
                    before++;
                if (before == shown[v].word_count)
                    words[used + shown[v].word_count++] = word;
            }
        used += shown[v].word_count;
    }
    uint32_t count = rules->variable_count;
    for (size_t o = 0; o < own_count; o++) {
        shown[count].name = own[o];
        shown[count++].type = o == 0 ? COR_PROCESS_SET : COR_PROCESS_COUNT;
    }
    for (uint32_t a = 0; a < program->attribute_count;
         a++) { /* of the same name as a variable: in its place */
        uint32_t at = 0;
        while (at < count && strcmp(shown[at].name, program->attributes[a].name) != 0)
            at++;
        shown[at] = program->attributes[a];
        count += at == count;
    }
    for (uint32_t k = 0; k < 2 * program->message_count; k++) {
        system->names[k] = cor_format(k % 2 == 0 ? "mail_%s" : "next_%s", program->messages[k / 2].name);
        status = status == COR_OK ? cor_made(system->names[k], error) : status;
        shown[count].name = system->names[k] ? system->names[k] : "";
        shown[count++].type = k % 2 == 0 ? COR_PROCESS_COUNT : COR_PROCESS_SET;
    }
    const struct cor_process face = {COR_PROCESS, .attributes = shown, .attribute_count = count};
    if (status == COR_OK)
        status = process_layer__check_shown(corridor, &face, error);
    free(words);
    return status;
}

/* A constraint, or a trap, that is about more than a state is refused. */
static enum cor_status check_constraint(const struct cor_corridor *corridor, uint32_t c, const char *name,
                                        const char *remedy, struct cor_error *error) {
    const struct cor_constraint *constraint = &corridor->constraints[c];
    const char *what = NULL;
    size_t line, column;
    if (constraint->kind == COR_CONSTRAINT_TEMPORAL) {
        what = "is a formula of time, and states are asked one by one";
        remedy = "say \"within\" or \"again\" in \"stabilize\"";
    } else if (constraint->channel != COR_NONE)
        what = "looks at what was told before, which is no question about a state";
    for (uint32_t n = 0; n < constraint->condition.node_count && !what; n++)
        if (constraint->condition.nodes[n].operator== COR_OPERATOR_BEFORE)
            what = "looks at the state before, which is no question about a state";
    if (!what)
        return COR_OK;
    cor_corridor_place(corridor, constraint->text, &line, &column);
    char *place = cor_format("%s:%zu:%zu", corridor->name, line, column);
    const enum cor_status status = cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s %s", name, what);
    free(place);
    return status;
}

enum cor_status process_layer__check_states(const struct cor_process_arm *arm,
                                            const struct cor_stabilize_asked *asked,
                                            struct cor_error *error) {
    for (uint32_t c = 0; c < arm->corridor->constraint_count; c++)
        if (!arm->watched || arm->watched[c])
            COR_TRY(check_constraint(arm->corridor, c, arm->corridor->constraints[c].name,
                                     "leave it out, or name those that count in \"watch\"", error));
    for (uint32_t g = 0; g < asked->again_count; g++)
        COR_TRY(check_constraint(arm->traps.corridor,
                                 arm->traps.first + cor_process_trap(arm, asked->again[g]), asked->again[g],
                                 "ask for what is to be so in a state", error));
    return COR_OK;
}

static enum cor_status be_undecided(struct cor_stabilize_system *system, const char *name,
                                    const uint32_t *locals, struct cor_error *error) {
    char *text = cor_stabilize_system_text(system, locals);
    system->undecided = cor_format("%s is unknown where %s", name, text ? text : "");
    free(text);
    return cor_made(system->undecided, error);
}

enum cor_truth process_layer__truth(const struct cor_process_arm *arm, const struct cor_observed *observed,
                                    const char **name) {
    enum cor_truth all = COR_TRUTH_TRUE;
    *name = NULL;
    for (uint32_t c = 0; c < arm->corridor->constraint_count && all != COR_TRUTH_UNKNOWN; c++) {
        if (arm->watched && !arm->watched[c])
            continue;
        const enum cor_truth truth = cor_observed_truth(observed, c);
        if (truth == COR_TRUTH_UNKNOWN || (truth == COR_TRUTH_FALSE && all == COR_TRUTH_TRUE)) {
            all = truth;
            *name = arm->corridor->constraints[c].name;
        }
    }
    return all;
}

enum cor_status cor_stabilize_system_inside(struct cor_stabilize_system *system, const uint32_t *locals,
                                            enum cor_truth *inside, const char **name,
                                            struct cor_error *error) {
    uint32_t violated;
    show(system, &system->corridor, locals);
    COR_TRY(cor_observed_event(system->corridor.observed, &violated, error));
    *inside = process_layer__truth(system->arm, system->corridor.observed, name);
    return COR_OK;
}

#define ENABLED_MOST 20u /* processes, of which all sets of those that can move are kept */

/* A corridor that asks of the states who can move, and nothing else, has a truth for each set of these: an
 * array for them, freed by the caller; NULL: it asks more, or they are too many. */
static uint8_t *make_truths(const struct cor_stabilize_system *system) {
    const uint32_t count = system->rules->definition.process_count;
    bool is_all = !system->mail && count <= ENABLED_MOST;
    for (uint32_t a = 0; a < system->arm->corridor->attribute_count; a++) {
        const enum source of = system->corridor.sources[a];
        is_all = is_all && (of == OF_NOTHING || of == OF_READS || of == OF_ENABLED);
    }
    return is_all ? cor_calloc((size_t)1 << count, 1) : NULL;
}

enum cor_status cor_stabilize_system_meets(struct cor_stabilize_system *system, const uint32_t *locals,
                                           uint32_t number, enum cor_truth *met, struct cor_error *error) {
    const struct cor_process_arm *arm = system->arm;
    uint32_t violated;
    show(system, &system->traps, locals);
    COR_TRY(cor_observed_event(system->traps.observed, &violated, error));
    *met = cor_observed_truth(system->traps.observed,
                              arm->traps.first + cor_process_trap(arm, system->asked->again[number]));
    return COR_OK;
}

/* Judges all states. What is unknown of one ends it: nothing is guessed. */
static enum cor_status judge(struct cor_stabilize_system *system, struct cor_error *error) {
    const uint32_t size = system->space.size;
    uint32_t locals[COR_RULES_PROCESSES_MAX];
    enum cor_truth truth;
    const char *name;
    system->inside = cor_calloc(size / 64 + 1, sizeof *system->inside);
    COR_TRY(cor_made(system->inside, error));
    for (uint32_t g = 0; g < system->asked->again_count; g++)
        COR_TRY(cor_made(system->again[g] = cor_calloc(size / 64 + 1, sizeof *system->inside), error));
    uint8_t *truths = make_truths(system); /* one more than each; 0: not known so far */
    enum cor_status status = COR_OK;
    for (uint32_t state = 0; state < size && !system->undecided; state++) {
        uint8_t *known = truths ? &truths[go_to(system, state)->enabled] : NULL;
        if (!known || *known == 0 || system->asked->again_count > 0)
            cor_stabilize_system_locals(system, state, locals);
        if (known && *known > 0)
            truth = (enum cor_truth)(*known - 1);
        else
            COR_TRY_OUT(cor_stabilize_system_inside(system, locals, &truth, &name, error));
        if (known)
            *known = (uint8_t)(truth + 1);
        if (truth == COR_TRUTH_UNKNOWN)
            COR_TRY_OUT(be_undecided(system, name, locals, error));
        system->inside[state / 64] |= (uint64_t)(truth == COR_TRUTH_TRUE) << state % 64;
        for (uint32_t g = 0; g < system->asked->again_count && !system->undecided; g++) {
            COR_TRY_OUT(cor_stabilize_system_meets(system, locals, g, &truth, error));
            if (truth == COR_TRUTH_UNKNOWN)
                COR_TRY_OUT(be_undecided(system, system->asked->again[g], locals, error));
            system->again[g][state / 64] |= (uint64_t)(truth == COR_TRUTH_TRUE) << state % 64;
        }
    }
    system->space.inside = system->inside;
out:
    free(truths);
    return status;
}

/* The number of a variable; COR_NONE: there is none of that name. */
static uint32_t find_variable(const struct cor_process_rules *rules, const char *name) {
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (strcmp(rules->variables[v], name) == 0)
            return v;
    return COR_NONE;
}

static enum cor_status check_wrong(const struct cor_process_experiment *experiment,
                                   const struct cor_stabilize_system *system, struct cor_error *error) {
    const struct cor_stabilize_corrupt *corrupt = &system->asked->corrupt;
    struct cor_json root, stabilize, member, list;
    char known[1024];
    for (uint32_t i = 0; i < corrupt->variable_count; i++)
        if (find_variable(system->rules, corrupt->variables[i]) == COR_NONE &&
            find_member(experiment, "corrupt", &root, &stabilize, &member) &&
            cor_json_find(&member, "variables", &list)) {
            const struct cor_json item = cor_json_at(&list, i);
            cor_known_names(corrupt->variables[i], (const char *const *)system->rules->variables, known,
                            sizeof known);
            return cor_json_fail(&item, error, known, "arm \"%.80s\" has no variable \"%.80s\"",
                                 system->arm->name, corrupt->variables[i]);
        }
    return COR_OK;
}

/* By what cannot be wrong of a digit: two values that are alike in that can stand in each other's place. Of a
 * link nothing is right. Copies of what a process heard, and its alarms, are no variables that are named: the
 * first stay, and the others are any with which it is ever met. */
static uint64_t kept_of(const struct cor_stabilize_system *system, uint32_t digit, uint32_t value) {
    const struct cor_process_rules *rules = system->rules;
    const struct cor_stabilize_corrupt *corrupt = &system->asked->corrupt;
    uint64_t stride = 1, kept = 0;
    if (digit >= rules->definition.process_count || corrupt->variable_count == 0)
        return 0;
    const struct cor_rules_process *process = &rules->processes[digit];
    const uint32_t local = system->mail ? system->mail->acts->processes[digit].values[value] : value;
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        bool may_be_wrong = false;
        for (uint32_t i = 0; i < corrupt->variable_count; i++)
            may_be_wrong = may_be_wrong || find_variable(rules, corrupt->variables[i]) == v;
        kept += may_be_wrong ? 0 : stride * cor_rules_value(process, local, v);
        stride *= process->domains[v].count;
    }
    for (uint32_t r = 0; r < process->read_count && system->mail; r++) {
        kept += stride * cor_acts_copy(rules, digit, value, r);
        stride *= rules->processes[process->reads[r]].local_count;
    }
    return kept;
}

/* Adds the states that differ from those of `from` in what may be wrong of a digit. */
static enum cor_status add_wrong(struct cor_stabilize_system *system, const uint64_t *from, uint32_t digit,
                                 struct cor_error *error) {
    const uint32_t count = system->mail ? system->mail->sizes[digit]
                                        : system->rules->processes[digit].local_count,
                   stride = system->mail ? system->mail->strides[digit] : system->stride[digit];
    uint64_t *kept = cor_calloc(count, sizeof *kept);
    COR_TRY(cor_made(kept, error));
    for (uint32_t value = 0; value < count; value++)
        kept[value] = kept_of(system, digit, value);
    for (uint32_t state = 0; state < system->space.size; state++) {
        const uint32_t own = state / stride % count;
        for (uint32_t to = 0; from[state / 64] >> state % 64 & 1 && to < count; to++) {
            const uint32_t there = state + (to - own) * stride;
            system->starts[there / 64] |= (uint64_t)(kept[to] == kept[own]) << there % 64;
        }
    }
    free(kept);
    return COR_OK;
}

/* States inside, of which at most so many processes are wrong then; and all that is under way. */
static enum cor_status find_starts(struct cor_stabilize_system *system, struct cor_error *error) {
    const struct cor_stabilize_corrupt *corrupt = &system->asked->corrupt;
    const uint32_t count = system->rules->definition.process_count,
                   digit_count = corrupt->mail ? cor_stabilize_system_digits(system) : count;
    const size_t size = (system->space.size / 64 + 1) * sizeof *system->starts;
    uint64_t *from = cor_calloc(1, size);
    enum cor_status status = cor_made(from, error);
    if (status == COR_OK)
        status = cor_made(system->starts = cor_calloc(1, size), error);
    if (status == COR_OK)
        memcpy(system->starts, system->inside, size);
    for (uint32_t link = count; status == COR_OK && link < digit_count; link++) {
        memcpy(from, system->starts, size);
        status = add_wrong(system, from, link, error);
    }
    for (uint32_t round = 0; status == COR_OK && round < corrupt->processes && round < count; round++) {
        memcpy(from, system->starts, size);
        for (uint32_t p = 0; p < count && status == COR_OK; p++)
            status = add_wrong(system, from, p, error);
    }
    free(from);
    system->space.starts = system->starts;
    return status;
}

/* Of one size that may be so, and others are to be told nevertheless. */
static enum cor_status check_inside(struct cor_stabilize_system *system, struct cor_error *error) {
    uint64_t inside = 0;
    for (uint32_t w = 0; w <= system->space.size / 64; w++)
        inside += (uint64_t)__builtin_popcountll(system->inside[w]);
    if (inside > 0 && inside < system->space.size)
        return COR_OK;
    system->undecided = cor_strdup(
        inside == 0
            ? "the corridor is empty, and nothing can come back: write what holds in some state"
            : "all states are inside, and nothing is put to the test: write what does not hold in all");
    return cor_made(system->undecided, error);
}

static enum cor_status say_too_many(struct cor_stabilize_system *system, struct cor_error *error) {
    char states[COR_COMMAS_SIZE], most[COR_COMMAS_SIZE];
    system->undecided = cor_format("0 of %s states were visited: more than %s may not be",
                                   cor_real_with_commas(system->states, states),
                                   cor_with_commas(system->asked->states_most, most));
    return cor_made(system->undecided, error);
}

/* The space of states with what is under way, once rules were asked; or why it is not gone through. */
static enum cor_status make_messages(struct cor_stabilize_system *system, struct cor_error *error) {
    COR_TRY(cor_made(system->mail = cor_calloc(1, sizeof *system->mail), error));
    COR_TRY(process_layer__mail_make(system->rules, system->asked->mail, system->mail, &system->undecided,
                                     error));
    if (system->undecided)
        return COR_OK;
    system->states = process_layer__mail_states(system->mail);
    if (system->states > (double)system->asked->states_most)
        return say_too_many(system, error);
    system->space = (struct cor_space){.size = (uint32_t)system->states,
                                       .actor_count = system->mail->actor_count,
                                       .owed = system->mail->owed,
                                       .self = system,
                                       .moves = moves_by_messages};
    return COR_OK;
}

static enum cor_status make_system(struct cor_stabilize_system *system, const struct cor_stabilize_size *size,
                                   bool is_open, struct cor_error *error) {
    const struct cor_process_arm *arm = system->arm;
    const struct cor_rules_definition definition = {.program = arm->program,
                                                    .process_count = size->process_count,
                                                    .fault = arm->fault_number,
                                                    .neighbours = size->neighbours,
                                                    .is_free = !arm->is_apart,
                                                    .is_full = arm->is_full,
                                                    .memory_bytes = arm->memory_bytes};
    const bool has_messages = cor_stabilize_has_messages(system->asked, arm);
    const bool has_rules = cor_process_description(arm->program)->rule != NULL;
    char most[COR_COMMAS_SIZE];
    COR_TRY(process_layer__check_states(arm, system->asked, error));
    if (has_messages)
        COR_TRY(cor_acts_check_count(arm->name, size->process_count, error));
    COR_TRY(cor_rules_create(&definition, &system->rules, error));
    COR_TRY(check_corridor(system, has_messages, error));
    double all = 1;
    for (uint32_t p = 0; p < size->process_count; p++)
        all *= system->rules->processes[p].local_count;
    system->states = all;
    if (all > (double)system->asked->states_most && !is_open)
        return say_too_many(system, error);
    for (uint32_t p = 0; p < size->process_count; p++)
        if (system->rules->processes[p].view_count > VIEWS_MOST) {
            system->undecided =
                cor_format("process %" PRIu32 " can see more than %s different views, and is not asked for "
                           "so many",
                           p, cor_with_commas(VIEWS_MOST, most));
            return cor_made(system->undecided, error);
        }
    if (has_rules)
        COR_TRY(cor_rules_ask(system->rules, error));
    if (has_messages && !system->rules->hidden)
        COR_TRY(make_messages(system, error));
    if (system->undecided)
        return COR_OK;
    if (system->rules->hidden) {
        COR_TRY(cor_made(system->undecided = cor_strdup(system->rules->hidden), error));
        return COR_OK;
    }
    uint32_t stride = 1;
    for (uint32_t p = size->process_count; p-- > 0 && !has_messages;) {
        system->stride[p] = stride;
        system->inverse[p] = UINT64_MAX / stride + 1;
        stride *= is_open ? 1 : system->rules->processes[p].local_count;
    }
    if (!has_messages) {
        system->space = (struct cor_space){
            .size = is_open ? 0 : (uint32_t)all,
            .actor_count = size->process_count,
            .owed = size->process_count == 64 ? UINT64_MAX : (UINT64_C(1) << size->process_count) - 1,
            .self = system,
            .moves = moves_of};
        COR_TRY(make_moves(system, error));
    }
    find_seen(system);
    COR_TRY(make_watcher(system, arm->corridor, arm->watched, &system->corridor, error));
    if (system->asked->again_count > 0)
        COR_TRY(make_watcher(system, arm->traps.corridor, arm->traps.watched, &system->traps, error));
    if (is_open)
        return COR_OK;
    COR_TRY(judge(system, error));
    if (!system->undecided)
        COR_TRY(check_inside(system, error));
    return system->undecided || !cor_stabilize_is_limited(system->asked) ? COR_OK
                                                                         : find_starts(system, error);
}

enum cor_status cor_stabilize_system_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                            const struct cor_stabilize_asked *asked,
                                            const struct cor_stabilize_size *size, bool is_open,
                                            struct cor_stabilize_system **system, struct cor_error *error) {
    struct cor_stabilize_system *made = cor_calloc(1, sizeof *made);
    *system = made;
    COR_TRY(cor_made(made, error));
    made->arm = &experiment->arms[arm];
    made->asked = asked;
    made->last = cor_calloc(1, sizeof *made->last);
    enum cor_status status = cor_made(made->last, error);
    if (status == COR_OK) {
        made->last->state = COR_UNBOUNDED;
        status = make_system(made, size, is_open, error);
    }
    if (status == COR_OK)
        status = check_wrong(experiment, made, error);
    if (status != COR_OK) {
        cor_stabilize_system_destroy(made);
        *system = NULL;
    }
    return status;
}

void cor_stabilize_system_destroy(struct cor_stabilize_system *system) {
    if (!system)
        return;
    cor_rules_destroy(system->rules);
    watcher_fini(&system->corridor);
    watcher_fini(&system->traps);
    for (uint32_t p = 0; p < COR_RULES_PROCESSES_MAX; p++)
        free(system->by[p]);
    for (uint32_t g = 0; g < COR_PROCESS_TRAPS_MAX; g++)
        free(system->again[g]);
    if (system->mail)
        process_layer__mail_fini(system->mail);
    for (size_t k = 0; k < sizeof system->names / sizeof *system->names; k++)
        free(system->names[k]);
    free(system->mail);
    free(system->last);
    free(system->inside);
    free(system->starts);
    free(system->undecided);
    free(system);
}

const char *cor_stabilize_system_undecided(const struct cor_stabilize_system *system) {
    return system->undecided;
}

const struct cor_space *cor_stabilize_system_space(const struct cor_stabilize_system *system) {
    return &system->space;
}

const struct cor_process_rules *cor_stabilize_system_rules(const struct cor_stabilize_system *system) {
    return system->rules;
}

const uint64_t *const *cor_stabilize_system_again(const struct cor_stabilize_system *system) {
    return (const uint64_t *const *)system->again;
}

double cor_stabilize_system_states(const struct cor_stabilize_system *system) {
    return system->states;
}

char *cor_stabilize_system_rest(const struct cor_stabilize_system *system, const uint32_t *locals) {
    return system->mail ? process_layer__mail_text(system->mail, locals) : cor_strdup("");
}

void cor_stabilize_system_put_movers(const struct cor_stabilize_system *system, uint64_t movers, char *text,
                                     size_t size) {
    if (system->mail)
        process_layer__mail_put_actors(system->mail, movers, text, size);
    else
        cor_stabilize_put_movers(movers, text, size);
}

uint64_t cor_stabilize_system_movers(const struct cor_stabilize_system *system, uint64_t movers) {
    return system->mail ? process_layer__mail_movers(system->mail, movers) : movers;
}

char *cor_stabilize_system_text(const struct cor_stabilize_system *system, const uint32_t *locals) {
    const struct cor_process_rules *rules = system->rules;
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        text = cor_join_take(text, "; ", cor_format("%s =", rules->variables[v]));
        for (uint32_t p = 0; p < rules->definition.process_count; p++) {
            char value[64];
            cor_rules_text(&rules->processes[p].domains[v],
                           cor_rules_value(&rules->processes[p],
                                           cor_stabilize_system_variables_of(system, locals, p), v),
                           value, sizeof value);
            text = cor_join_take(text, " ", cor_strdup(value));
        }
    }
    return cor_join_take(text, "", cor_stabilize_system_rest(system, locals));
}

char *cor_stabilize_system_variables(const struct cor_stabilize_system *system) {
    const struct cor_process_rules *rules = system->rules;
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t p = 0; p < rules->definition.process_count; p++) {
            const uint32_t count = rules->processes[p].domains[v].count;
            least = count < least ? count : least;
            most = count > most ? count : most;
        }
        text = cor_join_take(
            text, " and ",
            least == most
                ? cor_format("%s of %" PRIu32 " value%s", rules->variables[v], most, most == 1 ? "" : "s")
                : cor_format("%s of %" PRIu32 " to %" PRIu32 " values", rules->variables[v], least, most));
    }
    if (!cor_stabilize_is_limited(system->asked))
        return text;
    const struct cor_stabilize_corrupt *corrupt = &system->asked->corrupt;
    for (uint32_t i = 0; i < corrupt->variable_count; i++)
        text = cor_join_take(text, i == 0 ? ", wrong at most " : " and ", cor_strdup(corrupt->variables[i]));
    const bool some = corrupt->processes < rules->definition.process_count;
    if (some)
        text = cor_join_take(
            text, corrupt->variable_count > 0 ? " of " : ", wrong at most ",
            cor_format("%" PRIu32 " process%s", corrupt->processes, corrupt->processes == 1 ? "" : "es"));
    if (system->mail && (!corrupt->mail || some || corrupt->variable_count > 0))
        text = cor_join_take(text, "",
                             cor_strdup(corrupt->mail ? " and what is under way"
                                        : some || corrupt->variable_count > 0
                                            ? ", and nothing that is under way"
                                            : ", wrong at most all processes"));
    return text;
}

enum cor_status cor_stabilize_system_reason(struct cor_stabilize_system *system, const uint32_t *locals,
                                            struct cor_stabilize_state *state, struct cor_error *error) {
    uint32_t violated;
    show(system, &system->corridor, locals);
    COR_TRY(cor_observed_event(system->corridor.observed, &violated, error));
    return process_layer__reason(system->arm, system->corridor.observed, state, error);
}

enum cor_status process_layer__reason(const struct cor_process_arm *arm, struct cor_observed *observed,
                                      struct cor_stabilize_state *state, struct cor_error *error) {
    struct cor_breaches *breaches = cor_calloc(1, sizeof *breaches);
    uint32_t first = COR_NONE;
    COR_TRY(cor_made(breaches, error));
    state->part[0] = state->value[0] = '\0';
    for (uint32_t c = arm->corridor->constraint_count; c-- > 0;)
        if ((!arm->watched || arm->watched[c]) && cor_observed_truth(observed, c) == COR_TRUTH_FALSE)
            first = c;
    if (first != COR_NONE) {
        snprintf(state->part, sizeof state->part, "%s", arm->corridor->constraints[first].name);
        cor_observed_explain(observed, first, breaches);
        const struct cor_breach *breach = &breaches->kept[0];
        const struct cor_breach_value *known = breach->value_count > 0 ? &breach->values[0] : NULL;
        /* A number that stands for the whole system; what is so of single processes has a name alone. */
        if (breaches->kept_count > 0 && breach->binding_count == 0 && known &&
            known->value.kind == COR_VALUE_INTEGER && known->text.length < sizeof state->part) {
            snprintf(state->part, sizeof state->part, "%.*s", (int)known->text.length, known->text.at);
            snprintf(state->value, sizeof state->value, "%" PRId64, known->value.as.integer);
        }
    }
    free(breaches);
    return COR_OK;
}

/* ---- verdicts */

/* "everybody moves in them", "process 1 alone moves in them", "processes 0, 2 move in them". */
static void who_moves(const struct cor_stabilize_system *system, const struct cor_space_run *turns,
                      char *text, size_t size) {
    uint64_t movers = 0;
    char list[300] = "";
    for (uint32_t i = 0; i < turns->count; i++)
        movers |= cor_stabilize_system_movers(system, turns->items[i].movers);
    for (uint64_t left = movers; left != 0; left &= left - 1)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", list[0] ? ", " : "",
                 __builtin_ctzll(left));
    const int count = __builtin_popcountll(movers);
    if ((uint32_t)count == system->rules->definition.process_count)
        snprintf(text, size, "everybody moves in them");
    else
        snprintf(text, size, "%s %s %s in them", count == 1 ? "process" : "processes", list,
                 count == 1 ? "alone moves" : "move");
}

/* The first bound of `within` that is not kept: its word. */
static const char *late_by(const struct cor_stabilize_asked *asked, const struct cor_stabilized *found,
                           uint32_t *is, uint32_t *was) {
    const struct {
        const char *word;
        uint32_t is, was;
        bool is_known;
    } bounds[] = {{"steps", found->worst_steps, asked->within.steps, true},
                  {"moves", found->worst_moves, asked->within.moves, true},
                  {"rounds", found->worst_rounds, asked->within.rounds, found->has_rounds}};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        if (bounds[b].was != COR_UNBOUNDED && bounds[b].is_known && bounds[b].is > bounds[b].was) {
            *is = bounds[b].is;
            *was = bounds[b].was;
            return bounds[b].word;
        }
    return NULL;
}

static void say_leaves(const struct cor_stabilized *found, struct cor_stabilize_said *said) {
    char one[COR_COMMAS_SIZE], other[COR_COMMAS_SIZE], more[COR_COMMAS_SIZE];
    cor_stabilize_put(said, COR_STABILIZE_LEAVES, "does not stay", ": ",
                      "from %s of %s states inside one step leads outside; %s %s never left",
                      cor_with_commas(found->leaving, one), cor_with_commas(found->inside, other),
                      cor_with_commas(found->stable, more), found->stable == 1 ? "is" : "are");
}

/* A loop all of whose states are inside is none of the stable part as steps lead out of it: that is said. */
static bool is_all_inside(const struct cor_stabilize_system *system, const struct cor_space_run *loop) {
    for (uint32_t i = 0; i < loop->count; i++)
        if (!cor_space_is_inside(&system->space, loop->items[i].state))
            return false;
    return true;
}

#define NOT_BACK "does not come back", ": "

static void say_loop(const struct cor_stabilize_system *system, const struct cor_stabilized *found,
                     struct cor_stabilize_said *said) {
    char who[340], number[COR_COMMAS_SIZE];
    const uint32_t steps = found->loop.count;
    who_moves(system, &found->loop, who, sizeof who);
    if (found->is_certain)
        cor_stabilize_put(said, COR_STABILIZE_LOOPS, NOT_BACK,
                          "%" PRIu32 " step%s repeated for ever, from %s states there is no way back", steps,
                          steps == 1 ? " is" : "s are", cor_with_commas(found->lost, number));
    else if (found->has_draws)
        cor_stabilize_put(said, COR_STABILIZE_LOOPS, NOT_BACK,
                          "from %s state%s a daemon can stay outside for ever, whatever is drawn",
                          cor_with_commas(found->can_stay, number), cor_plural(found->can_stay));
    else
        cor_stabilize_put(said, COR_STABILIZE_LOOPS, NOT_BACK,
                          "%" PRIu32 " step%s can be repeated for ever, %s%s", steps, cor_plural(steps), who,
                          is_all_inside(system, &found->loop) ? ": inside, where other steps lead outside"
                                                              : "");
}

static void say_helped(const struct cor_stabilized *found, enum cor_fairness by,
                       struct cor_stabilize_said *said) {
    /* With what is drawn a loop is known of an unfair daemon alone. */
    const enum cor_fairness rung = found->has_draws ? COR_FAIRNESS_UNFAIR : (enum cor_fairness)(by - 1);
    char bound[40] = "without a bound", loop[60] = "what is drawn can prevent it";
    const bool is_weak = by == COR_FAIRNESS_WEAK;
    if (is_weak && !found->has_rounds)
        snprintf(bound, sizeof bound, "rounds not counted");
    else if (is_weak)
        snprintf(bound, sizeof bound, "within %" PRIu32 " round%s", found->worst_rounds,
                 cor_plural(found->worst_rounds));
    if (found->loop.count > 0)
        snprintf(loop, sizeof loop, "%" PRIu32 " step%s can be repeated for ever", found->loop.count,
                 cor_plural(found->loop.count));
    cor_stabilize_put(said, COR_STABILIZE_FAIR,
                      is_weak ? "comes back if the daemon is weakly fair"
                              : "comes back if the daemon is strongly fair",
                      is_weak ? ", " : " ", "%s: %s, %s", bound,
                      rung == COR_FAIRNESS_UNFAIR ? "unfair" : "weakly fair", loop);
}

static void say_again(const struct cor_stabilize_system *system, const struct cor_stabilized *found,
                      struct cor_stabilize_said *said) {
    const char *name = system->asked->again[found->again_failing];
    char number[COR_COMMAS_SIZE];
    if (found->again_dead_ends > 0)
        cor_stabilize_put(said, COR_STABILIZE_IDLES, "comes back", ", ",
                          "but `%.80s` is not met again: in %s state%s inside nobody can move", name,
                          cor_with_commas(found->again_dead_ends, number),
                          cor_plural(found->again_dead_ends));
    else
        cor_stabilize_put(said, COR_STABILIZE_IDLES, "comes back", ", ",
                          "but `%.80s` is not met again: %" PRIu32 " step%s inside can be repeated for ever",
                          name, found->again_loop.count, cor_plural(found->again_loop.count));
}

/* Of a loop of a program with messages: can it happen with the delays of the arm? Else it accuses nobody.
 * Alarms of rules over messages go off whenever they do, so these have no time. */
static enum cor_status ask_time(const struct cor_stabilize_system *system, const struct cor_space_run *loop,
                                struct cor_stabilize_said *said, struct cor_error *error) {
    uint32_t high;
    bool is_in_time;
    char why[120];
    COR_TRY(process_layer__mail_in_time(system->mail, &system->arm->environment, loop, &is_in_time, &high,
                                        error));
    if (is_in_time)
        return COR_OK;
    snprintf(why, sizeof why, "only where a message takes longer than %" PRIu32 " ticks, or never comes",
             high);
    cor_stabilize_put_undecided(said, why);
    return COR_OK;
}

/* In some state nobody can move, outside: the first of these, and what does not hold there. One that is
 * inside is outside of the stable part as a step led out of it before: the dead end is not among those. */
static enum cor_status say_rests(struct cor_stabilize_system *system, const struct cor_stabilized *found,
                                 struct cor_stabilize_said *said, struct cor_error *error) {
    uint32_t locals[COR_RULES_PROCESSES_MAX];
    char number[COR_COMMAS_SIZE];
    enum cor_truth truth;
    const char *name;
    cor_stabilize_system_locals(system, found->a_dead_end, locals);
    COR_TRY(cor_stabilize_system_inside(system, locals, &truth, &name, error));
    cor_stabilize_put(
        said, COR_STABILIZE_RESTS, NOT_BACK,
        name ? "in %s state%s nobody can move, and `%.80s` does not hold" : "in %s state%s nobody can move%s",
        cor_with_commas(found->dead_ends, number), cor_plural(found->dead_ends), name ? name : "");
    return COR_OK;
}

/* Not all come back under what is asked of the daemon. */
static enum cor_status say_not_back(struct cor_stabilize_system *system, enum cor_fairness fairness,
                                    const struct cor_stabilized *found, struct cor_stabilize_said *said,
                                    struct cor_error *error) {
    char one[COR_COMMAS_SIZE], other[COR_COMMAS_SIZE];
    if (found->from <= COR_FAIRNESS_STRONG) {
        say_helped(found, found->from, said);
        return COR_OK;
    }
    /* With what is drawn a loop is known of an unfair daemon alone: of a fair one dead ends, and states that
     * have no way back, are the no; as they are where the loop is less fair than was asked. */
    const bool is_fair = fairness == COR_FAIRNESS_WEAK || fairness == COR_FAIRNESS_STRONG;
    const bool is_as_fair = fairness != COR_FAIRNESS_CHANCE && found->loop_fairness >= fairness;
    if (found->loop.count > 0 && (found->has_draws ? !is_fair || found->is_certain : is_as_fair)) {
        say_loop(system, found, said);
        COR_TRY(ask_time(system, &found->loop, said, error));
        /* The loop accuses nobody then, but the steps out of it do. */
        if (said->verdict == COR_STABILIZE_UNDECIDED && is_all_inside(system, &found->loop))
            say_leaves(found, said);
        return COR_OK;
    }
    if (found->dead_ends > 0)
        return say_rests(system, found, said, error);
    cor_stabilize_put(said, COR_STABILIZE_TRAPPED, NOT_BACK, "from %s of %s states there is no way",
                      cor_with_commas(found->lost, one), cor_with_commas(found->asked, other));
    return COR_OK;
}

/* Of what comes back: is it later than was asked? */
static bool say_late(const struct cor_stabilize_asked *asked, const struct cor_stabilized *found,
                     struct cor_stabilize_said *said) {
    uint32_t is, was;
    const char *word = late_by(asked, found, &is, &was);
    if (!word)
        return false;
    if (is == COR_UNBOUNDED)
        cor_stabilize_put(said, COR_STABILIZE_LATE, "comes back", " ",
                          "without a bound; within %" PRIu32 " %.*s was asked", was,
                          (int)strlen(word) - (was == 1), word);
    else
        cor_stabilize_put(said, COR_STABILIZE_LATE, "comes back", " ",
                          "within %" PRIu32 " %.*s; within %" PRIu32 " was asked", is,
                          (int)strlen(word) - (is == 1), word, was);
    return true;
}

static void say_chance(const struct cor_stabilized *found, struct cor_stabilize_said *said) {
    char steps[80] = "";
    const bool is_near = found->expected_error <= .05;
    if (isfinite(found->expected_worst))
        snprintf(steps, sizeof steps, ", %s%.1f steps on average from the worst state",
                 is_near ? "" : "at least ",
                 is_near ? found->expected_worst : fmax(0, found->expected_worst - found->expected_error));
    cor_stabilize_put(said, COR_STABILIZE_CHANCE, "comes back by chance alone", ": ",
                      "with probability 1 %s%s; %s",
                      found->has_draws ? "whatever the daemon chooses" : "where each choice is possible",
                      steps, found->has_draws ? "what is drawn can prevent it" : "a daemon can prevent it");
}

enum cor_status cor_stabilize_say(struct cor_stabilize_system *system,
                                  const struct cor_stabilize_asked *asked, enum cor_fairness fairness,
                                  const struct cor_stabilized *found, struct cor_stabilize_said *said,
                                  struct cor_error *error) {
    char number[COR_COMMAS_SIZE];
    const bool is_adversary = found->has_draws && fairness == COR_FAIRNESS_CHANCE; /* the coin is none */
    const bool is_back = is_adversary ? found->holds[COR_FAIRNESS_CHANCE] : found->from <= fairness;
    *said = (struct cor_stabilize_said){.between = ": "};
    if (fairness < COR_FAIRNESS_NEVER && found->open[fairness])
        cor_stabilize_put_undecided(said, OPEN);
    else if (found->inside == found->asked && found->leaving == 0)
        cor_stabilize_put_undecided(
            said, "all states that come of what may be wrong are inside, and nothing is put to the "
                  "test");
    else if (!is_back && found->from == COR_FAIRNESS_CHANCE && found->has_draws)
        say_chance(found, said);
    else if (!is_back)
        return say_not_back(system, fairness, found, said, error);
    else if (found->leaving > 0)
        say_leaves(found, said);
    else if (found->again_failing != COR_UNBOUNDED) {
        say_again(system, found, said);
        return found->again_loop.count > 0 ? ask_time(system, &found->again_loop, said, error) : COR_OK;
    } else if (found->again_open)
        cor_stabilize_put_undecided(said, OPEN);
    else if (say_late(asked, found, said))
        return COR_OK;
    else if (asked->within.rounds != COR_UNBOUNDED && !found->has_rounds)
        cor_stabilize_put_undecided(
            said, "rounds were not counted, as too many states have turns, and \"within\" names them");
    else {
        said->is_good = true;
        if (found->from == COR_FAIRNESS_CHANCE)
            say_chance(found, said);
        else if (found->from > COR_FAIRNESS_UNFAIR)
            say_helped(found, found->from, said);
        else
            cor_stabilize_put(said, COR_STABILIZE_HOLDS, "comes back and stays", ": ",
                              "from each of %s states within %" PRIu32 " step%s",
                              cor_with_commas(found->asked, number), found->worst_steps,
                              cor_plural(found->worst_steps));
    }
    return COR_OK;
}
