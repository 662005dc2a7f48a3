/** What each process of the home may do on the machine. docs/security-privileges.md is this file in words. Pure. */
import {
  CAPABILITIES,
  type Capability,
  componentUser,
  type Confinement,
  type InstanceConfig,
  type InstancePaths,
  type ShownPath,
  type UnprivilegedComponent,
} from '@podvisor/sys';

/**
 * What nobody here has a use for: the machine's clock, power, modules, log, accounting and audit, security
 * modules, raw ports. Containers have no more than their node agent: a privileged one cannot either.
 */
const NEVER: ReadonlySet<Capability> = new Set<Capability>([
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_BOOT',
  'SYS_TIME',
  'SYS_PACCT',
  'SYS_TTY_CONFIG',
  'SYSLOG',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'AUDIT_CONTROL',
  'AUDIT_READ',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'NET_BROADCAST',
  'LEASE',
  'LINUX_IMMUTABLE',
  'CHECKPOINT_RESTORE',
  'PERFMON',
]);

/**
 * Root that makes containers. What is left is what containers may be given, and what making them takes:
 * mounts and namespaces (SYS_ADMIN, SYS_CHROOT), networks (NET_ADMIN, NET_RAW), devices (MKNOD, BPF), other
 * users' files and processes (DAC_*, CHOWN, FOWNER, SETUID, SETGID, SETPCAP, KILL, SYS_PTRACE), limits
 * (SYS_RESOURCE, SYS_NICE, IPC_LOCK). The supervisor, which starts all others, has the same. No no_new_privs: containers would inherit it, and `sudo` in them end.
 */
export const NODE_AGENT: Confinement = {
  capabilities: CAPABILITIES.filter((name) => !NEVER.has(name)),
  noNewPrivileges: false,
  filtered: false,
};

/**
 * Root that looks into launchers: their namespaces and processes (SYS_ADMIN, SYS_PTRACE), mounts and devices
 * that appear in them (SYS_ADMIN, MKNOD, BPF), their networks (NET_ADMIN, NET_RAW), sockets and files of their
 * user (DAC_*, CHOWN, FOWNER), their limits, priorities and locked memory (SYS_RESOURCE, SYS_NICE, IPC_LOCK).
 */
export const VIRT_HANDLER: Confinement = {
  capabilities: [
    'CHOWN',
    'DAC_OVERRIDE',
    'DAC_READ_SEARCH',
    'FOWNER',
    'FSETID',
    'KILL',
    'SETGID',
    'SETUID',
    'NET_BIND_SERVICE',
    'NET_ADMIN',
    'NET_RAW',
    'IPC_LOCK',
    'SYS_CHROOT',
    'SYS_PTRACE',
    'SYS_ADMIN',
    'SYS_NICE',
    'SYS_RESOURCE',
    'MKNOD',
    'BPF',
  ],
  noNewPrivileges: true,
  filtered: false,
};

/** A user of its own, no capability, a root directory with the programs and its own keys in it. */
export function unprivileged(
  component: UnprivilegedComponent,
  { name }: Pick<InstanceConfig, 'name'>,
  paths: InstancePaths,
): Confinement {
  const places: Partial<Record<UnprivilegedComponent, readonly ShownPath[]>> = {
    'control-plane': [{ path: paths.controlPlane, writable: true }, { path: paths.machine }],
    prometheus: [{ path: paths.monitoring }, { path: `${paths.monitoring}/data`, writable: true }],
    alertmanager: [{ path: paths.monitoring }, { path: `${paths.monitoring}/alerts`, writable: true }],
  };
  return {
    user: componentUser(name, component),
    capabilities: [],
    view: {
      shown: [
        { path: paths.lib },
        // Who uses no key is handed none, and has no place for them.
        ...(component === 'alertmanager' ? [] : [{ path: paths.pki, from: `${paths.part(component)}/pki` }]),
        ...(places[component] ?? []),
      ],
      stage: paths.run,
    },
    noNewPrivileges: true,
    filtered: true,
  };
}
