// Pairs of hulls in some pose, in Bullet.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BulletHull BulletHull;
typedef struct BulletPair BulletPair;

BulletHull* bullet_hull(const double* point, int n);
void bullet_hull_free(BulletHull* h);
BulletPair* bullet_pair(BulletHull* a, BulletHull* b);
void bullet_pair_free(BulletPair* p);
// Row by row, and the place, of both.
void bullet_place(BulletPair* p, const double* R_a, const double* p_a, const double* R_b,
                  const double* p_b);
// One call of the narrow phase as a step makes it, without anything left from the call before.
// Returns the number of points; depth: of the deepest, negative apart.
int bullet_collide(BulletPair* p, double* depth);

#ifdef __cplusplus
}
#endif
