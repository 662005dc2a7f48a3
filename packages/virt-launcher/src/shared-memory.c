/*
 * shared-memory.so: lets QEMU begin with memory that other guests read too (LD_PRELOAD, decision 022).
 *
 * QEMU opens the file of a private memory backend for writing, though it never writes to it, and gives up where the file
 * cannot be written. From 8.2 on it can be told; before, this turns that one open(2) into a reading one. The mapping
 * is private: what the guest writes is its own.
 *
 * When the guest gives memory back (balloon, free page reporting) QEMU punches a hole into the file, and expects to
 * read zeros there. The file is not its own: the range of the mapping becomes anonymous memory instead.
 *
 * The file is named by PODVISOR_SHARED_MEMORY. Everything else is as without this.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int shared_fd = -1;
static char *mapping;
static size_t mapped;

static int is_shared(const char *path)
{
	const char *shared = getenv("PODVISOR_SHARED_MEMORY");

	return shared != NULL && path != NULL && strcmp(path, shared) == 0;
}

static int open_with(const char *path, int flags, mode_t mode)
{
	int fd;

	if (!is_shared(path))
		return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	fd = syscall(SYS_openat, AT_FDCWD, path, (flags & ~O_ACCMODE) | O_RDONLY, mode);
	if (fd >= 0)
		shared_fd = fd;
	return fd;
}

int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;

	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		va_list rest;

		va_start(rest, flags);
		mode = va_arg(rest, mode_t);
		va_end(rest);
	}
	return open_with(path, flags, mode);
}

/* What open(2) becomes in programs that are built with checks (_FORTIFY_SOURCE), where flags are not constant. */
int __open64_2(const char *path, int flags)
{
	return open_with(path, flags, 0);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset)
{
	void *result = (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);

	if (fd >= 0 && fd == shared_fd && result != MAP_FAILED && offset == 0) {
		mapping = result;
		mapped = length;
	}
	return result;
}

int fallocate64(int fd, int mode, off64_t offset, off64_t length)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;

	if (fd < 0 || fd != shared_fd || mapping == NULL || (mode & FALLOC_FL_PUNCH_HOLE) == 0)
		return syscall(SYS_fallocate, fd, mode, offset, length);
	if (offset < 0 || length <= 0 || (size_t)offset > mapped || (size_t)length > mapped - (size_t)offset) {
		errno = EINVAL;
		return -1;
	}
	return mmap64(mapping + offset, length, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1 : 0;
}
