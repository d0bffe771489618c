#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens a result file with hdf5r, as docs/look-up/result-file.md says, and compares rows and sums of all columns with a file
# that read_result.py has written: read_result.R FILE TABLE_OF_SUMS. Prints one line; exit code 0 if all agree.
suppressPackageStartupMessages(library(hdf5r))

# As column_sum in read_result.py: exact, as all sums stay below 2^53.
column_sum <- function(values) {
  numbers <- as.double(values)
  whole <- ifelse(is.nan(numbers), 1, floor(abs(numbers)) %% 65536)
  sum(whole * ((seq_along(whole) - 1) %% 1009 + 1)) %% (2^31 - 1)
}

arguments <- commandArgs(trailingOnly = TRUE)
expected <- read.table(arguments[2], col.names = c("table", "column", "rows", "sum"), stringsAsFactors = FALSE)
file <- H5File$new(arguments[1], "r")
for (i in seq_len(nrow(expected))) {
  line <- expected[i, ]
  dataset <- file[[paste0(line$table, "/", line$column)]]
  wide <- dataset$get_type()$get_size() == 8 && inherits(dataset$get_type(), "H5T_INTEGER")
  values <- if (dataset$dims > 0) dataset[] else numeric(0)
  total <- if (wide) 0 else column_sum(values)
  if (length(values) != line$rows || total != line$sum)
    stop(sprintf("read_result.R: %s: %s/%s: %d rows and sum %.0f, expected %d and %.0f", arguments[1], line$table,
                 line$column, length(values), total, line$rows, line$sum))
}
# one table as the page shows it
g <- file[["cases"]]
cases <- if (g[["case"]]$dims > 0) as.data.frame(lapply(setNames(names(g), names(g)), function(k) g[[k]][])) else data.frame()
stopifnot(nrow(cases) == expected$rows[expected$table == "cases" & expected$column == "case"])
stopifnot(file$attr_open("format")$read() == "corridor-campaign")
file$close_all()
cat(sprintf("hdf5r %s agrees: %d columns, %d cases\n", packageVersion("hdf5r"), nrow(expected), nrow(cases)))
