/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Book Shelf of book_shelf.json as a module: rows of a relation come with the case, and are inserted and
 * removed (corridor/aut.h). */
#include <corridor/aut.h>

enum { WRONG_ROW = 1, REMOVE_FORGOTTEN = 2 };

static int64_t integer(const struct cor_aut_value *values, uint32_t count, const char *name) {
    const struct cor_aut_value *value = cor_aut_find(values, count, name);
    return value ? value->as.integer : 0;
}

/* Is there a row of the book? Its copies. */
static int find_book(const struct cor_aut_case *asked, int64_t book, int64_t *copies) {
    for (uint32_t r = 0; r < asked->row_count; r++)
        if (strcmp(asked->rows[r].belief, "shelf") == 0 &&
            integer(asked->rows[r].values, asked->rows[r].count, "Book") == book) {
            *copies = integer(asked->rows[r].values, asked->rows[r].count, "Copies");
            return 1;
        }
    return 0;
}

static int insert(const struct cor_aut_host *host, const char *plan, int64_t book, int64_t copies) {
    const struct cor_aut_value row[] = {cor_aut_integer("Copies", copies), cor_aut_integer("Book", book)};
    return host->step(host) && host->inserted(host, plan, "shelf", row, 2);
}

static int write_copies(const struct cor_aut_host *host, const char *plan, int64_t copies) {
    const struct cor_aut_value value = cor_aut_integer(NULL, copies);
    return host->step(host) && host->wrote(host, plan, "shelf", "Copies", &value);
}

static int arrive(const struct cor_aut_case *asked, const struct cor_aut_host *host, int64_t book, int there,
                  int64_t copies) {
    const int64_t number = integer(asked->arguments, asked->argument_count, "Number");
    const int adds = number > 0 && there, begins = number > 0 && !there;
    if (!host->context(host, "Add", adds) || !host->context(host, "Begin", begins))
        return 0;
    if (adds)
        return host->started(host, "Add") &&
               (asked->fault == WRONG_ROW ? insert(host, "Add", book + 1, copies + number)
                                          : write_copies(host, "Add", copies + number)) &&
               host->ended(host, "Add", 1);
    return !begins ||
           (host->started(host, "Begin") && host->step(host) &&
            (asked->row_count < 2 || (host->step(host) && host->sent(host, "Begin", "ShelfFull"))) &&
            insert(host, "Begin", book, number) && host->ended(host, "Begin", 1));
}

static int sell(const struct cor_aut_case *asked, const struct cor_aut_host *host, int64_t book, int there,
                int64_t copies) {
    const struct cor_aut_value key = cor_aut_integer("Book", book);
    if (!host->context(host, "Sell", there) || !host->context(host, "Regret", !there))
        return 0;
    if (!there)
        return host->started(host, "Regret") && host->step(host) && host->sent(host, "Regret", "SoldOut") &&
               host->ended(host, "Regret", 1);
    return host->started(host, "Sell") && host->step(host) && host->did(host, "Sell", "Hand over") &&
           (copies > 1 || asked->fault == REMOVE_FORGOTTEN
                ? write_copies(host, "Sell", copies - 1)
                : host->step(host) && host->removed(host, "Sell", "shelf", &key, 1)) &&
           host->ended(host, "Sell", 1);
}

static int run(void *state, const struct cor_aut_case *asked, const struct cor_aut_host *host) {
    const int64_t book = integer(asked->arguments, asked->argument_count, "Book");
    (void)state;
    int64_t copies = 0;
    const int there = find_book(asked, book, &copies);
    return strcmp(asked->event, "Arrival") == 0 ? !arrive(asked, host, book, there, copies)
                                                : !sell(asked, host, book, there, copies);
}

static const struct cor_aut_handle handles[] = {
    {"Add", "Arrival"}, {"Begin", "Arrival"}, {"Sell", "Sale"}, {"Regret", "Sale"}, {0}};
static const struct cor_aut_fault faults[] = {
    {"wrong_row", "counts the copies of the next book", NULL},
    {"remove_forgotten", "leaves a book of which nothing is left", NULL},
    {0}};

COR_EXPORT extern const struct cor_aut corridor_aut_1;
const struct cor_aut corridor_aut_1 = {COR_AUT,
                                       .name = "Book Shelf",
                                       .version = "1",
                                       .summary = "keeps books",
                                       .handles = handles,
                                       .faults = faults,
                                       .run = run};
