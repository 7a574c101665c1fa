// Elimination with complete pivoting: picks independent rows and, for each, the column it is best
// solved for.
#pragma once

// P A Pc = L U in place, rows of A one after another (rows x columns, any shape); L has a unit
// diagonal. row[k], column[k]: which row and column of the given matrix stand at place k. Stops
// where no entry of the rest exceeds `floor`; returns the rank. In rows beyond it, the first `rank`
// entries are multipliers. size: scratch, one for each row.
int sar_lu_complete(int rows, int columns, double* A, double floor, int* row, int* column,
                    double* size);
