/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of fields: what each kind of row reads, what is left as it is, and the words of complaints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/terms.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner {
    enum cor_mail mode;
    uint32_t delay;
};

struct thing {
    uint8_t small;
    int16_t below;
    uint32_t count;
    uint64_t most, seed;
    double share;
    bool open;
    const char *text;
    char *copy;
    enum { NOTHING, RED, BLUE } colour;
    struct inner mail;
    size_t items;
    struct cor_json text_at;
};

static const char *const colours[] = {"red", "blue", NULL};

static const struct cor_field inner_fields[] = {
    {"mode", COR_REQUIRED, COR_TERM_FIELD(struct inner, mode, COR_FAMILY_MAIL)},
    {"delay", COR_OPTIONAL, COR_INTEGER_FIELD(struct inner, delay, 1, 10),
     COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_DELAYED) | COR_BIT(COR_MAIL_LOSSY))},
    {0}};
static const struct inner inner_default = {COR_MAIL_IN_ORDER, 3};

static enum cor_status count_items(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, 3, error));
    ((struct thing *)into)->items = cor_json_size(json);
    return COR_OK;
}

static const struct cor_field numbers[] = {
    {"small", COR_OPTIONAL, COR_INTEGER_FIELD(struct thing, small, 0, 255)},
    {"below", COR_OPTIONAL, COR_INTEGER_FIELD(struct thing, below, -300, 300)},
    {"count", COR_REQUIRED, COR_INTEGER_FIELD(struct thing, count, 0, UINT32_MAX)},
    {"most", COR_OPTIONAL, COR_INTEGER_FIELD(struct thing, most, 0, INT64_MAX)},
    {"share", COR_OPTIONAL, COR_REAL_FIELD(struct thing, share, 0, 1)},
    {0}};

static const struct cor_field fields[] = {
    COR_ROWS_OF(numbers),
    {"remark", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct thing, seed)},
    {"open", COR_OPTIONAL, COR_BOOL_FIELD(struct thing, open)},
    {"text", COR_OPTIONAL, COR_STRING_FIELD(struct thing, text), COR_PLACE_AT(struct thing, text_at)},
    {"copy", COR_OPTIONAL, COR_COPY_FIELD(struct thing, copy)},
    {"colour", COR_OPTIONAL, COR_ONE_OF_FIELD(struct thing, colour, colours, RED, "colour")},
    {"mail", COR_OPTIONAL, COR_OBJECT_FIELD(struct thing, mail, inner_fields, &inner_default)},
    {"items", COR_OPTIONAL, COR_READ_FIELD(count_items)},
    {0}};

static enum cor_status read_text(const char *text, struct cor_json_document **document, struct cor_json *root,
                                 struct thing *thing, struct cor_error *error) {
    assert_int_equal(cor_json_parse(text, "t", document, error), COR_OK);
    *root = cor_json_root(*document);
    return cor_json_fields(root, fields, thing, error);
}

static void every_kind_of_row_reads_its_member(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_json root;
    struct cor_error error = COR_NO_ERROR;
    struct thing thing = {.copy = cor_strdup("old")};
    enum cor_status status =
        read_text("{\"small\": 255, \"below\": -300, \"count\": 4294967295, \"most\": 9223372036854775807,"
                  " \"share\": 0.25, \"remark\": [], \"seed\": \"0xfedcba9876543210\", \"open\": true,"
                  " \"text\": \"here\", \"copy\": \"new\", \"colour\": \"blue\","
                  " \"mail\": {\"mode\": \"delayed\", \"delay\": 10}, \"items\": [1, 2]}",
                  &document, &root, &thing, &error);
    assert_int_equal(status, COR_OK);
    assert_int_equal(thing.small, 255);
    assert_int_equal(thing.below, -300);
    assert_int_equal(thing.count, UINT32_MAX);
    assert_true(thing.most == INT64_MAX);
    assert_true(thing.share == 0.25);
    assert_true(thing.seed == UINT64_C(0xfedcba9876543210));
    assert_true(thing.open);
    assert_string_equal(thing.text, "here");
    char place[64];
    cor_json_place(&thing.text_at, place, sizeof place);
    assert_string_equal(place, "t: /text");
    assert_string_equal(thing.copy, "new");
    assert_int_equal(thing.colour, BLUE);
    assert_int_equal(thing.mail.mode, COR_MAIL_DELAYED);
    assert_int_equal(thing.mail.delay, 10);
    assert_int_equal(thing.items, 2);
    free(thing.copy);
    cor_json_destroy(document);
}

static void absent_members_keep_what_the_struct_held_but_objects_begin_with_their_defaults(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_json root;
    struct cor_error error = COR_NO_ERROR;
    struct thing thing = {.small = 7, .share = 0.5, .colour = RED, .mail = {COR_MAIL_LOSSY, 9}};
    assert_int_equal(read_text("{\"count\": 1}", &document, &root, &thing, &error), COR_OK);
    assert_int_equal(thing.small, 7);
    assert_true(thing.share == 0.5);
    assert_int_equal(thing.colour, RED);
    assert_int_equal(thing.mail.delay, 9);
    cor_json_destroy(document);
    assert_int_equal(
        read_text("{\"count\": 1, \"mail\": {\"mode\": \"shuffled\"}}", &document, &root, &thing, &error),
        COR_OK);
    assert_int_equal(thing.mail.delay, 3);
    cor_json_destroy(document);
}

static void complaints_have_place_cause_and_remedy(void **state) {
    (void)state;
    static const char known[] =
        "known: small, below, count, most, share, remark, seed, open, text, copy, colour, "
        "mail, items";
    const struct {
        const char *text, *place, *cause, *remedy;
    } cases[] = {
        {"[]", "t: /", "is an array, expected an object", ""},
        {"{}", "t: /", "lacks the key \"count\"", ""},
        {"{\"count\": 1, \"xyzxyz\": 1}", "t: /xyzxyz", "unknown key \"xyzxyz\"", known},
        {"{\"count\": 4294967296}", "t: /count", "is 4294967296, expected 0 to 4294967295", ""},
        {"{\"count\": 1, \"small\": 256}", "t: /small", "is 256, expected 0 to 255", ""},
        {"{\"count\": 1, \"below\": -301}", "t: /below", "is -301, expected -300 to 300", ""},
        {"{\"count\": 1, \"share\": 1.5}", "t: /share", "is 1.5, expected 0 to 1", ""},
        {"{\"count\": 1, \"open\": 1}", "t: /open", "is an integer, expected true or false", ""},
        {"{\"count\": 1, \"copy\": 1}", "t: /copy", "is an integer, expected a string", ""},
        {"{\"count\": 1, \"colour\": \"bleu\"}", "t: /colour", "unknown colour \"bleu\"",
         "did you mean \"blue\"? known: red, blue"},
        {"{\"count\": 1, \"mail\": {}}", "t: /mail", "lacks the key \"mode\"", ""},
        {"{\"count\": 1, \"mail\": {\"mode\": \"by_pigeon\"}}", "t: /mail/mode", "unknown word \"by_pigeon\"",
         "known: in_order, shuffled, delayed, lossy, duplicated, pct, bounded, recorded"},
        {"{\"count\": 1, \"mail\": {\"mode\": \"shuffled\", \"delay\": 2}}", "t: /mail/delay",
         "has no meaning with \"mode\": \"shuffled\"", "leave it out"},
        {"{\"count\": 1, \"items\": [1, 2, 3, 4]}", "t: /items", "has 4 items, expected 0 to 3", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_json_document *document;
        struct cor_json root;
        struct cor_error error = COR_NO_ERROR;
        struct thing thing = {0};
        assert_int_equal(read_text(cases[i].text, &document, &root, &thing, &error), COR_STATUS_INPUT);
        assert_string_equal(error.place, cases[i].place);
        assert_string_equal(error.cause, cases[i].cause);
        assert_string_equal(error.remedy, cases[i].remedy);
        cor_json_destroy(document);
    }
}

static void members_alone_let_other_keys_be(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_error error = COR_NO_ERROR;
    struct thing thing = {0};
    assert_int_equal(cor_json_parse("{\"count\": 5, \"other\": 1}", "t", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_json_members(&root, numbers, &thing, &error), COR_OK);
    assert_int_equal(thing.count, 5);
    assert_int_equal(cor_json_expect_fields(&root, numbers, &error), COR_STATUS_INPUT);
    cor_json_destroy(document);
}

/* ---- lists, members of any name, what is checked alone, and other structs */

struct part {
    uint32_t number;
};

struct whole {
    struct part *part;
    uint32_t sum, weight, within;
    char keys[32];
};

static enum cor_status add_number(const struct cor_json *json, void *into, struct cor_error *error) {
    uint32_t number;
    COR_TRY(cor_json_count(json, 1, 9, &number, error));
    ((struct whole *)into)->sum += number;
    return COR_OK;
}

static enum cor_status add_key(const struct cor_json *json, void *into, struct cor_error *error) {
    struct whole *whole = into;
    COR_TRY(add_number(json, into, error));
    strncat(whole->keys, json->key, sizeof whole->keys - strlen(whole->keys) - 1);
    return COR_OK;
}

/* Where the items of the array go, each being read into a copy. */
static enum cor_status weigh(const struct cor_json *json, void *into, struct cor_error *error) {
    struct whole *whole = into;
    uint32_t times;
    COR_TRY(cor_json_count(json, 0, UINT32_MAX, &times, error));
    whole->part->number += times * whole->weight;
    return COR_OK;
}

static const struct cor_field part_fields[] = {
    {"number", COR_REQUIRED, COR_INTEGER_FIELD(struct part, number, 0, 9)}, {0}};
static const struct cor_field item_fields[] = {
    {"weight", COR_OPTIONAL, COR_INTEGER_FIELD(struct whole, weight, 0, 9)},
    {"times", COR_REQUIRED, COR_READ_FIELD(weigh)},
    {0}};
static const struct cor_field within_fields[] = {
    {"deep", COR_REQUIRED, COR_INTEGER_FIELD(struct whole, within, 0, 9)}, {0}};

static const struct cor_field whole_fields[] = {
    {"numbers", COR_OPTIONAL, COR_EACH_FIELD(add_number, 1, 3)},
    {"any", COR_OPTIONAL, COR_EACH_FIELD(cor_json_any_string, 0, COR_MANY)},
    {"named", COR_OPTIONAL, COR_MEMBERS_FIELD(add_key)},
    COR_ROWS_THROUGH(struct whole, part, part_fields),
    {"within", COR_OPTIONAL, COR_WITHIN_FIELD(within_fields)},
    {"parts", COR_OPTIONAL, COR_OBJECTS_FIELD(struct whole, item_fields, 0, 2)},
    {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"budget", COR_OPTIONAL, COR_SAID_INTEGER_FIELD(0, 9)},
    {"is", COR_OPTIONAL, COR_SAID_BOOL_FIELD},
    {"colour", COR_OPTIONAL, COR_SAID_ONE_OF_FIELD(colours, "colour")},
    {"free", COR_OPTIONAL, COR_SAID_OBJECT_FIELD},
    {"list", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(0, 2)},
    {0}};

static void lists_members_and_other_structs_are_read(void **state) {
    (void)state;
    struct cor_json_document *document;
    struct cor_error error = COR_NO_ERROR;
    struct part part = {0};
    struct whole whole = {.part = &part, .weight = 2};
    struct cor_json_writer *writer;
    char *text;
    assert_int_equal(
        cor_json_parse("{\"list\": [{}, 1], \"free\": {\"x\": []}, \"colour\": \"red\", \"is\": true,"
                       " \"budget\": 3, \"note\": \"n\", \"parts\": [{\"weight\": 5, \"times\": 10},"
                       " {\"times\": 1000}], \"within\": {\"deep\": 6}, \"number\": 7,"
                       " \"named\": {\"b\": 1, \"a\": 2}, \"any\": [\"\", \"x\"], \"numbers\": [4, 5]}",
                       "t", &document, &error),
        COR_OK);
    const struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_json_fields(&root, whole_fields, &whole, &error), COR_OK);
    assert_int_equal(whole.sum, 12); /* 4 + 5, then 1 + 2 */
    assert_string_equal(whole.keys, "ba");
    assert_int_equal(part.number,
                     7 + 5 * 10 + 2 * 1000); /* the second begins as the struct is, not the first */
    assert_int_equal(whole.weight, 2);
    assert_int_equal(whole.within, 6);
    cor_json_destroy(document);
    part.number = 7;
    assert_int_equal(cor_json_writer_create(&writer, &error), COR_OK);
    cor_json_open_object(writer, NULL);
    cor_json_put_fields(writer, whole_fields, &whole);
    cor_json_close(writer);
    assert_int_equal(cor_json_text_take(writer, 0, &text, &error), COR_OK);
    assert_string_equal(text, "{\"number\":7,\"within\":{\"deep\":6}}");
    free(text);
}

static void what_is_wrong_in_a_list_is_said_of_its_item(void **state) {
    (void)state;
    const struct {
        const char *text, *place, *cause;
    } cases[] = {
        {"{\"numbers\": []}", "t: /numbers", "has 0 items, expected 1 to 3"},
        {"{\"numbers\": [1, 0]}", "t: /numbers/1", "is 0, expected 1 to 9"},
        {"{\"any\": {}}", "t: /any", "is an object, expected an array"},
        {"{\"any\": [\"\", 1]}", "t: /any/1", "is an integer, expected a string"},
        {"{\"named\": []}", "t: /named", "is an array, expected an object"},
        {"{\"named\": {\"a/b\": true}}", "t: /named/a~1b", "is true or false, expected an integer"},
        {"{\"number\": 10}", "t: /number", "is 10, expected 0 to 9"},
        {"{}", "t: /", "lacks the key \"number\""},
        {"{\"number\": 1, \"within\": {}}", "t: /within", "lacks the key \"deep\""},
        {"{\"number\": 1, \"parts\": [{\"times\": 0}, {\"tims\": 0}]}", "t: /parts/1/tims",
         "unknown key \"tims\""},
        {"{\"number\": 1, \"parts\": [1, 2, 3]}", "t: /parts", "has 3 items, expected 0 to 2"},
        {"{\"number\": 1, \"note\": 1}", "t: /note", "is an integer, expected a string"},
        {"{\"number\": 1, \"budget\": -1}", "t: /budget", "is -1, expected 0 to 9"},
        {"{\"number\": 1, \"is\": 1}", "t: /is", "is an integer, expected true or false"},
        {"{\"number\": 1, \"colour\": \"rod\"}", "t: /colour", "unknown colour \"rod\""},
        {"{\"number\": 1, \"free\": []}", "t: /free", "is an array, expected an object"},
        {"{\"number\": 1, \"list\": [1, 2, 3]}", "t: /list", "has 3 items, expected 0 to 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_json_document *document;
        struct cor_error error = COR_NO_ERROR;
        struct part part = {0};
        struct whole whole = {.part = &part};
        assert_int_equal(cor_json_parse(cases[i].text, "t", &document, &error), COR_OK);
        const struct cor_json root = cor_json_root(document);
        assert_int_equal(cor_json_fields(&root, whole_fields, &whole, &error), COR_STATUS_INPUT);
        assert_string_equal(error.place, cases[i].place);
        assert_string_equal(error.cause, cases[i].cause);
        cor_json_destroy(document);
    }
}

/* ---- names */

static const char *nth(const void *of, size_t index) {
    static const char *const all[] = {"zero", "one", "two"};
    return all[index + *(const size_t *)of];
}

static void names_are_found_and_all_are_said_where_there_is_none(void **state) {
    (void)state;
    const struct record {
        uint64_t before;
        const char *name;
    } records[] = {{1, "red"}, {2, "blue"}, {3, NULL}, {4, "never"}};
    const size_t from = 1;
    const struct cor_names kinds[] = {COR_RECORD_NAMES(records, 4, struct record, name),
                                      COR_WORD_NAMES(colours, SIZE_MAX), COR_WORD_NAMES(colours, 2)};
    char text[64];
    uint32_t index;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        assert_int_equal(cor_names_has(kinds[k], "blue", &index), true);
        assert_int_equal(index, 1);
        assert_false(cor_names_has(kinds[k], "never", &index));
        assert_int_equal(index, 2);
        cor_names_known(kinds[k], "bleu", text, sizeof text);
        assert_string_equal(text, "did you mean \"blue\"? known: red, blue");
    }
    assert_true(cor_names_has(COR_SAID_NAMES(nth, &from, 2), "two", &index));
    assert_int_equal(index, 1);
    assert_false(cor_names_has(COR_SAID_NAMES(nth, &from, 1), "two", &index));
    assert_false(cor_names_has(COR_NO_NAMES, "", &index));

    struct cor_json_document *document;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(
        cor_json_parse("{\"of\": [\"red\", \"bleu\", \"red\", {\"name\": \"deep\"}], \"red\": 1, \"x\": 2}",
                       "t", &document, &error),
        COR_OK);
    const struct cor_json root = cor_json_root(document);
    struct cor_json list;
    assert_true(cor_json_find(&root, "of", &list));
    const struct cor_json item[] = {cor_json_at(&list, 0), cor_json_at(&list, 1), cor_json_at(&list, 2)};
    assert_int_equal(cor_json_one_name(&item[2], kinds[0], "colour", &index, &error), COR_OK);
    assert_int_equal(index, 0);
    assert_int_equal(cor_json_one_name(&item[1], kinds[0], "colour", &index, &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "t: /of/1");
    assert_string_equal(error.cause, "unknown colour \"bleu\"");
    assert_string_equal(error.remedy, text);
    assert_false(cor_json_is_said_before(&item[0]));
    assert_false(cor_json_is_said_before(&item[1]));
    assert_true(cor_json_is_said_before(&item[2]));
    assert_string_equal(cor_names_at(cor_json_names(&root), 1), "red");
    assert_string_equal(cor_names_at(cor_json_names(&list), 3), "deep");
    assert_string_equal(cor_names_at(cor_json_names(&list), 0), "");
    assert_null(cor_names_at(cor_json_names(&list), 4));
    error = COR_NO_ERROR;
    assert_int_equal(cor_json_expect_names(&root, kinds[1], &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "t: /of");
    assert_string_equal(error.cause, "unknown key \"of\"");
    const struct {
        const char *name, *cause, *remedy;
    } cases[] = {{"", "no name for an arm", "1 to 4 bytes without control characters"},
                 {"12345", "no name for an arm", "1 to 4 bytes without control characters"},
                 {"a\n", "no name for an arm", "1 to 4 bytes without control characters"},
                 {"blue", "\"blue\" is an arm already", "each arm has a name of its own"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        error = COR_NO_ERROR;
        assert_int_equal(cor_json_check_name(&root, cases[c].name, 4, kinds[1], "an arm", &error),
                         COR_STATUS_INPUT);
        assert_string_equal(error.cause, cases[c].cause);
        assert_string_equal(error.remedy, cases[c].remedy);
    }
    assert_int_equal(cor_json_check_name(&root, "1234", 4, kinds[1], "an arm", &error), COR_OK);
    cor_json_destroy(document);
}

static void a_file_is_named_or_what_is_in_it_stands_there(void **state) {
    (void)state;
    static const char path[] = "test_fields_named.json";
    struct cor_json_document *document, *other;
    struct cor_error error = COR_NO_ERROR;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"x\": 1}", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(cor_json_parse("[\"test_fields_named.json\", {\"y\": [2]}, 3, \"no such file\"]", "t",
                                    &document, &error),
                     COR_OK);
    const struct cor_json root = cor_json_root(document);
    struct cor_json item = cor_json_at(&root, 0), found;
    assert_int_equal(cor_json_read_whole(&item, &other, &error), COR_OK);
    assert_string_equal(cor_json_name(other), path);
    const struct cor_json named = cor_json_root(other);
    assert_true(cor_json_find(&named, "x", &found));
    cor_json_destroy(other);
    remove(path);
    item = cor_json_at(&root, 1);
    assert_int_equal(cor_json_read_named(&item, &other, NULL), COR_STATUS_INPUT);
    assert_null(other);
    assert_int_equal(cor_json_read_whole(&item, &other, &error), COR_OK);
    assert_string_equal(cor_json_name(other), "t");
    const struct cor_json inner = cor_json_root(other);
    assert_true(cor_json_find(&inner, "y", &found));
    cor_json_destroy(other);
    item = cor_json_at(&root, 2);
    assert_int_equal(cor_json_read_whole(&item, &other, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "is an integer, expected an object");
    item = cor_json_at(&root, 3);
    assert_int_equal(cor_json_read_whole(&item, &other, NULL), COR_STATUS_FILE);
    assert_null(other);
    cor_json_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_row_reads_its_member),
        cmocka_unit_test(absent_members_keep_what_the_struct_held_but_objects_begin_with_their_defaults),
        cmocka_unit_test(complaints_have_place_cause_and_remedy),
        cmocka_unit_test(members_alone_let_other_keys_be),
        cmocka_unit_test(lists_members_and_other_structs_are_read),
        cmocka_unit_test(what_is_wrong_in_a_list_is_said_of_its_item),
        cmocka_unit_test(names_are_found_and_all_are_said_where_there_is_none),
        cmocka_unit_test(a_file_is_named_or_what_is_in_it_stands_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
