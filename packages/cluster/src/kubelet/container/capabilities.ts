/** Linux capabilities of a container, as Kubernetes and its runtimes give them. Pure. */
import type { SecurityContext } from '@podvisor/api';

/** What a container has when nothing is said: the set that container runtimes agree on. */
const DEFAULT = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** By bit number (linux/capability.h). */
const ALL = [
  ...['CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'SETPCAP'],
  ...[
    'LINUX_IMMUTABLE',
    'NET_BIND_SERVICE',
    'NET_BROADCAST',
    'NET_ADMIN',
    'NET_RAW',
    'IPC_LOCK',
    'IPC_OWNER',
  ],
  ...[
    'SYS_MODULE',
    'SYS_RAWIO',
    'SYS_CHROOT',
    'SYS_PTRACE',
    'SYS_PACCT',
    'SYS_ADMIN',
    'SYS_BOOT',
    'SYS_NICE',
  ],
  ...[
    'SYS_RESOURCE',
    'SYS_TIME',
    'SYS_TTY_CONFIG',
    'MKNOD',
    'LEASE',
    'AUDIT_WRITE',
    'AUDIT_CONTROL',
    'SETFCAP',
  ],
  ...['MAC_OVERRIDE', 'MAC_ADMIN', 'SYSLOG', 'WAKE_ALARM', 'BLOCK_SUSPEND', 'AUDIT_READ', 'PERFMON', 'BPF'],
  'CHECKPOINT_RESTORE',
];

/** Reads `CapBnd` of /proc/self/status: what we do not have we cannot give. */
export function boundingSet(procStatus: string): readonly string[] {
  const bits = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(procStatus)?.[1] ?? '0'}`);
  return ALL.filter((_, bit) => (bits >> BigInt(bit)) & 1n);
}

/** The capabilities (`CAP_…`) of a container, never more than `available`. */
export function capabilities(
  security: SecurityContext | undefined,
  available: readonly string[],
): readonly string[] {
  const normal = (names: readonly string[] = []): string[] =>
    names.map((n) => n.toUpperCase().replace(/^CAP_/, ''));
  const add = normal(security?.capabilities?.add);
  const drop = normal(security?.capabilities?.drop);
  const start = security?.privileged || add.includes('ALL') ? ALL : drop.includes('ALL') ? [] : DEFAULT;
  // What is added wins over "drop ALL", and a single drop wins over "add ALL".
  const wanted = new Set([...start, ...add.filter((name) => name !== 'ALL')]);
  if (!security?.privileged) for (const name of drop) if (!add.includes(name)) wanted.delete(name);
  return ALL.filter((name) => wanted.has(name) && available.includes(name)).map((name) => `CAP_${name}`);
}
