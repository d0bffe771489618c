/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Members of an object that stands in a text: found without a tree of all that stands there. */
#include <corridor/json.h>

#include <corridor/bytes.h>
#include <corridor/kinds.h>

#include <stdlib.h>
#include <string.h>

bool cor_json_next_member(const char **at, struct cor_json_member *member) {
    const char *text = cor_behind_blanks(*at);
    if (*text == '{' || *text == ',')
        text = cor_behind_blanks(text + 1);
    *at = text;
    if (*text != '"')
        return false;
    const char *end = cor_behind_value(text), *colon = cor_behind_blanks(end);
    if (*colon != ':')
        return false;
    member->key = text + 1;
    member->key_length = end > text + 1 ? (size_t)(end - text) - 2 : 0;
    member->value = cor_behind_blanks(colon + 1);
    member->end = *at = cor_behind_value(member->value);
    return true;
}

bool cor_json_is_member(const struct cor_json_member *member, const char *const *keys) {
    for (; keys && *keys; keys++)
        if (strlen(*keys) == member->key_length && strncmp(*keys, member->key, member->key_length) == 0)
            return true;
    return false;
}

void cor_json_squeeze(struct cor_bytes *bytes, const struct cor_json_member *member) {
    for (const char *at = member->value; at < member->end;) {
        const char *plain = at;
        while (plain<member->end && * plain> ' ' && *plain != '"') /* outside of texts all is ASCII */
            plain++;
        if (plain < member->end && *plain == '"') /* a text in one piece, with the blanks in it */
            plain = cor_behind_value(plain);
        cor_bytes_put(bytes, at, (size_t)(plain - at));
        at = cor_behind_blanks(plain);
    }
}

enum cor_status cor_json_parse_members(const char *text, const char *name, const char *const *keys,
                                       struct cor_json_document **document, struct cor_error *error) {
    struct cor_bytes part = {0};
    struct cor_json_member member;
    const char *at = text, *mark = "{";
    *document = NULL;
    while (cor_json_next_member(&at, &member)) {
        if (memchr(member.key, '\\', member.key_length)) { /* it may be any key */
            cor_bytes_fini(&part);
            return cor_json_parse(text, name, document, error);
        }
        if (!cor_json_is_member(&member, keys))
            continue;
        cor_bytes_put(&part, mark, 1);
        cor_bytes_put(&part, member.key - 1, (size_t)(member.end - member.key) + 1);
        mark = ",";
    }
    if (mark[0] == '{')
        cor_bytes_put(&part, mark, 1);
    cor_bytes_put(&part, "}", 1);
    char *found = cor_bytes_text_take(&part, error);
    if (*cor_behind_blanks(text) != '{' || *at != '}') {
        free(found);
        return cor_json_parse(text, name, document, error); /* which has the words for it */
    }
    if (!found)
        return COR_STATUS_MEMORY;
    const enum cor_status status = cor_json_parse(found, name, document, error);
    free(found);
    return status;
}
