// Just enough JSON to read arrays of numbers and strings from the reference files.
#pragma once

// All of a file, ended by 0; free with free. Fails the test when it cannot be read.
char* json_read_file(const char* path);
// Past `"key":` at or after `at`; NULL if there is none.
const char* json_find(const char* at, const char* key);
// Reads the numbers of an array, nested brackets flattened; returns how many (at most max are kept)
// and moves *at past it.
int json_numbers(const char** at, double* out, int max);
// Copies the next string of an array of strings; 0 at its end.
int json_string(const char** at, char* out, int size);
