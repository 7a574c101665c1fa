// One html file that replays offline: the page with its data in it (docs/window-protocol.md, "The
// self-contained file").
#pragma once
#include "view/replay.h"

// False: the page has no </head>, or the stream took not all of it.
bool sar_view_html(FILE* out, const char* page, const SarReplay* r);
