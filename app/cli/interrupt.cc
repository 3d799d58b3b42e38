#include "app/cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace tenline::cli {

namespace {

std::atomic<int> asked = 0;

void on_signal(int number) {
  if (asked.exchange(number) != 0) _exit(128 + number);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void ignore_closed_pipes() {
  struct sigaction action = {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

int interrupted_by() { return asked; }

}  // namespace tenline::cli
