/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of mail in files. */
#include <corridor/mail_record.h>

#include <corridor/fields.h>

#define ENTRIES_MOST ((size_t)1 << 24)
#define ROUNDS_MOST 65536

static const char *const words[] = {"waits", "travels", "lost", "twice", "place", "turn", NULL};

const char *cor_mail_deed_word(enum cor_mail_deed deed) {
    COR_ASSERT(deed >= COR_MAIL_DEED_WAITS && deed < COR_MAIL_DEEDS);
    return words[deed - COR_MAIL_DEED_WAITS];
}

void cor_mail_record_write(const struct cor_mail_record *record, struct cor_json_writer *writer,
                           const char *key) {
    cor_json_open_object(writer, key);
    cor_json_put_string(writer, "mode", cor_term_word(COR_FAMILY_MAIL, (int)record->mode));
    cor_json_open_array(writer, "entries");
    for (size_t i = 0; i < record->count; i++) {
        const struct cor_mail_entry *entry = &record->entries[i];
        cor_json_open_array(writer, NULL);
        cor_json_put_integer(writer, NULL, (int64_t)entry->identity);
        cor_json_put_string(writer, NULL, cor_mail_deed_word(entry->deed));
        cor_json_put_integer(writer, NULL, (int64_t)entry->of);
        cor_json_put_integer(writer, NULL, (int64_t)entry->value);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

/* What `value` may be. */
static void range_of(enum cor_mail_deed deed, int64_t *low, int64_t *high) {
    *low = deed == COR_MAIL_DEED_TRAVELS ? 1 : 0;
    *high = INT64_MAX;
    if (deed == COR_MAIL_DEED_TRAVELS)
        *high = ROUNDS_MOST;
    else if (deed == COR_MAIL_DEED_LOST || deed == COR_MAIL_DEED_TWICE)
        *high = 0;
}

static bool follows(const struct cor_mail_entry *entry, const struct cor_mail_entry *before) {
    if (entry->identity != before->identity)
        return entry->identity > before->identity;
    return entry->deed != before->deed ? entry->deed > before->deed : entry->of > before->of;
}

static enum cor_status read_entries(const struct cor_json *json, struct cor_mail_record *record,
                                    struct cor_error *error) {
    bool one_by_one = cor_mail_is_one_by_one(record->mode);
    COR_TRY(cor_json_expect_array(json, 0, ENTRIES_MOST, error));
    COR_JSON_CHILDREN(item, json) {
        struct cor_mail_entry entry;
        int64_t identity, of, value, low, high;
        int word;
        COR_TRY(cor_json_expect_array(&item, 4, 4, error));
        struct cor_json child = cor_json_at(&item, 0);
        COR_TRY(cor_json_integer(&child, 0, INT64_MAX, &identity, error));
        child = cor_json_at(&item, 1);
        COR_TRY(cor_json_one_of(&child, words, "departure from sending order", &word, error));
        entry.deed = (enum cor_mail_deed)(COR_MAIL_DEED_WAITS + word);
        child = cor_json_at(&item, 2);
        COR_TRY(cor_json_integer(&child, 0, INT64_MAX, &of, error));
        range_of(entry.deed, &low, &high);
        child = cor_json_at(&item, 3);
        COR_TRY(cor_json_integer(&child, low, high, &value, error));
        entry.identity = (uint64_t)identity;
        entry.of = (uint64_t)of;
        entry.value = (uint64_t)value;
        if (one_by_one != (entry.deed == COR_MAIL_DEED_WAITS))
            return cor_json_fail(&item, error,
                                 one_by_one ? "write \"waits\"" : "write what is said by rounds",
                                 "mail of mode \"%s\" goes %s, and \"%s\" is not said of that",
                                 cor_term_word(COR_FAMILY_MAIL, (int)record->mode),
                                 one_by_one ? "one by one" : "in rounds", cor_mail_deed_word(entry.deed));
        if (record->count > 0 && !follows(&entry, &record->entries[record->count - 1]))
            return cor_json_fail(&item, error, "sort them by case, word and number, each once",
                                 "the entry does not come behind the one before");
        COR_TRY(cor_mail_record_put(record, &entry, error));
    }
    return COR_OK;
}

enum cor_status cor_mail_record_read(const struct cor_json *json, struct cor_mail_record **record,
                                     struct cor_error *error) {
    static const char *const keys[] = {"mode", "entries", NULL};
    struct cor_json mode, entries;
    int number;
    *record = NULL;
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(cor_json_need(json, "mode", &mode, error));
    COR_TRY(cor_json_need(json, "entries", &entries, error));
    COR_TRY(cor_json_term(&mode, COR_FAMILY_MAIL, &number, error));
    COR_TRY(cor_mail_record_create((enum cor_mail)number, record, error));
    enum cor_status status = read_entries(&entries, *record, error);
    if (status != COR_OK) {
        cor_mail_record_destroy(*record);
        *record = NULL;
    }
    return status;
}
