/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The whole step in terms of libtoi. Let g be the gap of toi_ipc.hpp, min((1 - s) (d0 - D), L), L the gap limit.
 *  - options.separation_fraction = 1 - s asks about contact within D + (1 - s) (d0 - D): with s = 1, or without a
 * limit, that is the question. With a limit a pair's contact is never earlier than the answer, and if the pair that is
 * first has a gap of at most L, it is exactly there: the answer stands. So it is where contacts are cut by a barrier.
 *  - Else pairs at most R = D + L / (1 - s) apart at the start are near, R rounded up. All others are far, and have the
 *    gap L: options.min_separation = D + L asks about them, with the near pairs left out. The near pairs are listed by
 *    toi_scene_proximity(), which decides exactly, and asked about one by one with the fraction. A near pair whose d0
 *    rounds to R has the gap (1 - s) (R - D), which is L but for rounding.
 * Half-spaces have no gap limit, as in ipc-toolkit. */

#include "toi_ipc.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>

namespace toi::ipc_toolkit {
namespace {

using Vertices = Eigen::ConstRef<Eigen::MatrixXd>;
using Indices = Eigen::ConstRef<Eigen::MatrixXi>;
using Point = Eigen::ConstRef<ipc::VectorMax3d>;
using Corner = Eigen::ConstRef<Eigen::Vector3d>;

[[noreturn]] void fail(toi_status status, const char *sentence) {
  const std::string text = std::string("libtoi: ") + toi_status_text(status) + (*sentence ? ": " : "") + sentence;
  if (status == TOI_ERROR_INPUT || status == TOI_ERROR_OPTION)
    throw std::invalid_argument(text);
  throw std::runtime_error(text);
}

/* What the caller's functions throw under a C function is kept, and thrown again when the C function has returned. */
class Guard {
public:
  /* What `work` returns, or `otherwise` if it throws, or something has thrown before. From any thread. */
  template <typename Result, typename Work> Result run(Result otherwise, const Work &work) noexcept {
    if (failed)
      return otherwise;
    try {
      return work();
    } catch (...) {
      const std::lock_guard<std::mutex> hold(lock);
      if (!failed)
        first = std::current_exception();
      failed = true;
      return otherwise;
    }
  }

  bool has_failed() const {
    return failed;
  }

  void check(toi_status status, const toi_context *context) const {
    if (failed)
      std::rethrow_exception(first);
    if (status != TOI_OK)
      fail(status, toi_context_error(context));
  }

private:
  std::mutex lock;
  std::exception_ptr first;
  std::atomic<bool> failed{false};
};

/* A function of C++ as a visitor of libtoi: it takes items and their number, and may throw. */
template <typename Work> struct Receiver {
  Guard &guard;
  Work work;

  template <typename Item> static toi_status visit(void *user, const Item *items, std::size_t count) noexcept {
    Receiver &self = *static_cast<Receiver *>(user);
    return self.guard.run(TOI_ERROR_CALLBACK, [&] { return self.work(items, count); });
  }
  static toi_status visit_pairs(void *user, toi_kind, const toi_pair *pairs, std::size_t count) noexcept {
    return visit(user, pairs, count);
  }
};
template <typename Work> Receiver(Guard &, Work) -> Receiver<Work>;

struct Destroy {
  void operator()(toi_context *context) const {
    toi_context_destroy(context);
  }
  void operator()(toi_scene *scene) const {
    toi_scene_destroy(scene);
  }
};
using Context = std::unique_ptr<toi_context, Destroy>;

Context make_context(const Settings &settings) {
  toi_context_options options = toi_default_context_options();
  options.threads = settings.threads;
  options.memory_budget = settings.memory_budget;
  toi_context *context = nullptr;
  const toi_status status = toi_context_create(&options, &context);
  if (status != TOI_OK)
    fail(status, "");
  return Context(context);
}

/* Whether the filter is the one that accepts all pairs, which a CollisionFilter is made with. */
bool accepts_all(const ipc::CollisionFilter &filter) {
  using Function = std::function<bool(size_t, size_t)>;
  return filter.operator Function().target_type() == ipc::CollisionFilter().operator Function().target_type();
}

/* Edges and faces as libtoi wants them: rows of unsigned numbers. */
struct Connectivity {
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::array<std::uint32_t, 3>> faces;

  template <std::size_t N> static void copy(Indices from, std::vector<std::array<std::uint32_t, N>> &to) {
    to.resize(static_cast<std::size_t>(from.rows()));
    for (std::size_t i = 0; i < to.size(); i++)
      for (std::size_t k = 0; k < N; k++)
        to[i][k] = static_cast<std::uint32_t>(from(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
  }

  void take(Indices from_edges, Indices from_faces) {
    copy(from_edges, edges);
    copy(from_faces, faces);
  }

  void describe(toi_mesh &mesh) const {
    mesh.edges = reinterpret_cast<const std::uint32_t(*)[2]>(edges.data());
    mesh.edge_count = edges.size();
    mesh.faces = reinterpret_cast<const std::uint32_t(*)[3]>(faces.data());
    mesh.face_count = faces.size();
  }
};

/* Pairs by kind, sorted, as toi_scene_proximity() gives them. */
struct NearPairs {
  std::array<std::vector<toi_pair>, TOI_KIND_COUNT> of_kind;

  bool contains(toi_kind kind, toi_pair pair) const {
    const auto &pairs = of_kind[kind];
    return std::binary_search(pairs.begin(), pairs.end(), pair, [](toi_pair a, toi_pair b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
  }
};

/* Which pairs take part: may_collide and progress of toi_mesh_options. */
class Filter {
public:
  Filter(const ipc::CollisionFilter &of_vertices, const Connectivity &of_mesh, Guard &carrier)
      : filter(of_vertices), connectivity(of_mesh), guard(carrier), all(accepts_all(of_vertices)) {}

  const NearPairs *left_out = nullptr; /* without half-spaces */

  void install(toi_mesh_options &options) {
    if (all && !left_out)
      return;
    options.may_collide = may_collide;
    options.may_collide_user = this;
    options.progress = go_on;
    options.progress_user = this;
  }

private:
  static bool may_collide(void *user, toi_kind kind, std::uint32_t first, std::uint32_t second) noexcept {
    Filter &self = *static_cast<Filter *>(user);
    if (kind == TOI_VERTEX_HALF_SPACE)
      return true;
    if (self.left_out && self.left_out->contains(kind, {first, second}))
      return false;
    return self.all || self.guard.run(false, [&] { return self.accepts(kind, first, second); });
  }

  static bool go_on(void *user, double) noexcept {
    return !static_cast<Filter *>(user)->guard.has_failed();
  }

  /* As ipc::BroadPhase does it: any vertex of one with any vertex of the other. */
  bool accepts(toi_kind kind, std::uint32_t first, std::uint32_t second) const {
    const bool first_is_edge = kind == TOI_EDGE_EDGE || kind == TOI_EDGE_FACE;
    const std::uint32_t *a = &first, *b = &second;
    std::size_t a_count = 1, b_count = 1;
    if (kind == TOI_FACE_FACE)
      a = connectivity.faces[first].data(), a_count = 3;
    else if (first_is_edge)
      a = connectivity.edges[first].data(), a_count = 2;
    if (kind == TOI_VERTEX_FACE || kind == TOI_EDGE_FACE || kind == TOI_FACE_FACE)
      b = connectivity.faces[second].data(), b_count = 3;
    else if (kind == TOI_EDGE_EDGE || kind == TOI_VERTEX_EDGE)
      b = connectivity.edges[second].data(), b_count = 2;
    for (std::size_t i = 0; i < a_count; i++)
      for (std::size_t j = 0; j < b_count; j++)
        if (filter(a[i], b[j]))
          return true;
    return false;
  }

  const ipc::CollisionFilter &filter;
  const Connectivity &connectivity;
  Guard &guard;
  const bool all;
};

/* The fraction of a pair's distance that is kept as a gap. */
double kept_fraction(const NarrowPhase &narrow_phase) {
  if (!(narrow_phase.conservative_rescaling > 0 && narrow_phase.conservative_rescaling <= 1))
    throw std::invalid_argument("libtoi: conservative_rescaling must be in (0, 1]");
  if (!(narrow_phase.gap_limit > 0))
    throw std::invalid_argument("libtoi: gap_limit must be positive");
  return 1.0 - narrow_phase.conservative_rescaling;
}

/* From libtoi's pairs to ipc-toolkit's candidates, which name the larger primitive first. */
template <typename Candidate> void append(std::vector<Candidate> &to, const toi_pair *pairs, std::size_t count) {
  for (std::size_t i = 0; i < count; i++) {
    const auto first = static_cast<ipc::index_t>(pairs[i].first), second = static_cast<ipc::index_t>(pairs[i].second);
    if constexpr (std::is_same_v<Candidate, ipc::FaceVertexCandidate> ||
                  std::is_same_v<Candidate, ipc::EdgeVertexCandidate>)
      to.emplace_back(second, first);
    else
      to.emplace_back(first, second);
  }
}

/* Which features of two edges are closest, in ipc-toolkit's words. */
ipc::EdgeEdgeDistanceType closest_features(const toi_stencil &stencil) {
  using Type = ipc::EdgeEdgeDistanceType;
  const toi_region a = stencil.on_first, b = stencil.on_second;
  if (a.dimension == 0 && b.dimension == 0)
    return a.index == 0 ? (b.index == 0 ? Type::EA0_EB0 : Type::EA0_EB1)
                        : (b.index == 0 ? Type::EA1_EB0 : Type::EA1_EB1);
  if (a.dimension == 0)
    return a.index == 0 ? Type::EA0_EB : Type::EA1_EB;
  if (b.dimension == 0)
    return b.index == 0 ? Type::EA_EB0 : Type::EA_EB1;
  return Type::EA_EB;
}

/* A stencil is a collision: its multiplicity is the weight that equal collisions add up to. */
struct CollisionsFromStencils {
  ipc::NormalCollisions &to;
  const ipc::CollisionMesh &mesh;
  double dmin;
  const Eigen::SparseVector<double> no_gradient;

  template <typename Collision, typename... Arguments>
  void add(std::vector<Collision> &list, const Arguments &...arguments) const {
    list.emplace_back(arguments...);
    list.back().dmin = dmin;
  }

  void add(const toi_stencil &stencil) const {
    const auto first = static_cast<ipc::index_t>(stencil.pair.first);
    const auto second = static_cast<ipc::index_t>(stencil.pair.second);
    const double weight = stencil.multiplicity;
    if (stencil.kind == TOI_VERTEX_VERTEX)
      add(to.vv_collisions, first, second, weight, no_gradient);
    else if (stencil.kind == TOI_VERTEX_EDGE)
      add(to.ev_collisions, second, first, weight, no_gradient);
    else if (stencil.kind == TOI_VERTEX_FACE)
      add(to.fv_collisions, second, first, weight, no_gradient);
    else if (stencil.kind == TOI_EDGE_EDGE)
      add(to.ee_collisions, first, second, stencil.mollifier_threshold, weight, no_gradient, closest_features(stencil));
    else
      add(to.pv_collisions, mesh.planes[stencil.pair.second], first, weight, no_gradient);
  }
};

} // namespace

/* --- the narrow phase --- */

/* Up to four points at the start, then at the end; the third coordinate of points in the plane is 0. */
struct NarrowPhase::Query {
  toi_kind kind;
  double start[4][3] = {}, end[4][3] = {};

  template <typename... Points> explicit Query(toi_kind of_kind, const Points &...points) : kind(of_kind) {
    constexpr std::size_t count = sizeof...(Points) / 2;
    std::size_t i = 0;
    (put((i < count ? start : end)[i % count], points, i), ...);
  }

  template <typename Vector> static void put(double (&to)[3], const Vector &point, std::size_t &number) {
    std::memcpy(to, point.data(), static_cast<std::size_t>(point.size()) * sizeof(double));
    number++;
  }

  toi_hit ask(const toi_options &options) const {
    toi_hit hit;
    const toi_status status = toi_query(kind, start, end, &options, &hit);
    if (status != TOI_OK)
      fail(status, "a coordinate or the minimum distance is not finite, or tmax not in [0, 1]");
    return hit;
  }
};

NarrowPhase::NarrowPhase(double rescaling, double limit) : gap_limit(limit) {
  conservative_rescaling = rescaling;
}

bool NarrowPhase::decide(const Query &query, double &toi, double min_distance, double tmax) const {
  const double fraction = kept_fraction(*this);
  toi_options options = toi_default_options();
  options.t_max = tmax;

  // Contact is "within the smaller of two distances": of the two answers the later one. Few pairs get past the limit.
  double within_limit = 0;
  if (fraction > 0 && std::isfinite(gap_limit)) {
    options.min_separation = min_distance + gap_limit;
    const toi_hit hit = query.ask(options);
    if (hit.verdict == TOI_MISS)
      return false;
    within_limit = hit.t_safe;
  }
  options.min_separation = min_distance;
  options.separation_fraction = fraction;
  const toi_hit hit = query.ask(options);
  if (hit.verdict == TOI_MISS)
    return false;
  toi = std::max(within_limit, hit.t_safe);
  return true;
}

bool NarrowPhase::point_point_ccd(Point p0_t0, Point p1_t0, Point p0_t1, Point p1_t1, double &toi,
                                  const double min_distance, const double tmax) const {
  return decide(Query(TOI_VERTEX_VERTEX, p0_t0, p1_t0, p0_t1, p1_t1), toi, min_distance, tmax);
}

bool NarrowPhase::point_edge_ccd(Point p_t0, Point e0_t0, Point e1_t0, Point p_t1, Point e0_t1, Point e1_t1,
                                 double &toi, const double min_distance, const double tmax) const {
  return decide(Query(TOI_VERTEX_EDGE, p_t0, e0_t0, e1_t0, p_t1, e0_t1, e1_t1), toi, min_distance, tmax);
}

bool NarrowPhase::point_triangle_ccd(Corner p_t0, Corner t0_t0, Corner t1_t0, Corner t2_t0, Corner p_t1, Corner t0_t1,
                                     Corner t1_t1, Corner t2_t1, double &toi, const double min_distance,
                                     const double tmax) const {
  return decide(Query(TOI_VERTEX_FACE, p_t0, t0_t0, t1_t0, t2_t0, p_t1, t0_t1, t1_t1, t2_t1), toi, min_distance, tmax);
}

bool NarrowPhase::edge_edge_ccd(Corner ea0_t0, Corner ea1_t0, Corner eb0_t0, Corner eb1_t0, Corner ea0_t1,
                                Corner ea1_t1, Corner eb0_t1, Corner eb1_t1, double &toi, const double min_distance,
                                const double tmax) const {
  return decide(Query(TOI_EDGE_EDGE, ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1), toi, min_distance,
                tmax);
}

/* --- the broad phase --- */

struct BroadPhase::State {
  Settings settings;
  Connectivity connectivity;
  Context context; /* made when it is first needed */
  std::mutex busy; /* one call at a time on the context */
};

BroadPhase::BroadPhase(const Settings &settings) : state(std::make_unique<State>()) {
  state->settings = settings;
}

BroadPhase::~BroadPhase() = default;

std::string BroadPhase::name() const {
  return "libtoi";
}

void BroadPhase::clear() {
  ipc::BroadPhase::clear();
  state->connectivity = Connectivity();
}

void BroadPhase::build(Indices edges, Indices faces) {
  state->connectivity.take(edges, faces);
}

/* A vertex that moves from the lower to the upper corner of its box has that box as its swept box, and an edge or a
 * face of such vertices the box that ipc-toolkit gives it. */
template <typename Candidate> void BroadPhase::detect(toi_kind kind, std::vector<Candidate> &candidates) const {
  const bool has_edge = kind == TOI_EDGE_EDGE || kind == TOI_VERTEX_EDGE || kind == TOI_EDGE_FACE;
  if (vertex_boxes.empty() || (has_edge && state->connectivity.edges.empty()))
    return;
  const std::lock_guard<std::mutex> hold(state->busy);
  if (!state->context)
    state->context = make_context(state->settings);

  toi_mesh mesh;
  toi_mesh_init(&mesh, sizeof mesh);
  mesh.start = vertex_boxes.front().min.data();
  mesh.end = vertex_boxes.front().max.data();
  mesh.stride = sizeof(ipc::AABB);
  mesh.vertex_count = vertex_boxes.size();
  if (kind != TOI_VERTEX_VERTEX)
    state->connectivity.describe(mesh);

  Guard guard;
  Filter filter(can_vertices_collide, state->connectivity, guard);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  on_mesh.kinds = 1u << kind;
  if (kind == TOI_VERTEX_EDGE)
    on_mesh.kinds |= TOI_KINDS_EVERY_VERTEX_EDGE;
  filter.install(on_mesh);
  options.on_mesh = &on_mesh;

  Receiver receiver = {guard, [&](const toi_pair *pairs, std::size_t count) {
                         append(candidates, pairs, count);
                         return TOI_OK;
                       }};
  toi_context *context = state->context.get();
  guard.check(toi_candidates(context, &mesh, &options, decltype(receiver)::visit_pairs, &receiver), context);
}

template void BroadPhase::detect(toi_kind, std::vector<ipc::VertexVertexCandidate> &) const;
template void BroadPhase::detect(toi_kind, std::vector<ipc::EdgeVertexCandidate> &) const;
template void BroadPhase::detect(toi_kind, std::vector<ipc::EdgeEdgeCandidate> &) const;
template void BroadPhase::detect(toi_kind, std::vector<ipc::FaceVertexCandidate> &) const;
template void BroadPhase::detect(toi_kind, std::vector<ipc::EdgeFaceCandidate> &) const;
template void BroadPhase::detect(toi_kind, std::vector<ipc::FaceFaceCandidate> &) const;

/* --- whole meshes --- */

struct Scene::State {
  State(const ipc::CollisionMesh &of_mesh, const Settings &given);

  /* Sees the matrices where they are, if they have three columns and the same stride; copies them otherwise. */
  toi_positions see(Vertices start, const Eigen::Ref<const Eigen::MatrixXd> *end);
  toi_mesh describe(const toi_positions &positions) const;

  struct Call;
  double first_contact(Call &call, double min_distance, const NarrowPhase &narrow_phase);
  template <typename Work> toi_status proximity(Call &call, double distance, Receiver<Work> &receiver);
  void append_to(ipc::Candidates &candidates, toi_kind kind, toi_pair pair) const;
  bool list_near_pairs(Call &call, double distance, NearPairs &pairs);
  void shorten_by(Call &call, const NearPairs &pairs);
  toi_impact ask(Call &call);
  void build_from_stencils(ipc::NormalCollisions &collisions, Vertices vertices, double dhat, double dmin);

  const ipc::CollisionMesh &mesh;
  const Settings settings;
  Connectivity connectivity;
  std::vector<toi_half_space> half_spaces;
  Context context;
  std::unique_ptr<toi_scene, Destroy> scene;
  std::array<Eigen::MatrixXd, 2> copies;
};

/* One call on a scene: its options, and what takes exceptions around it. */
struct Scene::State::Call {
  Call(State &state, Vertices start, const Eigen::Ref<const Eigen::MatrixXd> *end)
      : filter(state.mesh.can_collide, state.connectivity, guard), positions(state.see(start, end)) {
    options.on_mesh = &on_mesh;
    on_mesh.kinds = TOI_KINDS_VERTEX_EDGE | TOI_KINDS_VERTEX_VERTEX | TOI_KINDS_VERTEX_HALF_SPACE;
    on_mesh.kinds |= start.cols() == 2 ? TOI_KINDS_EVERY_VERTEX_EDGE : TOI_KINDS_VERTEX_FACE | TOI_KINDS_EDGE_EDGE;
    filter.install(on_mesh);
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  Guard guard;
  Filter filter;
  toi_positions positions;
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
};

Scene::State::State(const ipc::CollisionMesh &of_mesh, const Settings &given)
    : mesh(of_mesh), settings(given), context(make_context(given)) {
  connectivity.take(mesh.edges(), mesh.faces());
  for (const auto &plane : mesh.planes)
    half_spaces.push_back({{plane.normal()[0], plane.normal()[1], plane.normal()[2]}, -plane.offset()});
  toi_topology topology;
  toi_topology_init(&topology, sizeof topology);
  topology.vertex_count = mesh.num_vertices();
  topology.index = TOI_UINT32;
  topology.edges = connectivity.edges.data();
  topology.edge_count = connectivity.edges.size();
  topology.faces = connectivity.faces.data();
  topology.face_count = connectivity.faces.size();
  topology.half_spaces = half_spaces.data();
  topology.half_space_count = half_spaces.size();
  toi_scene *made = nullptr;
  const toi_status status = toi_scene_create(context.get(), &topology, &made);
  if (status != TOI_OK)
    fail(status, toi_context_error(context.get()));
  scene.reset(made);
}

toi_positions Scene::State::see(Vertices start, const Eigen::Ref<const Eigen::MatrixXd> *end) {
  const std::array<const Eigen::Ref<const Eigen::MatrixXd> *, 2> given = {&start, end};
  const void *at[2] = {start.data(), end ? end->data() : nullptr};
  Eigen::Index stride = start.outerStride();
  for (const auto *matrix : given)
    if (matrix && (static_cast<std::size_t>(matrix->rows()) != mesh.num_vertices() || matrix->cols() != start.cols() ||
                   matrix->cols() < 2 || matrix->cols() > 3))
      throw std::invalid_argument("libtoi: vertices must have a row for each vertex of the mesh, and 2 or 3 columns");
  if (start.cols() == 2 || (end && end->outerStride() != stride)) {
    stride = start.rows();
    for (std::size_t i = 0; i < 2 && given[i]; i++) {
      copies[i].setZero(start.rows(), 3);
      copies[i].leftCols(start.cols()) = *given[i];
      at[i] = copies[i].data();
    }
  }
  toi_positions positions;
  toi_positions_init(&positions, sizeof positions);
  positions.start = at[0];
  positions.end = at[1];
  positions.stride = sizeof(double);
  positions.component_stride = static_cast<std::size_t>(stride) * sizeof(double);
  positions.vertex_count = mesh.num_vertices();
  return positions;
}

toi_mesh Scene::State::describe(const toi_positions &positions) const {
  toi_mesh described;
  toi_mesh_init(&described, sizeof described);
  described.start = positions.start;
  described.end = positions.end;
  described.stride = positions.stride;
  described.component_stride = positions.component_stride;
  described.vertex_count = positions.vertex_count;
  connectivity.describe(described);
  return described;
}

template <typename Work> toi_status Scene::State::proximity(Call &call, double distance, Receiver<Work> &receiver) {
  return toi_scene_proximity(context.get(), scene.get(), &call.positions, distance, &call.options,
                             Receiver<Work>::visit, &receiver);
}

void Scene::State::append_to(ipc::Candidates &candidates, toi_kind kind, toi_pair pair) const {
  if (kind == TOI_VERTEX_FACE)
    append(candidates.fv_candidates, &pair, 1);
  else if (kind == TOI_EDGE_EDGE)
    append(candidates.ee_candidates, &pair, 1);
  else if (kind == TOI_VERTEX_EDGE)
    append(candidates.ev_candidates, &pair, 1);
  else if (kind == TOI_VERTEX_VERTEX)
    append(candidates.vv_candidates, &pair, 1);
  else
    candidates.pv_candidates.emplace_back(mesh.planes[pair.second], static_cast<ipc::index_t>(pair.first));
}

/* More pairs than this are not listed: the scene is then small against the limit of the gap. */
constexpr std::size_t MAX_NEAR_PAIRS = std::size_t{1} << 23;

bool Scene::State::list_near_pairs(Call &call, double distance, NearPairs &pairs) {
  std::size_t total = 0;
  Receiver receiver = {call.guard, [&](const toi_proximal *found, std::size_t count) {
                         total += count;
                         if (total > MAX_NEAR_PAIRS)
                           return TOI_ERROR_CANCELLED;
                         for (std::size_t i = 0; i < count; i++)
                           pairs.of_kind[found[i].kind].push_back(found[i].pair);
                         return TOI_OK;
                       }};
  const toi_status status = proximity(call, distance, receiver);
  if (total > MAX_NEAR_PAIRS)
    return false;
  call.guard.check(status, context.get());
  return true;
}

/* t_max of the options becomes a time before these pairs are in contact. A miss is safe up to t_max, a hit not. */
void Scene::State::shorten_by(Call &call, const NearPairs &pairs) {
  constexpr std::size_t MANY = 1 << 14;
  const toi_mesh seen = describe(call.positions);
  std::vector<toi_hit> hits(MANY);
  for (std::size_t kind = 0; kind < pairs.of_kind.size(); kind++) {
    const auto &list = pairs.of_kind[kind];
    for (std::size_t begin = 0; begin < list.size(); begin += MANY) {
      const std::size_t count = std::min(MANY, list.size() - begin);
      const toi_status status = toi_batch_indexed(context.get(), static_cast<toi_kind>(kind), &seen, &list[begin],
                                                  count, &call.options, hits.data());
      call.guard.check(status, context.get());
      for (std::size_t i = 0; i < count; i++)
        call.options.t_max = std::min(call.options.t_max, hits[i].t_safe);
    }
  }
}

toi_impact Scene::State::ask(Call &call) {
  toi_impact impact;
  call.guard.check(toi_scene_step(context.get(), scene.get(), &call.positions, &call.options, &impact), context.get());
  return impact;
}

/* 1 without contact, less with one: safe is strictly before. */
double Scene::State::first_contact(Call &call, double min_distance, const NarrowPhase &narrow_phase) {
  const double fraction = kept_fraction(narrow_phase), limit = narrow_phase.gap_limit;
  call.options.min_separation = min_distance;
  call.options.separation_fraction = fraction;
  const toi_impact first = ask(call);
  const bool as_asked = first.kind == TOI_VERTEX_HALF_SPACE || first.hit.separation - min_distance <= limit;
  if (first.hit.verdict == TOI_MISS || as_asked)
    return first.hit.t_safe;

  // The first pair is kept farther apart than the limit asks.
  const double infinity = std::numeric_limits<double>::infinity();
  const double near = std::nextafter(min_distance + std::nextafter(limit / fraction, infinity), infinity);
  NearPairs pairs;
  const std::uint32_t without_half_spaces =
      call.on_mesh.kinds & ~static_cast<std::uint32_t>(TOI_KINDS_VERTEX_HALF_SPACE);
  call.on_mesh.kinds = without_half_spaces;
  if (!std::isfinite(near) || !list_near_pairs(call, near, pairs))
    return first.hit.t_safe;
  shorten_by(call, pairs);
  call.on_mesh.kinds = TOI_KINDS_VERTEX_HALF_SPACE;
  call.options.t_max = ask(call).hit.t_safe;

  call.on_mesh.kinds = without_half_spaces;
  call.options.min_separation = min_distance + limit;
  call.options.separation_fraction = 0;
  call.filter.left_out = &pairs;
  call.filter.install(call.on_mesh);
  return ask(call).hit.t_safe;
}

Scene::Scene(const ipc::CollisionMesh &mesh, const Settings &settings)
    : state(std::make_unique<State>(mesh, settings)) {}

Scene::~Scene() = default;

double Scene::collision_free_stepsize(Vertices vertices_t0, Vertices vertices_t1, double min_distance,
                                      const NarrowPhase &narrow_phase) {
  State::Call call(*state, vertices_t0, &vertices_t1);
  return state->first_contact(call, min_distance, narrow_phase);
}

bool Scene::is_step_collision_free(Vertices vertices_t0, Vertices vertices_t1, double min_distance,
                                   const NarrowPhase &narrow_phase) {
  return collision_free_stepsize(vertices_t0, vertices_t1, min_distance, narrow_phase) == 1.0;
}

void Scene::build(ipc::Candidates &candidates, Vertices vertices, double distance) {
  State::Call call(*state, vertices, nullptr);
  candidates.clear();
  Receiver receiver = {call.guard, [&](const toi_proximal *found, std::size_t count) {
                         for (std::size_t i = 0; i < count; i++)
                           state->append_to(candidates, found[i].kind, found[i].pair);
                         return TOI_OK;
                       }};
  call.guard.check(state->proximity(call, distance, receiver), state->context.get());
}

void Scene::State::build_from_stencils(ipc::NormalCollisions &collisions, Vertices vertices, double dhat, double dmin) {
  // The rest positions are seen with the strides of the start: as if they were the end.
  const Eigen::Ref<const Eigen::MatrixXd> rest(mesh.rest_positions());
  Call call(*this, vertices, &rest);
  toi_stencil_options of_stencils = toi_default_stencil_options();
  of_stencils.rest = call.positions.end;
  call.positions.end = nullptr;
  collisions.clear();
  const CollisionsFromStencils made = {collisions, mesh, dmin, {}};
  Receiver receiver = {call.guard, [&](const toi_stencil *stencils, std::size_t count) {
                         for (std::size_t i = 0; i < count; i++)
                           made.add(stencils[i]);
                         return TOI_OK;
                       }};
  const toi_status status = toi_scene_stencils(context.get(), scene.get(), &call.positions, dhat + dmin, &call.options,
                                               &of_stencils, decltype(receiver)::visit, &receiver);
  call.guard.check(status, context.get());
}

/* The reduction to features, and weights by area, are ipc-toolkit's own work, on the pairs that are close. */
void Scene::build(ipc::NormalCollisions &collisions, Vertices vertices, double dhat, double dmin) {
  const bool plain = collisions.collision_set_type() == ipc::NormalCollisions::CollisionSetType::IPC &&
                     !collisions.use_area_weighting() && !collisions.enable_shape_derivatives();
  if (state->settings.collisions_from_stencils && plain) {
    state->build_from_stencils(collisions, vertices, dhat, dmin);
    return;
  }
  ipc::Candidates candidates;
  build(candidates, vertices, dhat + dmin);
  collisions.build(candidates, state->mesh, vertices, dhat, dmin);
}

double compute_collision_free_stepsize(const ipc::CollisionMesh &mesh, Vertices vertices_t0, Vertices vertices_t1,
                                       double min_distance, const NarrowPhase &narrow_phase) {
  return Scene(mesh).collision_free_stepsize(vertices_t0, vertices_t1, min_distance, narrow_phase);
}

} // namespace toi::ipc_toolkit
