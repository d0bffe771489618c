/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The agent of stock_manager.json as a C module: the same plans, written as functions. Its faults are those
 * of stock_manager_faults.json. */
#include <corridor/aut.h>

struct agent;

enum outcome { COMPLETED, FAILED, STOPPED }; /* STOPPED: the host has said 0 */

/* A plan and how it is written: a context of NULL always holds. */
struct plan {
    const char *name, *event;
    int (*context)(const struct agent *agent);
    enum outcome (*body)(struct agent *agent);
};

enum { PLAN_COUNT = 12, PLANS_CHANGED = 2 };

/* Plans that stand in for those of their name; with an event of NULL, the plan is missing. */
struct change {
    struct plan plans[PLANS_CHANGED];
};

/* What the event in hand says; which of it depends on the event. */
struct arguments {
    int64_t book, number, order, days;
    int urgent;
    const char *supplier;
};

struct agent {
    const struct cor_aut_host *host;
    int64_t book; /* of the row of the stock that is meant when no event says which */
    int64_t level, reorder_level, reliability, bounces, attempts;
    struct plan plans[PLAN_COUNT];
    struct arguments in; /* the event in hand */
    const char *at_work; /* the plan in hand */
};

/* A step: what follows is done unless the limit is reached. */
#define STEP(agent)                              \
    do {                                         \
        if (!(agent)->host->step((agent)->host)) \
            return STOPPED;                      \
    } while (0)
#define TRY(call)                     \
    do {                              \
        enum outcome tried_ = (call); \
        if (tried_ != COMPLETED)      \
            return tried_;            \
    } while (0)
#define SAID(call) ((call) ? COMPLETED : STOPPED)

/* Has the first applicable plan of the event handle it, and when it fails the next. */
static enum outcome handle(struct agent *agent, const char *event, struct arguments in) {
    const struct arguments in_before = agent->in;
    const char *at_work_before = agent->at_work;
    int holds[PLAN_COUNT] = {0};
    agent->in = in;
    for (int i = 0; i < PLAN_COUNT; i++) {
        const struct plan *plan = &agent->plans[i];
        if (!plan->event || strcmp(plan->event, event) != 0)
            continue;
        holds[i] = !plan->context || plan->context(agent);
        if (!agent->host->context(agent->host, plan->name, holds[i]))
            return STOPPED;
    }
    enum outcome outcome = FAILED;
    for (int i = 0; i < PLAN_COUNT && outcome == FAILED; i++) {
        const struct plan *plan = &agent->plans[i];
        if (!holds[i])
            continue;
        agent->at_work = plan->name;
        if (!agent->host->started(agent->host, plan->name))
            return STOPPED;
        outcome = plan->body(agent);
        if (outcome == STOPPED || !agent->host->ended(agent->host, plan->name, outcome == COMPLETED))
            return STOPPED;
    }
    agent->in = in_before;
    agent->at_work = at_work_before;
    return outcome;
}

static enum outcome send(struct agent *agent, const char *message) {
    STEP(agent);
    return SAID(agent->host->sent(agent->host, agent->at_work, message));
}

static enum outcome write(struct agent *agent, const char *belief, const char *field, int64_t value) {
    struct cor_aut_value written = cor_aut_integer(NULL, value);
    return SAID(agent->host->wrote(agent->host, agent->at_work, belief, field, &written));
}

/* Posts what the plan at work says, and waits for it. */
static enum outcome post(struct agent *agent, const char *event, struct arguments out,
                         const struct cor_aut_value *values, uint32_t count) {
    if (!agent->host->posted(agent->host, agent->at_work, event, values, count))
        return STOPPED;
    return handle(agent, event, out);
}

static enum outcome decide_supplier(struct agent *agent, int64_t book, int64_t number) {
    STEP(agent);
    const struct cor_aut_value values[] = {cor_aut_integer("BookID", book),
                                           cor_aut_integer("NumberOrdered", number)};
    return post(agent, "Decide_supplier", (struct arguments){.book = book, .number = number}, values, 2);
}

static enum outcome order_stock(struct agent *agent, int64_t book, int64_t number, const char *supplier) {
    STEP(agent);
    const struct cor_aut_value values[] = {cor_aut_integer("BookID", book),
                                           cor_aut_integer("NumberOrdered", number),
                                           cor_aut_word("Supplier", supplier)};
    return post(agent, "Order_stock",
                (struct arguments){.book = book, .number = number, .supplier = supplier}, values, 3);
}

static enum outcome order_bounced(struct agent *agent) {
    STEP(agent);
    const struct cor_aut_value values[] = {cor_aut_integer("BookID", agent->in.book),
                                           cor_aut_integer("NumberOrdered", agent->in.number)};
    enum outcome outcome = post(agent, "Order_bounced", agent->in, values, 2);
    return outcome == STOPPED ? STOPPED : COMPLETED; /* nobody need handle it */
}

static enum outcome no_stock(struct agent *agent, int64_t book, int64_t number, int urgent) {
    STEP(agent);
    const struct cor_aut_value values[] = {cor_aut_integer("BookID", book),
                                           cor_aut_integer("NumberOrdered", number),
                                           cor_aut_integer("Urgent", urgent)};
    return post(agent, "No_stock", (struct arguments){.book = book, .number = number, .urgent = urgent},
                values, 3);
}

/* Writes the level of the row in hand; where it is low then, the rule of the belief set posts. */
static enum outcome set_level(struct agent *agent, int64_t level, int64_t book) {
    agent->level = level;
    TRY(write(agent, "stock", "Level", level));
    if (level >= agent->reorder_level)
        return COMPLETED;
    struct cor_aut_value low = cor_aut_integer("BookID", book);
    return SAID(agent->host->posted(agent->host, NULL, "Stock_low", &low, 1));
}

static enum outcome close_order(struct agent *agent) {
    STEP(agent);
    return write(agent, "orders", "Open", 0);
}

/* The plans. */

static int is_sensible(const struct agent *agent) {
    return agent->in.number > 0 && agent->in.book >= 0;
}

static int can_supply(const struct agent *agent) {
    return agent->level >= agent->in.number && is_sensible(agent);
}

static enum outcome supply_from_stock(struct agent *agent) {
    int64_t left;
    STEP(agent);
    if (__builtin_sub_overflow(agent->level, agent->in.number, &left))
        return FAILED;
    TRY(set_level(agent, left, agent->in.book));
    return send(agent, "Book_available");
}

static int cannot_supply(const struct agent *agent) {
    return agent->level < agent->in.number && is_sensible(agent);
}

static enum outcome supply_out_of_stock(struct agent *agent) {
    return no_stock(agent, agent->in.book, agent->in.number, agent->in.urgent);
}

static enum outcome respond(struct agent *agent, int decide) {
    if (decide)
        TRY(decide_supplier(agent, agent->in.book, agent->in.number));
    else
        TRY(order_stock(agent, agent->in.book, agent->in.number, "Amazon"));
    return send(agent, "Stock_delay_info");
}

static enum outcome out_of_stock_response(struct agent *agent) {
    STEP(agent);
    return respond(agent, agent->in.urgent && agent->in.number < 100);
}

static int is_reliable(const struct agent *agent) {
    return agent->reliability >= 50;
}

static enum outcome choose_preferred_supplier(struct agent *agent) {
    return order_stock(agent, agent->in.book, agent->in.number, "Amazon");
}

static int is_unreliable(const struct agent *agent) {
    return agent->reliability < 50;
}

static enum outcome choose_alternative_supplier(struct agent *agent) {
    return order_stock(agent, agent->in.book, agent->in.number, "Powells");
}

static enum outcome email(struct agent *agent) {
    STEP(agent);
    return SAID(agent->host->did(agent->host, agent->at_work, "Email_stock_order"));
}

static enum outcome retry_if_bounced(struct agent *agent) {
    STEP(agent);
    if (agent->bounces <= 0)
        return COMPLETED;
    STEP(agent);
    agent->bounces--;
    TRY(write(agent, "mail", "Bounces", agent->bounces));
    return order_bounced(agent);
}

static enum outcome place_stock_order(struct agent *agent) {
    TRY(email(agent));
    return retry_if_bounced(agent);
}

static int may_retry(const struct agent *agent) {
    return agent->attempts < 3 && agent->attempts >= 0;
}

static enum outcome retry_other_supplier(struct agent *agent) {
    STEP(agent);
    agent->attempts++; /* at most 3: may_retry */
    TRY(write(agent, "mail", "Attempts", agent->attempts));
    return decide_supplier(agent, agent->in.book, agent->in.number);
}

static int is_book(const struct agent *agent) {
    return agent->in.book >= 0;
}

static enum outcome regular_order(struct agent *agent) {
    return order_stock(agent, agent->in.book, 50, "Amazon");
}

static int has_arrived(const struct agent *agent) {
    return agent->in.order >= 0 && agent->in.number > 0;
}

static enum outcome add_to_stock(struct agent *agent) {
    int64_t level;
    STEP(agent);
    if (__builtin_add_overflow(agent->level, agent->in.number, &level))
        return FAILED;
    return set_level(agent, level, agent->book);
}

static enum outcome log_books_arriving(struct agent *agent) {
    TRY(add_to_stock(agent));
    return close_order(agent);
}

static int is_order(const struct agent *agent) {
    return agent->in.order >= 0;
}

static enum outcome reorder(struct agent *agent) {
    return no_stock(agent, 1, 10, 1);
}

static enum outcome chase_failed_order(struct agent *agent) {
    TRY(close_order(agent));
    return reorder(agent);
}

static int is_short_delay(const struct agent *agent) {
    return is_order(agent) && agent->in.days > 0 && agent->in.days <= 7;
}

static enum outcome accept_delay(struct agent *agent) {
    return send(agent, "Stock_delay_info");
}

static int is_long_delay(const struct agent *agent) {
    return is_order(agent) && agent->in.days > 7;
}

static const struct plan plans[PLAN_COUNT] = {
    {"Supply_from_stock", "Book_required", can_supply, supply_from_stock},
    {"Supply_out_of_stock", "Book_required", cannot_supply, supply_out_of_stock},
    {"Out_of_stock_response", "No_stock", is_sensible, out_of_stock_response},
    {"Choose_preferred_supplier", "Decide_supplier", is_reliable, choose_preferred_supplier},
    {"Choose_alternative_supplier", "Decide_supplier", is_unreliable, choose_alternative_supplier},
    {"Place_stock_order", "Order_stock", NULL, place_stock_order},
    {"Retry_other_supplier", "Order_bounced", may_retry, retry_other_supplier},
    {"Regular_order", "Stock_low", is_book, regular_order},
    {"Log_books_arriving", "Stock_arrival", has_arrived, log_books_arriving},
    {"Chase_failed_order", "Failed_stock_arrival", is_order, chase_failed_order},
    {"Accept_delay", "Stock_order_delay", is_short_delay, accept_delay},
    {"Reorder_after_delay", "Stock_order_delay", is_long_delay, reorder},
};

/* The plans as faults have them. */

static enum outcome m1_wrong_guard(struct agent *agent) {
    STEP(agent);
    return respond(agent, agent->in.urgent && agent->in.number < 0);
}

static int m3_never(const struct agent *agent) {
    return !is_book(agent) && agent->in.book > 0;
}

static enum outcome m5_loop(struct agent *agent) {
    for (;;)
        STEP(agent);
}

static enum outcome m6_fail(struct agent *agent) {
    TRY(supply_from_stock(agent));
    STEP(agent);
    return FAILED;
}

static int m7_gap(const struct agent *agent) {
    return is_short_delay(agent) && agent->in.days < 7;
}

static int m8_overlap(const struct agent *agent) {
    return is_order(agent) && agent->in.days >= 7;
}

static enum outcome m9_post_more(struct agent *agent) {
    TRY(log_books_arriving(agent));
    return no_stock(agent, 1, 1, 1);
}

static int m10_always_retry(const struct agent *agent) {
    return agent->attempts >= 0;
}

static enum outcome m10_retry(struct agent *agent) {
    return decide_supplier(agent, agent->in.book, agent->in.number);
}

static enum outcome m10_place(struct agent *agent) {
    TRY(email(agent));
    STEP(agent);
    return agent->bounces > 0 ? order_bounced(agent) : COMPLETED;
}

static enum outcome m13_order_none(struct agent *agent) {
    return order_stock(agent, agent->in.book, 0, "Amazon");
}

static enum outcome m14_nothing(struct agent *agent) {
    (void)agent;
    return COMPLETED;
}

static enum outcome m17_write_more(struct agent *agent) {
    TRY(accept_delay(agent));
    STEP(agent);
    return set_level(agent, 0, agent->book);
}

static enum outcome m19_send_more(struct agent *agent) {
    TRY(regular_order(agent));
    return send(agent, "Stock_delay_info");
}

#define HANDLES(response, response_handles, order_handles)                                            \
    {                                                                                                 \
        {"Supply_from_stock", "Book_required"}, {"Supply_out_of_stock", "Book_required"},             \
            {response, response_handles}, {"Choose_preferred_supplier", "Decide_supplier"},           \
            {"Choose_alternative_supplier", "Decide_supplier"}, {"Place_stock_order", "Order_stock"}, \
            {"Retry_other_supplier", "Order_bounced"}, {"Regular_order", order_handles},              \
            {"Log_books_arriving", "Stock_arrival"}, {"Chase_failed_order", "Failed_stock_arrival"},  \
            {"Accept_delay", "Stock_order_delay"}, {"Reorder_after_delay", "Stock_order_delay"}, {    \
            0                                                                                         \
        }                                                                                             \
    }
static const struct cor_aut_handle handles[] = HANDLES("Out_of_stock_response", "No_stock", "Stock_low");
static const struct cor_aut_handle m2_handles[] = HANDLES("Out_of_stock_response", "No_stock", "Stock_lo");
static const struct cor_aut_handle m16_handles[] =
    HANDLES("Shelved", "No_stock", "Stock_low"); /* no plan of the design */

static const struct cor_aut_fault faults[] = {
    {"M1", "the paper's: guard NumberOrdered < 0", NULL},
    {"M2", "listens to a misspelt event", m2_handles},
    {"M3", "context unsatisfiable", NULL},
    {"M4", "context dropped", NULL},
    {"M5", "loops", NULL},
    {"M6", "fails at the end", NULL},
    {"M7", "gap at 7", NULL},
    {"M8", "overlap at 7", NULL},
    {"M9", "posts what the design does not list", NULL},
    {"M10", "retries without end, bounces not used up", NULL},
    {"M11", "never posts Order_bounced", NULL},
    {"M12", "always applicable", NULL},
    {"M13", "orders 0 copies", NULL},
    {"M14", "forgets its message", NULL},
    {"M15", "forgets orders.Open", NULL},
    {"M16", "plan missing", m16_handles},
    {"M17", "writes a belief it must not", NULL},
    {"M18", "never mails the order", NULL},
    {"M19", "sends a message it must not", NULL},
    {0},
};

/* Row by row those of `faults`. */
static const struct change changes[] = {
    {{{"Out_of_stock_response", "No_stock", is_sensible, m1_wrong_guard}}},
    {{{"Regular_order", "Stock_lo", is_book, regular_order}}},
    {{{"Out_of_stock_response", "No_stock", m3_never, out_of_stock_response}}},
    {{{"Log_books_arriving", "Stock_arrival", NULL, log_books_arriving}}},
    {{{"Log_books_arriving", "Stock_arrival", has_arrived, m5_loop}}},
    {{{"Supply_from_stock", "Book_required", can_supply, m6_fail}}},
    {{{"Accept_delay", "Stock_order_delay", m7_gap, accept_delay}}},
    {{{"Reorder_after_delay", "Stock_order_delay", m8_overlap, reorder}}},
    {{{"Log_books_arriving", "Stock_arrival", has_arrived, m9_post_more}}},
    {{{"Retry_other_supplier", "Order_bounced", m10_always_retry, m10_retry},
      {"Place_stock_order", "Order_stock", NULL, m10_place}}},
    {{{"Place_stock_order", "Order_stock", NULL, email}}},
    {{{"Choose_preferred_supplier", "Decide_supplier", NULL, choose_preferred_supplier}}},
    {{{"Regular_order", "Stock_low", is_book, m13_order_none}}},
    {{{"Accept_delay", "Stock_order_delay", is_short_delay, m14_nothing}}},
    {{{"Log_books_arriving", "Stock_arrival", has_arrived, add_to_stock}}},
    {{{"Out_of_stock_response", NULL, is_sensible, out_of_stock_response}}},
    {{{"Accept_delay", "Stock_order_delay", is_short_delay, m17_write_more}}},
    {{{"Place_stock_order", "Order_stock", NULL, retry_if_bounced}}},
    {{{"Regular_order", "Stock_low", is_book, m19_send_more}}},
};

static int64_t integer(const struct cor_aut_value *values, uint32_t count, const char *name) {
    const struct cor_aut_value *value = cor_aut_find(values, count, name);
    return value && value->kind == COR_AUT_INTEGER ? value->as.integer : 0;
}

static int run(void *state, const struct cor_aut_case *asked, const struct cor_aut_host *host) {
    struct agent *agent = state;
    agent->host = host;
    agent->book = integer(asked->beliefs, asked->belief_count, "stock.BookID");
    agent->level = integer(asked->beliefs, asked->belief_count, "stock.Level");
    agent->reorder_level = integer(asked->beliefs, asked->belief_count, "stock.ReorderLevel");
    agent->reliability = integer(asked->beliefs, asked->belief_count, "supplier.Reliability");
    agent->bounces = integer(asked->beliefs, asked->belief_count, "mail.Bounces");
    agent->attempts = integer(asked->beliefs, asked->belief_count, "mail.Attempts");
    memcpy(agent->plans, plans, sizeof plans);
    for (int c = 0; asked->fault > 0 && c < PLANS_CHANGED; c++)
        for (int i = 0; i < PLAN_COUNT && changes[asked->fault - 1].plans[c].name; i++)
            if (strcmp(agent->plans[i].name, changes[asked->fault - 1].plans[c].name) == 0)
                agent->plans[i] = changes[asked->fault - 1].plans[c];
    const struct cor_aut_value *values = asked->arguments, *supplier;
    uint32_t count = asked->argument_count;
    struct arguments in = {.book = integer(values, count, "BookID"),
                           .number = integer(values, count, "NumberOrdered"),
                           .order = integer(values, count, "StockOrderID"),
                           .days = integer(values, count, "DelayDays"),
                           .urgent = integer(values, count, "Urgent") != 0};
    if (cor_aut_find(values, count, "NumberArrived"))
        in.number = integer(values, count, "NumberArrived");
    supplier = cor_aut_find(values, count, "Supplier");
    in.supplier = supplier && supplier->kind == COR_AUT_WORD ? supplier->as.word : NULL;
    return handle(agent, asked->event, in) == STOPPED;
}

COR_EXPORT extern const struct cor_aut corridor_aut_1;
const struct cor_aut corridor_aut_1 = {COR_AUT,
                                       .name = "Stock_Manager",
                                       .version = "1.0",
                                       .summary = "the agent of stock_manager.json, in C",
                                       .handles = handles,
                                       .faults = faults,
                                       .state_size = sizeof(struct agent),
                                       .run = run};
