/**
 * A VM that keeps a journal: it writes numbered entries to a disk of its own, one after the other, and reports each
 * to the outside when it is on the disk. The web server hands out what is really on the disk; port 7 echoes.
 */
import type { VirtualMachine } from '@podvisor/api';

/** Bytes of an entry: eight letters of the boot id, a space, eight digits, a newline. */
export const ENTRY_BYTES = 18;

export interface JournalVmOptions {
  readonly name: string;
  /** Where reports go (UDP). */
  readonly reportTo: { readonly address: string; readonly port: number };
  /** Changes this many MiB of memory over and over. */
  readonly memoryLoadMiB?: number;
  readonly runStrategy?: string;
  /** Claim of the journal, which may move to others; absent: a disk that lives and dies with the Pod. */
  readonly claim?: string;
  /** Where it runs, if that is possible. */
  readonly preferredNode?: string;
}

export function journalVm({
  name,
  reportTo,
  memoryLoadMiB = 0,
  runStrategy = 'Always',
  claim,
  preferredNode,
}: JournalVmOptions): VirtualMachine {
  const script = [
    '#!/bin/sh',
    'journal=/dev/disk-journal; for d in /sys/block/vd*; do [ "$(cat $d/serial)" = journal ] && journal=/dev/${d##*/}; done',
    'boot=$(cut -c 1-8 /proc/sys/kernel/random/boot_id)',
    'mkdir -p /www/cgi-bin',
    'echo $boot > /www/index.html',
    "cat > /www/cgi-bin/journal << 'END'",
    '#!/bin/sh',
    "printf 'Content-type: text/plain\\r\\n\\r\\n'",
    '# What the guest remembers of the disk does not count.',
    'echo 3 > /proc/sys/vm/drop_caches',
    "dd if=JOURNAL bs=64k count=16 2>/dev/null | tr -d '\\000'",
    'END',
    'sed -i "s,JOURNAL,$journal," /www/cgi-bin/journal',
    'chmod 755 /www/cgi-bin/journal',
    'httpd -p 80 -h /www',
    'nc -ll -p 7 -e cat &',
    ...(memoryLoadMiB === 0
      ? []
      : [
          `(while :; do dd if=/dev/urandom of=/tmp/load bs=1M count=${memoryLoadMiB} conv=notrunc 2>/dev/null; done) &`,
        ]),
    `(while ! ip route | grep -q default; do usleep 100000; done; syslogd -R ${reportTo.address}:${reportTo.port}`,
    'n=0; while :; do',
    `  printf '%s %08d\\n' $boot $n | dd of=$journal bs=${ENTRY_BYTES} seek=$n conv=notrunc,fsync 2>/dev/null`,
    '  logger "journal $boot $n"; n=$((n+1)); usleep 100000',
    'done) > /dev/null 2>&1 &',
    '',
  ].join('\n');
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy,
      ...(claim === undefined ? {} : { updateVolumesStrategy: 'Migration' }),
      template: {
        metadata: { labels: { app: name } },
        spec: {
          domain: {
            memory: { guest: '160Mi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'cloud-init', disk: { bus: 'virtio' } },
                { name: 'journal', serial: 'journal', disk: { bus: 'virtio' } },
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          ...(preferredNode === undefined ? {} : { affinity: preferring(preferredNode) }),
          terminationGracePeriodSeconds: 0,
          volumes: [
            { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
            { name: 'cloud-init', cloudInitNoCloud: { userData: script } },
            claim === undefined
              ? { name: 'journal', emptyDisk: { capacity: '1Mi' } }
              : { name: 'journal', persistentVolumeClaim: { claimName: claim } },
          ],
        },
      },
    },
  };
}

export function preferring(nodeName: string): object {
  const preference = {
    matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }],
  };
  return { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] } };
}
