/*
 * container-disk: holds the image of a container disk at hand, where nodes have no image volumes.
 *
 * It is copied into a container of the user's image, which need not have anything that runs, so it is linked
 * statically. It listens on PATH.sock; whoever connects learns from the kernel which process this is, and finds the
 * image's files below /proc/PID/root. It says nothing and believes nothing.
 *
 *   container-disk --no-op             ends at once: the image was pulled, that is all
 *   container-disk --copy-path PATH    runs until SIGTERM, until PATH.sock is removed, or until there is a file
 *                                      `ended` beside it, which the launcher writes when the guest's run is over
 */
#include <errno.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(const char *what, const char *on)
{
	fprintf(stderr, "container-disk: %s %s: %s\n", what, on, strerror(errno));
	return 1;
}

/* The first process of a container has no signal's default action. */
static void end(int signal)
{
	(void)signal;
	_exit(0);
}

/* The name appears when somebody listens: who sees it need not try twice. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t room = sizeof(address.sun_path);
	int fd;

	if (snprintf(address.sun_path, room, "%s.new", path) >= (int)room) {
		errno = ENAMETOOLONG;
		return -1;
	}
	unlink(address.sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 16) ||
	    rename(address.sun_path, path))
		return -1;
	return fd;
}

static int hold(const char *path)
{
	char socket_path[512], ended[512], directory[512], events[4096];
	struct sigaction action = { .sa_handler = end };
	struct pollfd wait[2];
	const char *where;

	if (snprintf(socket_path, sizeof(socket_path), "%s.sock", path) >= (int)sizeof(socket_path)) {
		errno = ENAMETOOLONG;
		return fail("cannot use", path);
	}
	strcpy(directory, socket_path);
	where = dirname(directory);
	snprintf(ended, sizeof(ended), "%s/ended", where);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);

	wait[0].fd = listen_at(socket_path);
	if (wait[0].fd < 0)
		return fail("cannot listen on", socket_path);
	wait[1].fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (wait[1].fd < 0 || inotify_add_watch(wait[1].fd, where, IN_CREATE | IN_DELETE | IN_MOVE) < 0)
		return fail("cannot watch", where);
	wait[0].events = wait[1].events = POLLIN;

	/* Looked at after the watch began: what happens in between is seen one way or the other. */
	while (access(socket_path, F_OK) == 0 && access(ended, F_OK) != 0) {
		int peer;

		if (poll(wait, 2, -1) < 0 && errno != EINTR)
			return fail("cannot wait at", socket_path);
		while (read(wait[1].fd, events, sizeof(events)) > 0)
			;
		while ((peer = accept(wait[0].fd, NULL, NULL)) >= 0)
			close(peer);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--no-op") == 0)
		return 0;
	if (argc == 3 && strcmp(argv[1], "--copy-path") == 0)
		return hold(argv[2]);
	fprintf(stderr, "usage: container-disk --no-op | --copy-path PATH\n");
	return 2;
}
