#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <array>
#include <cerrno>

#include "EscapeAttempts.h"

namespace haloscope::process {

std::vector<Attempt> kernelEscapes() {
  return {
      // The kernel's other doors
      {"IoUring",
       [](Around) {
         io_uring_params parameters{};
         return call(SYS_io_uring_setup, 1, &parameters);
       }},
      {"Bpf",
       [](Around) {
         bpf_attr attributes{};
         attributes.map_type = BPF_MAP_TYPE_ARRAY;
         attributes.key_size = 4;
         attributes.value_size = 4;
         attributes.max_entries = 1;
         return call(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
       }},
      {"PerfEvent",
       [](Around) {
         perf_event_attr attributes{};
         attributes.size = sizeof attributes;
         attributes.type = PERF_TYPE_SOFTWARE;
         return call(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
       }},
      {"Userfaultfd", [](Around) { return call(SYS_userfaultfd, 0); }},
      {"Keyctl", [](Around) { return call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1, 0, 0); }},
      {"AddKey", [](Around) { return call(SYS_add_key, "user", "x", "y", 1, KEY_SPEC_PROCESS_KEYRING); }},
      {"RequestKey",
       [](Around) { return resultOrGetsTo(ENOKEY, call(SYS_request_key, "user", "no such key", nullptr, 0)); }},
      {"Mount", [](Around at) { return call(SYS_mount, "none", at.folder.c_str(), "tmpfs", 0, nullptr); },
       Control::Dangerous},
      {"Umount", [](Around at) { return resultOrGetsTo(EINVAL, call(SYS_umount2, at.folder.c_str(), 0)); }},
      {"OpenTree", [](Around at) { return call(SYS_open_tree, AT_FDCWD, at.folder.c_str(), 0); }},
      {"Fsopen", [](Around) { return call(SYS_fsopen, "tmpfs", 0); }},
      {"PivotRoot", [](Around at) { return call(SYS_pivot_root, at.folder.c_str(), at.folder.c_str()); },
       Control::Dangerous},
      {"SharedMemorySegment",
       [](Around) {
         const int segment = shmget(IPC_PRIVATE, kPageBytes, IPC_CREAT | 0600);
         const int result = resultOf(segment);
         if (segment >= 0) { shmctl(segment, IPC_RMID, nullptr); }
         return result;
       }},
      {"MessageQueue",
       [](Around) {
         const int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
         const int result = resultOf(queue);
         if (queue >= 0) { msgctl(queue, IPC_RMID, nullptr); }
         return result;
       }},
      {"Semaphores",
       [](Around) {
         const int semaphores = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
         const int result = resultOf(semaphores);
         if (semaphores >= 0) { semctl(semaphores, 0, IPC_RMID); }
         return result;
       }},
      {"PosixQueue",
       [](Around) { return resultOrGetsTo(ENOENT, call(SYS_mq_open, "no such queue", O_RDONLY, 0, nullptr)); }},
      {"Module", [](Around) { return call(SYS_init_module, nullptr, 0, nullptr); }, Control::Dangerous},
      {"Reboot", [](Around) { return call(SYS_reboot, 0, 0, 0, nullptr); }, Control::Dangerous},
      {"Hostname", [](Around) { return call(SYS_sethostname, "", 0); }, Control::Dangerous},
      {"KernelLog", [](Around) { return call(SYS_syslog, 10, nullptr, 0); }},
      {"KernelVersion",
       [](Around) {
         std::array<char, 1024> facts{};
         return call(SYS_uname, facts.data());
       }},
      {"MachineLoad",
       [](Around) {
         std::array<char, 1024> facts{};
         return call(SYS_sysinfo, facts.data());
       }},
      {"IntervalTimer",
       [](Around) {
         const itimerval off{};
         return call(SYS_setitimer, ITIMER_REAL, &off, nullptr);
       }},
      {"Timer",
       [](Around) {
         int timer = 0;
         return call(SYS_timer_create, CLOCK_MONOTONIC, nullptr, &timer);
       }},
      {"PriorityFutex",
       [](Around) {
         unsigned word = 0;
         return call(SYS_futex, &word, 6 /* FUTEX_LOCK_PI */, 0, nullptr, nullptr, 0);
       }},
#ifdef SYS_modify_ldt
      {"LocalDescriptors",
       [](Around) {
         std::array<char, 64> table{};
         return call(SYS_modify_ldt, 0, table.data(), table.size());
       }},
      {"Ports", [](Around) { return call(SYS_iopl, 0); }},
      {"ThreadPointer",
       [](Around) {
         unsigned long base = 0;
         return call(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, &base);
       }},
#endif

      // New code, and memory that is not its own
      {"MapExecutable",
       [](Around) {
         return resultOfMap(mmap(nullptr, kPageBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
       }},
      {"MapWritableAndExecutable",
       [](Around) {
         return resultOfMap(
             mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
       }},
      {"MakeDataExecutable", [](Around) { return resultOf(mprotect(ownPage(), kPageBytes, PROT_READ | PROT_EXEC)); }},
      {"MakeDataWritableAndExecutable",
       [](Around) { return resultOf(mprotect(ownPage(), kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC)); }},
      {"MakeDataExecutableByKey",
       [](Around) { return call(SYS_pkey_mprotect, ownPage(), kPageBytes, PROT_READ | PROT_EXEC, -1); }},
      {"MapAFile", [](Around at) { return resultOfMap(mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, at.openFile, 0)); }},
      {"MapAFileShared",
       [](Around at) { return resultOfMap(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, at.openFile, 0)); }},
      {"MapAFileExecutable",
       [](Around at) { return resultOfMap(mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, at.openFile, 0)); }},
      {"MapShared",
       [](Around) { return resultOfMap(mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0)); }},
      {"MapDownwards",
       [](Around) {
         return resultOfMap(mmap(nullptr, kPageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0));
       }},
      {"AttachASegment", [](Around) { return resultOrGetsTo(EINVAL, call(SYS_shmat, 123456789, nullptr, SHM_EXEC)); }},
      {"LockMemory", [](Around) { return call(SYS_mlock, ownPage(), 4096); }},
      {"LockAllMemory", [](Around) { return resultOrGetsTo(ENOMEM, call(SYS_mlockall, MCL_FUTURE)); }},
      {"MergeMemory",
       [](Around) { return resultOrGetsTo(EINVAL, call(SYS_madvise, ownPage(), kPageBytes, MADV_MERGEABLE)); }},
      {"ResidentPages",
       [](Around) {
         std::array<unsigned char, kPageBytes / 4096> pages{};
         return call(SYS_mincore, ownPage(), kPageBytes, pages.data());
       }},
      {"RemapFilePages",
       [](Around) { return resultOrGetsTo(EINVAL, call(SYS_remap_file_pages, ownPage(), 0, 0, 0, 0)); }},
  };
}

}  // namespace haloscope::process
