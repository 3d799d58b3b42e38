// No packet leaves a sandbox. The host listens on all of its addresses and, where it may, captures
// on all of its interfaces. The same program outside of the sandbox is seen by all of them.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <linux/if_ether.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <optional>

#include "engine/base/text.h"
#include "engine/platform/process.h"
#include "engine/platform/sandbox.h"
#include "tests/platform/programs.h"

namespace tenline {
namespace {

/// Arguments: mark, port, a socket in the file system, name servers, "-", addresses.
constexpr const char* k_talk = R"(
import socket, struct, sys
mark, port, path = sys.argv[1].encode(), int(sys.argv[2]), sys.argv[3]
end = sys.argv.index('-')
def attempt(action):
    try: action()
    except OSError as e: print(e)
def send(address, port, text):
    for *kind, _, target in socket.getaddrinfo(address, port, type=socket.SOCK_DGRAM):
        with socket.socket(*kind) as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            s.sendto(text, target)
def connect(address):
    for *kind, _, target in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM):
        with socket.socket(*kind) as s: s.settimeout(2); s.connect(target)
def unix(kind, address):
    with socket.socket(socket.AF_UNIX, kind) as s: s.connect(address); s.send(mark)
def raw(family, kind, protocol):
    with socket.socket(family, kind, protocol) as s: s.sendto(mark, ('lo', 0x800))
for address in sys.argv[end + 1:]:
    attempt(lambda: send(address, port, mark))
    attempt(lambda: connect(address))
query = struct.pack('!6H', 7, 0x100, 1, 0, 0, 0) + bytes([len(mark)]) + mark
for server in sys.argv[4:end]:
    attempt(lambda: socket.getaddrinfo(sys.argv[1] + '.invalid', 80))
    attempt(lambda: send(server, 53, query + b'\7invalid\0' + struct.pack('!2H', 1, 1)))
for address in [b'\0' + mark, path]: attempt(lambda: unix(socket.SOCK_STREAM, address))
for address in [b'\0' + mark + b'd', path + 'd']: attempt(lambda: unix(socket.SOCK_DGRAM, address))
attempt(lambda: raw(socket.AF_PACKET, socket.SOCK_RAW, 0x300))
print('done')
)";

struct Listener {
  std::string name;
  UniqueFd socket;
};

/// An address of this machine as text, with its scope where it has one.
struct HostAddress {
  std::string text;
  sockaddr_storage storage{};
  socklen_t size = 0;
};

std::vector<HostAddress> host_addresses() {
  ifaddrs* list = nullptr;
  std::vector<HostAddress> found;
  if (::getifaddrs(&list) != 0) return found;
  for (const ifaddrs* it = list; it != nullptr; it = it->ifa_next) {
    if (it->ifa_addr == nullptr || (it->ifa_flags & IFF_UP) == 0) continue;
    const int family = it->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    HostAddress address;
    address.size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&address.storage, it->ifa_addr, address.size);
    std::array<char, NI_MAXHOST> text{};
    ::getnameinfo(it->ifa_addr, address.size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    address.text = text.data();
    found.push_back(address);
  }
  ::freeifaddrs(list);
  return found;
}

std::vector<std::string> name_servers() {
  std::vector<std::string> servers = {"198.51.100.53", "2001:db8::53"};
  const std::string text = read_file("/etc/resolv.conf").value_or("");
  for (const std::string_view line : split_lines(text)) {
    if (line.starts_with("nameserver ")) servers.emplace_back(trim(line.substr(11)));
  }
  return servers;
}

class NetworkTest : public testing::Test {
 protected:
  void SetUp() override {
    auto runner = make_sandboxed_runner(spawner(), {});
    ASSERT_TRUE(runner) << runner.error().message;
    sandbox_ = *std::move(runner);
    addresses_ = host_addresses();
    for (int tries = 0; port_ == 0 && tries < 20; ++tries) listen_on_a_port();
    ASSERT_NE(port_, 0);
    listen_unix(std::string(1, '\0') + mark_, SOCK_STREAM);
    listen_unix(std::string(1, '\0') + mark_ + "d", SOCK_DGRAM);
    listen_unix(path_, SOCK_STREAM);
    listen_unix(path_ + "d", SOCK_DGRAM);
    capture_.reset(
        ::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(ETH_P_ALL)));
  }

  /// Listens on the same port of all addresses; leaves `port_` at 0 where one is taken.
  void listen_on_a_port() {
    std::vector<Listener> made;
    in_port_t port = 0;
    for (HostAddress& address : addresses_) {
      for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
        const int family = address.storage.ss_family;
        auto* const raw = reinterpret_cast<sockaddr*>(&address.storage);
        // The port stands at the same place in both families.
        reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port = port;
        UniqueFd socket(::socket(family, type | SOCK_CLOEXEC, 0));
        if (::bind(socket.get(), raw, address.size) != 0) return;
        if (type == SOCK_STREAM) ::listen(socket.get(), 5);
        sockaddr_storage bound{};
        socklen_t size = sizeof bound;
        ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size);
        port = reinterpret_cast<sockaddr_in*>(&bound)->sin_port;
        made.push_back({fmt::format("{} {}", type == SOCK_STREAM ? "TCP" : "UDP", address.text),
                        std::move(socket)});
      }
    }
    listeners_ = std::move(made);
    port_ = ntohs(port);
  }

  void listen_unix(const std::string& name, int type) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(name.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, name.data(), name.size());
    UniqueFd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    if (type == SOCK_STREAM) ::listen(socket.get(), 5);
    listeners_.push_back({fmt::format("unix {}", name), std::move(socket)});
  }

  [[nodiscard]] Command talk(const std::vector<std::string>& servers,
                             const std::vector<std::string>& more) const {
    Command command = python(k_talk);
    command.argv.insert(command.argv.end(), {mark_, std::to_string(port_), path_});
    command.argv.insert(command.argv.end(), servers.begin(), servers.end());
    command.argv.emplace_back("-");
    for (const HostAddress& address : addresses_) command.argv.push_back(address.text);
    command.argv.insert(command.argv.end(), more.begin(), more.end());
    return command;
  }

  /// How many listeners have something to accept or to read.
  [[nodiscard]] std::vector<std::string> reached() const {
    std::vector<std::string> names;
    for (const Listener& listener : listeners_) {
      pollfd ready{.fd = listener.socket.get(), .events = POLLIN, .revents = 0};
      if (::poll(&ready, 1, 0) > 0) names.push_back(listener.name);
    }
    return names;
  }

  /// Captured packets with our mark in them or our port at either end; none where the host may not
  /// capture.
  [[nodiscard]] std::optional<int> captured() const {
    if (!capture_) return std::nullopt;
    int count = 0;
    std::array<char, 4096> packet{};
    ssize_t n = 0;
    while ((n = ::recv(capture_.get(), packet.data(), packet.size(), MSG_DONTWAIT)) > 0) {
      const std::string_view bytes(packet.data(), static_cast<std::size_t>(n));
      const auto first = static_cast<unsigned char>(bytes.front());
      const std::size_t header = first >> 4U == 4 ? (first & 0xFU) * std::size_t{4} : 40;
      const bool ours = bytes.size() >= header + 4 &&
                        (port_at(bytes, header) == port_ || port_at(bytes, header + 2) == port_);
      if (ours || bytes.find(mark_) != std::string_view::npos) ++count;
    }
    return count;
  }

  static int port_at(std::string_view bytes, std::size_t at) {
    return (static_cast<unsigned char>(bytes[at]) << 8) | static_cast<unsigned char>(bytes[at + 1]);
  }

  std::string mark_ = unique_word();
  TemporaryFolder folder_ = *TemporaryFolder::make("tenline-network-test");
  std::string path_ = folder_.path() + "/socket";
  std::vector<HostAddress> addresses_;
  std::vector<Listener> listeners_;
  int port_ = 0;
  UniqueFd capture_;
  std::unique_ptr<ProcessRunner> sandbox_;
};

TEST_F(NetworkTest, NoPacketLeaves) {
  const Command command =
      talk(name_servers(), {"198.51.100.7", "2001:db8::7", "224.0.0.251", "255.255.255.255",
                            "ff02::1", "ff02::1%lo", "localhost"});
  const ProcessOutput output = run(*sandbox_, command);
  EXPECT_TRUE(output.out.ends_with("done\n")) << output.err;
  EXPECT_EQ(reached(), std::vector<std::string>{});
  EXPECT_EQ(captured().value_or(0), 0);
}

TEST_F(NetworkTest, AllThatListensWouldSeeAPacket) {
  const std::unique_ptr<ProcessRunner> bare = make_unsafe_runner(spawner(), {});
  const ProcessOutput output = run(*bare, talk({}, {}));
  EXPECT_TRUE(output.out.ends_with("done\n")) << output.err;
  EXPECT_EQ(reached().size(), listeners_.size()) << output.out;
  EXPECT_GT(captured().value_or(1), 0);
}

TEST_F(NetworkTest, HasLoopbackOnlyAndMakesNoOther) {
  // getifaddrs asks over netlink; a change over it is refused.
  const ProcessOutput output = run(*sandbox_, python(R"(
import socket, struct
print([line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line])
print(socket.if_nameindex())
print(len(open('/proc/net/route').readlines()))
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
new_dummy = struct.pack('=BxHiII', 0, 0, 0, 1, 1) + struct.pack('=HH', 16, 18) \
    + struct.pack('=HH8s', 12, 1, b'dummy\0\0\0')
flags = 1 | 4 | 0x400
for kind, body in [(16, new_dummy), (19, struct.pack('=BxHiII', 0, 0, 1, 0, 1)),
                   (20, struct.pack('=BBBBi', 2, 8, 0, 0, 1) + struct.pack('=HH4B', 8, 2, 9, 9, 9, 9))]:
    s.send(struct.pack('=IHHII', 16 + len(body), kind, flags, 1, 0) + body)
    print(struct.unpack_from('=i', s.recv(4096), 16)[0])
)"));
  EXPECT_EQ(output.out, "['lo']\n[(1, 'lo')]\n1\n-1\n-1\n-1\n") << output.err;
}

}  // namespace
}  // namespace tenline
