// Small text helpers: suggestions for misspelt names, natural ordering, locale-free numbers.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// The candidate nearest to `word` (at most about a third of its letters wrong), or NULL.
const char* sar_text_nearest(const char* word, const char* const* candidates, int count);
// The same if hardly anything else can have been meant: one letter is wrong, or two of a long word.
const char* sar_text_meant(const char* word, const char* const* candidates, int count);
// "did you mean 'NAME'?" into buf, or "" when nothing is near; returns buf.
const char* sar_text_suggest(char* buf, size_t size, const char* word,
                             const char* const* candidates, int count);
// The same, or when nothing is near "expected a, b, c": the candidates, as many as fit; "" when
// there are none.
const char* sar_text_offer(char* buf, size_t size, const char* word, const char* const* candidates,
                           int count);
// Does the text fit a pattern in which * stands for any characters and ? for one?
bool sar_text_matches(const char* text, const char* pattern);
// Order of names as people count: link2 < link10. Total: equal only when the texts are equal.
int sar_text_compare_natural(const char* a, const char* b);
// strtod in the "C" locale whatever the program's is; false unless all n characters are one finite
// or infinite number.
bool sar_text_to_double(const char* text, size_t n, double* out);
