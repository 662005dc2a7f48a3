/**
 * `/usr/lib/podvisor/virtiofsd`: what virtiofs containers run. It takes the options of today's virtiofsd and runs
 * that one where it is installed. Debian 12 has only QEMU's older one, which insists on changing its root and on a
 * pid file in /run; without privileges it can do both in user and mount namespaces of its own, where the launcher's
 * user is root. The guest then sees files of that user as root's. It also ends where it may not leave its
 * supplementary groups, which nobody may in such a namespace: our own kubelet lets the call succeed (seccomp), and on
 * other nodes keep-groups-exec does.
 */
export const VIRTIOFSD_WRAPPER = `#!/bin/sh
set -eu
for daemon in /usr/libexec/virtiofsd /usr/lib/virtiofsd; do
  if [ -x "$daemon" ]; then exec "$daemon" "$@"; fi
done
daemon=/usr/lib/qemu/virtiofsd
if [ ! -x "$daemon" ]; then
  echo "no virtiofsd in /usr/libexec or /usr/lib/qemu; install virtiofsd or qemu-system-common" >&2
  exit 1
fi
for option in "$@"; do
  case "$option" in
    --socket-path=*) socket=\${option#*=} ;;
    --shared-dir=*) shared=\${option#*=} ;;
  esac
done
if ! unshare --user --map-root-user --mount sh -c :; then
  echo "this virtiofsd needs user namespaces, which the node refuses (a seccomp or AppArmor profile, or sysctl user.max_user_namespaces); an image with virtiofsd 1.x in /usr/libexec does not need them" >&2
  exit 1
fi
keep=
if ! unshare --user --map-root-user setpriv --clear-groups sh -c : 2>/dev/null; then
  keep="/usr/lib/podvisor/node --max-old-space-size=32 /usr/lib/podvisor/keep-groups-exec.mjs"
fi
exec $keep /usr/bin/unshare --user --map-root-user --mount sh -eu -c '
  mount -t tmpfs none /mnt
  mkdir /mnt/virtiofsd /mnt/shared /mnt/sockets
  mount --bind "$2" /mnt/shared
  mount --bind "$(dirname "$1")" /mnt/sockets
  mount --rbind /mnt /run
  exec "$0" -f --socket-path="/run/sockets/$(basename "$1")" -o source=/run/shared -o sandbox=chroot -o cache=auto
' "$daemon" "$socket" "$shared"
`;
