#include "background.h"

namespace structured::lsp {

Background::Background(std::function<void(Indexed)> done) : done_(std::move(done)), thread_([this] { run(); }) {}

Background::~Background() {
  {
    std::lock_guard lock(mutex_);
    stops_ = true;
    jobs_.clear();
  }
  wake_.notify_one();
  thread_.join();
}

void Background::add(IndexJob job) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void Background::clear() {
  std::lock_guard lock(mutex_);
  jobs_.clear();
}

void Background::run() {
  while (true) {
    IndexJob job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stops_ || !jobs_.empty(); });
      if (stops_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    auto began = std::chrono::steady_clock::now();
    gen::LiveSource source(std::move(job.options), std::move(job.command));
    done_({job.source, job.generation, began, source.scan({}, gen::ScanMode::once)});
  }
}

}  // namespace structured::lsp
