/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The neo-Hookean triangle and the projection of its Hessian.
 *
 * Claim: triangle_derivatives() gives the positive semi-definite matrix nearest (in the Frobenius norm of dF) to the
 * Hessian of W.
 * Why: with F = U diag(s1, s2) V^T, u1, u2 the columns of U, n = u1 x u2, and dF written as d_rs = q_r^T dF v_s for
 * q = (u1, u2, n), s = 1, 2:
 *  - d ln J = F (F^T F)^-1 : dF, so that P = dW/dF = mu F + (lambda ln J - mu) G with G = F (F^T F)^-1.
 *  - In these coordinates G = diag(1 / s1, 1 / s2) above a row of zeroes, and with g = mu - lambda ln J
 *      dG_11 = -d_11 / s1^2         dG_12 = -d_21 / (s1 s2)       dG_n1 = d_n1 / s1^2
 *      dG_22 = -d_22 / s2^2         dG_21 = -d_12 / (s1 s2)       dG_n2 = d_n2 / s2^2
 *    (the upper part is the derivative of the inverse transpose; a change along n leaves F^T F alone to first order).
 *  - So d^2 W falls into four pieces that do not mix:
 *      (d_11, d_22)  mu + (g + lambda) / s1^2 and mu + (g + lambda) / s2^2, off the diagonal lambda / (s1 s2)
 *      (d_12, d_21)  mu, off the diagonal g / (s1 s2): eigenvalues mu + g / (s1 s2) and mu - g / (s1 s2)
 *      d_n1          mu - g / s1^2
 *      d_n2          mu - g / s2^2
 *    Each has one or two eigenvalues in closed form; negative ones are set to zero. */

#include "membrane.h"

#include <math.h>

#include "vector.h"

sim_lame lame_constants(double stretch, double poisson) {
  return (sim_lame){.mu = stretch / (2 * (1 + poisson)), .lambda = stretch * poisson / (1 - poisson * poisson)};
}

bool triangle_make(sim_triangle *t, const double (*x)[3]) {
  double a[3], b[3], n[3];
  subtract(x[t->v[1]], x[t->v[0]], a);
  subtract(x[t->v[2]], x[t->v[0]], b);
  cross(a, b, n);
  const double length = norm(a), twice = norm(n);
  t->area = twice / 2;
  if (!(twice > 0) || !isfinite(twice))
    return false;
  // In the plane: a = (length, 0), b = (along, height); F = [x1 - x0, x2 - x0] D^-1 with these as the columns of D.
  const double along = dot(a, b) / length, height = twice / length;
  t->b[1][0] = 1 / length;
  t->b[1][1] = -along / (length * height);
  t->b[2][0] = 0;
  t->b[2][1] = 1 / height;
  for (int s = 0; s < 2; s++)
    t->b[0][s] = -t->b[1][s] - t->b[2][s];
  return true;
}

/* The columns of F. */
static void deform(const sim_triangle *t, const double (*x)[3], double f[2][3]) {
  double a[3], b[3];
  subtract(x[t->v[1]], x[t->v[0]], a);
  subtract(x[t->v[2]], x[t->v[0]], b);
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++)
      f[s][k] = t->b[1][s] * a[k] + t->b[2][s] * b[k];
}

double triangle_energy(const sim_triangle *t, sim_lame lame, const double (*x)[3]) {
  double f[2][3], n[3];
  deform(t, x, f);
  cross(f[0], f[1], n);
  const double log_j = 0.5 * log(dot(n, n));
  if (log_j == -INFINITY)
    return INFINITY;
  const double squares = dot(f[0], f[0]) + dot(f[1], f[1]);
  return t->area * (0.5 * lame.mu * (squares - 2 - 2 * log_j) + 0.5 * lame.lambda * log_j * log_j);
}

/* F in its own frame. */
typedef struct frame {
  double s[2];    /* singular values */
  double q[3][3]; /* u1, u2, n */
  double b[3][2]; /* of the triangle, turned into the frame of v1, v2 */
  double f[2][3]; /* F v1, F v2 */
} frame;

static void decompose(const sim_triangle *t, const double (*x)[3], frame *d) {
  double f[2][3];
  deform(t, x, f);
  // The rotation by an angle a that makes F^T F diagonal: tan 2a = 2 c01 / (c00 - c11).
  const double c00 = dot(f[0], f[0]), c11 = dot(f[1], f[1]), c01 = dot(f[0], f[1]);
  const double angle = 0.5 * atan2(2 * c01, c00 - c11), c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    d->f[0][k] = c * f[0][k] + s * f[1][k];
    d->f[1][k] = c * f[1][k] - s * f[0][k];
  }
  for (int i = 0; i < 3; i++) {
    d->b[i][0] = c * t->b[i][0] + s * t->b[i][1];
    d->b[i][1] = c * t->b[i][1] - s * t->b[i][0];
  }
  for (int i = 0; i < 2; i++) {
    d->s[i] = norm(d->f[i]);
    for (int k = 0; k < 3; k++)
      d->q[i][k] = d->f[i][k] / d->s[i];
  }
  cross(d->q[0], d->q[1], d->q[2]);
}

/* The nearest positive semi-definite matrix to [a c; c b]. */
static void project(double *a, double *b, double *c) {
  const double middle = 0.5 * (*a + *b), half = 0.5 * (*a - *b), radius = sqrt(half * half + *c * *c);
  if (middle - radius >= 0)
    return;
  // One eigenvalue is left, or none: its unit eigenvector is (cos, sin) of half the angle of (half, c).
  const double top = fmax(middle + radius, 0), ratio = radius > 0 ? half / radius : 1;
  *c = radius > 0 ? 0.5 * top * *c / radius : 0;
  *a = 0.5 * top * (1 + ratio);
  *b = 0.5 * top * (1 - ratio);
}

void triangle_derivatives(const sim_triangle *t, sim_lame lame, const double (*x)[3], double gradient[3][3],
                          double hessian[3][3][3][3]) {
  frame d;
  decompose(t, x, &d);
  const double mu = lame.mu, lambda = lame.lambda, g = mu - lambda * log(d.s[0] * d.s[1]);
  const double r0 = 1 / (d.s[0] * d.s[0]), r1 = 1 / (d.s[1] * d.s[1]), r01 = 1 / (d.s[0] * d.s[1]);

  // P v_s = (mu - g / s^2) F v_s, and the gradient of point i is area P b_i.
  const double p0 = t->area * (mu - g * r0), p1 = t->area * (mu - g * r1);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      gradient[i][k] = p0 * d.b[i][0] * d.f[0][k] + p1 * d.b[i][1] * d.f[1][k];

  // The four pieces.
  double a00 = mu + (g + lambda) * r0, a11 = mu + (g + lambda) * r1, a01 = lambda * r01;
  double b00 = mu, b11 = mu, b01 = g * r01;
  const double n0 = fmax(mu - g * r0, 0), n1 = fmax(mu - g * r1, 0);
  project(&a00, &a11, &a01);
  project(&b00, &b11, &b01);

  // d_rs = sum b_is (q_r . dx_i).
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      const double c00 = t->area * d.b[i][0] * d.b[j][0], c11 = t->area * d.b[i][1] * d.b[j][1];
      const double c01 = t->area * d.b[i][0] * d.b[j][1], c10 = t->area * d.b[i][1] * d.b[j][0];
      const double m[3][3] = {{a00 * c00 + b00 * c11, a01 * c01 + b01 * c10, 0},
                              {a01 * c10 + b01 * c01, a11 * c11 + b11 * c00, 0},
                              {0, 0, n0 * c00 + n1 * c11}};
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
          hessian[i][j][r][c] = d.q[0][r] * (m[0][0] * d.q[0][c] + m[0][1] * d.q[1][c]) +
                                d.q[1][r] * (m[1][0] * d.q[0][c] + m[1][1] * d.q[1][c]) +
                                m[2][2] * d.q[2][r] * d.q[2][c];
    }
}
