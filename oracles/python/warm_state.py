"""What a process holds beside its memory, which fork copies: open files, the temporary folders, and
what a fork cannot copy."""
import os
import stat
import time

SCRATCH = ("/tmp", "/dev/shm")
STASH = ".tenline"  # A folder in each: a second name for open files, so that they can get back their own.
MOST_BYTES = 16 << 20  # Of open and of temporary files that are kept to be put back.
MOST_ENTRIES = 2000


class Unclean(Exception):
    """The process cannot be continued more than once from here; says why."""


def check_alone():
    """Fails if a fork would leave out, or share, a part of what the program is."""
    if len(os.listdir("/proc/self/task")) > 1:
        raise Unclean("has several threads")
    with open("/proc/self/task/%d/children" % os.getpid()) as file:
        if file.read().strip():
            raise Unclean("has child processes")
    with open("/proc/self/maps", "rb") as file:
        for line in file:
            part = line.split(None, 5)
            if part[1][1:2] == b"w" and part[1][3:4] == b"s":
                raise Unclean("shares memory")


class OpenFiles:
    """The open files of this process, except those `ours`. Offsets and texts are shared by all forks, so
    they are put back before each."""

    def __init__(self, ours):
        self.folder = os.getcwd()
        self.files = []
        self.stashed = []  # (path, its second name, inode)
        left = MOST_BYTES
        for name in os.listdir("/proc/self/fd"):
            fd = int(name)
            if fd in ours:
                continue
            try:
                info = os.fstat(fd)
            except OSError:
                continue  # The folder's own.
            if stat.S_ISCHR(info.st_mode):
                if os.readlink("/proc/self/fd/" + name).startswith("/dev/nvidia"):
                    raise Unclean("uses a GPU")
                continue
            if stat.S_ISDIR(info.st_mode):
                if any(info.st_dev == os.stat(folder).st_dev for folder in SCRATCH if os.path.isdir(folder)):
                    raise Unclean("has a temporary folder open")
                continue
            if not stat.S_ISREG(info.st_mode):
                raise Unclean("has %s open" % os.readlink("/proc/self/fd/" + name).partition(":")[0])
            text = None
            if self.is_writable(fd):
                left -= info.st_size
                if left < 0:
                    raise Unclean("has large files open")
                text = self.read_all(fd, info.st_size)
            self.files.append((fd, os.lseek(fd, 0, os.SEEK_CUR), text))
            if info.st_nlink > 0:
                self.stash(fd, info)

    def stash(self, fd, info):
        path = os.readlink("/proc/self/fd/%d" % fd)
        for folder in SCRATCH:
            if path.startswith(folder + "/") and os.stat(folder).st_dev == info.st_dev:
                os.makedirs(folder + "/" + STASH, 0o700, exist_ok=True)
                second = "%s/%s/%d-%d" % (folder, STASH, os.getpid(), time.monotonic_ns())
                os.link(path, second)
                self.stashed.append((path, second, info.st_ino))

    def forget(self):
        for _, second, _ in self.stashed:
            os.unlink(second)

    @staticmethod
    def is_writable(fd):
        with open("/proc/self/fdinfo/%d" % fd) as file:
            for line in file:
                if line.startswith("flags:"):
                    return int(line.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY
        return True

    @staticmethod
    def read_all(fd, size):
        path = "/proc/self/fd/%d" % fd  # A new description: the file may be open for writing only.
        file = os.open(path, os.O_RDONLY)
        try:
            return os.read(file, size) if size else b""
        finally:
            os.close(file)

    def put_back(self, scratch):
        """The temporary folders too."""
        scratch.put_back()
        again = False
        for path, second, inode in self.stashed:
            if os.lstat(path).st_ino != inode:  # A copy of an earlier time had removed it.
                os.unlink(path)
                os.link(second, path)
                again = True
        if again:
            scratch.put_back()
        os.chdir(self.folder)  # It may be a new one of the same name.
        for fd, offset, text in self.files:
            if text is not None:
                os.ftruncate(fd, 0)
                os.lseek(fd, 0, os.SEEK_SET)
                while text:
                    text = text[os.write(fd, text):]
            os.lseek(fd, offset, os.SEEK_SET)


class Scratch:
    """The temporary folders, which all forks share."""

    def __init__(self):
        self.entries = {}  # path -> (mode, text or target)
        self.stamps = {}
        left = MOST_BYTES
        second = {}
        for folder in SCRATCH:
            if os.path.isdir(folder + "/" + STASH):
                for entry in os.scandir(folder + "/" + STASH):
                    second[entry.inode()] = second.get(entry.inode(), 0) + 1
        for path, info in self.walk():
            kept = None
            if stat.S_ISLNK(info.st_mode):
                kept = os.readlink(path)
            elif stat.S_ISREG(info.st_mode):
                left -= info.st_size
                if left < 0 or info.st_nlink > 1 + second.get(info.st_ino, 0):
                    raise Unclean("has large temporary files")
                with open(path, "rb") as file:
                    kept = file.read()
            elif not stat.S_ISDIR(info.st_mode):
                raise Unclean("has a temporary socket or pipe")
            if len(self.entries) >= MOST_ENTRIES:
                raise Unclean("has many temporary files")
            self.entries[path] = (info.st_mode, kept)
            self.stamps[path] = self.stamp(info)

    @staticmethod
    def stamp(info):
        if stat.S_ISDIR(info.st_mode):
            return (info.st_ino, info.st_mode)
        return (info.st_ino, info.st_mode, info.st_size, info.st_mtime_ns, info.st_ctime_ns)

    @staticmethod
    def walk():
        """Folders before what is in them."""
        folders = [(folder, os.stat(folder).st_dev) for folder in SCRATCH if os.path.isdir(folder)]
        while folders:
            folder, device = folders.pop()
            try:
                names = os.listdir(folder)
            except OSError:
                continue
            for name in names:
                if name == STASH and folder in SCRATCH:
                    continue
                path = folder + "/" + name
                try:
                    info = os.lstat(path)
                except OSError:
                    continue
                if info.st_dev != device:
                    continue  # What the sandbox shows there is not the program's.
                yield path, info
                if stat.S_ISDIR(info.st_mode):
                    folders.append((path, device))

    @staticmethod
    def remove(path, info):
        if not stat.S_ISDIR(info.st_mode):
            os.unlink(path)
            return
        os.chmod(path, 0o700)
        for name in os.listdir(path):
            inner = path + "/" + name
            Scratch.remove(inner, os.lstat(inner))
        os.rmdir(path)

    def put_back(self):
        seen = set()
        for path, info in list(self.walk()):
            if path in self.entries and self.stamps[path] == self.stamp(info):
                seen.add(path)
                continue
            if path not in self.entries and not os.path.lexists(path):
                continue  # Went with its folder.
            same = path in self.entries and stat.S_IFMT(self.entries[path][0]) == stat.S_IFMT(info.st_mode)
            if not same:
                self.remove(path, info)
        for path in sorted(set(self.entries) - seen):  # Folders first.
            mode, kept = self.entries[path]
            if stat.S_ISDIR(mode):
                if not os.path.isdir(path):
                    os.mkdir(path)
            elif stat.S_ISLNK(mode):
                if os.path.lexists(path):
                    os.unlink(path)
                os.symlink(kept, path)
            else:
                with open(path, "wb") as file:  # The same inode where there is one: it may be open.
                    file.write(kept)
            if not stat.S_ISLNK(mode):
                os.chmod(path, stat.S_IMODE(mode))
            self.stamps[path] = self.stamp(os.lstat(path))
