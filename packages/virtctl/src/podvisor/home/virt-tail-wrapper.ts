/**
 * `/usr/lib/podvisor/virt-tail --logfile FILE`: the guest's serial console as a container's log. coreutils' tail
 * follows the file that QEMU writes; the launcher empties it when it has grown large, and tailing begins anew. The
 * container starts before the launcher has made the file's directory.
 *
 * It is no program of ours: the container has 15 thousandths of a processor (KubeVirt's figure), with which Node
 * needs half a minute to start, and a process that has not started yet cannot obey SIGTERM. tini makes it obey at
 * once, as the first process of a container would not by itself. It signals its child, not the child's process group:
 * for a moment after the fork that group is not there yet, and the only SIGTERM would be lost.
 */
export const VIRT_TAIL_WRAPPER = `#!/bin/sh
trap 'exit 0' TERM
[ "\${1-}" = --logfile ] && [ -n "\${2-}" ] || { echo 'virt-tail needs --logfile FILE' >&2; exit 2; }
exec /usr/bin/tini -s -e 143 -- /bin/sh -c '
  until [ -d "$1" ]; do sleep 0.2; done
  exec tail -n +1 -F -- "$2" 2>/dev/null
' virt-tail "\${2%/*}" "$2"
`;
