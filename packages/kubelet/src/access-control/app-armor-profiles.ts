/**
 * The AppArmor profiles of this kubelet, as text for apparmor_parser. They say again what namespaces, seccomp and
 * read-only mounts say already, in a part of the kernel of its own: who gets past those meets this. Pure.
 */
import { DEFAULT_PROFILE, LAUNCHER_PROFILE, LAUNCHER_SANDBOX_PROFILE } from './app-armor.ts';

/** Writing these changes the node, whatever the mount says. */
const KERNEL = [
  '  deny @{PROC}/* w,',
  '  deny @{PROC}/{[^1-9],[^1-9][^0-9],[^1-9s][^0-9y][^0-9s],[^1-9][^0-9][^0-9][^0-9]*}/** w,',
  '  deny @{PROC}/sys/[^k]** wklx,',
  '  deny @{PROC}/sys/kernel/{?,??,[^s][^h][^m]**} wklx,',
  '  deny @{PROC}/sysrq-trigger rwklx,',
  '  deny @{PROC}/kcore rwklx,',
  '  deny /sys/[^f]*/** wklx,',
  '  deny /sys/f[^s]*/** wklx,',
  '  deny /sys/fs/[^c]*/** wklx,',
  '  deny /sys/fs/c[^g]*/** wklx,',
  '  deny /sys/fs/cg[^r]*/** wklx,',
  '  deny /sys/firmware/** rwklx,',
  '  deny /sys/kernel/security/** rwklx,',
];

/** Never needed to run a guest. Block devices are named by the VM's volumes: which ones, the control group says. */
const LAUNCHER = [
  '  deny /dev/mem rwklx,',
  '  deny /dev/kmem rwklx,',
  '  deny /dev/port rwklx,',
  '  deny capability sys_module,',
  '  deny capability sys_rawio,',
  '  deny capability sys_boot,',
  '  deny capability mac_admin,',
  '  deny capability mac_override,',
];

interface ProfileSpec {
  readonly name: string;
  readonly mayMount: boolean;
  readonly rules: readonly string[];
}

const PROFILES: readonly ProfileSpec[] = [
  { name: DEFAULT_PROFILE, mayMount: false, rules: [] },
  { name: LAUNCHER_PROFILE, mayMount: false, rules: LAUNCHER },
  { name: LAUNCHER_SANDBOX_PROFILE, mayMount: true, rules: LAUNCHER },
];

/** All profiles, to be loaded together. */
export function appArmorProfiles(): string {
  return `#include <tunables/global>\n\n${PROFILES.map(render).join('\n')}`;
}

export const OWN_PROFILES: readonly string[] = PROFILES.map(({ name }) => name);

function render({ name, mayMount, rules }: ProfileSpec): string {
  return `${[
    `profile ${name} flags=(attach_disconnected,mediate_deleted) {`,
    '  #include <abstractions/base>',
    '  network,',
    '  capability,',
    '  file,',
    '  umount,',
    mayMount ? '  mount,\n  pivot_root,' : '  deny mount,\n  deny pivot_root,',
    // Signals from the node end containers; nobody outside is signalled or traced.
    '  signal (receive) peer=unconfined,',
    '  signal (receive) peer={runc,conmon},',
    `  signal (send,receive) peer=${name},`,
    `  ptrace (trace,read,tracedby,readby) peer=${name},`,
    ...KERNEL,
    ...rules,
    '}',
  ].join('\n')}\n`;
}
