// The list of kinds of signals, made from signals.def.
#include "model/signal_kind.h"

#define SAR_SIGNAL(name) extern const SarSignalKind sar_signal_##name;
#include "elements/signals/signals.def"
#undef SAR_SIGNAL

static const SarSignalKind* const KINDS[] = {
#define SAR_SIGNAL(name) &sar_signal_##name,
#include "elements/signals/signals.def"
#undef SAR_SIGNAL
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const SarSignalKind* sar_signal_kind(int index) {
  return index >= 0 && index < KIND_COUNT ? KINDS[index] : NULL;
}
