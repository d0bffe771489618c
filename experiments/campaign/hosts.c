/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of hosts. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum cor_status no_host(const char *text, struct cor_error *error) {
    return cor_fail(
        error, COR_STATUS_INPUT, NULL,
        "name them as a:8,b:4, or a file with a line for each; all slots together are at most 256",
        "\"%s\" is no host with a number of slots", text);
}

static enum cor_status add(const char *text, struct cor_hosts *hosts, struct cor_error *error) {
    size_t length = strcspn(text, ": \t");
    const char *number = text + length + strspn(text + length, ": \t");
    number += strncmp(number, "slots=", 6) == 0 ? 6 : 0;
    char *end = NULL;
    unsigned long slots = *number >= '1' && *number <= '9' ? strtoul(number, &end, 10) : 1;
    /* Names go into a command line: none may look like an option, or hold what a shell would take apart. */
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@%[]";
    if (!(length > 0 && text[0] != '-' && strspn(text, allowed) >= length) ||
        (end ? *end != '\0' : *number != '\0' || text[length] == ':') ||
        slots > COR_WORKERS_MAX - hosts->slots)
        return no_host(text, error);
    COR_TRY(COR_RESERVE(&hosts->host, &hosts->capacity, hosts->count + 1, error));
    struct cor_remote_host *host = &hosts->host[hosts->count];
    *host = (struct cor_remote_host){cor_strdup(text), (uint32_t)slots};
    COR_TRY(cor_made(host->name, error));
    host->name[length] = '\0';
    hosts->count++;
    hosts->slots += host->slots;
    return COR_OK;
}

enum cor_status cor_hosts_read(const char *text, struct cor_hosts *hosts, struct cor_error *error) {
    struct stat there;
    size_t length;
    bool is_file = stat(text, &there) == 0 && !S_ISDIR(there.st_mode);
    char *copy = is_file ? NULL : cor_strdup(text);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(is_file ? cor_json_read_text(text, &copy, &length, error) : cor_made(copy, error));
    /* Splits in place; blanks around an entry and what follows # are nothing. */
    const char *separators = is_file ? "\n" : ",";
    char *rest = copy;
    while (rest) {
        char *entry = rest;
        rest = strpbrk(rest, separators);
        if (rest)
            *rest++ = '\0';
        entry += strspn(entry, " \t\r");
        entry[strcspn(entry, "#")] = '\0';
        for (size_t i = strlen(entry); i > 0 && strchr(" \t\r", entry[i - 1]); i--)
            entry[i - 1] = '\0';
        if (*entry != '\0')
            COR_TRY_OUT(add(entry, hosts, error));
    }
    if (hosts->count == 0)
        COR_TRY_OUT(no_host(text, error));
out:
    free(copy);
    return status;
}

void cor_hosts_fini(struct cor_hosts *hosts) {
    for (size_t i = 0; i < hosts->count; i++)
        free(hosts->host[i].name);
    free(hosts->host);
    hosts->host = NULL;
    hosts->count = hosts->capacity = 0;
    hosts->slots = 0;
}

const char *campaign__host_of(const struct cor_campaign *campaign, uint32_t worker) {
    const struct cor_hosts *hosts = campaign->definition.hosts;
    for (size_t i = 0; hosts && i < hosts->count; i++) {
        if (worker < hosts->host[i].slots)
            return strcmp(hosts->host[i].name, COR_HOST_HERE) == 0 ? NULL : hosts->host[i].name;
        worker -= hosts->host[i].slots;
    }
    return NULL;
}
