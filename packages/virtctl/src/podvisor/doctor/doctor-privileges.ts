/** Whether the processes of a running home have what they should have, and no more; and whether this kernel can see to it. */
import { existsSync, readFileSync } from 'node:fs';
import {
  type Confinement,
  hasDaemonFilter,
  instancePaths,
  type Privileges,
  readInstanceConfig,
  readPidFile,
  readPrivileges,
} from '@podvisor/sys';
import type { Check } from './doctor.ts';
import { wantedProcesses } from '../monitoring/processes.ts';

const WHAT = 'privileges';

/** One line for the machine, or for every process that has more than it should. */
export function privilegeChecks(home: string): readonly Check[] {
  const paths = instancePaths(home);
  const running = existsSync(paths.config)
    ? wantedProcesses(readInstanceConfig(home), paths).flatMap(({ name, confinement }) => {
        const pid = readPidFile(`${paths.run}/${name}.pid`);
        return pid === undefined ? [] : [{ name, confinement, found: readPrivileges(pid) }];
      })
    : [];
  const excesses = running.flatMap(({ name, confinement, found }) =>
    excessOf(confinement, found).map((excess) => ({ name, excess })),
  );
  if (excesses.length > 0)
    return excesses.map(({ name, excess }) => ({
      level: 'WARN',
      what: WHAT,
      found: `${name} ${excess}`,
      fix: `the reason is in ${paths.logs}/${name}.log; docs/security-privileges.md says what it should have`,
    }));
  if (running.length > 0)
    return [
      { level: 'PASS', what: WHAT, found: `${running.length} processes have what they need and no more` },
    ];
  return [hasSeccomp() ? { level: 'PASS', what: WHAT, found: 'the kernel can confine' } : NO_SECCOMP];
}

const NO_SECCOMP: Check = {
  level: 'WARN',
  what: WHAT,
  found: 'no seccomp filters: virt-api, virt-controller and the control plane run without one',
  fix: 'a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or arm64',
};

function hasSeccomp(): boolean {
  return hasDaemonFilter() && /^Seccomp:/m.test(readFileSync('/proc/self/status', 'utf8'));
}

/** Pure: what a process has beyond its confinement, in words. */
export function excessOf(wanted: Confinement, found: Privileges): readonly string[] {
  const more = found.bounding.filter((name) => !wanted.capabilities.includes(name));
  return [
    ...(wanted.user !== undefined && found.uid !== wanted.user ? [`runs as user ${found.uid}`] : []),
    ...(more.length > 0 ? [`may have ${more.join(', ')}`] : []),
    ...(wanted.noNewPrivileges && !found.noNewPrivileges ? ['may gain privileges (no no_new_privs)'] : []),
    ...(wanted.filtered && found.seccomp !== 2 ? ['has no filter of system calls'] : []),
  ];
}
