// Which of many rows are the farthest apart: QR with pivoting, as many rows as are independent.
#pragma once

#define SAR_APART_LEAST 1e-9  // of a row of length 1: what is left of one that follows from others
#define SAR_APART_TIE 1e-6    // squares that are as good as equal: the first one is taken

// rows x n, row by row, each of length 1 or 0; used up. chosen: at least as many as rows or n.
// Returns the rank. The choice does not hang on rounding, but where what is left is SAR_APART_TIE
// from another one to rounding.
int sar_rows_apart(int rows, int n, double* row, int* chosen);
