/** Renders the OCI runtime configuration of one container. Pure: everything it needs is passed in. */
import type { Container, Pod } from '@podvisor/api';
import { USER_RANGE_SIZE } from '@podvisor/sys';
import { appArmorProfile } from '../access-control/app-armor.ts';
import type { AccessControlHost } from '../access-control/host.ts';
import { type SeLinuxLabels, seLinuxLabels } from '../access-control/selinux.ts';
import { cgroupResources } from './cgroup-resources.ts';
import { capabilities } from './capabilities.ts';
import type { OciDevice, OciDeviceRule, OciMount, OciProcess, OciSeccomp, OciSpec } from './oci-types.ts';
import { defaultSeccomp } from './seccomp.ts';
import type { ContainerUser } from './user.ts';

export interface OciSpecInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly rootfs: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly user: ContainerUser;
  readonly hostname: string;
  readonly cgroup: string;
  /** Absent: the node's own network. */
  readonly netns: string | undefined;
  /** Volumes and files of the Pod, after the system mounts; sorted here. */
  readonly mounts: readonly OciMount[];
  /** Devices beyond the usual ones, with the access (`rwm`) that was granted. */
  readonly devices: readonly { readonly device: OciDevice; readonly access: string }[];
  /** Absent: the ids of the container are those of the machine. Devices are among the mounts, then. */
  readonly userNamespace?: {
    /** Where it is bound. */
    readonly path: string;
    /** First id of the range on the machine. */
    readonly first: number;
    /** Mounted for the Pod's network. */
    readonly sysfs: string;
  };
  /** What the kubelet itself may do; nobody gets more. */
  readonly availableCapabilities: readonly string[];
  readonly oomScoreAdj: number | undefined;
  /** Profiles of type Localhost, already read. */
  readonly localhostSeccomp?: OciSeccomp;
  readonly cgroupVersion: 1 | 2;
  /** What of AppArmor and SELinux the node has. */
  readonly accessControl: AccessControlHost;
}

const MASKED = [
  ...['/proc/asound', '/proc/acpi', '/proc/interrupts', '/proc/kcore', '/proc/keys', '/proc/latency_stats'],
  ...['/proc/timer_list', '/proc/timer_stats', '/proc/sched_debug', '/proc/scsi', '/sys/firmware'],
  ...['/sys/devices/virtual/powercap'],
];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** Devices that every container has: null, zero, full, random, urandom, tty, console, pts. */
const USUAL_DEVICES: readonly OciDeviceRule[] = [
  ...[3, 5, 7, 8, 9].map(
    (minor): OciDeviceRule => ({ allow: true, type: 'c', major: 1, minor, access: 'rwm' }),
  ),
  ...[0, 1, 2].map((minor): OciDeviceRule => ({ allow: true, type: 'c', major: 5, minor, access: 'rwm' })),
  { allow: true, type: 'c', major: 136, access: 'rwm' },
];

export function ociSpec(input: OciSpecInput): OciSpec {
  const { pod, container } = input;
  const privileged = container.securityContext?.privileged === true;
  const labels = seLinuxLabels(pod, container, input.accessControl, {
    uid: pod.metadata.uid ?? '',
    userRange: input.userNamespace?.first,
  });
  const process = ociProcess(input, labels);
  const seccomp = seccompProfile(input, process.capabilities.bounding);
  const rules: OciDeviceRule[] = privileged
    ? [{ allow: true, access: 'rwm' }]
    : [
        { allow: false, access: 'rwm' },
        ...USUAL_DEVICES,
        ...input.devices.map(({ device: { type, major, minor }, access }) => ({
          allow: true,
          type,
          major,
          minor,
          access,
        })),
      ];
  const sysctls = pod.spec.securityContext?.sysctls ?? [];
  return {
    ociVersion: '1.0.2',
    ...(pod.spec.hostNetwork === true ? {} : { hostname: input.hostname }),
    root: { path: input.rootfs, readonly: container.securityContext?.readOnlyRootFilesystem === true },
    process,
    mounts: [...systemMounts(input, privileged), ...sortMounts(input.mounts)],
    annotations: {
      'io.kubernetes.pod.uid': pod.metadata.uid ?? '',
      'io.kubernetes.container.name': container.name,
    },
    linux: {
      cgroupsPath: input.cgroup,
      namespaces: namespaces(input),
      ...idMappings(input),
      devices: input.userNamespace === undefined ? input.devices.map(({ device }) => device) : [],
      resources: cgroupResources(container, rules),
      rootfsPropagation: rootPropagation(input.mounts),
      ...(labels === undefined ? {} : { mountLabel: labels.mount }),
      ...(privileged ? {} : { maskedPaths: MASKED, readonlyPaths: READ_ONLY }),
      ...(seccomp === undefined ? {} : { seccomp }),
      ...(sysctls.length === 0 ? {} : { sysctl: Object.fromEntries(sysctls.map((s) => [s.name, s.value])) }),
    },
  };
}

/** Mounts that a container makes reach the node only if its whole tree was never made a slave of the node's. */
function rootPropagation(mounts: OciSpecInput['mounts']): string {
  return mounts.some(({ options = [] }) => options.includes('rshared')) ? 'rshared' : 'rslave';
}

function ociProcess(input: OciSpecInput, labels: SeLinuxLabels | undefined): OciProcess {
  const { container, pod, user, accessControl } = input;
  const apparmorProfile = appArmorProfile(pod, container, accessControl.appArmor);
  const security = container.securityContext;
  const granted = capabilities(security, input.availableCapabilities);
  const privileged = security?.privileged === true;
  const sysAdmin = granted.includes('CAP_SYS_ADMIN');
  return {
    terminal: container.tty === true,
    user: { uid: user.uid, gid: user.gid, additionalGids: user.groups },
    args: input.args,
    env: [...input.env].map(([key, value]) => `${key}=${value}`),
    cwd: input.cwd,
    capabilities: { bounding: granted, effective: granted, permitted: granted, inheritable: [], ambient: [] },
    noNewPrivileges: security?.allowPrivilegeEscalation === false && !privileged && !sysAdmin,
    ...(apparmorProfile === undefined ? {} : { apparmorProfile }),
    ...(labels === undefined ? {} : { selinuxLabel: labels.process }),
    ...(input.oomScoreAdj === undefined ? {} : { oomScoreAdj: input.oomScoreAdj }),
  };
}

function seccompProfile(input: OciSpecInput, granted: readonly string[]): OciSeccomp | undefined {
  const { container, pod } = input;
  if (container.securityContext?.privileged === true) return undefined;
  const profile = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (profile?.type === 'Unconfined') return undefined;
  if (profile?.type === 'Localhost') return input.localhostSeccomp;
  return defaultSeccomp(granted);
}

function idMappings({ userNamespace }: OciSpecInput): Pick<OciSpec['linux'], 'uidMappings' | 'gidMappings'> {
  if (userNamespace === undefined) return {};
  const all = [{ containerID: 0, hostID: userNamespace.first, size: USER_RANGE_SIZE }];
  return { uidMappings: all, gidMappings: all };
}

function namespaces({ pod, container, netns, userNamespace }: OciSpecInput): OciSpec['linux']['namespaces'] {
  return [
    { type: 'mount' },
    ...(pod.spec.hostPID === true ? [] : [{ type: 'pid' }]),
    ...(pod.spec.hostIPC === true ? [] : [{ type: 'ipc' }]),
    ...(pod.spec.hostNetwork === true ? [] : [{ type: 'uts' }]),
    ...(netns === undefined ? [] : [{ type: 'network', path: netns }]),
    // A privileged container looks after others, by their groups as the node has them.
    ...(container.securityContext?.privileged === true ? [] : [{ type: 'cgroup' }]),
    ...(userNamespace === undefined ? [] : [{ type: 'user', path: userNamespace.path }]),
  ];
}

function systemMounts({ pod, netns, userNamespace }: OciSpecInput, privileged: boolean): readonly OciMount[] {
  const mode = privileged ? 'rw' : 'ro';
  const options = ['nosuid', 'noexec', 'nodev', mode];
  // Only who owns a network namespace may mount sysfs; with the machine's own, the host's is bound.
  const bound = netns === undefined ? '/sys' : userNamespace?.sysfs;
  const sysfs: OciMount =
    bound === undefined
      ? { destination: '/sys', type: 'sysfs', source: 'sysfs', options }
      : {
          destination: '/sys',
          type: 'bind',
          source: bound,
          // In a user namespace flags cannot be changed; that mount has them already.
          options: userNamespace === undefined ? ['rbind', ...options] : ['rbind'],
        };
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
    {
      destination: '/dev',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
    },
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
    },
    { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: ['nosuid', 'noexec', 'nodev'] },
    sysfs,
    ...(netns === undefined
      ? []
      : [
          {
            destination: '/sys/fs/cgroup',
            type: 'cgroup',
            source: 'cgroup',
            options: ['nosuid', 'noexec', 'nodev', 'relatime', mode],
          },
        ]),
    ...(pod.spec.hostIPC === true
      ? [{ destination: '/dev/shm', type: 'bind', source: '/dev/shm', options: ['rbind'] }]
      : [
          {
            destination: '/dev/shm',
            type: 'tmpfs',
            source: 'shm',
            options: ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=65536k'],
          },
        ]),
  ];
}

/** A mount inside another one must come after it. */
function sortMounts(mounts: readonly OciMount[]): readonly OciMount[] {
  const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;
  return mounts.toSorted((a, b) => depth(a.destination) - depth(b.destination));
}
