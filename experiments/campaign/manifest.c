/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign is: all that its rows depend on, as a JSON text in its folder. Some of it may become more
 * later - suites, sequences, arms behind the others -, the rest stays, so that nobody goes on from another
 * campaign's journals. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/hash.h>
#include <corridor/kinds.h>
#include <corridor/own_file.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORIGINS "origins"
#define TEXTS                                                                                     \
    "texts" /* what stands elsewhere as a fingerprint, to tell what differs; it is never compared \
             */
#define SHORT_BYTES 100 /* of a member that stands there as it is, and not as a fingerprint */

static void put_provenance(const struct cor_layer *layer, const struct cor_experiment_head *experiment,
                           struct cor_json_writer *writer) {
    cor_json_put_string(writer, "corridor", CORRIDOR_VERSION);
    cor_json_put_string(writer, "compiler", CORRIDOR_COMPILER);
    cor_json_put_string(writer, "build_type", CORRIDOR_BUILD_TYPE);
    cor_json_put_string(writer, "gsl", CORRIDOR_GSL);
    cor_json_put_string(writer, "jansson", CORRIDOR_JANSSON);
    cor_json_put_string(writer, "z3", CORRIDOR_Z3);
    layer->provenance(experiment, writer);
}

/* ---- which program runs: by the name that the linker gave it, a digest of all that it put into the file,
 * and where there is none by its bytes. They are ten million, and every start of a campaign would wait for
 * them.
 */

#define ROUNDED(size) (((size_t)(size) + 3) / 4 * 4) /* names and descriptions of notes fill whole words */

/* The digest among the notes; false if it is not there. */
static bool find_digest(const unsigned char *notes, size_t size, uint64_t *fingerprint) {
    Elf64_Nhdr note;
    while (size >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        const size_t name = ROUNDED(note.n_namesz), digest = ROUNDED(note.n_descsz);
        notes += sizeof note;
        size -= sizeof note;
        if (name > size || digest > size - name)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes, "GNU", 4) == 0 &&
            note.n_descsz >= 8) {
            *fingerprint = cor_hash_bytes(COR_HASH_SEED, notes + name, note.n_descsz);
            return true;
        }
        notes += name + digest;
        size -= name + digest;
    }
    return false;
}

enum cor_status campaign__program_fingerprint(uint64_t *fingerprint, struct cor_error *error) {
    size_t displacement;
    const Elf64_Ehdr *file_header = cor_own_headers(&displacement);
    const Elf64_Phdr *headers = (const void *)((const unsigned char *)file_header + file_header->e_phoff);
    for (size_t i = 0; i < file_header->e_phnum; i++) {
        const uintptr_t at = displacement + (uintptr_t)headers[i].p_vaddr;
        if (headers[i].p_type == PT_NOTE &&
            find_digest((const unsigned char *)at, headers[i].p_memsz, fingerprint))
            return COR_OK;
    }
    const char *const path = cor_own_file();
    unsigned char block[1 << 16];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read the program");
    *fingerprint = COR_HASH_SEED;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        *fingerprint = cor_hash_bytes(*fingerprint, block, got);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? cor_fail(error, COR_STATUS_FILE, path, NULL, "cannot read the program") : COR_OK;
}

void campaign__put_provenance(const struct cor_campaign *campaign, struct cor_json_writer *writer) {
    put_provenance(campaign->definition.layer, campaign->definition.experiment, writer);
}

static uint64_t fingerprint(const char *text) {
    return cor_hash_bytes(0, text, strlen(text));
}

static enum cor_status put_all(const struct cor_campaign *campaign, struct cor_json_writer *writer,
                               struct cor_error *error) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "layer", campaign->definition.layer->schema->name);
    /* The members of the experiment that rows depend on and that stay: short ones as they are, the others as
     * fingerprints of what stands there, without blanks. */
    const struct cor_experiment_head *experiment = campaign->definition.experiment;
    const char *at = experiment->text;
    struct cor_json_member member;
    cor_json_open_object(writer, "experiment");
    while (cor_json_next_member(&at, &member)) {
        if (cor_json_is_member(&member, experiment->free_members))
            continue;
        struct cor_bytes value = {0};
        cor_json_squeeze(&value, &member);
        COR_FREED char *key = cor_format("%.*s", (int)member.key_length, member.key),
                       *text = cor_bytes_text_take(&value, error);
        const bool made = key && text;
        if (made && strlen(text) <= SHORT_BYTES)
            cor_json_put_text(writer, key, text);
        else if (made)
            cor_json_put_word(writer, key, fingerprint(text));
        if (!made)
            return cor_fail_memory(error);
    }
    cor_json_close(writer);
    if (campaign->definition.experiment->sequence_count > 0)
        cor_json_put_integer(writer, "sequences", campaign->definition.experiment->sequence_count);
    if (experiment->arms[0].text) {
        cor_json_open_array(writer, "arms");
        for (uint32_t a = 0; a < experiment->arm_count; a++) {
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, "name", experiment->arms[a].name);
            cor_json_put_word(writer, "is", fingerprint(experiment->arms[a].text));
            cor_json_close(writer);
        }
        cor_json_close(writer);
    }
    campaign__put_provenance(campaign, writer);
    /* The program itself: another build may do something else. */
    uint64_t program;
    COR_TRY(campaign__program_fingerprint(&program, error));
    cor_json_put_word(writer, "program", program);
    if (campaign->origins) { /* origins are made of the rest, as of old */
        cor_json_open_array(writer, ORIGINS);
        for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++)
            cor_json_put_word(writer, NULL, campaign->origins[a]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    return COR_OK;
}

/* What stands in the manifest as a fingerprint, as it stands in the texts: to bring models and profiles into
 * a tree and out again took a tenth of a short campaign. */
static void put_texts(const struct cor_campaign *campaign, struct cor_bytes *bytes) {
    const struct cor_experiment_head *experiment = campaign->definition.experiment;
    const char *at = experiment->text, *mark = "";
    struct cor_json_member member;
    cor_bytes_print(bytes, ",\n \"%s\": {\n  \"experiment\": {", TEXTS);
    while (cor_json_next_member(&at, &member)) {
        const size_t before = bytes->size;
        if (cor_json_is_member(&member, experiment->free_members))
            continue;
        cor_bytes_print(bytes, "%s\n   \"%.*s\": ", mark, (int)member.key_length, member.key);
        const size_t begin = bytes->size;
        cor_json_squeeze(bytes, &member);
        if (bytes->size - begin <= SHORT_BYTES)
            bytes->size = before; /* it stands there as it is */
        else
            mark = ",";
    }
    cor_bytes_print(bytes, "\n  }");
    for (uint32_t a = 0; experiment->arms[0].text && a < experiment->arm_count; a++) {
        /* The entry, and what it names, one behind the other. */
        cor_bytes_print(bytes, a > 0 ? ",\n   [" : ",\n  \"arms\": [\n   [");
        for (const char *text = experiment->arms[a].text, *end; *text; text = end) {
            end = cor_behind_value(text);
            cor_bytes_print(bytes, text > experiment->arms[a].text ? ", " : "");
            cor_bytes_put(bytes, text, (size_t)(end - text));
        }
        cor_bytes_print(bytes, a + 1 < experiment->arm_count ? "]" : "]\n  ]");
    }
    cor_bytes_print(bytes, "\n }\n}");
}

static enum cor_status make_text(const struct cor_campaign *campaign, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    const enum cor_status status = put_all(campaign, writer, error);
    if (status != COR_OK) {
        cor_json_writer_destroy(writer);
        return status;
    }
    return cor_json_text_take(writer, 1, text, error);
}

enum cor_status campaign__manifest_make(const struct cor_campaign *campaign, char **text,
                                        struct cor_error *error) {
    static const char end[] = "\n}";
    struct cor_bytes bytes = {0};
    COR_FREED char *head = NULL;
    COR_ASSERT(campaign->origins);
    *text = NULL;
    COR_TRY(make_text(campaign, &head, error));
    COR_ASSERT(strlen(head) > strlen(end) && strcmp(head + strlen(head) - strlen(end), end) == 0);
    cor_bytes_put(&bytes, head, strlen(head) - strlen(end));
    put_texts(campaign, &bytes);
    *text = cor_bytes_text_take(&bytes, error);
    return cor_made(*text, error);
}

/* And of an arm: its entry, and the code that is not in the program. */
static enum cor_status hash_arm(const struct cor_campaign *campaign, const struct cor_json *root,
                                uint32_t arm, uint64_t *hash, struct cor_error *error) {
    const char *digest = campaign->definition.experiment->arms[arm].digest;
    struct cor_json arms;
    if (digest)
        *hash = cor_hash_bytes(*hash, digest, strlen(digest));
    if (!cor_json_find(root, "arms", &arms)) {
        *hash = cor_hash_word(*hash, arm);
        return COR_OK;
    }
    const struct cor_json entry = cor_json_at(&arms, arm);
    COR_FREED char *text = cor_json_text(&entry);
    COR_TRY(cor_made(text, error));
    *hash = cor_hash_bytes(*hash, text, strlen(text));
    return COR_OK;
}

enum cor_status campaign__manifest_origins(struct cor_campaign *campaign, struct cor_error *error) {
    COR_FREED char *text = NULL;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    uint64_t hash;
    COR_FREED uint64_t *origins = cor_calloc(campaign->definition.experiment->arm_count, sizeof *origins);
    COR_ASSERT(!campaign->origins);
    COR_TRY(cor_made(origins, error));
    COR_TRY(make_text(campaign, &text, error));
    COR_TRY(cor_json_parse(text, campaign->definition.experiment->path, &document, error));
    const struct cor_json root = cor_json_root(document);
    /* Of all members that stay as they are. */
    hash = COR_HASH_SEED;
    COR_JSON_CHILDREN(member, &root) {
        /* What may become more: a list, and the number of sequences. */
        const bool may_grow = cor_json_is_array(&member) || strcmp(member.key, "sequences") == 0;
        if (may_grow)
            continue;
        char *member_text = cor_json_text(&member);
        COR_TRY(cor_made(member_text, error));
        hash = cor_hash_bytes(hash, member.key, strlen(member.key));
        hash = cor_hash_bytes(hash, member_text, strlen(member_text));
        free(member_text);
    }
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++) {
        origins[a] = hash;
        COR_TRY(hash_arm(campaign, &root, a, &origins[a], error));
    }
    campaign->origins = cor_taken(&origins);
    return COR_OK;
}

enum cor_status campaign__manifest_read_origins(const char *path, uint64_t **origins, size_t *count,
                                                struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json list;
    enum cor_status status = COR_OK;
    *origins = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_need(&root, ORIGINS, &list, error));
    COR_TRY_OUT(cor_json_expect_array(&list, 1, UINT16_MAX + (size_t)1, error));
    *count = cor_json_size(&list);
    COR_TRY_OUT(cor_made(*origins = cor_calloc(*count, sizeof **origins), error));
    for (size_t i = 0; i < *count; i++) {
        const struct cor_json entry = cor_json_at(&list, i);
        COR_TRY_OUT(cor_json_word(&entry, &(*origins)[i], error));
    }
out:
    if (status != COR_OK) {
        free(*origins);
        *origins = NULL;
    }
    return status;
}

/* What stands at one place there and here; at least one of them is. */
struct pair {
    struct cor_json there, here;
    bool is_there, is_here;
};

static struct pair pair_of(const struct cor_json *there, const struct cor_json *here) {
    return (struct pair){there ? *there : (struct cor_json){0}, here ? *here : (struct cor_json){0},
                         there != NULL, here != NULL};
}

static bool is_same(const struct cor_json *a, const struct cor_json *b) {
    COR_FREED char *left = cor_json_text(a), *right = cor_json_text(b);
    return left && right && strcmp(left, right) == 0;
}

/* The first part of both that is not the same in them; false: they are no two objects, nor lists of one size.
 */
static bool find_part(const struct pair *whole, struct pair *part) {
    const struct cor_json *there = &whole->there, *here = &whole->here;
    const bool both = whole->is_there && whole->is_here,
               objects = both && cor_json_is_object(there) && cor_json_is_object(here),
               lists = both && cor_json_is_array(there) && cor_json_is_array(here) &&
                       cor_json_size(there) == cor_json_size(here);
    for (size_t i = 0; (objects || lists) && i < cor_json_size(here); i++) {
        *part = (struct pair){.here = cor_json_at(here, i), .is_here = true, .is_there = lists};
        if (lists)
            part->there = cor_json_at(there, i);
        else
            part->is_there = cor_json_find(there, part->here.key, &part->there);
        if (!part->is_there || !is_same(&part->there, &part->here))
            return true;
    }
    for (size_t i = 0; objects && i < cor_json_size(there); i++) {
        *part = (struct pair){.there = cor_json_at(there, i), .is_there = true};
        if (!cor_json_find(here, part->there.key, &part->here))
            return true;
    }
    return false;
}

/* What a part is called: its key; in a list its name, where no pointer is written, else its number. */
static char *name_of(const struct pair *part, bool is_pointer) {
    const struct cor_json *one = part->is_here ? &part->here : &part->there;
    struct cor_json name;
    const char *word = one->key;
    if (!word &&
        (is_pointer || !cor_json_find(one, "name", &name) || cor_json_string(&name, &word, NULL) != COR_OK))
        return cor_format("%zu", one->index);
    return cor_strdup(word);
}

/* A value in a line: what is long by its size, but texts, and digests among them, as they are. */
static char *words_of(const struct cor_json *value, bool is_there) {
    COR_FREED char *text = is_there ? cor_json_text(value) : cor_strdup("nothing");
    if (!text || strlen(text) <= SHORT_BYTES || cor_json_is_string(value))
        return cor_taken(&text);
    return cor_format("%s of %zu", cor_json_is_array(value) ? "a list" : "an object", cor_json_size(value));
}

/* "/model/invariant/threshold: 0.15 there, 0.2 here": as deep as there is one difference to be told. */
static char *tell_difference(char *place_take, struct pair pair) {
    COR_FREED char *place = place_take;
    struct pair part;
    while (place && find_part(&pair, &part)) {
        place = cor_join_take(place, "/", name_of(&part, place[0] == '/'));
        pair = part;
    }
    COR_FREED char *was = words_of(&pair.there, pair.is_there), *is = words_of(&pair.here, pair.is_here);
    return place && was && is ? cor_format("%s: %s there, %s here", place, was, is) : NULL;
}

/* What two manifests are compared for. */
struct comparison {
    const char *folder; /* of the one that is there, or the host */
    struct cor_error *error;
    enum cor_status status;
    const char *remedy, *what;
    struct cor_json there, here; /* the manifests */
};

static enum cor_status refuse_as(const struct comparison *c, char *words_take) {
    const enum cor_status status =
        words_take ? cor_fail(c->error, c->status, c->folder, c->remedy, "%s: %s", c->what, words_take)
                   : cor_fail_memory(c->error);
    free(words_take);
    return status;
}

/* The text of an entry of "experiment" or "arms" that stands there as a fingerprint; false: it was not kept.
 */
static bool find_text(const struct cor_json *manifest, const char *within, const struct cor_json *entry,
                      struct cor_json *text) {
    struct cor_json texts, list;
    if (!cor_json_find(manifest, TEXTS, &texts) || !cor_json_find(&texts, within, &list))
        return false;
    if (entry->key)
        return cor_json_find(&list, entry->key, text);
    if (entry->index >= cor_json_size(&list))
        return false;
    *text = cor_json_at(&list, entry->index);
    return true;
}

static bool is_fingerprint(const struct cor_json *json) {
    const char *word;
    return cor_json_string(json, &word, NULL) == COR_OK && strlen(word) == 18 && strncmp(word, "0x", 2) == 0;
}

/* Refuses an entry of the manifest, of what is `within` it unless that is NULL. */
static enum cor_status refuse(const struct comparison *c, const char *within, const struct cor_json *there,
                              const struct cor_json *here) {
    const struct cor_json *one = here ? here : there;
    struct pair pair = pair_of(there, here);
    const bool is_experiment = within && strcmp(within, "experiment") == 0,
               is_arm = within && strcmp(within, "arms") == 0;
    char *place = one->key ? cor_format("%s%s", is_experiment ? "/" : "", one->key)
                           : cor_format("%s%s", is_arm ? "/" : "", within ? within : "");
    if (!one->key)
        place = cor_join_take(place, "/", name_of(&pair, is_arm));
    if (!within && one->key && strcmp(one->key, "program") == 0) {
        free(place);
        return refuse_as(c, cor_strdup("it is of another build of corridor"));
    }
    struct cor_json name;
    if (is_arm && (!there || !here) && cor_json_find(one, "name", &name))
        pair = there ? pair_of(&name, NULL) : pair_of(NULL, &name);
    struct pair part;
    const bool is_renamed = is_arm && find_part(&pair, &part) && part.is_here && part.here.key &&
                            strcmp(part.here.key, "name") == 0;
    if (there && here && (is_experiment || is_arm) && !is_renamed) {
        const bool was = find_text(&c->there, within, there, &pair.there),
                   is = find_text(&c->here, within, here, &pair.here);
        if (is && !was && (is_arm || is_fingerprint(there))) /* of a folder made before texts were kept */
            return refuse_as(c, cor_join_take(place, ": ",
                                              cor_strdup("not as it was there, where only the "
                                                         "fingerprint was kept")));
    }
    if (is_arm && find_part(&pair, &part) && part.is_here &&
        !part.here.key) { /* the entry itself, or what it names */
        place = part.here.index == 0 ? place : cor_join_take(place, "", cor_strdup(", in its preset: "));
        pair = part;
    }
    return refuse_as(c, tell_difference(place, pair));
}

static enum cor_status compare_members(const struct comparison *c, const char *within,
                                       const struct cor_json *there, const struct cor_json *here,
                                       uint32_t *sequences_before);

static enum cor_status compare_member(const struct comparison *c, const char *within,
                                      const struct cor_json *there, const struct cor_json *here,
                                      uint32_t *sequences_before) {
    bool at_top = within == NULL;
    if (at_top && cor_json_is_object(there) && cor_json_is_object(here))
        return compare_members(c, here->key, there, here, sequences_before);
    if (at_top && cor_json_is_array(there) && cor_json_is_array(here)) {
        /* An array may have become longer. */
        COR_JSON_CHILDREN(old, there) {
            if (old.index >= cor_json_size(here))
                return refuse(c, here->key, &old, NULL);
            const struct cor_json now = cor_json_at(here, old.index);
            if (!is_same(&old, &now))
                return refuse(c, here->key, &old, &now);
        }
        return COR_OK;
    }
    if (at_top && strcmp(here->key, "sequences") == 0) {
        /* The number of sequences of a suite may have become larger. */
        int64_t old, now;
        struct cor_error ignored = COR_NO_ERROR;
        COR_TRY(cor_json_integer(here, 1, UINT32_MAX, &now, c->error));
        if (cor_json_integer(there, 1, UINT32_MAX, &old, &ignored) != COR_OK || old > now)
            return refuse(c, NULL, there, here);
        *sequences_before = old < now ? (uint32_t)old : 0;
        return COR_OK;
    }
    return is_same(there, here) ? COR_OK : refuse(c, within, there, here);
}

static enum cor_status compare_members(const struct comparison *c, const char *within,
                                       const struct cor_json *there, const struct cor_json *here,
                                       uint32_t *sequences_before) {
    struct cor_json other;
    COR_JSON_CHILDREN(member, here) {
        if (!within && strcmp(member.key, TEXTS) == 0)
            continue;
        if (!cor_json_find(there, member.key, &other))
            return refuse(c, within, NULL, &member);
        COR_TRY(compare_member(c, within, &other, &member, sequences_before));
    }
    COR_JSON_CHILDREN(member, there) {
        if ((within || strcmp(member.key, TEXTS) != 0) && !cor_json_find(here, member.key, &other))
            return refuse(c, within, &member, NULL);
    }
    return COR_OK;
}

static enum cor_status compare(struct comparison *comparison, const char *there, const char *here,
                               uint32_t *sequences_before) {
    COR_DESTROYED(cor_json) struct cor_json_document *old = NULL, *now = NULL;
    struct cor_error ignored = COR_NO_ERROR, *error = comparison->error;
    const char *folder = comparison->folder;
    *sequences_before = 0;
    COR_TRY(cor_json_parse(here, folder, &now, error));
    if (cor_json_parse(there, folder, &old, &ignored) != COR_OK)
        return cor_fail(error, comparison->status, folder, comparison->remedy,
                        "%s: what it is cannot be read", comparison->what);
    const struct cor_json old_root = cor_json_root(old), now_root = cor_json_root(now);
    if (!cor_json_is_object(&old_root))
        return cor_fail(error, comparison->status, folder, comparison->remedy,
                        "%s: what it is cannot be read", comparison->what);
    comparison->there = old_root;
    comparison->here = now_root;
    return compare_members(comparison, NULL, &old_root, &now_root, sequences_before);
}

enum cor_status campaign__manifest_compare(const char *folder, const char *there, const char *here,
                                           uint32_t *sequences_before, struct cor_error *error) {
    struct comparison comparison = {.folder = folder,
                                    .error = error,
                                    .status = COR_STATUS_EXISTS,
                                    .remedy = "run the experiment as it was begun to go on, remove the "
                                              "folder to begin anew, or name another file "
                                              "with -o",
                                    .what = "holds another campaign under way"};
    return compare(&comparison, there, here, sequences_before);
}

enum cor_status campaign__manifest_compare_source(const char *folder, const char *there, const char *here,
                                                  uint32_t *sequences_before, struct cor_error *error) {
    struct comparison comparison = {.folder = folder,
                                    .error = error,
                                    .status = COR_STATUS_INPUT,
                                    .remedy = "merge folders of one experiment; corridor compare puts two "
                                              "result files beside each other",
                                    .what = "holds another campaign than the first folder"};
    return compare(&comparison, there, here, sequences_before);
}

enum cor_status campaign__manifest_compare_host(const char *host, const char *there, const char *here,
                                                struct cor_error *error) {
    struct comparison comparison = {.folder = host,
                                    .error = error,
                                    .status = COR_STATUS_INPUT,
                                    .remedy =
                                        "install the same build of corridor there, and the same modules at "
                                        "the same places",
                                    .what = "would execute something else"};
    uint32_t sequences;
    return compare(&comparison, there, here, &sequences);
}

/* The first member of `here` that is not the same there. */
static enum cor_status find_difference(const char *there, const char *here, char **words,
                                       struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *old = NULL, *now = NULL;
    COR_TRY(cor_json_parse(there, "provenance", &old, error));
    COR_TRY(cor_json_parse(here, "provenance", &now, error));
    const struct cor_json before = cor_json_root(old), after = cor_json_root(now);
    for (size_t i = 0; i < cor_json_size(&after) && !*words; i++) {
        const struct cor_json member = cor_json_at(&after, i);
        struct cor_json other;
        const bool known = cor_json_find(&before, member.key, &other);
        if (known && is_same(&other, &member))
            continue;
        *words = known ? tell_difference(cor_strdup(member.key), pair_of(&other, &member))
                       : cor_format("nothing is said of its \"%s\"", member.key);
        COR_TRY(cor_made(*words, error));
    }
    return COR_OK;
}

enum cor_status cor_provenance_differs(const struct cor_layer *layer,
                                       const struct cor_experiment_head *experiment, const char *provenance,
                                       char **words, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_FREED char *here = NULL;
    *words = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    put_provenance(layer, experiment, writer);
    cor_json_close(writer);
    COR_TRY(cor_json_text_take(writer, 0, &here, error));
    return find_difference(provenance, here, words, error);
}
