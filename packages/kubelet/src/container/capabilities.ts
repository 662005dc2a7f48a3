/** Linux capabilities of a container, as Kubernetes and its runtimes give them. Pure. */
import type { SecurityContext } from '@podvisor/api';
import { CAPABILITIES, namesOf } from '@podvisor/sys';

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

/** Reads `CapBnd` of /proc/self/status: what we do not have we cannot give. */
export function boundingSet(procStatus: string): readonly string[] {
  return namesOf(/^CapBnd:\s*([0-9a-f]+)/m.exec(procStatus)?.[1] ?? '0');
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
  const start =
    security?.privileged || add.includes('ALL') ? CAPABILITIES : drop.includes('ALL') ? [] : DEFAULT;
  // What is added wins over "drop ALL", and a single drop wins over "add ALL".
  const wanted = new Set<string>([...start, ...add.filter((name) => name !== 'ALL')]);
  if (!security?.privileged) for (const name of drop) if (!add.includes(name)) wanted.delete(name);
  return CAPABILITIES.filter((name) => wanted.has(name) && available.includes(name)).map(
    (name) => `CAP_${name}`,
  );
}
