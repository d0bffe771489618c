# SPDX-License-Identifier: GPL-3.0-or-later
#
# Result files of Corridor in R: source("corridor.R"), then r <- corridor_open("demo.h5"). Needs hdf5r and base R alone;
# corridor_view() and the lines that print(r) adds call the program, if it is found. The manual is docs/do/r.md.
#
# Tables are data frames with the words of `corridor export`: codes are factors, texts are texts, fingerprints are texts
# ("0x..."), all else is integer or numeric. attr(column, "units") and attr(column, "meaning") say what a column is.

# The formats that are read, a layer each, with the major version of each.
corridor_formats <- c("corridor-campaign" = "1", "corridor-agent-campaign" = "1", "corridor-model-campaign" = "1", "corridor-search" = "1",
                      "corridor-estimation" = "1", "corridor-system-campaign" = "1", "corridor-process-campaign" = "1")

# Ends the call: what is wrong, and below it what would be right.
corridor_fail <- function(..., remedy = NULL)
  stop(paste(c(paste0(...), if (!is.null(remedy)) paste0("  ", remedy)), collapse = "\n"), call. = FALSE)

# "did you mean .., known: ..", in the manner of the program.
corridor_known <- function(word, known) {
  away <- as.vector(utils::adist(word, known, ignore.case = TRUE))
  near <- if (length(away) && min(away) <= max(1, nchar(word) %/% 3)) sprintf("did you mean \"%s\"? ", known[which.min(away)]) else ""
  paste0(near, "known: ", paste(known, collapse = ", "))
}

corridor_utf8 <- function(text) {
  Encoding(text) <- "UTF-8"
  text
}

# An attribute of a group or dataset; NULL: it has none.
corridor_attribute <- function(object, name) {
  if (!(name %in% hdf5r::h5attr_names(object)))
    return(NULL)
  value <- hdf5r::h5attr(object, name)
  if (is.character(value)) corridor_utf8(value) else value
}

corridor_result <- function(r)
  if (!inherits(r, "corridor_result"))
    corridor_fail("not a result of corridor_open()", remedy = "r <- corridor_open(\"demo.h5\")")

# The size of the file at path, and when it was written.
corridor_stamp <- function(path) as.numeric(file.info(path, extra_cols = FALSE)[c("size", "mtime")])

# Calls what with the file of r. It stays open, as closing takes longer than reading most tables (hdf5r collects all garbage
# first), until r is gone. Another process than the one that opened it has it opened anew: a position in a file is shared
# where R was forked, and a number of HDF5 means nothing where r was read from a file.
corridor_with <- function(r, what) {
  if (!file.exists(r$path))
    corridor_fail(r$path, ": is no longer there")
  if (!identical(corridor_stamp(r$path), r$stamp))
    corridor_fail(r$path, ": was written anew since it was opened", remedy = "open it again: r <- corridor_open(..)")
  if (!identical(r$open$process, Sys.getpid())) {
    r$open$file <- tryCatch(hdf5r::H5File$new(r$path, "r"), error = function(e)
      corridor_fail(r$path, ": cannot be read by HDF5: ", strsplit(conditionMessage(e), "\n")[[1]][1], remedy = "take another copy"))
    r$open$process <- Sys.getpid()
  }
  what(r$open$file)
}

# A text of JSON as lists, texts and numbers: the schema of a file, which has no null. Base R has no such reader.
corridor_json <- function(text) {
  tokens <- corridor_utf8(regmatches(text, gregexpr("\"(?:[^\"\\\\]|\\\\.)*\"|[][{}:,]|[^][{}:,\"[:space:]]+", text, perl = TRUE))[[1]])
  at <- 0L
  take <- function() tokens[at <<- at + 1L]
  word <- function(token) {
    if (grepl("\\", token, fixed = TRUE)) str2lang(token) else substr(token, 2L, nchar(token) - 1L) # R escapes alike
  }
  value <- function() {
    token <- take()
    if (startsWith(token, "\""))
      return(word(token))
    if (!(token %in% c("{", "[")))
      return(switch(token, "true" = TRUE, "false" = FALSE, as.numeric(token)))
    made <- list()
    names <- character()
    while (!(tokens[at + 1L] %in% c("}", "]"))) {
      if (token == "{") {
        names <- c(names, word(take()))
        take() # the colon
      }
      made[[length(made) + 1L]] <- value()
      if (tokens[at + 1L] == ",") take()
    }
    take()
    if (token == "{") stats::setNames(made, names) else made
  }
  value()
}

# What a file says of its tables (name, meaning, columns), catalogs and vectors, each under its name.
corridor_schema <- function(file) {
  named <- function(list) stats::setNames(list, vapply(list, function(one) one$name, ""))
  schema <- tryCatch(corridor_json(file[["schema"]]$read()), error = function(e)
    corridor_fail(file$get_filename(), ": its schema is damaged", remedy = "take another copy, or run the experiment again"))
  tables <- lapply(schema$tables, function(table) { table$columns <- named(table$columns); table })
  list(tables = named(tables), catalogs = named(schema$catalogs), vectors = named(schema$vectors)) # in the order of r$tables
}

# The result file at `path`: what its head and its schema say, and where it is. Tables are read when they are asked for.
corridor_open <- function(path) {
  if (!requireNamespace("hdf5r", quietly = TRUE))
    corridor_fail("the package hdf5r is not there", remedy = "on Debian: apt-get install r-cran-hdf5r; elsewhere: install.packages(\"hdf5r\")")
  if (!file.exists(path))
    corridor_fail(path, ": cannot open: No such file or directory")
  if (dir.exists(path))
    corridor_fail(path, ": is a folder", remedy = "give a result file that `corridor` has written")
  if (!identical(readBin(path, "raw", 8L), as.raw(c(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a))))
    corridor_fail(path, ": not an HDF5 file", remedy = "give a result file that `corridor` has written")
  r <- structure(list(path = normalizePath(path), stamp = corridor_stamp(path), open = new.env(parent = emptyenv())), class = "corridor_result")
  corridor_with(r, function(file) {
    words <- c("format", "format_version", "creator_version", "default", "seed", "complete", "planned_suites", "content_hash")
    r$head <<- lapply(stats::setNames(words, words), function(word) corridor_attribute(file, word))
    if (!isTRUE(r$head$format %in% names(corridor_formats)))
      corridor_fail(path, ": an HDF5 file, but no result file of Corridor", remedy = "give a result file that `corridor` has written")
    major <- sub("[.].*", "", r$head$format_version)
    if (!identical(major, corridor_formats[[r$head$format]]))
      corridor_fail(path, ": has format ", r$head$format_version, ", and this corridor.R reads ", corridor_formats[[r$head$format]], ".x",
                    remedy = "take the corridor.R of the version that wrote the file")
    r$head$default <<- sub("^/", "", r$head$default)
    r$schema <<- corridor_schema(file)
  })
  beside <- function(group, list) if (length(list)) paste0(group, "/", names(list))
  r$tables <- c(names(r$schema$tables), beside("catalog", r$schema$catalogs), beside("vectors", r$schema$vectors))
  r
}

# The lines of `corridor show FILE` where the program is found, behind what the file says itself.
print.corridor_result <- function(x, ...) {
  rows <- function(name) corridor_with(x, function(file) corridor_size(x, file, name))
  cat(sprintf("%s: %s, %s%s\n", x$path,
              paste(sprintf("%.0f %s", c(rows("catalog/arm"), rows(x$head$default)), c("arms", x$head$default)), collapse = ", "),
              paste("seed", x$head$seed), if (x$head$complete == 1) "" else ", ended before it was complete"))
  if (nzchar(corridor_command())) {
    said <- corridor_say(x, character(), c(0L, 1L, 7L))
    said <- said[!grepl("^  \\w+ +\\S*corridor\\S* ", said) & !grepl(basename(x$path), said, fixed = TRUE)]
    cat(said[seq_len(max(c(which(nzchar(said)), 0)))], sep = "\n")
  }
  invisible(x)
}

# ---- tables

# The number of rows of what has that name in r$tables; a file does without later tables that have none.
corridor_size <- function(r, file, name) {
  if (!grepl("/", name, fixed = TRUE) && !file$exists(name))
    return(0)
  inner <- if (startsWith(name, "catalog/")) "/code" else if (!startsWith(name, "vectors/")) paste0("/", names(r$schema$tables[[name]]$columns)[1])
  file[[paste0(name, inner)]]$dims
}

# Which tables, catalogs and vectors there are: a row each, with its number of rows and its meaning.
corridor_tables <- function(r) {
  corridor_result(r)
  corridor_with(r, function(file)
    data.frame(table = r$tables, rows = vapply(r$tables, function(name) corridor_size(r, file, name), 0),
               meaning = vapply(unlist(unname(r$schema), recursive = FALSE), function(one) one$meaning, ""), row.names = NULL))
}

# Unsigned 64-bit numbers as their 16 hexadecimal digits. hdf5r has no public call for those from 2^63 on: its inner one
# leaves the bits as they are, which is held against the public one wherever that is exact.
corridor_digits <- function(dataset) {
  count <- dataset$dims
  bits <- .Call("R_H5Dread", dataset$id, hdf5r::h5types$H5T_NATIVE_UINT64$id, hdf5r::h5const$H5S_ALL$id, hdf5r::h5const$H5S_ALL$id,
                hdf5r::h5const$H5P_DEFAULT$id, numeric(count), FALSE, PACKAGE = "hdf5r")$buf
  bytes <- matrix(format(writeBin(as.vector(unclass(bits)), raw(), endian = "big")), nrow = 8L)
  digits <- do.call(paste0, lapply(1:8, function(byte) bytes[byte, ]))
  public <- bit64::as.bitstring(bit64::as.integer64(dataset$read()))
  ours <- do.call(paste0, lapply(1:16, function(digit) corridor_nibble[substr(digits, digit, digit)]))
  small <- startsWith(ours, "0")
  if (!all(ours[small] == public[small]))
    stop("hdf5r reads 64-bit numbers in another way")
  digits
}
corridor_nibble <- stats::setNames(
  vapply(0:15, function(number) paste(rev(as.integer(intToBits(number))[1:4]), collapse = ""), ""), c(0:9, letters[1:6]))

# The numbers of a list of that many and that type: integer where all fit, else numeric; what numeric cannot hold is refused,
# or written as text.
corridor_numbers <- function(dataset, count, type, where, wide) {
  real <- startsWith(type, "float")
  if (count == 0)
    return(if (real) numeric(0) else integer(0))
  values <- dataset$read()
  if (real)
    return(as.double(values))
  numbers <- if (inherits(values, "integer64")) suppressWarnings(bit64::as.double.integer64(values)) else as.double(values)
  if (max(numbers) >= 2^53) {
    if (wide == "text")
      return(paste0("0x", corridor_digits(dataset)))
    corridor_fail(where, ": holds numbers from 2^53 on, which numeric cannot hold",
                  remedy = "ask for them as text: wide = \"text\"")
  }
  if (max(numbers) <= .Machine$integer.max) as.integer(numbers) else numbers
}

# A factor of codes. A code that has no word is its number, as `corridor export` has it.
corridor_factor <- function(numbers, codes, words) {
  more <- setdiff(sort(unique(numbers)), codes)
  factor(match(numbers, c(codes, more)), levels = seq_along(c(codes, more)), labels = c(words, format(more, scientific = FALSE, trim = TRUE)))
}

# A column of so many rows, of which the schema says `said`.
corridor_column <- function(r, file, table, said, rows, wide) {
  path <- paste0(table, "/", said$name)
  dataset <- if (rows > 0) file[[path]]
  catalog <- regmatches(said$meaning, regexec("code in catalog/([a-z_]+)", said$meaning))[[1]][2]
  if (said$type == "uint64" && grepl("fingerprint", said$meaning, fixed = TRUE))
    column <- if (rows == 0) character(0) else paste0("0x", corridor_digits(dataset))
  else {
    column <- corridor_numbers(dataset, rows, said$type, paste0(r$path, ": ", path), wide)
    if (!is.null(said$codes))
      column <- corridor_factor(column, as.integer(names(said$codes)), unlist(said$codes, use.names = FALSE))
    else if (!is.na(catalog) && said$type == "uint16" && catalog %in% names(r$schema$catalogs)) {
      entries <- corridor_catalog(file, catalog)
      column <- corridor_factor(column, entries$code, entries$name)
    }
  }
  attr(column, "units") <- said$unit
  attr(column, "meaning") <- said$meaning
  column
}

corridor_catalog <- function(file, name) {
  group <- file[[paste0("catalog/", name)]]
  if (group[["code"]]$dims == 0)
    return(data.frame(code = integer(0), name = character(0), description = character(0)))
  data.frame(code = as.integer(group[["code"]]$read()), name = corridor_utf8(group[["name"]]$read()),
             description = corridor_utf8(group[["description"]]$read()))
}

# The texts that two columns lead to: where each begins in a vector of bytes, and how many it has.
corridor_texts <- function(file, vector, start, bytes, where) {
  all <- if (file[[vector]]$dims > 0) as.raw(file[[vector]]$read()) else raw(0)
  if (any(start + bytes > length(all)))
    corridor_fail(where, ": names bytes beyond ", vector, ", which has ", length(all), remedy = "take another copy, or run the experiment again")
  corridor_utf8(vapply(seq_along(start), function(row) rawToChar(all[seq_len(bytes[row]) + start[row]]), ""))
}

# A table, a catalog ("catalog/arm") or a vector ("vectors/walk") of the file, or "head", as a data frame. columns: these
# alone. wide: what becomes of numbers from 2^53 on, which are none of fingerprints: an error, or "text" ("0x...").
corridor_table <- function(r, name = r$head$default, columns = NULL, wide = c("refuse", "text")) {
  corridor_result(r)
  wide <- match.arg(wide)
  known <- c(r$tables, "head")
  if (!(name %in% known))
    corridor_fail(r$path, ": no table is called \"", name, "\"", remedy = corridor_known(name, known))
  corridor_with(r, function(file) {
    if (name == "head")
      frame <- data.frame(name = c("seed", "complete", "planned_suites", "experiment", "provenance"),
                          text = c(r$head$seed, format(r$head$complete), format(r$head$planned_suites, scientific = FALSE),
                                   corridor_utf8(file[["experiment"]]$read()), corridor_utf8(file[["provenance"]]$read())))
    else if (startsWith(name, "catalog/"))
      frame <- corridor_catalog(file, sub("catalog/", "", name, fixed = TRUE))
    else if (startsWith(name, "vectors/"))
      frame <- corridor_vector(r, file, name, wide)
    else
      frame <- corridor_rows(r, file, name, columns, wide)
    if (!is.null(columns)) {
      corridor_columns(r, name, columns, names(frame))
      frame <- frame[columns]
    }
    attr(frame, "table") <- name
    frame
  })
}

corridor_vector <- function(r, file, name, wide) {
  vector <- sub("vectors/", "", name, fixed = TRUE)
  numbers <- corridor_numbers(file[[name]], corridor_size(r, file, name), r$schema$vectors[[vector]]$type, paste0(r$path, ": ", name), wide)
  stats::setNames(data.frame(numbers), vector)
}

corridor_columns <- function(r, table, asked, known)
  for (one in asked)
    if (!(one %in% known))
      corridor_fail(r$path, ": table ", table, " has no column \"", one, "\"", remedy = corridor_known(one, known))

corridor_rows <- function(r, file, table, columns, wide) {
  columns_said <- r$schema$tables[[table]]$columns
  order <- names(columns_said)
  rows <- corridor_size(r, file, table)
  stems <- sub("_start$", "", order)
  texts <- stems[endsWith(order, "_start") & c(order[-1], "") == paste0(stems, "_bytes")]
  shown <- setdiff(ifelse(stems %in% texts, stems, order), paste0(texts, "_bytes"))
  if (!is.null(columns)) {
    corridor_columns(r, table, columns, shown)
    shown <- columns
  }
  read <- function(name) corridor_column(r, file, table, columns_said[[name]], rows, wide)
  made <- lapply(stats::setNames(shown, shown), function(name) {
    if (!(name %in% texts))
      return(read(name))
    start <- read(paste0(name, "_start"))
    vector <- regmatches(attr(start, "meaning"), regexpr("vectors/[a-z_]+", attr(start, "meaning")))
    structure(corridor_texts(file, vector, as.vector(start), as.vector(read(paste0(name, "_bytes"))), paste0(r$path, ": ", table, "/", name)),
              units = "text", meaning = attr(start, "meaning"))
  })
  structure(made, class = "data.frame", row.names = .set_row_names(length(made[[1]])))
}

# ---- frames for plots

# The columns of a frame that hold verdicts.
corridor_verdicts <- function(frame)
  names(Filter(function(column) is.factor(column) && all(c("passed", "failed") %in% levels(column)), frame))

corridor_keys <- c("arm", "suite", "sequence", "case")

# The long form of a table with verdicts (the main one of the file): a row for each check of each row, `check` and
# `verdict` behind all other columns.
corridor_tidy <- function(r, table = r$head$default) {
  frame <- corridor_table(r, table)
  checks <- corridor_verdicts(frame)
  if (!length(checks))
    corridor_fail(r$path, ": table ", table, " holds no verdicts", remedy = "corridor_table() reads it as it is")
  others <- setdiff(names(frame), checks)
  words <- unique(unlist(lapply(frame[checks], levels)))
  long <- frame[rep(seq_len(nrow(frame)), each = length(checks)), others, drop = FALSE]
  for (name in others) # indexing drops what a column says of itself
    attributes(long[[name]])[c("units", "meaning")] <- attributes(frame[[name]])[c("units", "meaning")]
  long$check <- factor(rep(checks, nrow(frame)), levels = checks)
  long$verdict <- factor(as.vector(t(as.matrix(as.data.frame(lapply(frame[checks], as.character))))), levels = words)
  row.names(long) <- NULL
  long
}

# Sequences that failed: a row each, with the key that `corridor replay --failure` takes, its parts, and the checks that
# failed in the first failing row.
corridor_failures <- function(r, table = r$head$default) {
  frame <- corridor_table(r, table)
  checks <- corridor_verdicts(frame)
  keys <- intersect(corridor_keys, names(frame))
  if (!length(checks) || !("arm" %in% keys))
    corridor_fail(r$path, ": table ", table, " holds no verdicts of sequences", remedy = "corridor_table() reads it as it is")
  failed <- as.matrix(as.data.frame(lapply(frame[checks], function(column) column %in% "failed")))
  some <- which(rowSums(failed) > 0)
  some <- some[!duplicated(frame[some, setdiff(keys, "case")])]
  rows <- frame[some, keys, drop = FALSE]
  made <- data.frame(key = do.call(paste, c(lapply(rows, as.character), sep = "/")), rows,
                     checks = vapply(some, function(row) paste(checks[failed[row, ]], collapse = " "), ""))
  row.names(made) <- NULL
  made
}

corridor_need <- function(r, tables) {
  corridor_result(r)
  for (one in tables)
    if (!(one %in% r$tables))
      corridor_fail(r$path, ": has no table ", one, ": this is said of campaigns of algorithms", remedy = "corridor_tables() lists what there is")
}

# When sequences failed first, as survival analysis wants it: arm, suite, sequence, cases (executed up to the first failing
# one, or in all), failed. check: "any" of the boxes, "gray" or "black".
corridor_detections <- function(r, check = c("any", "gray", "black")) {
  check <- match.arg(check)
  corridor_need(r, c("cases", "sequences"))
  cases <- corridor_table(r, "cases", c("arm", "suite", "sequence", "case", "gray", "black"))
  made <- corridor_table(r, "sequences", c("arm", "suite", "sequence", "executed"))
  hit <- (check != "black" & cases$gray == "failed") | (check != "gray" & cases$black == "failed")
  name <- function(frame) paste(as.integer(frame$arm), frame$suite, frame$sequence)
  hits <- cases[hit, ]
  hits <- hits[!duplicated(name(hits)), ]
  at <- match(name(made), name(hits))
  data.frame(arm = made$arm, suite = made$suite, sequence = made$sequence,
             cases = ifelse(is.na(at), made$executed, hits$case[at]), failed = !is.na(at))
}

# How much of its environment each suite has seen: a row a suite, with states of profiles and transitions of positive
# probability, and how many of them walks have met.
corridor_coverage <- function(r) {
  corridor_need(r, c("visits", "transitions"))
  count <- function(table) {
    frame <- corridor_table(r, table, c("arm", "suite", "count"))
    stats::aggregate(list(all = rep(1L, nrow(frame)), met = as.integer(frame$count > 0)), list(suite = frame$suite, arm = frame$arm), sum)
  }
  made <- merge(count("visits"), count("transitions"), by = c("arm", "suite"), suffixes = c(".s", ".t"))
  made <- made[order(as.integer(made$arm), made$suite), ]
  data.frame(arm = made$arm, suite = made$suite, states = made$all.s, states_met = made$met.s, transitions = made$all.t,
             transitions_met = made$met.t, row.names = NULL)
}

# ---- what the program says

# The program: options(corridor.command = ..), else the one in PATH; "" if there is none.
corridor_command <- function() unname(getOption("corridor.command", Sys.which("corridor")))

corridor_say <- function(r, words, accepted = 0L) {
  if (!nzchar(corridor_command()))
    corridor_fail("the program corridor is not there", remedy = "options(corridor.command = \"/path/of/corridor\"), or have it in PATH")
  trouble <- tempfile()
  on.exit(unlink(trouble))
  said <- suppressWarnings(system2(corridor_command(), shQuote(c("show", r$path, words)), stdout = TRUE, stderr = trouble))
  code <- attr(said, "status")
  if (!is.null(code) && !(code %in% accepted))
    corridor_fail(paste(readLines(trouble), collapse = "\n"))
  corridor_utf8(as.vector(said))
}

# A sheet of a view of `corridor show`, as the program computes it (corridor_view(r, "survival", "curves")). sheet: its ID;
# NULL: the first. Further words are options: corridor_view(r, "survival", "curves", "--box", "gray").
corridor_view <- function(r, view, sheet = NULL, ...) {
  said <- corridor_say(r, c(view, if (is.null(sheet)) "--csv" else c("--sheet", sheet), ...), c(1L, 7L))
  utils::read.csv(text = said, stringsAsFactors = FALSE, encoding = "UTF-8", check.names = FALSE)
}
