# SPDX-License-Identifier: GPL-3.0-or-later
# check.R CORRIDOR.R PROGRAM FILE.h5 ...: every table of each file against what `corridor export` wrote into FILE.tables, cell
# by cell; then frames and errors. Prints how much agreed. The first file is interaction.h5; what is asked of other layers
# is asked if their files are named.
arguments <- commandArgs(trailingOnly = TRUE)
source(arguments[1])
options(corridor.command = arguments[2], warn = 2)
cells <- 0

expect <- function(holds, ...) if (!isTRUE(holds)) stop(..., call. = FALSE)

refused <- function(expression, ...) {
  said <- tryCatch({ force(expression); "" }, error = conditionMessage)
  for (part in c(...))
    expect(grepl(part, said, fixed = TRUE), "said \"", said, "\", not \"", part, "\"")
}

single <- function(numbers) readBin(writeBin(numbers, raw(), size = 4), "double", length(numbers), size = 4)

# Text of the program, as the number or the word that a column holds.
agrees <- function(ours, theirs) {
  ours <- as.vector(if (is.factor(ours)) as.character(ours) else ours)
  if (is.character(ours)) {
    wide <- grepl("^0x[0-9a-f]{16}$", ours) & !grepl("^0x", theirs)
    if (any(wide)) # a fingerprint, whose digits the program writes in decimal
      theirs[wide] <- decimal[theirs[wide]]
    return(all(ours == theirs))
  }
  if (is.integer(ours))
    return(all(sprintf("%d", ours) == theirs))
  there <- suppressWarnings(as.numeric(theirs))
  exact <- is.nan(ours) & theirs == "NaN" | ours == there
  all(exact | (!is.na(there) & single(there) == ours))
}

compare <- function(path) {
  r <- corridor_open(path)
  known <- corridor_tables(r)
  written <- sub("[.]csv$", "", list.files(paste0(path, ".tables"), recursive = TRUE))
  expect(setequal(c(known$table, "head"), written), path, ": other tables: ", setdiff(written, known$table))
  for (name in written) {
    theirs <- utils::read.csv(file.path(paste0(path, ".tables"), paste0(name, ".csv")), colClasses = "character", na.strings = character(0),
                              check.names = FALSE, encoding = "UTF-8")
    ours <- corridor_table(r, name, wide = "text")
    names_there <- setdiff(names(theirs), if (name %in% c("violations", "smokes") && !("sentence" %in% names(ours))) "sentence")
    expect(identical(names(ours), names_there), path, ": ", name, " has columns ", toString(names(ours)), ", not ", toString(names_there))
    expect(nrow(ours) == nrow(theirs), path, ": ", name, " has ", nrow(ours), " rows, not ", nrow(theirs))
    if (name != "head")
      expect(known$rows[known$table == name] == nrow(ours), path, ": ", name, ": rows as listed")
    for (column in names(ours)) {
      expect(agrees(ours[[column]], theirs[[column]]), path, ": ", name, "/", column, " is not what the program exports")
      if (!grepl("/|^head$", name))
        expect(nzchar(attr(ours[[column]], "units")) && nzchar(attr(ours[[column]], "meaning")), path, ": ", name, "/", column, " says nothing of itself")
    }
    cells <<- cells + prod(dim(ours))
  }
  r
}

# Decimal numbers of 64 bits that stand in the files, and their 16 digits: written by test_r.py.
digits <- utils::read.csv("decimal", header = FALSE, colClasses = "character")
decimal <- stats::setNames(digits[[2]], digits[[1]])

files <- arguments[-(1:2)]
for (path in files)
  compare(path)

# what a column says of itself, against its attributes in the file, which other readers see
said <- hdf5r::H5File$new("interaction.h5", "r")
for (name in c("suites", "cases", "failures", "reorganizations")) {
  frame <- corridor_table(corridor_open("interaction.h5"), name)
  for (column in names(frame)) {
    there <- hdf5r::h5attributes(said[[paste0(name, "/", column)]])
    expect(attr(frame[[column]], "units") == there$units && attr(frame[[column]], "meaning") == there$long_name, name, "/", column, ": says otherwise")
    if (!is.null(there$flag_meanings))
      expect(identical(levels(frame[[column]])[seq_along(there$flag_values)], strsplit(there$flag_meanings, " ")[[1]]), name, "/", column, ": codes")
  }
}
known <- corridor_tables(corridor_open("interaction.h5"))
for (name in c("cases", "vectors/walk"))
  expect(known$meaning[known$table == name] == hdf5r::h5attr(said[[name]], "long_name"), name, ": another meaning")
said$close_all()
expect(identical(corridor_json("{\"a\": [1, \"x\\\"\\u00e9\\n\\\\/\", {}, [], true], \"b\": {\"c\": -2.5e1}}"),
                 list(a = list(1, "x\"\u00e9\n\\/", stats::setNames(list(), character()), list(), TRUE), b = list(c = -25))), "JSON")

# frames, against what the program says
r <- corridor_open("interaction.h5")
expect(identical(levels(corridor_table(r, "cases")$gray), c("passed", "failed", "not_judged", "smoke", "undecided")), "levels of gray")
expect(identical(attr(corridor_table(r)$dissimilarity, "units"), "value"), "unit of the measure")
expect(identical(names(corridor_table(r, "cases", c("case", "arm"))), c("case", "arm")), "columns in their order")
tidy <- corridor_tidy(r)
wide <- corridor_table(r, "cases")
expect(nrow(tidy) == 3 * nrow(wide) && all(tidy$verdict[tidy$check == "black"] == wide$black) && all(tidy$case[tidy$check == "gray"] == wide$case), "tidy")
expect(all(as.character(tidy$verdict[tidy$check == "detect"]) == as.character(wide$detect)), "tidy: detect")
for (layer in intersect(c("interaction", "process"), sub("[.]h5$", "", files)))
  expect(identical(sort(corridor_failures(corridor_open(paste0(layer, ".h5")))$key), sort(readLines(paste0(layer, ".keys")))), layer, ": keys of failures")

first <- corridor_detections(r)
curves <- corridor_view(r, "survival", "curves")
expect(nrow(curves) > 3, "there are curves")
for (row in seq_len(nrow(curves))) {
  here <- first[first$arm == curves$arm[row], ]
  expect(sum(here$cases >= curves$cases[row]) == curves$at_risk[row] && sum(here$failed & here$cases == curves$cases[row]) == curves$detected[row],
         "detections: another curve than the program's")
}
gray <- corridor_detections(r, "gray")
seen <- corridor_view(r, "survival", "arms", "--box", "gray")
expect(all(tapply(gray$failed, gray$arm, sum)[seen$arm] == seen$detected), "detections by the gray box")
coverage <- corridor_coverage(r)
for (row in seq_len(nrow(coverage))) {
  one <- function(table) { frame <- corridor_table(r, table); frame$count[frame$arm == coverage$arm[row] & frame$suite == coverage$suite[row]] }
  expect(length(one("visits")) == coverage$states[row] && sum(one("visits") > 0) == coverage$states_met[row] &&
         length(one("transitions")) == coverage$transitions[row] && sum(one("transitions") > 0) == coverage$transitions_met[row], "coverage")
}
expect(nrow(coverage) == nrow(corridor_table(r, "suites")), "a row a suite")

said <- utils::capture.output(print(r))
expect(grepl("interaction.h5: 2 arms, ", said[1], fixed = TRUE) && identical(said[-1], readLines("interaction.said")), "print")
options(corridor.command = "")
expect(identical(utils::capture.output(print(r)), said[1]), "print without the program")
refused(corridor_view(r, "survival"), "the program corridor is not there", "options(corridor.command")
options(corridor.command = arguments[2])

# errors
refused(corridor_open("missing.h5"), "missing.h5: cannot open: No such file or directory")
refused(corridor_open("."), ".: is a folder")
refused(corridor_open("decimal"), "decimal: not an HDF5 file", "give a result file that `corridor` has written")
refused(corridor_open("other.h5"), "other.h5: an HDF5 file, but no result file of Corridor")
refused(corridor_open("major.h5"), "major.h5: has format 2.0.0, and this corridor.R reads 1.x")
refused(corridor_table(r, "case"), "no table is called \"case\"\n  did you mean \"cases\"? known: ")
refused(corridor_table(r, "cases", c("arm", "grey")), "table cases has no column \"grey\"\n  did you mean \"gray\"? known: arm, suite")
refused(corridor_open("schema.h5"), "schema.h5: its schema is damaged", "take another copy")
refused(corridor_tidy(r, "suites"), "table suites holds no verdicts")
if ("system.h5" %in% files)
  refused(corridor_table(corridor_open("system.h5"), "test_agents"), "test_agents/budget_left: holds numbers from 2^53 on", "wide = \"text\"")
if ("agent.h5" %in% files) {
  refused(corridor_tidy(corridor_open("agent.h5")), "table findings holds no verdicts")
  refused(corridor_coverage(corridor_open("agent.h5")), "has no table visits")
}
refused(corridor_view(r, "nonsense"), "nonsense")
for (call in c(corridor_table, corridor_tables, corridor_tidy, corridor_failures, corridor_detections, corridor_coverage))
  refused(call("interaction.h5"), "not a result of corridor_open()", "r <- corridor_open(")

# the file is open: in a fork, in another R, and when it is written anew
frame <- corridor_table(r, "cases")
forked <- parallel::mclapply(1:4, function(part) corridor_table(r, "cases"), mc.cores = 4)
expect(all(vapply(forked, identical, TRUE, frame)), "another table in a fork")
saveRDS(r, "r.rds")
other <- tempfile(fileext = ".R")
writeLines(c(sprintf("source(%s)", deparse(arguments[1])), "saveRDS(corridor_table(readRDS('r.rds'), 'cases'), 'frame.rds')"), other)
expect(system2("Rscript", shQuote(other)) == 0 && identical(readRDS("frame.rds"), frame), "another table in another R")
invisible(file.copy("interaction.h5", "copy.h5"))
copy <- corridor_open("copy.h5")
invisible(file.copy("major.h5", "new.h5") && file.rename("new.h5", "copy.h5"))
refused(corridor_table(copy), "copy.h5: was written anew since it was opened", "corridor_open(")
unlink("copy.h5")
refused(corridor_table(copy), "copy.h5: is no longer there")
cat(sprintf("%.0f cells agree\n", cells))
