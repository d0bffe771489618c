/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "disk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

const char *const damage_names[DAMAGES] = {"all lost",     "last torn", "any calls",
                                           "torn sectors", "garbage",   "names lost"};

static void *need(void *memory) {
    if (!memory)
        abort();
    return memory;
}

static void reserve(struct bytes *bytes, size_t size) {
    if (size > bytes->capacity) {
        bytes->capacity = size + size / 2;
        bytes->at = need(realloc(bytes->at, bytes->capacity));
    }
    if (size > bytes->size)
        memset(bytes->at + bytes->size, 0, size - bytes->size);
}

static void set_size(struct bytes *bytes, size_t size) {
    reserve(bytes, size);
    bytes->size = size;
}

static void overwrite(struct bytes *bytes, size_t offset, const void *source, size_t size) {
    if (offset + size > bytes->size)
        set_size(bytes, offset + size);
    memcpy(bytes->at + offset, source, size);
}

static void copy(struct bytes *to, const struct bytes *from) {
    to->size = 0;
    if (from->size > 0)
        overwrite(to, 0, from->at, from->size);
}

static void *read_part(FILE *file, size_t size, bool text) {
    unsigned char *part = need(malloc(size + 1));
    if (fread(part, 1, size, file) != size)
        abort();
    part[size] = '\0';
    if (!text && size == 0) {
        free(part);
        return NULL;
    }
    return part;
}

static int by_order(const void *a, const void *b) {
    const struct call *left = a, *right = b;
    return (left->head.order > right->head.order) - (left->head.order < right->head.order);
}

static void read_trace(const char *path, struct call **calls, size_t *count, size_t *capacity) {
    struct call call = {.from = -1, .to = -1};
    FILE *file = need(fopen(path, "rb"));
    while (fread(&call.head, sizeof call.head, 1, file) == 1) {
        call.path = call.head.path > 0 ? read_part(file, call.head.path, true) : NULL;
        call.other = call.head.other > 0 ? read_part(file, call.head.other, true) : NULL;
        bool has_bytes = call.head.kind == TRACE_WRITE || call.head.kind == TRACE_SAY;
        call.bytes = has_bytes ? read_part(file, call.head.size, false) : NULL;
        if (*count == *capacity) {
            *capacity = 2 * *capacity + 64;
            *calls = need(realloc(*calls, *capacity * sizeof **calls));
        }
        (*calls)[(*count)++] = call;
    }
    fclose(file);
}

struct call *trace_read(const char *folder, size_t *count) {
    struct call *calls = NULL;
    size_t capacity = 0;
    char path[1024];
    DIR *open = need(opendir(folder));
    *count = 0;
    for (const struct dirent *entry; (entry = readdir(open));) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (!suffix || strcmp(suffix, ".trace") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        read_trace(path, &calls, count, &capacity);
    }
    closedir(open);
    qsort(need(calls), *count, sizeof *calls, by_order);
    return calls;
}

int disk_name(const struct disk *disk, const char *path) {
    for (int i = 0; path && i < disk->name_count; i++)
        if (strcmp(disk->names[i], path) == 0)
            return i;
    return -1;
}

static int add_name(struct disk *disk, const char *path) {
    int found = disk_name(disk, path);
    if (!path || found >= 0 || strcmp(path, ".") == 0)
        return found;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? need(strndup(path, (size_t)(slash - path))) : NULL;
    int parent = folder ? add_name(disk, folder) : -1;
    free(folder);
    if (disk->name_count == NAMES_MAX)
        abort();
    disk->names[disk->name_count] = need(strdup(path));
    disk->folder_of[disk->name_count] = parent;
    disk->live[disk->name_count] = disk->durable[disk->name_count] = -1;
    return disk->name_count++;
}

void disk_init(struct disk *disk, struct call *calls, size_t count) {
    disk->calls = calls;
    for (size_t i = 0; i < count; i++) {
        calls[i].from = add_name(disk, calls[i].path);
        calls[i].to = add_name(disk, calls[i].other);
    }
}

/* The newest file of that inode number: an older one has gone. */
static int file_of(const struct disk *disk, uint64_t object) {
    for (size_t i = disk->file_count; i-- > 0;)
        if (disk->files[i].object == object && !disk->files[i].folder)
            return (int)i;
    return -1;
}

static int add_file(struct disk *disk, uint64_t object, bool folder) {
    if (disk->file_count == disk->file_capacity) {
        disk->file_capacity = 2 * disk->file_capacity + 64;
        disk->files = need(realloc(disk->files, disk->file_capacity * sizeof *disk->files));
    }
    disk->files[disk->file_count] = (struct disk_file){.object = object, .folder = folder};
    return (int)disk->file_count++;
}

static void change_name(struct disk *disk, int name, int file, size_t call) {
    if (disk->change_count == disk->change_capacity) {
        disk->change_capacity = 2 * disk->change_capacity + 64;
        disk->changes = need(realloc(disk->changes, disk->change_capacity * sizeof *disk->changes));
    }
    disk->live[name] = file;
    disk->changes[disk->change_count++] = (struct name_change){name, file, call};
}

static void write_whole(struct bytes *bytes, const struct call *call) {
    if (call->head.kind == TRACE_WRITE)
        overwrite(bytes, call->head.offset, call->bytes, call->head.size);
    else
        set_size(bytes, call->head.offset);
}

static void sync_file(struct disk *disk, struct disk_file *file) {
    if (disk->ignores_file_sync)
        return;
    for (size_t i = 0; i < file->pending_count; i++)
        write_whole(&file->durable, &disk->calls[file->pending[i]]);
    file->version += file->pending_count > 0;
    file->pending_count = 0;
}

static void sync_folder(struct disk *disk, int folder) {
    size_t kept = 0;
    for (size_t i = 0; i < disk->change_count; i++) {
        const struct name_change *change = &disk->changes[i];
        if (disk->folder_of[change->name] == folder)
            disk->durable[change->name] = change->file;
        else
            disk->changes[kept++] = *change;
    }
    disk->change_count = kept;
}

static void write_to(struct disk *disk, size_t number) {
    const struct call *call = &disk->calls[number];
    int file = file_of(disk, call->head.object);
    if (file < 0)
        return; /* it was there before, such as a terminal's */
    struct disk_file *at = &disk->files[file];
    write_whole(&at->written, call);
    if (at->pending_count == at->pending_capacity) {
        at->pending_capacity = 2 * at->pending_capacity + 16;
        at->pending = need(realloc(at->pending, at->pending_capacity * sizeof *at->pending));
    }
    at->pending[at->pending_count++] = number;
}

void disk_apply(struct disk *disk, size_t number) {
    const struct call *call = &disk->calls[number];
    int file;
    switch ((enum trace_kind)call->head.kind) {
    case TRACE_CREATE:
        change_name(disk, call->from, add_file(disk, call->head.object, false), number);
        break;
    case TRACE_MKDIR:
        change_name(disk, call->from, add_file(disk, 0, true), number);
        break;
    case TRACE_WRITE:
    case TRACE_TRUNCATE:
        write_to(disk, number);
        break;
    case TRACE_SYNC:
        if ((file = file_of(disk, call->head.object)) >= 0)
            sync_file(disk, &disk->files[file]);
        break;
    case TRACE_SYNC_FOLDER:
        sync_folder(disk, call->from);
        break;
    case TRACE_RENAME:
        file = disk->live[call->from];
        change_name(disk, call->to, file, number); /* first: a name that is left is no loss */
        change_name(disk, call->from, -1, number);
        break;
    case TRACE_REMOVE:
        change_name(disk, call->from, -1, number);
        break;
    case TRACE_SAY:
        break;
    }
}

static uint64_t draw(struct disk *disk) {
    uint64_t z = disk->dice += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static bool chance(struct disk *disk, unsigned percent) {
    return draw(disk) % 100 < percent;
}

/* The hole that a lost sector leaves. */
static void fill_hole(struct disk *disk, unsigned char *at, size_t size, size_t calls, bool garbage) {
    const struct call *other = &disk->calls[draw(disk) % calls];
    memset(at, 0, size);
    if (garbage && chance(disk, 50) && other->bytes && other->head.size >= size)
        memcpy(at, other->bytes + draw(disk) % (other->head.size - size + 1), size);
    else if (garbage)
        for (size_t i = 0; i < size; i++)
            at[i] = (unsigned char)draw(disk);
}

static void write_sectors(struct disk *disk, struct bytes *bytes, const struct call *call, unsigned percent,
                          size_t calls, bool garbage) {
    size_t begin = call->head.offset, end = begin + call->head.size, last = bytes->size;
    for (size_t at = begin; at < end;) {
        size_t next = (at / SECTOR + 1) * SECTOR < end ? (at / SECTOR + 1) * SECTOR : end;
        bool is_new = next > last;
        if (chance(disk, percent))
            overwrite(bytes, at, call->bytes + (at - begin), next - at);
        else if (is_new && (garbage || chance(disk, 50))) {
            set_size(bytes, next > bytes->size ? next : bytes->size);
            fill_hole(disk, bytes->at + at, next - at, calls, garbage);
        }
        at = next;
    }
}

/* One pending call of a file, as far as it is left. */
static void leave_write(struct disk *disk, struct bytes *bytes, size_t number, size_t calls,
                        enum damage damage, unsigned percent) {
    const struct call *call = &disk->calls[number];
    bool is_write = call->head.kind == TRACE_WRITE;
    switch (damage) {
    case DAMAGE_LAST_TORN:
        if (number + 1 == calls && is_write && call->head.size > 0) {
            overwrite(bytes, call->head.offset, call->bytes, draw(disk) % (call->head.size + 1));
            break;
        }
        write_whole(bytes, call);
        break;
    case DAMAGE_NAMES_LOST:
        write_whole(bytes, call);
        break;
    case DAMAGE_ANY_CALLS:
        if (chance(disk, percent))
            write_whole(bytes, call);
        break;
    case DAMAGE_TORN_SECTORS:
    case DAMAGE_GARBAGE:
        if (is_write)
            write_sectors(disk, bytes, call, percent, calls, damage == DAMAGE_GARBAGE);
        else if (chance(disk, percent))
            write_whole(bytes, call);
        break;
    case DAMAGE_ALL_LOST:
    case DAMAGES:
        break;
    }
}

/* Changes of names that are left. A renaming is one: its file has the old name, or the new one, or both. */
static void leave_names(struct disk *disk, enum damage damage, unsigned percent, struct disk_state *state) {
    memcpy(state->names, disk->durable, sizeof state->names);
    size_t first = draw(disk) % (disk->change_count + 1);
    bool kept = false;
    for (size_t i = 0; i < disk->change_count; i++) {
        const struct name_change *change = &disk->changes[i], *before = i > 0 ? change - 1 : NULL;
        bool second_half = before && before->call == change->call;
        if (second_half && disk->folder_of[before->name] == disk->folder_of[change->name])
            (void)0; /* in one folder both halves are one */
        else if (damage == DAMAGE_LAST_TORN)
            kept = true;
        else if (damage == DAMAGE_ALL_LOST)
            kept = false;
        else if (damage == DAMAGE_TORN_SECTORS || damage == DAMAGE_GARBAGE)
            kept = i < first;
        else
            kept = (!second_half || kept) && chance(disk, percent);
        if (kept)
            state->names[change->name] = change->file;
    }
    for (int name = 0; name < disk->name_count; name++) { /* folders come before what is in them */
        int folder = disk->folder_of[name];
        if (folder >= 0 && state->names[folder] < 0)
            state->names[name] = -1;
    }
}

void disk_cut(struct disk *disk, size_t calls, enum damage damage, uint64_t seed, struct disk_state *state) {
    static const unsigned percents[] = {50, 10, 90, 50};
    disk->dice = seed;
    unsigned percent = percents[draw(disk) % 4];
    if (state->file_capacity < disk->file_count) {
        state->bytes = need(realloc(state->bytes, disk->file_capacity * sizeof *state->bytes));
        state->as_durable = need(realloc(state->as_durable, disk->file_capacity * sizeof *state->as_durable));
        for (size_t i = state->file_capacity; i < disk->file_capacity; i++)
            state->bytes[i] = (struct bytes){0};
        state->file_capacity = disk->file_capacity;
    }
    leave_names(disk, damage, percent, state);
    for (size_t i = 0; i < disk->file_count; i++) {
        const struct disk_file *file = &disk->files[i];
        state->as_durable[i] = file->pending_count == 0 || damage == DAMAGE_ALL_LOST;
        if (state->as_durable[i])
            continue;
        copy(&state->bytes[i], &file->durable);
        for (size_t p = 0; p < file->pending_count; p++)
            leave_write(disk, &state->bytes[i], file->pending[p], calls, damage, percent);
    }
}

const struct bytes *disk_bytes(const struct disk *disk, const struct disk_state *state, int file) {
    return state->as_durable[file] ? &disk->files[file].durable : &state->bytes[file];
}
