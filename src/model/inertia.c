// Volumes and moments of inertia of homogeneous solids.
#include "model/inertia.h"

#define PI 3.14159265358979323846

static double square(double x) { return x * x; }

// The capsule is a cylinder and a sphere cut in two: volumes of the parts.
static double capsule_cylinder(const double* size) { return PI * square(size[0]) * size[1]; }
static double capsule_ends(const double* size) { return 4.0 / 3 * PI * size[0] * square(size[0]); }

double sar_shape_volume(SpecShapeKind kind, const double size[3]) {
  switch (kind) {
    case SPEC_BOX: return size[0] * size[1] * size[2];
    case SPEC_CYLINDER: return PI * square(size[0]) * size[1];
    case SPEC_SPHERE: return 4.0 / 3 * PI * size[0] * square(size[0]);
    case SPEC_CAPSULE: return capsule_cylinder(size) + capsule_ends(size);
    case SPEC_ELLIPSOID: return 4.0 / 3 * PI * size[0] * size[1] * size[2];
    case SPEC_TUBE: return PI * (square(size[0]) - square(size[2])) * size[1];
    case SPEC_ROD:
    case SPEC_CONVEX:
    case SPEC_HULL:
    case SPEC_MESH:
    case SPEC_SHAPE_KINDS: break;
  }
  return 0;
}

// about z, and about x and y
static V3 round_solid(double about_z, double across) { return v3(across, across, about_z); }

// A hemisphere of mass 1 has 2/5 r^2 about a diameter of its face and its centre 3/8 r off it.
// Moved out by l/2, its moment about the capsule's centre is 2/5 r^2 + l^2/4 + 3/8 l r.
static V3 capsule_gyration(double r, double l, double volume_cylinder, double volume_ends) {
  double whole = volume_cylinder + volume_ends;
  double mc = volume_cylinder / whole, me = volume_ends / whole;
  double about_z = mc * square(r) / 2 + me * 0.4 * square(r);
  double across = mc * (3 * square(r) + square(l)) / 12 +
                  me * (0.4 * square(r) + square(l) / 4 + 0.375 * l * r);
  return round_solid(about_z, across);
}

V3 sar_shape_gyration(SpecShapeKind kind, const double size[3]) {
  double a = square(size[0]), b = square(size[1]), c = square(size[2]);
  switch (kind) {
    case SPEC_ROD: return round_solid(0, b / 12);
    case SPEC_BOX: return v3((b + c) / 12, (a + c) / 12, (a + b) / 12);
    case SPEC_CYLINDER: return round_solid(a / 2, (3 * a + b) / 12);
    case SPEC_SPHERE: return v3(0.4 * a, 0.4 * a, 0.4 * a);
    case SPEC_CAPSULE:
      return capsule_gyration(size[0], size[1], capsule_cylinder(size), capsule_ends(size));
    case SPEC_ELLIPSOID: return v3((b + c) / 5, (a + c) / 5, (a + b) / 5);
    case SPEC_TUBE: return round_solid((a + c) / 2, (3 * (a + c) + b) / 12);
    case SPEC_CONVEX:
    case SPEC_HULL:
    case SPEC_MESH:
    case SPEC_SHAPE_KINDS: break;
  }
  return v3_zero();
}

// ---- principal moments ----------------------------------------------------------------------

// One Jacobi rotation that makes A[p][q] zero.
static void rotate(double A[3][3], int p, int q) {
  if (A[p][q] == 0) return;
  double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c, off = A[p][q];
  int r = 3 - p - q;
  double rp = A[r][p], rq = A[r][q];
  A[p][p] -= t * off;
  A[q][q] += t * off;
  A[p][q] = A[q][p] = 0;
  A[r][p] = A[p][r] = c * rp - s * rq;
  A[r][q] = A[q][r] = s * rp + c * rq;
}

static void order(double* a, double* b) {
  if (*a <= *b) return;
  double larger = *a;
  *a = *b;
  *b = larger;
}

void sar_principal_moments(S3 I, double moments[3]) {
  double A[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
  // off-diagonal elements shrink quadratically; three sweeps are usual, eight are plenty
  for (int sweep = 0; sweep < 8; sweep++) {
    rotate(A, 0, 1);
    rotate(A, 0, 2);
    rotate(A, 1, 2);
  }
  for (int i = 0; i < 3; i++) moments[i] = A[i][i];
  order(&moments[0], &moments[1]);
  order(&moments[1], &moments[2]);
  order(&moments[0], &moments[1]);
}

SarInertiaFault sar_inertia_check(S3 I, double moments[3]) {
  sar_principal_moments(I, moments);
  double largest = fmax(fabs(moments[0]), fabs(moments[2]));
  if (moments[0] < -1e-6 * largest) return SAR_INERTIA_NEGATIVE;
  if (moments[0] + moments[1] < moments[2] - 1e-3 * largest) return SAR_INERTIA_TRIANGLE;
  return SAR_INERTIA_FINE;
}
