#pragma once
// Prepared pointwise operators, as emitted `prepare_*` functions return them: a run over a few dense elements is a
// single call of the loop.
#include <utility>

#include "structured/iterator/pointwise.h"
#include "structured/kernel/prepared_call.h"

namespace structured {

namespace detail {

/// PreparedOut that stores the loop and its arguments if the iteration is dense.
template <class Adaptor, class... Args>
class PreparedPointwise final : public PreparedOut<Adaptor, void, Args...> {
 public:
  using PreparedOut<Adaptor, void, Args...>::PreparedOut;

  template <class P>
  void get_ready() {
    Adaptor& adaptor = this->adaptor();
    if (!adaptor.is_dense()) return;
    adaptor.record(ready_);
    this->apply(P::compute);
    adaptor.stop_recording();
    if (ready_.loop != nullptr) this->set_run(run_ready);
  }

 private:
  static void run_ready(PreparedCall& call) { static_cast<PreparedPointwise&>(call).ready_(); }

  ReadyLoop ready_;
};

template <class P, class... Args>
PreparedOperator prepare_pointwise(void (*begin)(typename P::Adaptor&, Args...), std::type_identity_t<Args>... args) {
  using Prepared = PreparedPointwise<typename P::Adaptor, Args...>;
  auto* const prepared =
      new Prepared([](PreparedCall& call) { static_cast<Prepared&>(call).template run_as<P>(); }, begin, args...);
  PreparedOperator result(prepared);
  prepared->template get_ready<P>();
  return result;
}

}  // namespace detail

/// `prepare` for operators whose impl consists of one pointwise_kernel: `P::compute(adaptor, arguments...)` is that
/// part of `P::run`.
template <class P, class... Args>
PreparedOperator prepare_pointwise(Args&&... args) {
  return detail::prepare_pointwise<P>(&P::begin, args...);
}

}  // namespace structured
