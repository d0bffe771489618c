/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * power_cuts simulate TRACES CUTS SEED [no-sync]: cuts the power behind every recorded call of a campaign,
 * CUTS times in all, and looks with the program's own reader at what is left: every suite that was stored
 * must be there, every suite that is found must be right, and the campaign must be one that the same command
 * goes on from. Exit code 1 if a cut has lost something. power_cuts states TRACES COUNT SEED FOLDER: writes
 * what COUNT cuts leave, for other programs to look at, into FOLDER/0 and so on, and what had been said by
 * then into FOLDER/0.said. */
#define _GNU_SOURCE /* memfd_create */
#include "disk.h"

#include <corridor/record.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUITES_MAX = 4096, ARMS_MAX = 16 };

/* Suites of a campaign, by arm and number. */
struct suites {
    bool has[SUITES_MAX];
};

/* What a journal that is durable holds, and at which version that was found out. */
struct known {
    struct suites suites;
    unsigned version;
    bool valid, wrong;
};

struct judge {
    struct disk disk;
    struct call *calls;
    size_t call_count;
    const struct bytes *result, *manifest; /* as they are in the end */
    struct bytes reference[SUITES_MAX];    /* frames of all suites */
    struct suites stored;                  /* whose sync has returned */
    uint64_t said;                         /* suites that people were told of */
    struct known *known;                   /* [file] */
    struct disk_state state;
    uint64_t cuts[DAMAGES], lost[DAMAGES];
    int scratch; /* a file in memory */
};

static int position_of(uint16_t arm, uint32_t suite) {
    return arm < ARMS_MAX && suite < SUITES_MAX / ARMS_MAX ? (int)(suite * ARMS_MAX + arm) : -1;
}

static bool is_journal(const char *name) {
    const char *suffix = strrchr(name, '.');
    return suffix && strcmp(suffix, ".journal") == 0;
}

static bool is_journal_file(const struct disk_file *file) {
    return file->written.size >= 8 && memcmp(file->written.at, "CORSUITE", 8) == 0;
}

/* Reads the bytes as a journal; `wrong` is set if a suite in it is not what it was. */
static void read_journal(struct judge *judge, const struct bytes *bytes, struct suites *suites, bool *wrong,
                         bool learn) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    size_t count;
    uint64_t torn;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", judge->scratch);
    if (ftruncate(judge->scratch, 0) != 0 ||
        (bytes->size > 0 && pwrite(judge->scratch, bytes->at, bytes->size, 0) != (ssize_t)bytes->size))
        abort();
    if (cor_journal_scan(&cor_interaction_schema, path, &entries, &count, &torn, &error) != COR_OK)
        *wrong = true;
    if (error.status != COR_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        int position = position_of(entries[i].arm, entries[i].suite);
        if (position < 0)
            abort();
        struct bytes *reference = &judge->reference[position];
        unsigned char *frame = bytes->at + entries[i].offset;
        if (learn && !reference->at)
            *reference = (struct bytes){.at = memcpy(malloc(entries[i].size), frame, entries[i].size),
                                        .size = entries[i].size};
        *wrong = *wrong || reference->size != entries[i].size ||
                 memcmp(reference->at, frame, entries[i].size) != 0;
        suites->has[position] = true;
    }
    free(entries);
}

static void add(struct suites *to, const struct suites *more) {
    for (size_t i = 0; i < SUITES_MAX; i++)
        to->has[i] = to->has[i] || more->has[i];
}

static uint64_t number_after(const struct call *call, const char *word) {
    const char *at = call->head.size > 0 ? memmem(call->bytes, call->head.size, word, strlen(word)) : NULL;
    return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* What is said to people and to the planner once a call has returned. */
static void listen(struct judge *judge, const struct call *call) {
    uint64_t said = 0;
    if (call->head.kind == TRACE_SAY)
        said = number_after(call, "stored ");
    else if (call->head.kind == TRACE_WRITE && call->path && strstr(call->path, "STATUS"))
        said = number_after(call, "\"suites_done\": ");
    judge->said = said > judge->said ? said : judge->said;
    for (size_t i = 0; call->head.kind == TRACE_SYNC && i < judge->disk.file_count; i++) {
        const struct disk_file *file = &judge->disk.files[i];
        bool wrong = false;
        if (file->object == call->head.object && is_journal_file(file))
            read_journal(judge, &file->written, &judge->stored, &wrong, false);
    }
}

/* The suites that are found in the folder, and whether there are journals at all; false: one is wrong. */
static bool find_suites(struct judge *judge, struct suites *found, bool *any) {
    bool wrong = false;
    *any = false;
    for (int name = 0; name < judge->disk.name_count; name++) {
        int file = judge->state.names[name];
        if (file < 0 || !is_journal(judge->disk.names[name]))
            continue;
        struct known *known = &judge->known[file];
        *any = true;
        if (!judge->state.as_durable[file]) {
            read_journal(judge, &judge->state.bytes[file], found, &wrong, false);
            continue;
        }
        if (!known->valid || known->version != judge->disk.files[file].version) {
            *known = (struct known){.valid = true, .version = judge->disk.files[file].version};
            read_journal(judge, &judge->disk.files[file].durable, &known->suites, &known->wrong, false);
        }
        wrong = wrong || known->wrong;
        add(found, &known->suites);
    }
    return !wrong;
}

static bool equals(struct judge *judge, const char *path, const struct bytes *expected, bool *there) {
    int name = disk_name(&judge->disk, path), file = name >= 0 ? judge->state.names[name] : -1;
    *there = file >= 0;
    if (file < 0)
        return false;
    const struct bytes *bytes = disk_bytes(&judge->disk, &judge->state, file);
    return bytes->size == expected->size && memcmp(bytes->at, expected->at, bytes->size) == 0;
}

/* What is wrong with the state that a cut has left; NULL if nothing is. */
static const char *look(struct judge *judge) {
    bool there, any;
    struct suites found = {0};
    bool whole = equals(judge, "out.h5", judge->result, &there);
    if (there)
        return whole ? NULL : "the result file is another";
    if (!find_suites(judge, &found, &any))
        return "a suite is wrong";
    uint64_t count = 0;
    for (size_t i = 0; i < SUITES_MAX; i++) {
        count += found.has[i];
        if (judge->stored.has[i] && !found.has[i])
            return "a stored suite is lost";
    }
    if (count < judge->said)
        return "more suites were said to be stored";
    if (!equals(judge, "out.h5.parts/MANIFEST", judge->manifest, &there) && (any || there))
        return there ? "the manifest is damaged" : "journals without a manifest";
    return NULL;
}

/* Cuts behind the calls so far. */
static void cut(struct judge *judge, size_t calls, uint64_t first, uint64_t count, uint64_t seed,
                bool quiet) {
    for (uint64_t i = first; i < first + count; i++) {
        enum damage damage = (enum damage)(i % DAMAGES);
        disk_cut(&judge->disk, calls, damage, seed + i, &judge->state);
        const char *trouble = look(judge);
        judge->cuts[damage]++;
        judge->lost[damage] += trouble != NULL;
        if (trouble && !quiet)
            printf("call %zu, %s, dice %" PRIu64 ": %s\n", calls, damage_names[damage], seed + i, trouble);
    }
}

/* How everything ends; without it nothing can be judged. */
static void learn(struct judge *judge) {
    struct disk *end = calloc(1, sizeof *end);
    disk_init(end, judge->calls, judge->call_count);
    for (size_t i = 0; i < judge->call_count; i++)
        disk_apply(end, i);
    for (size_t i = 0; i < judge->call_count; i++) { /* removed in the end: its last renaming counts */
        const struct call *call = &judge->calls[i];
        if (call->head.kind == TRACE_WRITE && call->path && strstr(call->path, "MANIFEST"))
            for (size_t f = 0; f < end->file_count; f++)
                if (end->files[f].object == call->head.object && end->files[f].written.size > 0 &&
                    end->files[f].written.at[0] == '{' && !judge->manifest)
                    judge->manifest = &end->files[f].written;
    }
    for (size_t f = 0; f < end->file_count; f++)
        if (is_journal_file(&end->files[f])) {
            struct suites all = {0};
            bool wrong = false;
            read_journal(judge, &end->files[f].written, &all, &wrong, true);
            if (wrong)
                exit((fprintf(stderr, "the recording has two results for one suite\n"), 2));
        }
    int result = disk_name(end, "out.h5");
    if (!judge->manifest || result < 0 || end->live[result] < 0)
        exit((fprintf(stderr, "the recording has no manifest, or no result file\n"), 2));
    judge->result = &end->files[end->live[result]].written;
}

static int simulate(struct judge *judge, uint64_t cuts, uint64_t seed) {
    uint64_t all = 0, lost = 0, each = cuts / (judge->call_count + 1) + 1;
    bool quiet = judge->disk.ignores_file_sync;
    learn(judge);
    cut(judge, 0, 0, each, seed, quiet);
    for (size_t i = 0; i < judge->call_count; i++) {
        disk_apply(&judge->disk, i);
        listen(judge, &judge->calls[i]);
        cut(judge, i + 1, (i + 1) * each, each, seed, quiet);
    }
    printf("%zu calls;", judge->call_count);
    for (int damage = 0; damage < DAMAGES; damage++) {
        all += judge->cuts[damage];
        lost += judge->lost[damage];
        printf(" %s %" PRIu64 " of %" PRIu64 "%s", damage_names[damage], judge->lost[damage],
               judge->cuts[damage], damage + 1 < DAMAGES ? "," : "\n");
    }
    printf("%" PRIu64 " %" PRIu64 "\n", lost, all);
    return lost > 0;
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        exit((perror(path), 2));
}

static void write_state(struct judge *judge, const char *folder, uint64_t number, const char *said) {
    char path[2048];
    snprintf(path, sizeof path, "%s/%" PRIu64, folder, number);
    mkdir(path, 0777);
    for (int name = 0; name < judge->disk.name_count; name++) { /* folders come before what is in them */
        int file = judge->state.names[name];
        if (file < 0)
            continue;
        snprintf(path, sizeof path, "%s/%" PRIu64 "/%s", folder, number, judge->disk.names[name]);
        const struct bytes *bytes = disk_bytes(&judge->disk, &judge->state, file);
        if (judge->disk.files[file].folder)
            mkdir(path, 0777);
        else
            write_file(path, bytes->at, bytes->size);
    }
    snprintf(path, sizeof path, "%s/%" PRIu64 ".said", folder, number);
    write_file(path, said, strlen(said));
}

static int states(struct judge *judge, uint64_t count, uint64_t seed, const char *folder) {
    uint64_t number = 0;
    for (size_t i = 0; i <= judge->call_count; i++) {
        uint64_t until = (i + 1) * count / (judge->call_count + 1); /* evenly spread */
        for (; number < until; number++) {
            char said[128];
            enum damage damage = (enum damage)(number % DAMAGES);
            disk_cut(&judge->disk, i, damage, seed + number, &judge->state);
            snprintf(said, sizeof said, "%" PRIu64 " stored, call %zu, %s\n", judge->said, i,
                     damage_names[damage]);
            write_state(judge, folder, number, said);
        }
        if (i < judge->call_count) {
            disk_apply(&judge->disk, i);
            listen(judge, &judge->calls[i]);
        }
    }
    return 0;
}

int main(int count, char **words) {
    static struct judge judge;
    if (count < 5)
        return 2;
    judge.calls = trace_read(words[2], &judge.call_count);
    judge.known = calloc(judge.call_count + 1, sizeof *judge.known); /* a file for each call at most */
    judge.scratch = memfd_create("journal", 0);
    if (!judge.known || judge.scratch < 0)
        abort();
    disk_init(&judge.disk, judge.calls, judge.call_count);
    uint64_t wanted = strtoull(words[3], NULL, 10), seed = strtoull(words[4], NULL, 10);
    if (strcmp(words[1], "states") == 0 && count > 5)
        return states(&judge, wanted, seed, words[5]);
    judge.disk.ignores_file_sync = count > 5 && strcmp(words[5], "no-sync") == 0;
    return simulate(&judge, wanted, seed);
}
