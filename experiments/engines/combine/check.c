/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checker. It knows the model and the rows, and nothing of how rows are made: it judges constraints as
 * they are written, looks for every combination in every row, and decides by a search of its own whether what
 * it misses is possible at all (backtracking with jumps to what is to blame: Prosser, "Hybrid algorithms for
 * the constraint satisfaction problem", 1993; of values that no constraint tells apart one is tried: Freuder,
 * "Eliminating interchangeable values in constraint satisfaction problems", 1991). Then z3 is asked. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define BLOCK_MAX 40000000 /* combinations of one set of parameters */
#define STEPS_MAX 500000
#define STEPS_LEAST 5000 /* where z3 had to help, the next steps are fewer, down to these */
#define PAIRED_VALUES_MAX 4096
#define LIKENESS_MAX 200000 /* looks at atoms to tell the values of one parameter apart */

enum { NOT_KNOWN = -1 };

struct checker {
    const struct cor_combine_model *model;
    const struct cor_combine_request *request;
    const uint32_t *rows;
    size_t row_count;
    bool mixed, all;
    struct cor_combine_judgement *judgement;
    uint8_t *invalid_count; /* owned, as all below; by row, UINT8_MAX: a bad row, which covers nothing */
    struct cor_value *values;
    uint8_t *covered; /* by combination of the set at work */
    size_t covered_capacity;
    /* The search for a row with given levels. */
    uint32_t *order, *place; /* parameters that constraints read; where a parameter stands in it */
    uint32_t order_count;
    uint32_t *level; /* by parameter */
    bool *known;     /* by parameter: it has a level */
    bool *blame;     /* by depth and parameter: what keeps the parameter at that depth from having a level */
    uint64_t steps, steps_max;
    struct combine__decider *decider; /* owned; asked where the steps do not do */
    int8_t *pair;          /* of each two values: 1 + what is_possible said, 0: not asked; NULL: too many */
    uint32_t *first_value; /* of each parameter, among all values */
    bool *never;           /* by value: no row of valid values (where policies mix, of any) has it */
    uint32_t *like;        /* of each value: the first value of its parameter that no atom tells from it */
    uint32_t *first_reader, *readers; /* constraints that read a parameter */
    uint32_t *first_read, *read;      /* parameters that a constraint reads */
};

static const struct cor_combine_level *level_of(const struct checker *c, uint32_t parameter, uint32_t level) {
    return &c->model->parameters[parameter].levels[level];
}

/* The first constraint that a row breaks, as written; NULL: none. */
static const char *broken_by(struct checker *c, const uint32_t *row) {
    for (uint32_t p = 0; p < c->model->parameter_count; p++)
        c->values[p] = level_of(c, p, row[p])->value;
    for (size_t i = 0; i < c->model->constraint_count; i++)
        if (!cor_expression_judge(&c->model->constraints[i].expression, c->values))
            return c->model->constraints[i].text;
    return NULL;
}

/* A constraint by what is known: 1 holds, 0 fails, NOT_KNOWN; of each node likewise in `seen`. *culprit is
 * the node that settles it. */
static int look_at(const struct checker *c, const struct combine__combine_constraint *constraint,
                   int8_t *seen, uint32_t *culprit) {
    const struct cor_expression *expression = &constraint->expression;
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        seen[i] = NOT_KNOWN;
        if (constraint->atom_of_node[i] != COMBINE__NO_ATOM) {
            const struct combine__combine_atom *atom = &constraint->atoms[constraint->atom_of_node[i]];
            bool known = true;
            for (uint32_t j = 0; j < atom->parameter_count; j++)
                known = known && c->known[atom->parameters[j]];
            if (!known)
                continue;
            seen[i] = cor_expression_judge(&atom->holds, c->values);
            *culprit = i;
            if (seen[i] == 0 && !cor_expression_judge(&atom->denies, c->values))
                return 0; /* undefined: so the whole is false */
        } else if (constraint->is_joint[i]) {
            int a = seen[node->left], b = seen[node->right];
            int decides = node->operator== COR_OPERATOR_OR; /* what settles it from one side */
            bool some_open = a == NOT_KNOWN || b == NOT_KNOWN;
            if (node->operator== COR_OPERATOR_NOT)
                seen[i] = a == NOT_KNOWN ? NOT_KNOWN : !a;
            else if (node->operator== COR_OPERATOR_EQUAL || node->operator== COR_OPERATOR_NOT_EQUAL)
                seen[i] = some_open ? NOT_KNOWN : (a == b) == (node->operator== COR_OPERATOR_EQUAL);
            else
                seen[i] = (int8_t)(a == decides || b == decides ? decides : some_open ? NOT_KNOWN : !decides);
        }
    }
    *culprit = expression->node_count - 1;
    return seen[*culprit];
}

/* Does some constraint fail that reads the parameter? Then what it fails by is to blame. */
static bool fails_at(struct checker *c, uint32_t parameter, bool *blame) {
    bool before = blame[parameter];
    for (uint32_t i = c->first_reader[parameter]; i < c->first_reader[parameter + 1]; i++) {
        const struct combine__combine_constraint *constraint = &c->model->constraints[c->readers[i]];
        int8_t seen[COR_EXPRESSION_NODES_MAX];
        uint32_t culprit = 0;
        if (look_at(c, constraint, seen, &culprit) != 0)
            continue;
        /* Blames what the node is as it is seen for: where one side settles a joint, that side alone. */
        bool asked[COR_EXPRESSION_NODES_MAX] = {false};
        asked[culprit] = true;
        for (uint32_t k = culprit + 1; k-- > 0;) {
            const struct cor_node *node = &constraint->expression.nodes[k];
            if (!asked[k])
                continue;
            if (constraint->is_joint[k]) {
                bool joins = node->operator== COR_OPERATOR_AND || node->operator== COR_OPERATOR_OR;
                bool is_settled_by_one = joins && seen[k] == (node->operator== COR_OPERATOR_OR);
                bool is_left = seen[node->left] == seen[k];
                asked[node->left] |= !is_settled_by_one || is_left;
                if (node->operator!= COR_OPERATOR_NOT)
                    asked[node->right] |= !is_settled_by_one || !is_left;
                continue;
            }
            const struct combine__combine_atom *atom = &constraint->atoms[constraint->atom_of_node[k]];
            for (uint32_t j = 0; j < atom->parameter_count; j++)
                blame[atom->parameters[j]] = true;
        }
        blame[parameter] = before;
        return true;
    }
    return false;
}

static void set_level(struct checker *c, uint32_t parameter, uint32_t level) {
    c->level[parameter] = level;
    c->known[parameter] = true;
    c->values[parameter] = level_of(c, parameter, level)->value;
}

/* Parameters that constraints read, those near the combination first. The given ones are no part of it. */
static void make_order(struct checker *c, const struct cor_combine_tuple *tuple) {
    uint32_t width = (uint32_t)c->model->parameter_count;
    memset(c->known, 0, width * sizeof *c->known);
    c->order_count = 0;
    for (uint32_t p = 0; p < width; p++)
        c->place[p] = UINT32_MAX;
    for (uint32_t i = 0; i < tuple->count; i++) {
        c->place[tuple->parameter[i]] = 0;
        set_level(c, tuple->parameter[i], tuple->level[i]);
    }
    for (bool nearby = true;;) {
        uint32_t before = c->order_count;
        for (size_t i = 0; i < c->model->constraint_count; i++) {
            bool touches = !nearby;
            for (uint32_t j = c->first_read[i]; j < c->first_read[i + 1] && !touches; j++)
                touches = c->place[c->read[j]] != UINT32_MAX;
            for (uint32_t j = c->first_read[i]; j < c->first_read[i + 1] && touches; j++)
                if (c->place[c->read[j]] == UINT32_MAX) {
                    c->place[c->read[j]] = c->order_count;
                    c->order[c->order_count++] = c->read[j];
                }
        }
        if (c->order_count == before && !nearby)
            return;
        nearby = c->order_count != before;
    }
}

/* Is a value invalid that may stand alone only? The search leaves it out elsewhere. */
static bool has_invalid(const struct checker *c, const struct cor_combine_tuple *tuple) {
    bool any = false;
    for (uint32_t i = 0; !c->mixed && i < tuple->count; i++)
        any = any || level_of(c, tuple->parameter[i], tuple->level[i])->invalid;
    return any;
}

/* The combination is impossible, and this is to blame: a value of it that is alone in that is so whatever
 * stands beside it. */
static void learn(struct checker *c, const struct cor_combine_tuple *tuple, const bool *blame) {
    uint32_t count = 0, alone = 0;
    for (uint32_t i = 0; i < tuple->count; i++)
        if (blame[tuple->parameter[i]]) {
            alone = i;
            count++;
        }
    if (count == 1 && !has_invalid(c, tuple))
        c->never[c->first_value[tuple->parameter[alone]] + tuple->level[alone]] = true;
}

/* Is there a row with the combination, all other values valid unless policies mix? 1, 0 or NOT_KNOWN. */
static int is_possible(struct checker *c, const struct cor_combine_tuple *tuple) {
    size_t width = c->model->parameter_count;
    for (uint32_t i = 0; i < tuple->count; i++)
        if (c->never[c->first_value[tuple->parameter[i]] + tuple->level[i]] && !has_invalid(c, tuple))
            return 0;
    make_order(c, tuple);
    memset(c->blame, 0, width * sizeof *c->blame);
    for (uint32_t i = 0; i < tuple->count; i++)
        if (fails_at(c, tuple->parameter[i], c->blame)) {
            c->blame[tuple->parameter[i]] = true;
            learn(c, tuple, c->blame);
            return 0;
        }
    uint32_t depth = 0;
    bool fresh = true; /* the parameter at this depth has not had a level yet */
    for (c->steps = 0; depth < c->order_count; c->steps++) {
        uint32_t p = c->order[depth];
        bool *blame = c->blame + depth * width;
        if (c->steps > c->steps_max)
            return NOT_KNOWN;
        if (fresh)
            memset(blame, 0, width * sizeof *blame);
        uint32_t l = fresh ? 0 : c->level[p] + 1;
        /* Is the level valid, or do policies mix; and is it not like one before it, which was tried? */
        while (l < c->model->parameters[p].level_count &&
               !((c->mixed || !level_of(c, p, l)->invalid) && c->like[c->first_value[p] + l] == l))
            l++;
        if (l < c->model->parameters[p].level_count) {
            set_level(c, p, l);
            fresh = !fails_at(c, p, blame);
            depth += fresh;
            continue;
        }
        /* The deepest parameter to blame that the search has chosen a level for, 0: none; 1 + its depth. */
        uint32_t back = depth;
        while (back > 0 && !blame[c->order[back - 1]])
            back--;
        if (back == 0) {
            learn(c, tuple, blame);
            return 0;
        }
        bool *before = c->blame + (back - 1) * width; /* it inherits the blame, but for itself */
        for (size_t q = 0; q < width; q++)
            before[q] = before[q] || (blame[q] && q != c->order[back - 1]);
        for (; depth >= back; depth--)
            c->known[c->order[depth]] = false;
        c->known[c->order[depth]] = false;
        fresh = false;
    }
    return 1;
}

/* Two values of a larger combination that are impossible make it so, and are asked for once. */
static int pair_is_possible(struct checker *c, const struct cor_combine_tuple *tuple, uint32_t i,
                            uint32_t j) {
    struct cor_combine_tuple two = {.count = 2,
                                    .parameter = {tuple->parameter[i], tuple->parameter[j]},
                                    .level = {tuple->level[i], tuple->level[j]}};
    size_t width = c->first_value[c->model->parameter_count];
    int8_t *known = &c->pair[(c->first_value[two.parameter[0]] + two.level[0]) * width +
                             c->first_value[two.parameter[1]] + two.level[1]];
    if (*known == 0) {
        int answer = is_possible(c, &two);
        *known = (int8_t)(answer == NOT_KNOWN ? 2 : 1 + answer);
    }
    return *known - 1;
}

/* Beside an invalid value others may be possible that are not without it: so a pair has it, too. */
static int combination_is_possible(struct checker *c, const struct cor_combine_tuple *tuple) {
    uint32_t invalid = UINT32_MAX;
    for (uint32_t i = 0; !c->mixed && i < tuple->count; i++)
        if (level_of(c, tuple->parameter[i], tuple->level[i])->invalid)
            invalid = i;
    for (uint32_t i = 0; c->pair && tuple->count > 2 && i < tuple->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if ((invalid == UINT32_MAX || invalid == i || invalid == j) &&
                pair_is_possible(c, tuple, i, j) == 0)
                return 0;
    return is_possible(c, tuple);
}

struct wanted {
    const struct checker *checker;
    const struct cor_combine_tuple *tuple;
};

static bool is_wanted(const void *context, uint32_t parameter, uint32_t level) {
    const struct wanted *wanted = context;
    for (uint32_t i = 0; i < wanted->tuple->count; i++)
        if (wanted->tuple->parameter[i] == parameter)
            return wanted->tuple->level[i] == level;
    return wanted->checker->mixed || !level_of(wanted->checker, parameter, level)->invalid;
}

/* z3's word, where our own search gives up. */
static enum cor_status ask_z3(struct checker *c, const struct cor_combine_tuple *tuple, int *possible,
                              struct cor_error *error) {
    const struct wanted wanted = {c, tuple};
    enum cor_answer answer;
    COR_TRY(combine__decider_ask(c->decider, is_wanted, &wanted, NULL, &answer, error));
    *possible = answer == COR_ANSWER_UNDECIDED ? NOT_KNOWN : answer == COR_ANSWER_SATISFIABLE;
    if (answer != COR_ANSWER_UNDECIDED && c->steps_max > STEPS_LEAST)
        c->steps_max = c->steps_max / 10 > STEPS_LEAST ? c->steps_max / 10 : STEPS_LEAST;
    return COR_OK;
}

/* All combinations of the values of a set of parameters; only those with an invalid one where `invalid_only`.
 */
static enum cor_status check_set(struct checker *c, const uint32_t *parameters, uint32_t count,
                                 bool invalid_only, struct cor_error *error) {
    struct cor_combine_tuple tuple = {.count = count};
    uint64_t size = 1;
    memcpy(tuple.parameter, parameters, count * sizeof *parameters);
    for (uint32_t i = 0; i < count; i++)
        size *= c->model->parameters[parameters[i]].level_count;
    if (size > BLOCK_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "lower the strength",
                        "more than %d combinations of %u parameters to look for", BLOCK_MAX, count);
    COR_TRY(COR_RESERVE(&c->covered, &c->covered_capacity, size, error));
    memset(c->covered, 0, size);
    for (size_t i = 0; i < c->row_count; i++) {
        const uint32_t *row = c->rows + i * c->model->parameter_count;
        uint64_t number = 0;
        uint32_t invalid = 0;
        for (uint32_t j = 0; j < count; j++) {
            number = number * c->model->parameters[parameters[j]].level_count + row[parameters[j]];
            invalid += !c->mixed && level_of(c, parameters[j], row[parameters[j]])->invalid;
        }
        if (c->invalid_count[i] == invalid) /* else another value is invalid, and hides this combination */
            c->covered[number] = 1;
    }
    for (uint64_t number = 0; number < size; number++) {
        /* The combination with this number, and how many of its values are invalid. */
        uint32_t invalid = 0;
        uint64_t rest = number;
        for (uint32_t i = tuple.count; i-- > 0;) {
            uint32_t levels = c->model->parameters[tuple.parameter[i]].level_count;
            tuple.level[i] = (uint32_t)(rest % levels);
            invalid += !c->mixed && level_of(c, tuple.parameter[i], tuple.level[i])->invalid;
            rest /= levels;
        }
        if (invalid > 1 || (invalid == 0 && invalid_only))
            continue;
        c->judgement->wanted++;
        if (c->covered[number])
            c->judgement->covered++;
        else {
            struct cor_combine_judgement *j = c->judgement;
            int possible = c->model->constraint_count == 0 ? 1 : combination_is_possible(c, &tuple);
            if (possible == NOT_KNOWN)
                COR_TRY(ask_z3(c, &tuple, &possible, error));
            if (possible == NOT_KNOWN) {
                char text[300];
                cor_combine_tuple_text(c->model, &tuple, text, sizeof text);
                return cor_fail(error, COR_STATUS_INPUT, NULL, "write the constraints simpler, or split them",
                                "the checker cannot decide whether %s is possible", text);
            }
            if (!possible)
                j->excluded++;
            else if (j->missing++ == 0)
                j->first_missing = tuple;
        }
    }
    return COR_OK;
}

static bool part_holds(const struct combine__combine_part *part, const uint32_t *parameters, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < part->parameter_count && !found; j++)
            found = part->parameters[j] == parameters[i];
        if (!found)
            return false;
    }
    return true;
}

/* Is the set looked at with a part that asks for more, or for the same before? */
static bool is_in_other(const struct cor_combine_model *model, const uint32_t *parameters, uint32_t count,
                        size_t own) {
    for (size_t i = 0; i < model->part_count; i++)
        if (i != own && part_holds(&model->parts[i], parameters, count) &&
            (model->parts[i].strength > count || (model->parts[i].strength == count && i < own)))
            return true;
    return false;
}

/* All sets of `strength` among the parameters; `chosen` of `set` are chosen, the next is not before `from`.
 */
static enum cor_status check_sets(struct checker *c, const struct combine__combine_part *part, size_t own,
                                  uint32_t *set, uint32_t chosen, uint32_t from, bool invalid_only,
                                  struct cor_error *error) {
    if (chosen == part->strength)
        return is_in_other(c->model, set, chosen, own) ? COR_OK
                                                       : check_set(c, set, chosen, invalid_only, error);
    for (uint32_t i = from; i < part->parameter_count; i++) {
        set[chosen] = part->parameters[i];
        COR_TRY(check_sets(c, part, own, set, chosen + 1, i + 1, invalid_only, error));
    }
    return COR_OK;
}

static enum cor_status check_combinations(struct checker *c, bool invalid_only, struct cor_error *error) {
    const struct cor_combine_model *model = c->model;
    uint32_t set[COR_COMBINE_STRENGTH_MAX];
    uint32_t *everything = cor_calloc(model->parameter_count, sizeof *everything);
    COR_TRY(cor_made(everything, error));
    for (uint32_t p = 0; p < model->parameter_count; p++)
        everything[p] = p;
    struct combine__combine_part whole = {everything, (uint32_t)model->parameter_count, c->request->strength,
                                          false};
    enum cor_status status = COR_OK;
    if (whole.strength > 0) /* else parts alone are asked for */
        status = check_sets(c, &whole, model->part_count, set, 0, 0, invalid_only, error);
    free(everything);
    COR_TRY(status);
    for (size_t i = 0; i < model->part_count; i++)
        if (model->parts[i].strength >= c->request->strength && model->parts[i].strength > 0)
            COR_TRY(check_sets(c, &model->parts[i], i, set, 0, 0, invalid_only, error));
    return COR_OK;
}

static enum cor_status check_all(struct checker *c, struct cor_error *error) {
    const struct cor_combine_model *model = c->model;
    struct cor_combine_judgement *j = c->judgement;
    uint64_t size = 1;
    for (uint32_t p = 0; p < model->parameter_count && size <= BLOCK_MAX; p++)
        size *= model->parameters[p].level_count;
    if (size > BLOCK_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "judge them by the policy valid-t or t-wise",
                        "more than %d rows in full to look for", BLOCK_MAX);
    COR_TRY(COR_RESERVE(&c->covered, &c->covered_capacity, size, error));
    memset(c->covered, 0, size);
    for (size_t i = 0; i < c->row_count; i++) {
        uint64_t place = 0; /* the row as a number, the last parameter's levels running fastest */
        for (uint32_t p = 0; p < model->parameter_count; p++)
            place = place * model->parameters[p].level_count + c->rows[i * model->parameter_count + p];
        if (c->invalid_count[i] == 0)
            c->covered[place] = 1;
    }
    for (uint64_t number = 0; number < size; number++) {
        bool valid = true;
        uint64_t rest = number;
        for (uint32_t p = (uint32_t)model->parameter_count; p-- > 0;) {
            c->level[p] = (uint32_t)(rest % model->parameters[p].level_count);
            rest /= model->parameters[p].level_count;
            valid = valid && (c->mixed || !level_of(c, p, c->level[p])->invalid);
        }
        if (!valid)
            continue;
        j->wanted++;
        if (c->covered[number])
            j->covered++;
        else if (broken_by(c, c->level))
            j->excluded++;
        else if (j->missing++ == 0) { /* shown by as many of its values as fit */
            j->first_missing.count = 0;
            for (uint32_t p = 0; p < model->parameter_count && p < COR_COMBINE_STRENGTH_MAX; p++) {
                j->first_missing.parameter[p] = p;
                j->first_missing.level[p] = c->level[p];
                j->first_missing.count++;
            }
        }
    }
    return COR_OK;
}

/* Which constraints read which parameters, both ways. */
static enum cor_status index_constraints(struct checker *c, struct cor_error *error) {
    size_t width = c->model->parameter_count, count = c->model->constraint_count, uses = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < width; p++)
            uses += cor_expression_reads(&c->model->constraints[i].expression, p);
    c->first_reader = cor_calloc(width + 2, sizeof *c->first_reader);
    c->readers = cor_calloc(uses + 1, sizeof *c->readers);
    c->first_read = cor_calloc(count + 1, sizeof *c->first_read);
    c->read = cor_calloc(uses + 1, sizeof *c->read);
    if (!c->first_reader || !c->readers || !c->first_read || !c->read)
        return cor_fail_memory(error);
    uses = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t p = 0; p < width; p++)
            if (cor_expression_reads(&c->model->constraints[i].expression, p)) {
                c->read[uses++] = p;
                c->first_reader[p + 2]++;
            }
        c->first_read[i + 1] = (uint32_t)uses;
    }
    for (size_t p = 0; p < width; p++)
        c->first_reader[p + 2] += c->first_reader[p + 1];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = c->first_read[i]; j < c->first_read[i + 1]; j++)
            c->readers[c->first_reader[c->read[j] + 1]++] = i;
    return COR_OK;
}

/* What an atom says of a level of the parameter, for all that the other parameters can be, as bytes behind
 * `said` (NULL: only counted); gives how many. */
static size_t say(struct checker *c, const struct combine__combine_atom *atom, uint32_t parameter,
                  uint32_t level, uint8_t *said) {
    size_t count = 0;
    for (uint32_t i = 0; i < atom->parameter_count; i++)
        c->level[atom->parameters[i]] = 0;
    c->level[parameter] = level;
    for (uint32_t i = 0; i < atom->parameter_count && count <= LIKENESS_MAX;) {
        if (said) {
            for (uint32_t j = 0; j < atom->parameter_count; j++) {
                uint32_t p = atom->parameters[j];
                c->values[p] = level_of(c, p, c->level[p])->value;
            }
            said[count] = cor_expression_judge(&atom->holds, c->values)    ? 1
                          : cor_expression_judge(&atom->denies, c->values) ? 2
                                                                           : 3;
        }
        count++;
        for (i = 0; i < atom->parameter_count; i++) {
            uint32_t p = atom->parameters[i];
            if (p == parameter)
                continue;
            if (++c->level[p] < c->model->parameters[p].level_count)
                break;
            c->level[p] = 0;
        }
    }
    return count;
}

/* All that atoms say of a level. */
static size_t say_all(struct checker *c, uint32_t parameter, uint32_t level, uint8_t *said) {
    size_t count = 0;
    for (uint32_t i = c->first_reader[parameter]; i < c->first_reader[parameter + 1]; i++) {
        const struct combine__combine_constraint *constraint = &c->model->constraints[c->readers[i]];
        for (uint32_t a = 0; a < constraint->atom_count && count <= LIKENESS_MAX; a++)
            if (cor_expression_reads(&constraint->atoms[a].holds, parameter))
                count += say(c, &constraint->atoms[a], parameter, level, said ? said + count : NULL);
    }
    return count;
}

static enum cor_status begin_checker(struct checker *c, struct cor_error *error) {
    size_t width = c->model->parameter_count;
    c->invalid_count = cor_calloc(c->row_count, 1);
    c->values = cor_calloc(width, sizeof *c->values);
    c->order = cor_calloc(width, sizeof *c->order);
    c->place = cor_calloc(width, sizeof *c->place);
    c->level = cor_calloc(width, sizeof *c->level);
    c->known = cor_calloc(width, sizeof *c->known);
    c->blame = cor_calloc(width * width, sizeof *c->blame);
    c->first_value = cor_calloc(width + 1, sizeof *c->first_value);
    for (size_t p = 0; c->first_value && p < width; p++)
        c->first_value[p + 1] = c->first_value[p] + c->model->parameters[p].level_count;
    size_t values = c->first_value ? c->first_value[width] : 0;
    c->never = cor_calloc(values, sizeof *c->never);
    if (values <= PAIRED_VALUES_MAX && c->model->constraint_count > 0) {
        COR_TRY(cor_made(c->pair = cor_calloc(values * values, sizeof *c->pair), error));
    }
    bool made = c->first_value && c->invalid_count && c->values && c->order && c->place && c->level &&
                c->known && c->blame && c->never;
    COR_TRY(made ? COR_OK : cor_fail_memory(error));
    COR_TRY(index_constraints(c, error));
    /* Values that no atom tells apart fail together: one of them is enough to try. */
    c->like = cor_calloc(c->first_value[c->model->parameter_count], sizeof *c->like);
    COR_TRY(cor_made(c->like, error));
    for (uint32_t p = 0; p < c->model->parameter_count; p++) {
        uint32_t *like = c->like + c->first_value[p], levels = c->model->parameters[p].level_count;
        size_t length = say_all(c, p, 0, NULL);
        bool too_many = length * levels > LIKENESS_MAX;
        uint8_t *said = too_many ? NULL : cor_calloc(length * levels + 1, 1);
        if (!too_many)
            COR_TRY(cor_made(said, error));
        for (uint32_t l = 0; l < levels; l++) {
            like[l] = l;
            if (too_many)
                continue;
            say_all(c, p, l, said + l * length);
            for (uint32_t k = 0; k < l && like[l] == l; k++)
                if (like[k] == k && level_of(c, p, k)->invalid == level_of(c, p, l)->invalid &&
                    memcmp(said + k * length, said + l * length, length) == 0)
                    like[l] = k;
        }
        free(said);
    }
    return COR_OK;
}

static enum cor_status check_whole(const struct cor_combine_model *model,
                                   const struct cor_combine_request *request, const uint32_t *rows,
                                   size_t row_count, struct cor_combine_judgement *judgement,
                                   struct cor_error *error) {
    *judgement = (struct cor_combine_judgement){.first_bad_row = SIZE_MAX};
    struct checker c = {.model = model,
                        .request = request,
                        .rows = rows,
                        .row_count = row_count,
                        .mixed = request->policy == COR_COMBINE_T_WISE || request->policy == COR_COMBINE_ALL,
                        .all = request->policy == COR_COMBINE_VALID_ALL || request->policy == COR_COMBINE_ALL,
                        .judgement = judgement,
                        .steps_max = STEPS_MAX};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(combine__decider_create(model, &c.decider, error));
    COR_TRY_OUT(begin_checker(&c, error));
    combine__say(request, "judging the rows", 0, 0);
    struct cor_combine_judgement *j = c.judgement;
    for (size_t i = 0; i < c.row_count; i++) {
        const uint32_t *row = c.rows + i * c.model->parameter_count;
        const char *broken = broken_by(&c, row);
        uint32_t invalid = 0;
        for (uint32_t p = 0; !c.mixed && p < c.model->parameter_count; p++)
            invalid += level_of(&c, p, row[p])->invalid;
        bool is_bad = broken || invalid > 1;
        c.invalid_count[i] = is_bad ? UINT8_MAX : (uint8_t)invalid;
        if (is_bad && j->bad_row_count++ == 0) {
            j->first_bad_row = i;
            j->first_broken = broken;
        }
    }
    if (c.all)
        COR_TRY_OUT(check_all(&c, error));
    if (request->policy != COR_COMBINE_ALL)
        COR_TRY_OUT(check_combinations(&c, c.all, error));
out:
    COR_FREE(c.invalid_count, c.values, c.covered, c.order, c.place, c.level, c.known, c.blame, c.pair,
             c.first_value, c.never, c.like);
    combine__decider_destroy(c.decider);
    COR_FREE(c.first_reader, c.readers, c.first_read, c.read);
    return status;
}

/* What one check says, beside what others do. */
static void add_judgement(struct cor_combine_judgement *to, const struct cor_combine_judgement *more) {
    if (to->missing == 0)
        to->first_missing = more->first_missing;
    to->wanted += more->wanted;
    to->covered += more->covered;
    to->excluded += more->excluded;
    to->missing += more->missing;
}

/* Rows of sub-models: each by its own order; then, as values, among the other parameters. */
static enum cor_status check_bundles(struct combine__bundles *bundles,
                                     const struct cor_combine_request *request, const uint32_t *rows,
                                     size_t row_count, struct cor_combine_judgement *judgement,
                                     struct cor_error *error) {
    struct cor_combine_request own = *request;
    struct cor_combine_judgement more;
    enum cor_status status = COR_OK;
    uint32_t *outer = cor_calloc(row_count * bundles->outer_count + 1, sizeof *outer);
    COR_TRY(cor_made(outer, error));
    for (uint32_t o = 0; o < bundles->outer_count; o++) {
        struct combine__combine_part part;
        if (!bundles->outers[o].part)
            continue;
        const struct cor_combine_model view = combine__bundle_view(bundles, o, request, &part);
        own.strength = 0;
        COR_TRY_OUT(check_whole(&view, &own, rows, row_count, &more, error));
        judgement->bad_row_count = more.bad_row_count;
        judgement->first_bad_row = more.first_bad_row;
        judgement->first_broken = more.first_broken;
        add_judgement(judgement, &more);
        COR_TRY_OUT(combine__bundle_add(bundles, o, rows, row_count, error));
    }
    if (row_count == 0)
        goto out;
    COR_TRY_OUT(combine__bundles_join(bundles, error));
    for (size_t i = 0; i < row_count; i++)
        combine__bundles_fold(bundles, rows + i * bundles->model->parameter_count,
                              outer + i * bundles->outer_count);
    own.strength = request->strength < bundles->outer_count ? request->strength : bundles->outer_count;
    COR_TRY_OUT(check_whole(bundles->outer, &own, outer, row_count, &more, error));
    if (more.missing > 0)
        combine__bundles_tuple(bundles, &more.first_missing); /* or as many of its values as fit */
    add_judgement(judgement, &more);
out:
    free(outer);
    return status;
}

enum cor_status cor_combine_check(const struct cor_combine_model *model,
                                  const struct cor_combine_request *request, const uint32_t *rows,
                                  size_t row_count, struct cor_combine_judgement *judgement,
                                  struct cor_error *error) {
    struct combine__bundles bundles;
    *judgement = (struct cor_combine_judgement){.first_bad_row = SIZE_MAX};
    COR_TRY(combine__combine_check_request(model, request, error));
    enum cor_status status = combine__bundles_init(&bundles, model, request, error);
    if (status == COR_OK)
        status = bundles.any ? check_bundles(&bundles, request, rows, row_count, judgement, error)
                             : check_whole(model, request, rows, row_count, judgement, error);
    combine__bundles_fini(&bundles);
    return status;
}
