/*
 * quiet-pages.so: lets go of what a libvirtd needed for its start and for its guest's (LD_PRELOAD).
 *
 * libvirtd starts one guest and then waits, beside many others of its kind. Most pages of its program and of some
 * eighty libraries that it touched until then, sixteen at a time, it does not touch again: 12 MiB for the only guest of a
 * node, and a share of them for each of many. They stay in the page cache and come back when they are touched.
 *
 * A thread waits until the start is over, does this once, and ends. Only segments that a program can never have changed
 * are let go. While it walks the list of libraries the loader's lock is held, so that none of them can go meanwhile and
 * nothing else be mapped in its place.
 *
 * What libvirtd starts, QEMU first of all, is not told of this library.
 */
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* By then a guest runs, also on a busy machine; where it does not yet, pages come back one by one. */
#define START_IS_OVER_SECONDS 15
/* It calls the loader and madvise(2), no more. */
#define STACK_BYTES (64 * 1024)

/* Text that the loader had to write to is the process's own. */
static int has_text_relocations(const struct dl_phdr_info *object)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		if (object->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);

		for (; entry->d_tag != DT_NULL; entry++)
			if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
				return 1;
	}
	return 0;
}

static int let_go(struct dl_phdr_info *object, size_t size, void *page_size)
{
	const uintptr_t page = *(const uintptr_t *)page_size;

	(void)size;
	/* The program itself has no name; what has one without a path is the kernel's (vDSO). */
	if (object->dlpi_name[0] != '\0' && strchr(object->dlpi_name, '/') == NULL)
		return 0;
	if (has_text_relocations(object))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		/* Whole pages of it only: the one at its end may also be the beginning of what can be written. */
		uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
		uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);

		if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W) && start < end)
			/* Advice: what the kernel does not take stays as it is. */
			madvise((void *)start, end - start, MADV_DONTNEED);
	}
	return 0;
}

static void *after_the_start(void *nothing)
{
	struct timespec left = { .tv_sec = START_IS_OVER_SECONDS };
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	/* All signals are blocked here: nothing ends it early. */
	nanosleep(&left, NULL);
	malloc_trim(0);
	dl_iterate_phdr(let_go, &page);
	return nothing;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;

	unsetenv("LD_PRELOAD");
	if (pthread_attr_init(&attributes) != 0)
		return;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	/* A signal must reach one of the threads that libvirtd knows. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_create(&thread, &attributes, after_the_start, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}
