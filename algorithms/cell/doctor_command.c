/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "commands.h"
#include "show_view.h"

#include <corridor/built.h>
#include <corridor/guarantees.h>

#include <ctype.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

#define LAYER(member) COR_CELL_OF(struct cor_guarantee, member)
static const struct cor_column_definition layers_columns[] = {
    {"layer", "layer", "", "what is kept apart", LAYER(name)},
    {"holds", "holds", "", "whether it does on this machine, for this user", COR_CELL_FLAG, 0, 0},
    {"means", "by", "", "how it is come by", COR_TEXT_OF(struct cor_guarantee, means)},
    {"promise", "a program in a cell", "", "what follows from it",
     COR_TEXT_OF(struct cor_guarantee, promise)},
};
COR_SHEET_DEFINITION(layers, "layers", "Layers of isolation", "a layer", 0, 0);

static const struct cor_column_definition libraries_columns[] = {
    {"library", "library", "", "what is not Corridor's own", COR_CELL_TEXT, 0, 0},
    {"version", "version", "", "of the archive, or of what it was built with", COR_CELL_TEXT, 0, 0},
    {"from", "from", "", "archive: it is part of the program; otherwise the file that is loaded",
     COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(libraries, "libraries", "Libraries at work", "a library", 0, 0);

static const struct cor_column_definition machine_columns[] = {
    {"check", "check", "", "what a campaign needs", COR_CELL_OF(struct cor_machine_check, name)},
    {"holds", "holds", "", "whether it is so", COR_CELL_OF(struct cor_machine_check, holds)},
    {"found", "found", "", "what there is", COR_CELL_TEXT, 0, 0},
    {"right", "right would be", "", "what should be, and how to come to it; of what does not hold",
     COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(machine, "machine", "Disk, locks, limits, loopback", "what a campaign needs", 0, 0);

/* Which of the files that are loaded is the library. */
struct wanted {
    char name[64]; /* its file begins with this: libz3 */
    char file[512];
};

static int find_file(struct dl_phdr_info *loaded, size_t size, void *wanted_library) {
    struct wanted *wanted = wanted_library;
    const char *base = strrchr(loaded->dlpi_name, '/');
    (void)size;
    if (!base || strncmp(base + 1, wanted->name, strlen(wanted->name)) != 0 ||
        isalnum((unsigned char)base[1 + strlen(wanted->name)]))
        return 0;
    snprintf(wanted->file, sizeof wanted->file, "%s", loaded->dlpi_name);
    return 1;
}

static void put_library(struct cor_sheet *sheet, const char *name, const char *version, bool is_archive) {
    struct wanted wanted = {.file = "archive"};
    snprintf(wanted.name, sizeof wanted.name, "lib%s", name);
    if (!is_archive && dl_iterate_phdr(find_file, &wanted) == 0)
        snprintf(wanted.file, sizeof wanted.file, "shared");
    cor_sheet_row(sheet);
    cor_sheet_text(sheet, "%s", name);
    cor_sheet_text(sheet, "%s", version);
    cor_sheet_text(sheet, "%s", wanted.file);
}

static void fill(unsigned held, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &layers);
    for (unsigned i = 0; i < COR_GUARANTEE_COUNT; i++) {
        COR_SHEET_PUT(sheet, struct cor_guarantee, &cor_guarantees[i]);
        cor_sheet_flag(sheet, held >> i & 1);
        COR_SHEET_PUT(sheet, struct cor_guarantee, &cor_guarantees[i]);
    }
    if (held >> COR_GUARANTEE_SIGHT & 1 && !(held & COR_GUARANTEES_ROOT))
        cor_sheets_remark(sheets, COR_SIGHT_BY_LANDLOCK ".");
    const unsigned all = COR_GUARANTEES_ALL | COR_GUARANTEES_ROOT;
    cor_sheets_remark(sheets, (held & all) == all
                                  ? "All hold: corridor run --require-isolation full runs here."
                                  : "Results are the same without a layer, as long as nothing does what it "
                                    "would prevent.");
}

struct request {
    struct cor_sheet_options sheets;
};

static enum cor_exit run(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    struct cor_machine_check checks[COR_MACHINE_COUNT];
    size_t missing = 0;
    unsigned held;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_machine_look(arguments->word_count > 0 ? arguments->words[0] : ".", checks, &error));
    COR_TRY_OUT(cor_guarantees_held(&held, &error));
    COR_TRY_OUT(cor_sheets_create("corridor-doctor", 1, &sheets, &error));
    fill(held, sheets);
    struct cor_sheet *machine_sheet = cor_sheets_add(sheets, &machine);
    for (size_t i = 0; i < COR_MACHINE_COUNT; i++) {
        COR_SHEET_PUT(machine_sheet, struct cor_machine_check, &checks[i]);
        cor_sheet_text(machine_sheet, "%s", checks[i].found);
        if (checks[i].holds)
            cor_sheet_nothing(machine_sheet);
        else
            cor_sheet_text(machine_sheet, "%s", checks[i].right);
        missing += !checks[i].holds;
    }
    struct cor_sheet *sheet = cor_sheets_add(sheets, &libraries);
    char words[] = CORRIDOR_LIBRARIES, *rest;
    for (char *name = strtok_r(words, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const char *version = strtok_r(NULL, " ", &rest), *how = strtok_r(NULL, " ", &rest);
        put_library(sheet, name, version, strcmp(how, "archive") == 0);
    }
    put_library(sheet, "c", gnu_get_libc_version(), false);
    cor_sheets_remark(sheets, "corridor " CORRIDOR_VERSION ", made by " CORRIDOR_COMPILER
                              " (" CORRIDOR_BUILD_TYPE ").");
#define COR_LAYER_WORD(word) " " #word
    cor_sheets_remark(sheets, "Layers of testing:" COR_LAYERS(COR_LAYER_WORD) ".");
#undef COR_LAYER_WORD
    COR_TRY_OUT(cor_show_sheets(&request->sheets, sheets, "layers", &error));
out:
    return status != COR_OK ? cor_report(&error) : missing > 0 ? COR_EXIT_EXPECTATION : COR_EXIT_DONE;
}

const struct cor_command cor_command_doctor = {
    .name = "doctor",
    .summary = "check sandbox and machine",
    .operands = "[FOLDER]",
    .takes = {0, 1, "takes one folder at most, to which results are to go"},
    .manual =
        "Starts a process in a sandbox (a cell), as Corridor does for algorithms, agents and systems that "
        "are not built in. The process tries what each layer of the sandbox must prevent, and a table "
        "shows which layers hold. The kernel provides the layers; a container or the system's policy may "
        "refuse some. corridor run says so, too, when it runs such a program; with --require-isolation "
        "full it refuses to run it. A program in a cell can read its own files, and those that "
        "CORRIDOR_READS names: docs/learn/add-an-algorithm.md.\n"
        "Then it checks what campaigns need of the folder (the present one, unless another is named) and "
        "of the machine: files can be made and written, 1024 MiB are free, file locks hold, the limits of "
        "open files, file sizes, address space and processes are wide enough, and a port of the loopback "
        "can be opened. The exit code is 0 if all of these hold, 1 if one does not (the table says what "
        "would be right), and 4 if there is no such folder. A missing layer of the sandbox does not "
        "change the exit code, since results are the same without it.\n"
        "Then it names the libraries that the program works with.",
    .request_size = sizeof(struct request),
    .options = {COR_SHEET_OPTIONS(sheets, "print the first table as CSV")},
    .examples = {"corridor doctor", "corridor doctor /scratch/camp      # where the results are to go",
                 "corridor doctor --json --where \"not holds\""},
    .run = run,
};
