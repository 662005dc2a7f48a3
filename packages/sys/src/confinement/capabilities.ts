/** Capabilities (capabilities(7)): their names in the kernel's order, and what a process may ever have. */
import { readFileSync } from 'node:fs';
import { checked, libc } from '../libc.ts';

export const CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'LINUX_IMMUTABLE',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_PACCT',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_NICE',
  'SYS_RESOURCE',
  'SYS_TIME',
  'SYS_TTY_CONFIG',
  'MKNOD',
  'LEASE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'SETFCAP',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'SYSLOG',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'AUDIT_READ',
  'PERFMON',
  'BPF',
  'CHECKPOINT_RESTORE',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** linux/prctl.h */
const PR_CAPBSET_READ = 23;
const PR_CAPBSET_DROP = 24;
const PR_CAP_AMBIENT = 47;
const PR_CAP_AMBIENT_CLEAR_ALL = 4;

/**
 * Whatever this thread executes from here on has these capabilities at most, also as root. Capabilities that
 * the kernel knows and we do not are dropped too.
 */
export function keepOnly(kept: readonly Capability[]): void {
  const numbers = new Set(kept.map((name) => CAPABILITIES.indexOf(name)));
  const { prctl } = libc();
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, null, 0, 0);
  for (let number = 0; prctl(PR_CAPBSET_READ, number, null, 0, 0) >= 0; number += 1)
    if (!numbers.has(number))
      checked('prctl', `dropping capability ${number}`, (c) => c.prctl(PR_CAPBSET_DROP, number, null, 0, 0));
}

/** What /proc shows of a process' privileges. */
export interface Privileges {
  readonly uid: number;
  readonly gid: number;
  readonly effective: readonly Capability[];
  readonly bounding: readonly Capability[];
  readonly noNewPrivileges: boolean;
  /** 2: a filter is on it. */
  readonly seccomp: number;
}

export function readPrivileges(pid: number): Privileges {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
  return {
    uid: Number(field('Uid').split('\t')[1]),
    gid: Number(field('Gid').split('\t')[1]),
    effective: namesOf(field('CapEff')),
    bounding: namesOf(field('CapBnd')),
    noNewPrivileges: field('NoNewPrivs') === '1',
    seccomp: Number(field('Seccomp') || 0),
  };
}

/** Pure: the names of a mask as /proc writes it. */
export function namesOf(mask: string): readonly Capability[] {
  const bits = BigInt(`0x${mask === '' ? '0' : mask}`);
  return CAPABILITIES.filter((_, number) => ((bits >> BigInt(number)) & 1n) === 1n);
}
