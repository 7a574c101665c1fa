// Are two models alike, but for their numbers? (sarrus.h)
#include "model/model.h"

#include <string.h>

static bool same_names(const SarModel* a, const SarModel* b, SarItem kind) {
  const int n = sar_model_count(a, kind);
  if (n != sar_model_count(b, kind)) return false;
  for (int i = 0; i < n; i++)
    if (strcmp(sar_model_name(a, kind, i), sar_model_name(b, kind, i)) != 0) return false;
  return true;
}

SAR_API bool sar_model_is_like(const SarModel* a, const SarModel* b) {
  if (!a || !b) return false;
  if (a == b) return true;
  if (a->nbody != b->nbody || sar_model_nq_all(a) != sar_model_nq_all(b) ||
      sar_model_nv_all(a) != sar_model_nv_all(b) || a->nrow != b->nrow)
    return false;
  for (int i = 0; i < a->nbody; i++)
    if (a->body_parent[i] != b->body_parent[i] || a->joint_kind[i] != b->joint_kind[i])
      return false;
  for (int kind = SAR_ITEM_BODY; kind <= SAR_ITEM_STATE; kind++)
    if (!same_names(a, b, (SarItem)kind)) return false;
  return true;
}
