/**
 * The RuntimeDefault seccomp profile: a list of what a container has no business with, each group lifted
 * by the capability that makes it legitimate. userfaultfd stays allowed: post-copy migration needs it.
 */
import type { OciSeccomp } from './oci-types.ts';

interface Group {
  /** Any of these capabilities lifts the group; none: never lifted. */
  readonly liftedBy: readonly string[];
  readonly names: readonly string[];
}

const GROUPS: readonly Group[] = [
  {
    liftedBy: ['CAP_SYS_ADMIN'],
    names: [
      ...[
        'mount',
        'umount',
        'umount2',
        'pivot_root',
        'fsopen',
        'fsconfig',
        'fsmount',
        'fspick',
        'move_mount',
      ],
      ...['open_tree', 'mount_setattr', 'setns', 'unshare', 'quotactl', 'quotactl_fd', 'sethostname'],
      ...['setdomainname', 'swapon', 'swapoff', 'lookup_dcookie', 'fanotify_init', 'syslog'],
    ],
  },
  { liftedBy: ['CAP_SYS_ADMIN', 'CAP_BPF'], names: ['bpf'] },
  { liftedBy: ['CAP_SYS_ADMIN', 'CAP_PERFMON'], names: ['perf_event_open'] },
  { liftedBy: ['CAP_DAC_READ_SEARCH'], names: ['open_by_handle_at'] },
  { liftedBy: ['CAP_SYS_BOOT'], names: ['reboot', 'kexec_load', 'kexec_file_load'] },
  {
    liftedBy: ['CAP_SYS_MODULE'],
    names: [
      'create_module',
      'delete_module',
      'init_module',
      'finit_module',
      'query_module',
      'get_kernel_syms',
    ],
  },
  { liftedBy: ['CAP_SYS_PACCT'], names: ['acct'] },
  {
    liftedBy: ['CAP_SYS_PTRACE'],
    names: ['kcmp', 'pidfd_getfd', 'process_madvise', 'process_vm_readv', 'process_vm_writev', 'ptrace'],
  },
  { liftedBy: ['CAP_SYS_RAWIO'], names: ['iopl', 'ioperm'] },
  {
    liftedBy: ['CAP_SYS_TIME'],
    names: ['settimeofday', 'stime', 'clock_settime', 'clock_settime64', 'clock_adjtime', 'clock_adjtime64'],
  },
  { liftedBy: ['CAP_SYS_TTY_CONFIG'], names: ['vhangup'] },
  {
    liftedBy: [],
    names: [
      ...[
        'add_key',
        'keyctl',
        'request_key',
        'nfsservctl',
        'uselib',
        'ustat',
        'sysfs',
        '_sysctl',
        'vm86',
        'vm86old',
      ],
      ...['io_uring_setup', 'io_uring_enter', 'io_uring_register'],
    ],
  },
];

const CLONE_NAMESPACE_FLAGS = 0x7e020000;
const EPERM = 1;
const ENOSYS = 38;

export function defaultSeccomp(capabilities: readonly string[]): OciSeccomp {
  const has = (names: readonly string[]): boolean => names.some((name) => capabilities.includes(name));
  const denied = GROUPS.filter((group) => !has(group.liftedBy)).flatMap((group) => group.names);
  const clone: OciSeccomp['syscalls'] = has(['CAP_SYS_ADMIN'])
    ? []
    : [
        // A filter cannot look into clone3's structure; ENOSYS makes the C library fall back to clone.
        { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
        ...namespaceFlags().map((flag) => ({
          names: ['clone'],
          action: 'SCMP_ACT_ERRNO',
          errnoRet: EPERM,
          args: [{ index: 0, value: flag, valueTwo: flag, op: 'SCMP_CMP_MASKED_EQ' }],
        })),
      ];
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: architectures(process.arch),
    syscalls: [{ names: denied, action: 'SCMP_ACT_ERRNO', errnoRet: EPERM }, ...clone],
  };
}

/** What passt locks itself away with: namespaces, and an empty root directory in them. */
const PASST_NEEDS: ReadonlySet<string> = new Set(['unshare', 'mount', 'umount2', 'pivot_root']);

/** The default profile of a launcher, without what would keep passt from giving up everything it has. */
export function passtSeccomp(): OciSeccomp {
  const profile = defaultSeccomp([]);
  return {
    ...profile,
    syscalls: profile.syscalls.map((rule) => ({
      ...rule,
      names: rule.names.filter((name) => !PASST_NEEDS.has(name)),
    })),
  };
}

/**
 * The same for virtiofsd, which also wants to leave its supplementary groups. It may not, as root of a user
 * namespace that it made itself, and should not: one of them is the Pod's fsGroup, to which its files belong. So the
 * call succeeds without doing anything.
 */
export function virtiofsSeccomp(): OciSeccomp {
  const profile = passtSeccomp();
  const setgroups = { names: ['setgroups'], action: 'SCMP_ACT_ERRNO', errnoRet: 0 };
  return { ...profile, syscalls: [...profile.syscalls, setgroups] };
}

/** Each CLONE_NEW… bit alone: a masked comparison matches only all bits of its value together. */
function namespaceFlags(): number[] {
  return Array.from({ length: 31 }, (_, bit) => 2 ** bit).filter(
    (flag) => (CLONE_NAMESPACE_FLAGS & flag) !== 0,
  );
}

function architectures(arch: string): readonly string[] {
  if (arch === 'arm64') return ['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'];
  return ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'];
}
