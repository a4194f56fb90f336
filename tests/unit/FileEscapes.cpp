#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>

#include "EscapeAttempts.h"

namespace haloscope::process {
namespace {

sockaddr_in localAddress() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int sendFile(const Surroundings& around) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int file = around.theirs();
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  return resultOf(sendmsg(around.theirs(), &message, 0));
}

}  // namespace

std::vector<Attempt> fileEscapes() {
  return {
      // Files
      {"Read", [](Around) { return call(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }, Control::Tried, EPERM,
       ENOENT},
      {"Write", [](Around at) { return call(SYS_openat, AT_FDCWD, at.path("file").c_str(), O_WRONLY); }, Control::Tried,
       EPERM, EACCES},
      {"Create", [](Around at) { return call(SYS_openat, AT_FDCWD, at.path("new").c_str(), O_WRONLY | O_CREAT, 0600); },
       Control::Tried, EPERM, EACCES},
      {"CreateUnnamed",
       [](Around at) { return call(SYS_openat, AT_FDCWD, at.folder.c_str(), O_WRONLY | O_TMPFILE, 0600); },
       Control::Tried, EPERM, EACCES},
      {"OpenInAFolderLeftOpen", [](Around at) { return call(SYS_openat, at.openFolder, "file", O_RDONLY); },
       Control::Tried, EPERM, ENOENT},
#ifdef SYS_open
      {"OldOpen", [](Around) { return call(SYS_open, "/etc/passwd", O_RDONLY); }, Control::Tried, EPERM, ENOENT},
      {"OldCreat", [](Around at) { return call(SYS_creat, at.path("new").c_str(), 0600); }},
#endif
      {"Openat2",
       [](Around) {
         const std::array<std::uint64_t, 3> how{};
         return call(SYS_openat2, AT_FDCWD, "/etc/passwd", how.data(), sizeof how);
       }},
      {"OwnMemory", [](Around) { return call(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR); }, Control::Tried, EPERM,
       ENOENT},
      {"ParentsMemory",
       [](Around at) {
         const std::string name = "/proc/" + std::to_string(at.parent) + "/mem";
         return call(SYS_openat, AT_FDCWD, name.c_str(), O_RDWR);
       },
       Control::Tried, EPERM, ENOENT},
      {"Symlink", [](Around at) { return call(SYS_symlinkat, "/etc/passwd", AT_FDCWD, at.path("link").c_str()); }},
      {"Link",
       [](Around at) {
         return call(SYS_linkat, AT_FDCWD, at.path("file").c_str(), AT_FDCWD, at.path("link").c_str(), 0);
       }},
      {"Rename",
       [](Around at) {
         return call(SYS_renameat2, AT_FDCWD, at.path("file").c_str(), AT_FDCWD, at.path("moved").c_str(), 0);
       },
       Control::Tried, EPERM, ENOENT},
      {"Unlink", [](Around at) { return call(SYS_unlinkat, AT_FDCWD, at.path("file").c_str(), 0); }, Control::Tried,
       EPERM, ENOENT},
      {"Mkdir", [](Around at) { return call(SYS_mkdirat, AT_FDCWD, at.path("new").c_str(), 0700); }, Control::Tried,
       EPERM, EACCES},
      {"Mknod", [](Around at) { return call(SYS_mknodat, AT_FDCWD, at.path("pipe").c_str(), S_IFIFO | 0600, 0); }},
      {"Chmod", [](Around at) { return call(SYS_fchmodat, AT_FDCWD, at.path("file").c_str(), 0777); }},
      {"ChmodOfAKeptFile", [](Around at) { return call(SYS_fchmod, at.openFile, 0777); }},
      {"Chown", [](Around at) { return call(SYS_fchownat, AT_FDCWD, at.path("file").c_str(), -1, -1, 0); }},
      {"Truncate", [](Around at) { return call(SYS_truncate, at.path("file").c_str(), 0L); }},
      {"TruncateAKeptFile", [](Around at) { return call(SYS_ftruncate, at.openFile, 0L); }},
      {"Utimes", [](Around at) { return call(SYS_utimensat, AT_FDCWD, at.path("file").c_str(), nullptr, 0); }},
      {"Stat",
       [](Around) {
         struct stat facts{};
         return call(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &facts, 0);
       },
       Control::Tried, EPERM, ENOENT},
      {"StatThroughAKeptFile",  // the name is absolute
       [](Around at) {
         struct stat facts{};
         return call(SYS_newfstatat, at.openFile, "/etc/passwd", &facts, AT_EMPTY_PATH);
       },
       Control::Tried, EPERM, ENOENT},
      {"Statx",
       [](Around) {
         struct statx facts{};
         return call(SYS_statx, AT_FDCWD, "/etc/passwd", 0, STATX_BASIC_STATS, &facts);
       },
       Control::Tried, EPERM, ENOENT},
      {"Statfs",
       [](Around) {
         std::array<char, 512> facts{};
         return call(SYS_statfs, "/", facts.data());
       }},
      {"Access", [](Around) { return call(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK); }, Control::Tried, EPERM,
       ENOENT},
      {"Readlink",
       [](Around) {
         std::array<char, 512> name{};
         return call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", name.data(), name.size());
       }},
      {"Getcwd",
       [](Around) {
         std::array<char, 4096> name{};
         return call(SYS_getcwd, name.data(), name.size());
       }},
      {"Chdir", [](Around) { return call(SYS_chdir, "/"); }},
      {"Fchdir", [](Around at) { return call(SYS_fchdir, at.openFolder); }},
      {"Chroot", [](Around at) { return call(SYS_chroot, at.folder.c_str()); }},
      {"ListAFolderLeftOpen",
       [](Around at) {
         std::array<char, 4096> names{};
         return call(SYS_getdents64, at.openFolder, names.data(), names.size());
       }},
      {"Inotify", [](Around) { return call(SYS_inotify_init1, 0); }},
      {"Fanotify", [](Around) { return call(SYS_fanotify_init, 0, 0); }},
      {"FileHandle",
       [](Around at) {
         std::array<unsigned, 64> handle{128};
         int mount = 0;
         return call(SYS_name_to_handle_at, AT_FDCWD, at.path("file").c_str(), handle.data(), &mount, 0);
       }},
      {"Xattr", [](Around at) { return call(SYS_setxattr, at.path("file").c_str(), "user.x", "y", 1, 0); }},

      // Descriptors
      {"ReadAFileLeftOpen",
       [](Around at) {
         std::array<char, 1> byte{};
         return call(SYS_read, at.mine(), byte.data(), 0);
       }},
      {"WriteAFileLeftOpen", [](Around at) { return call(SYS_write, at.mine(), "x", 1); }},
      {"Dup", [](Around at) { return call(SYS_dup, at.theirs()); }},
      {"Dup3", [](Around at) { return call(SYS_dup3, at.theirs(), 100, 0); }},
      {"DupByFcntl", [](Around at) { return call(SYS_fcntl, at.theirs(), F_DUPFD, 50); }},
      {"NonblockingByFcntl", [](Around at) { return call(SYS_fcntl, at.theirs(), F_SETFL, O_NONBLOCK); }},
      {"SignalsByFcntl", [](Around at) { return call(SYS_fcntl, at.theirs(), F_SETOWN, getpid()); }},
      {"LockByFcntl",
       [](Around at) {
         struct flock lock{};
         lock.l_type = F_WRLCK;
         return call(SYS_fcntl, at.openFile, F_SETLK, &lock);
       }},
      {"Flock", [](Around at) { return call(SYS_flock, at.openFile, 2); }},
      {"Ioctl",
       [](Around at) {
         int waiting = 0;
         return call(SYS_ioctl, at.theirs(), FIONREAD, &waiting);
       }},
      {"TypeIntoTheTerminal", [](Around at) { return call(SYS_ioctl, at.terminal, TIOCSTI, "x"); }, Control::Dangerous},
      {"SendAFile", sendFile},
      {"ReceiveAFile",
       [](Around at) {
         msghdr message{};
         return resultOrGetsTo(EAGAIN, call(SYS_recvmsg, at.theirs(), &message, MSG_DONTWAIT));
       }},
      {"SendTo",
       [](Around at) {
         const sockaddr_un address{.sun_family = AF_UNIX, .sun_path = "/run/somebody"};
         return resultOrGetsTo(EISCONN, call(SYS_sendto, at.theirs(), "x", 1, MSG_NOSIGNAL, &address, sizeof address));
       }},
      {"ReceiveFrom",
       [](Around at) {
         std::array<char, 1> byte{};
         sockaddr_un address{};
         socklen_t size = sizeof address;
         return resultOrGetsTo(EAGAIN, call(SYS_recvfrom, at.theirs(), byte.data(), 1, MSG_DONTWAIT, &address, &size));
       }},
      {"SocketOption",
       [](Around at) {
         const int on = 1;
         return call(SYS_setsockopt, at.theirs(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
       }},
      {"PeersCredentials",
       [](Around at) {
         std::array<int, 3> credentials{};
         socklen_t size = sizeof credentials;
         return call(SYS_getsockopt, at.theirs(), SOL_SOCKET, SO_PEERCRED, credentials.data(), &size);
       }},
      {"Sendfile", [](Around at) { return call(SYS_sendfile, at.theirs(), at.openFile, nullptr, 1); }},
      {"CopyFileRange",
       [](Around at) { return call(SYS_copy_file_range, at.openFile, nullptr, at.openFile, nullptr, 0, 0); }},
      {"ReadAt",
       [](Around at) {
         std::array<char, 1> byte{};
         return call(SYS_pread64, at.openFile, byte.data(), 1, 0L);
       }},
      {"WriteAt", [](Around at) { return call(SYS_pwrite64, at.openFile, "x", 1, 0L); }},
      {"Epoll", [](Around) { return call(SYS_epoll_create1, 0); }},
      {"Eventfd", [](Around) { return call(SYS_eventfd2, 0, 0); }},
      {"Timerfd", [](Around) { return call(SYS_timerfd_create, CLOCK_MONOTONIC, 0); }},
      {"Signalfd",
       [](Around) {
         const std::uint64_t mask = 0;
         return call(SYS_signalfd4, -1, &mask, 8, 0);
       }},
      {"Pipe",
       [](Around) {
         std::array<int, 2> made{};
         return call(SYS_pipe2, made.data(), 0);
       }},
      {"Memfd", [](Around) { return call(SYS_memfd_create, "x", 0); }},
      {"RunAMemfd",
       [](Around) {
         const int file = memfd_create("x", 0);
         if (file < 0) { return errno; }
         const std::array<const char*, 1> none{};
         return resultOrGetsTo(ENOEXEC, call(SYS_execveat, file, "", none.data(), none.data(), AT_EMPTY_PATH));
       }},

      // Network
      {"SocketInet", [](Around) { return call(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
      {"SocketInet6", [](Around) { return call(SYS_socket, AF_INET6, SOCK_DGRAM, 0); }},
      {"SocketUnix", [](Around) { return call(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }},
      {"SocketNetlink", [](Around) { return call(SYS_socket, AF_NETLINK, SOCK_RAW, 0); }},
      {"SocketPacket", [](Around) { return call(SYS_socket, AF_PACKET, SOCK_RAW, 0); }},
      {"Socketpair",
       [](Around) {
         std::array<int, 2> made{};
         return call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, made.data());
       }},
      {"Connect",
       [](Around at) {
         const sockaddr_in address = localAddress();
         const int result = call(SYS_connect, at.theirs(), &address, sizeof address);
         return result == EINVAL || result == EISCONN ? 0 : result;
       }},
      {"Bind",
       [](Around at) {
         const sa_family_t family = AF_UNIX;  // an abstract name of the kernel's choice
         return call(SYS_bind, at.theirs(), &family, sizeof family);
       }},
      {"Listen", [](Around at) { return resultOrGetsTo(EINVAL, call(SYS_listen, at.theirs(), 1)); }},
  };
}

}  // namespace haloscope::process
