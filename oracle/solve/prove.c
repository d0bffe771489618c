/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which questions are asked about a corridor, and what their answers say. A structure that z3 found is judged
 * before anything is concluded from it, and answers further questions without z3. */
#include "prover.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdio.h>
#include <string.h>

struct prover {
    struct cor_corridor *corridor;
    struct solve__proof_task task;
    struct solve__process process;
    const bool *left_out;             /* [constraint]; NULL: none is */
    struct cor_corridor_judge *judge; /* owned */
    struct cor_bytes message;
    uint64_t work; /* of z3 that is left */
    struct cor_proof *proof;
    struct cor_proof_state state; /* that was found last */
    uint32_t words_known;         /* of the corridor, when z3's process began */
    uint32_t *beyond;             /* owned; the numbers of words beyond, COR_NONE: not named yet */
    uint32_t beyond_count;
    uint8_t *truths; /* owned; of each structure that was found: of each constraint */
    size_t found, truth_capacity;
    uint32_t *assumed, *core; /* owned; room for all constraints and three more */
    uint32_t assumed_count, core_count;
    bool is_core_whole; /* the core needs no bound of sizes */
    struct cor_error *error;
};

static uint32_t assumption(uint32_t what, uint32_t index) {
    return what * SOLVE__ASSUMED + index;
}

static bool is_of_time(const struct prover *p, uint32_t c) {
    return !cor_corridor_is_plain(p->corridor, c);
}

/* ---- structures */

/* A word beyond those of the text gets a name that is new. */
static enum cor_status name_word(struct prover *p, int64_t number, uint32_t *word) {
    if (number < p->words_known) {
        *word = (uint32_t)number;
        return COR_OK;
    }
    const uint32_t index = (uint32_t)number - p->words_known;
    COR_ASSERT(index < p->beyond_count);
    for (uint32_t k = index; p->beyond[index] == COR_NONE; k++) {
        char text[32];
        snprintf(text, sizeof text, "other %u", k + 1);
        if (cor_words_find(&p->corridor->words, text) == COR_NONE)
            COR_TRY(cor_words_intern(&p->corridor->words, text, &p->beyond[index], p->error));
    }
    *word = p->beyond[index];
    return COR_OK;
}

static enum cor_status read_value(struct prover *p, struct cor_bytes_reader *reader,
                                  const struct cor_domain *domain, struct cor_value *value) {
    uint32_t word;
    if (domain->type == COR_VALUE_TYPE_REAL) {
        *value = cor_real(cor_bytes_take_real(reader));
        return COR_OK;
    }
    const int64_t number = (int64_t)cor_bytes_take_number(reader, sizeof number);
    *value = cor_integer(number);
    if (domain->type != COR_VALUE_TYPE_STRING && domain->type != COR_VALUE_TYPE_ENUMERATION)
        return COR_OK;
    COR_TRY(name_word(p, number, &word));
    *value = cor_word(word);
    return COR_OK;
}

static enum cor_status read_lists(struct prover *p, struct cor_bytes_reader *reader, uint32_t agents,
                                  uint32_t organizations) {
    bool members[COR_PROOF_ORGANIZATIONS_MAX][COR_PROOF_AGENTS_MAX];
    for (uint32_t a = 0; a < agents; a++)
        for (uint32_t o = 0; o < organizations; o++)
            members[o][a] = cor_bytes_take_number(reader, sizeof(uint64_t)) != 0;
    for (uint32_t o = 0; o < organizations; o++) {
        uint32_t list[COR_PROOF_AGENTS_MAX], count = 0;
        for (uint32_t a = 0; a < agents; a++)
            if (members[o][a])
                list[count++] = a;
        COR_TRY(cor_lists_put(&p->state.organizations, list, count, p->error));
    }
    for (uint32_t o = 0; o < organizations; o++) {
        const uint64_t parent = cor_bytes_take_number(reader, sizeof parent);
        p->state.parents[o] = parent > 0 ? (uint32_t)parent - 1 : COR_NOBODY;
    }
    return COR_OK;
}

/* Column number `index`, of `count` elements, into the cells from `first` on. */
static enum cor_status read_column(struct prover *p, struct cor_bytes_reader *reader,
                                   const struct cor_domain *domain, size_t index, size_t first,
                                   size_t count) {
    struct cor_proof_state *s = &p->state;
    struct cor_value value;
    s->columns[index] = (struct cor_attribute_values){s->reals + first, s->integers + first, NULL};
    for (size_t i = first; i < first + count; i++) {
        COR_TRY(read_value(p, reader, domain, &value));
        if (value.kind == COR_VALUE_REAL)
            s->reals[i] = value.as.real;
        else
            s->integers[i] = value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer;
    }
    return COR_OK;
}

static enum cor_status read_structure(struct prover *p, const struct solve__proof_reply *reply) {
    const struct cor_corridor *corridor = p->corridor;
    const size_t n = reply->agents, count = reply->organizations, columns = corridor->attribute_count,
                 declared = corridor->organization_attribute_count, cells = columns * n + declared * count;
    struct cor_proof_state *s = &p->state;
    struct cor_bytes_reader reader = cor_bytes_reader(p->message.bytes, p->message.size);
    cor_proof_state_fini(s);
    cor_lists_init(&s->organizations);
    s->parents = cor_calloc(reply->organizations, sizeof *s->parents);
    s->columns = cor_calloc(columns + declared, sizeof *s->columns);
    s->reals = cor_calloc(cells, sizeof *s->reals);
    s->integers = cor_calloc(cells, sizeof *s->integers);
    s->parameters = cor_calloc(corridor->parameter_count, sizeof *s->parameters);
    if (!s->parents || !s->columns || !s->reals || !s->integers || !s->parameters)
        return cor_fail_memory(p->error);
    COR_TRY(read_lists(p, &reader, reply->agents, reply->organizations));
    for (size_t q = 0; q < columns; q++)
        COR_TRY(read_column(p, &reader, &corridor->attributes[q].domain, q, q * n, n));
    for (size_t q = 0; q < declared; q++)
        COR_TRY(read_column(p, &reader, &corridor->organization_attributes[q].domain, columns + q,
                            columns * n + q * count, count));
    for (uint32_t i = 0; i < corridor->parameter_count; i++)
        COR_TRY(read_value(p, &reader, &corridor->parameters[i].domain, &s->parameters[i]));
    s->state = (struct cor_snapshot){.agent_count = reply->agents,
                                     .organizations = &s->organizations,
                                     .parents = cor_structure_nests(corridor->kind) ? s->parents : NULL,
                                     .columns = s->columns,
                                     .parameters = s->parameters,
                                     .organization_columns = s->columns + columns};
    return COR_OK;
}

/* What the judge leaves open by a comparison of numbers that are as good as equal; beside enum cor_truth. */
enum { AT_EDGE = COR_TRUTH_UNKNOWN + 1 };

/* The judge's word about the structure: of each constraint, into the structures that were found; *is_kind:
 * whether it is of its kind, else nothing is kept. */
static enum cor_status judge_structure(struct prover *p, bool *is_kind) {
    struct cor_judgement judgement;
    const size_t count = p->corridor->constraint_count;
    COR_TRY(cor_corridor_judge_look(p->judge, &p->state.state, &judgement, p->error));
    *is_kind = judgement.violation_count == 0;
    if (!*is_kind)
        return COR_OK;
    COR_TRY(COR_RESERVE(&p->truths, &p->truth_capacity, (p->found + 1) * count + 1, p->error));
    for (uint32_t c = 0; c < count; c++) {
        struct cor_unknown unknown = {.is_close = false};
        enum cor_truth truth = COR_TRUTH_UNKNOWN;
        if (!is_of_time(p, c))
            truth = cor_corridor_ask_with_edge(p->judge, c, &unknown);
        p->truths[p->found * count + c] =
            truth == COR_TRUTH_UNKNOWN && unknown.is_close ? AT_EDGE : (uint8_t)truth;
    }
    p->found++;
    return COR_OK;
}

/* Whether all that is assumed of constraints is so in a structure that was found; at the edge, whether it was
 * found for that: z3 reckons exactly. */
static bool agrees(const struct prover *p, size_t structure, bool was_sought) {
    for (uint32_t i = 0; i < p->assumed_count; i++) {
        const uint32_t what = p->assumed[i] / SOLVE__ASSUMED;
        const uint8_t truth =
            what <= SOLVE__VIOLATED
                ? p->truths[structure * p->corridor->constraint_count + p->assumed[i] % SOLVE__ASSUMED]
                : COR_TRUTH_UNKNOWN;
        if (truth == AT_EDGE && was_sought)
            continue;
        if (truth == AT_EDGE || (what == SOLVE__HOLDS && truth != COR_TRUTH_TRUE) ||
            (what == SOLVE__FAILS && truth == COR_TRUTH_TRUE) ||
            (what == SOLVE__VIOLATED && truth != COR_TRUTH_FALSE))
            return false;
    }
    return true;
}

/* ---- questions */

/* A question to the task's process, which is started; the answer is in the message, behind its head. */
static enum cor_status proof_ask(struct solve__process *process, const struct solve__proof_task *task,
                                 const uint32_t *assumed, uint32_t count, uint32_t work,
                                 struct cor_bytes *message, struct solve__proof_reply *reply,
                                 struct cor_error *error) {
    const struct solve__proof_request request = {work, count};
    *reply = (struct solve__proof_reply){.answer = COR_ANSWER_UNDECIDED, .work = work};
    if (process->is_cut)
        return COR_OK;
    COR_TRY(solve__process_start(process, solve__serve_proofs, task, error));
    cor_bytes_clear(message);
    cor_bytes_put(message, &request, sizeof request);
    cor_bytes_put(message, assumed, count * sizeof *assumed);
    if (message->status != COR_OK)
        return cor_fail_memory(error);
    struct cor_error why = COR_NO_ERROR;
    enum cor_status status = solve__process_ask(process, message->bytes, message->size, &reply->head,
                                                sizeof *reply, message, &why);
    if (process->is_cut)
        *reply = (struct solve__proof_reply){.answer = COR_ANSWER_UNDECIDED, .work = work};
    else if (status != COR_OK && error)
        *error = why;
    return process->is_cut ? COR_OK : status;
}

/* Where no work is left, or the text is too big to be asked about, nothing is asked: it is undecided. */
static enum cor_status exchange(struct prover *p, uint32_t count, struct solve__proof_reply *reply) {
    *reply = (struct solve__proof_reply){.answer = COR_ANSWER_UNDECIDED};
    if (p->work == 0)
        return COR_OK;
    p->proof->asked++;
    if (p->task.bounds.doing) {
        char text[96];
        snprintf(text, sizeof text, "question %llu, %.0f %% of the work that z3 may do is done",
                 (unsigned long long)p->proof->asked, 100 - 100 * (double)p->work / (double)SOLVE__WORK_ALL);
        p->task.bounds.doing(text);
    }
    const uint32_t most = p->work < SOLVE__WORK_QUESTION ? (uint32_t)p->work : SOLVE__WORK_QUESTION;
    COR_TRY(proof_ask(&p->process, &p->task, p->assumed, count, most, &p->message, reply, p->error));
    p->work -= reply->work < p->work ? reply->work : p->work;
    if (!p->process.is_cut || p->task.without_algebra)
        return COR_OK;
    p->task.without_algebra = true; /* another process, for this question and the rest */
    p->process = (struct solve__process){.pid = 0};
    struct solve__proof_reply first;
    COR_TRY(proof_ask(&p->process, &p->task, NULL, 0, 0, &p->message, &first, p->error));
    return count == 0 ? COR_OK : exchange(p, count, reply);
}

/* z3, about what is assumed and structures that are not larger. SATISFIABLE is what the judge confirms; where
 * he does not, once more with numbers that nothing rounds. */
static enum cor_status ask_z3(struct prover *p, uint32_t agents, uint32_t organizations,
                              enum cor_answer *answer) {
    const uint32_t own = p->assumed_count;
    uint32_t count = own;
    if (agents < p->task.bounds.agents_high)
        p->assumed[count++] = assumption(SOLVE__AGENTS, agents);
    if (organizations < p->task.bounds.organizations_high)
        p->assumed[count++] = assumption(SOLVE__ORGANIZATIONS, organizations);
    for (int on_grid = 0; on_grid < 2; on_grid++) {
        struct solve__proof_reply reply;
        if (on_grid)
            p->assumed[count++] = assumption(SOLVE__GRID, 0);
        COR_TRY(exchange(p, count, &reply));
        *answer = on_grid && reply.answer == COR_ANSWER_EMPTY ? COR_ANSWER_UNDECIDED : reply.answer;
        if (*answer == COR_ANSWER_EMPTY) {
            p->core_count = 0;
            p->is_core_whole = true;
            for (uint32_t i = 0; i < reply.core_count; i++) {
                uint32_t assumed;
                memcpy(&assumed, p->message.bytes + i * sizeof assumed, sizeof assumed);
                const bool is_size = assumed / SOLVE__ASSUMED >= SOLVE__AGENTS;
                p->is_core_whole = p->is_core_whole && !is_size;
                if (!is_size)
                    p->core[p->core_count++] = assumed;
            }
        }
        if (*answer != COR_ANSWER_SATISFIABLE)
            return COR_OK;
        bool is_kind;
        COR_TRY(read_structure(p, &reply));
        COR_TRY(judge_structure(p, &is_kind));
        if (is_kind && agrees(p, p->found - 1, true))
            return COR_OK;
    }
    *answer = COR_ANSWER_UNDECIDED;
    return COR_OK;
}

/* Can what is assumed hold within the bounds? From the small end on; EMPTY: `core` has what was needed. */
static enum cor_status decide(struct prover *p, enum cor_answer *answer) {
    const struct cor_proof_bounds *b = &p->task.bounds;
    uint32_t agents = b->agents_low, organizations = b->organizations_low;
    for (uint32_t step = 1;; step *= 2) {
        COR_TRY(ask_z3(p, agents, organizations, answer));
        if (*answer == COR_ANSWER_SATISFIABLE || (*answer == COR_ANSWER_EMPTY && p->is_core_whole) ||
            (agents == b->agents_high && organizations == b->organizations_high))
            return COR_OK;
        agents = b->agents_high - agents > step ? agents + step : b->agents_high;
        organizations =
            b->organizations_high - organizations > step ? organizations + step : b->organizations_high;
    }
}

/* The same, but if a structure that was found says so there is nothing to ask. */
static enum cor_status decide_again(struct prover *p, enum cor_answer *answer) {
    bool has_premise = false;
    for (uint32_t i = 0; i < p->assumed_count; i++)
        has_premise = has_premise || p->assumed[i] / SOLVE__ASSUMED == SOLVE__PREMISE;
    for (size_t s = 0; s < p->found && !has_premise; s++)
        if (agrees(p, s, false)) {
            *answer = COR_ANSWER_SATISFIABLE;
            return COR_OK;
        }
    return decide(p, answer);
}

static void assume(struct prover *p, uint32_t what, uint32_t index) {
    p->assumed[p->assumed_count++] = assumption(what, index);
}

/* Assumes all constraints that are not left out, but `but`. */
static void assume_others(struct prover *p, uint32_t but) {
    p->assumed_count = 0;
    for (uint32_t c = 0; c < p->corridor->constraint_count; c++)
        if (c != but && !is_of_time(p, c) && !(p->left_out && p->left_out[c]))
            assume(p, SOLVE__HOLDS, c);
}

/* The core of the last refutation, which can go on without any of its constraints that hold only if that
 * cannot be refuted, too; ascending. `fails` is no part of it, COR_NONE: there is none. */
static enum cor_status shrink_core(struct prover *p, uint32_t fails, uint32_t **kept, uint32_t *kept_count) {
    uint32_t *set = cor_calloc(p->core_count + 1, sizeof *set), count = 0;
    COR_TRY(cor_made(set, p->error));
    for (uint32_t i = 0; i < p->core_count; i++)
        if (p->core[i] / SOLVE__ASSUMED == SOLVE__HOLDS)
            set[count++] = p->core[i] % SOLVE__ASSUMED;
    enum cor_status status = COR_OK;
    for (uint32_t i = count; i-- > 0;) { /* later lines go first */
        enum cor_answer answer;
        p->assumed_count = 0;
        for (uint32_t k = 0; k < count; k++)
            if (k != i)
                assume(p, SOLVE__HOLDS, set[k]);
        if (fails != COR_NONE)
            assume(p, SOLVE__FAILS, fails);
        status = decide_again(p, &answer);
        if (status != COR_OK)
            break;
        if (answer == COR_ANSWER_EMPTY)
            memmove(set + i, set + i + 1, (--count - i) * sizeof *set);
    }
    *kept = set;
    *kept_count = count;
    return status;
}

/* ---- what is asked */

static enum cor_status prove_whole(struct prover *p) {
    struct cor_proof *proof = p->proof;
    assume_others(p, COR_NONE);
    COR_TRY(decide(p, &proof->answer));
    if (proof->answer == COR_ANSWER_SATISFIABLE) {
        proof->example = p->state;
        proof->example.state.organizations = &proof->example.organizations;
        proof->has_example = true;
        p->state = (struct cor_proof_state){.parents = NULL};
    }
    if (proof->answer == COR_ANSWER_EMPTY)
        return shrink_core(p, COR_NONE, &proof->conflict, &proof->conflict_count);
    return COR_OK;
}

static enum cor_status ask_one(struct prover *p, uint32_t what, uint32_t index,
                               enum cor_certainty *certainty) {
    enum cor_answer answer;
    p->assumed_count = 0;
    assume(p, what, index);
    COR_TRY(decide_again(p, &answer));
    *certainty = answer == COR_ANSWER_SATISFIABLE ? COR_CERTAIN_YES
                 : answer == COR_ANSWER_EMPTY     ? COR_CERTAIN_NO
                                                  : COR_UNCERTAIN;
    return COR_OK;
}

/* Whether d alone has c hold wherever it holds. */
static enum cor_status ask_implied(struct prover *p, uint32_t d, uint32_t c, enum cor_certainty *certainty) {
    enum cor_answer answer;
    p->assumed_count = 0;
    assume(p, SOLVE__HOLDS, d);
    assume(p, SOLVE__FAILS, c);
    COR_TRY(decide_again(p, &answer));
    *certainty = answer == COR_ANSWER_UNDECIDED ? COR_UNCERTAIN
                 : answer == COR_ANSWER_EMPTY   ? COR_CERTAIN_YES
                                                : COR_CERTAIN_NO;
    return COR_OK;
}

static enum cor_status prove_implied(struct prover *p, uint32_t c) {
    struct cor_proof_constraint *found = &p->proof->constraints[c];
    enum cor_answer others = COR_ANSWER_SATISFIABLE, answer;
    if (p->proof->answer != COR_ANSWER_SATISFIABLE) {
        assume_others(p, c);
        COR_TRY(decide_again(p, &others));
    }
    found->is_implied = COR_UNCERTAIN;
    if (others == COR_ANSWER_UNDECIDED)
        return COR_OK;
    if (others == COR_ANSWER_EMPTY) {
        enum cor_certainty fails;
        COR_TRY(ask_one(p, SOLVE__FAILS, c, &fails));
        if (fails != COR_CERTAIN_NO) {
            /* By one constraint alone, which can hold. */
            found->is_implied = COR_CERTAIN_NO;
            for (uint32_t d = 0; d < p->corridor->constraint_count; d++) {
                enum cor_certainty implied;
                if (d == c || is_of_time(p, d) || p->proof->constraints[d].satisfiable == COR_CERTAIN_NO)
                    continue;
                COR_TRY(ask_implied(p, d, c, &implied));
                if (implied == COR_CERTAIN_YES && p->proof->constraints[d].satisfiable == COR_CERTAIN_YES) {
                    found->is_implied = COR_CERTAIN_YES;
                    found->implied_by = cor_calloc(1, sizeof *found->implied_by);
                    COR_TRY(cor_made(found->implied_by, p->error));
                    *found->implied_by = d;
                    found->implied_count = 1;
                    return COR_OK;
                }
                if (implied != COR_CERTAIN_NO)
                    found->is_implied = COR_UNCERTAIN;
            }
            return COR_OK;
        }
        found->is_implied = COR_CERTAIN_YES; /* it always holds */
        return COR_OK;
    }
    assume_others(p, c);
    assume(p, SOLVE__FAILS, c);
    COR_TRY(decide_again(p, &answer));
    if (answer == COR_ANSWER_SATISFIABLE)
        found->is_implied = COR_CERTAIN_NO;
    if (answer != COR_ANSWER_EMPTY)
        return COR_OK;
    found->is_implied = COR_CERTAIN_YES;
    return shrink_core(p, c, &found->implied_by, &found->implied_count);
}

static enum cor_status prove_equivalent(struct prover *p, uint32_t a, uint32_t b) {
    struct cor_proof *proof = p->proof;
    enum cor_certainty one, other;
    if (proof->constraints[a].satisfiable != COR_CERTAIN_YES ||
        proof->constraints[b].satisfiable != COR_CERTAIN_YES) {
        proof->equivalent_open += proof->constraints[a].satisfiable != COR_CERTAIN_NO &&
                                  proof->constraints[b].satisfiable != COR_CERTAIN_NO;
        return COR_OK;
    }
    COR_TRY(ask_implied(p, a, b, &one));
    if (one == COR_CERTAIN_NO)
        return COR_OK;
    COR_TRY(ask_implied(p, b, a, &other));
    if (other == COR_CERTAIN_NO)
        return COR_OK;
    if (one != COR_CERTAIN_YES || other != COR_CERTAIN_YES) {
        proof->equivalent_open++;
        return COR_OK;
    }
    COR_TRY(
        COR_RESERVE(&proof->equivalent, &proof->equivalent_capacity, proof->equivalent_count + 1, p->error));
    proof->equivalent[proof->equivalent_count][0] = a;
    proof->equivalent[proof->equivalent_count++][1] = b;
    return COR_OK;
}

/* The first question alone. The process answers the first request by its premises, which nobody asks for. */
static enum cor_status prove_together(struct prover *p) {
    struct solve__proof_reply reply;
    COR_TRY(exchange(p, 0, &reply));
    return prove_whole(p);
}

static enum cor_status prove_all(struct prover *p) {
    struct cor_proof *proof = p->proof;
    const uint32_t count = p->corridor->constraint_count;
    struct solve__proof_reply reply;
    COR_TRY(exchange(p, 0, &reply));
    proof->premises = cor_calloc(reply.premise_count, sizeof *proof->premises);
    COR_TRY(cor_made(proof->premises, p->error));
    for (uint32_t i = 0; i < reply.premise_count; i++) {
        uint32_t both[2];
        memcpy(both, p->message.bytes + i * sizeof both, sizeof both);
        proof->premises[proof->premise_count++] = (struct cor_proof_premise){both[0], both[1], COR_UNCERTAIN};
    }
    COR_TRY(prove_whole(p));
    for (uint32_t c = 0; c < count; c++)
        if (!is_of_time(p, c)) {
            COR_TRY(ask_one(p, SOLVE__HOLDS, c, &proof->constraints[c].satisfiable));
            COR_TRY(ask_one(p, SOLVE__VIOLATED, c, &proof->constraints[c].can_be_violated));
        }
    for (uint32_t c = 0; c < count; c++)
        if (!is_of_time(p, c))
            COR_TRY(prove_implied(p, c));
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            if (!is_of_time(p, a) && !is_of_time(p, b))
                COR_TRY(prove_equivalent(p, a, b));
    for (size_t i = 0; i < proof->premise_count; i++)
        COR_TRY(ask_one(p, SOLVE__PREMISE, (uint32_t)i, &proof->premises[i].can_hold));
    return COR_OK;
}

/* Asks what `ask` asks. */
static enum cor_status prove(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                             const bool *left_out, enum cor_status (*ask)(struct prover *p),
                             struct cor_proof *proof, struct cor_error *error) {
    struct prover p = {.corridor = corridor,
                       .task = {.corridor = corridor, .bounds = *bounds},
                       .left_out = left_out,
                       .work = SOLVE__WORK_ALL,
                       .proof = proof,
                       .words_known = corridor->words.count,
                       .error = error};
    enum cor_status status;
    if (corridor->kind == COR_STRUCTURE_OBSERVED)
        p.task.bounds.organizations_low = p.task.bounds.organizations_high = 0;
    COR_TRY(solve__proof_init(proof, corridor, bounds, error));
    p.beyond_count = solve__words_beyond(corridor, bounds->agents_high);
    p.beyond = cor_calloc(p.beyond_count, sizeof *p.beyond);
    p.assumed = cor_calloc((size_t)corridor->constraint_count + 4, sizeof *p.assumed);
    p.core = cor_calloc((size_t)corridor->constraint_count + 4, sizeof *p.core);
    status = cor_made(p.beyond && p.assumed && p.core ? p.core : NULL, error);
    if (status == COR_OK) {
        memset(p.beyond, 0xFF, p.beyond_count * sizeof *p.beyond);
        status = cor_corridor_judge_create(corridor, &p.judge, error);
    }
    if (status == COR_OK)
        status = ask(&p);
    proof->is_cut = p.task.without_algebra;
    solve__process_end(&p.process);
    cor_corridor_judge_destroy(p.judge);
    cor_proof_state_fini(&p.state);
    cor_bytes_fini(&p.message);
    COR_FREE(p.beyond, p.truths, p.assumed, p.core);
    if (status != COR_OK)
        cor_proof_fini(proof);
    return status;
}

enum cor_status cor_prove(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                          struct cor_proof *proof, struct cor_error *error) {
    return prove(corridor, bounds, NULL, prove_all, proof, error);
}

enum cor_status cor_prove_together(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                                   const bool *left_out, struct cor_proof *proof, struct cor_error *error) {
    return prove(corridor, bounds, left_out, prove_together, proof, error);
}

/* ---- A reason of which no fact can be spared: z3 is asked about each. Where doubles do not tell that all
 * facts are one, which judges by fractions, it is asked that first */

#define PLACES_MAX 96 /* agents times organizations; more is not small */
#define FACTS_MAX 64

static uint32_t assumption_of(const struct cor_fact *fact, const struct solve__proof_task *task) {
    const uint32_t agents = task->state->agent_count;
    const uint32_t place = fact->agent * task->state->organizations->block_count + fact->organization;
    switch (fact->kind) {
    case COR_FACT_MEMBER:
        return SOLVE__MEMBER * SOLVE__ASSUMED + place;
    case COR_FACT_NO_MEMBER:
        return SOLVE__NO_MEMBER * SOLVE__ASSUMED + place;
    case COR_FACT_ATTRIBUTE:
        return SOLVE__ATTRIBUTE * SOLVE__ASSUMED + fact->attribute * agents + fact->agent;
    case COR_FACT_ORGANIZATION_ATTRIBUTE:
        return SOLVE__ORGANIZATION_ATTRIBUTE * SOLVE__ASSUMED +
               fact->attribute * task->state->organizations->block_count + fact->organization;
    default:
        return SOLVE__PARENT * SOLVE__ASSUMED + fact->organization;
    }
}

/* Whether the constraint is violated by the facts without fact *at, too: then it goes, and what the
 * refutation did not need goes along. Moves *at to the next. */
static enum cor_status try_without(struct solve__process *process, const struct solve__proof_task *task,
                                   struct cor_bytes *message, struct cor_reason *reason, size_t *at,
                                   uint64_t *work, enum cor_answer *answer, struct cor_error *error) {
    uint32_t assumed[FACTS_MAX + 1], count = 0;
    const size_t but = (*at)++;
    struct solve__proof_reply reply;
    for (size_t i = 0; i < reason->count; i++)
        if (i != but)
            assumed[count++] = assumption_of(&reason->facts[i], task);
    assumed[count++] = SOLVE__NOT_VIOLATED * SOLVE__ASSUMED + task->constraint;
    *answer = COR_ANSWER_UNDECIDED;
    if (*work == 0)
        return COR_OK;
    const uint32_t most = *work < SOLVE__WORK_QUESTION ? (uint32_t)*work : SOLVE__WORK_QUESTION;
    COR_TRY(proof_ask(process, task, assumed, count, most, message, &reply, error));
    *work -= reply.work < *work ? reply.work : *work;
    *answer = reply.answer;
    if (reply.answer != COR_ANSWER_EMPTY)
        return COR_OK;
    size_t kept = 0;
    for (size_t i = 0; i < reason->count; i++) {
        *at = i == but ? kept : *at;
        for (uint32_t k = 0; k < reply.core_count; k++) {
            uint32_t needed;
            memcpy(&needed, message->bytes + k * sizeof needed, sizeof needed);
            if (i != but && needed == assumption_of(&reason->facts[i], task)) {
                reason->facts[kept++] = reason->facts[i];
                break;
            }
        }
    }
    reason->count = kept;
    return COR_OK;
}

/* Whether the state before is asked, which z3 is not told. */
static bool asks_before(const struct cor_expression *condition) {
    for (uint32_t i = 0; i < condition->node_count; i++)
        if (condition->nodes[i].operator== COR_OPERATOR_BEFORE)
            return true;
    return false;
}

enum cor_status cor_reason_sharpen(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                   uint32_t constraint, struct cor_reason *reason, struct cor_error *error) {
    const uint32_t n = state->agent_count, count = state->organizations->block_count;
    const struct solve__proof_task task = {corridor, {n, n, count, count}, state, constraint};
    struct solve__process process = {.pid = 0};
    struct cor_bytes message = {.bytes = NULL};
    struct solve__proof_reply reply;
    enum cor_status status = COR_OK;
    bool all_decided = true;
    uint64_t work = SOLVE__WORK_ALL;
    if (!cor_corridor_is_plain(corridor, constraint) || n > COR_PROOF_AGENTS_MAX ||
        count > COR_PROOF_ORGANIZATIONS_MAX || n * count > PLACES_MAX || reason->count > FACTS_MAX ||
        corridor->attribute_count * n >= SOLVE__ASSUMED ||
        corridor->organization_attribute_count * count >= SOLVE__ASSUMED ||
        asks_before(&corridor->constraints[constraint].condition))
        return COR_OK;
    COR_TRY_OUT(proof_ask(&process, &task, NULL, 0, 0, &message, &reply, error));
    enum cor_answer answer;
    if (!reason->is_there) {
        size_t none = reason->count;
        COR_TRY_OUT(try_without(&process, &task, &message, reason, &none, &work, &answer, error));
        reason->is_there = answer == COR_ANSWER_EMPTY;
    }
    for (size_t i = 0; i < reason->count && reason->is_there;) {
        COR_TRY_OUT(try_without(&process, &task, &message, reason, &i, &work, &answer, error));
        all_decided = all_decided && answer != COR_ANSWER_UNDECIDED;
    }
    reason->is_minimal = all_decided;
out:
    solve__process_end(&process);
    cor_bytes_fini(&message);
    return status;
}
