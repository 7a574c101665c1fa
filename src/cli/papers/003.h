// Paper 003, in parts: bases, and runs.
#pragma once
#include "cli/papers/papers.h"

SarStatus paper_003_bases(PaperReport* r, SarError* err);
SarStatus paper_003_stewart(PaperReport* r, SarError* err);
SarStatus paper_003_five_link(PaperReport* r, SarError* err);
