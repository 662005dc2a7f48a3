/** Makes the directories and configuration files that libvirtd and the command server need. */
import { constants } from 'node:fs';
import { access, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { GRANTED_CAPABILITIES_CACHE } from '@podvisor/api';
import type { LauncherFlags } from '../flags.ts';
import type { LibvirtPaths } from './libvirt-paths.ts';

/** Where Debian and Fedora keep libvirt's drivers. */
const DRIVER_DIRS = [
  '/usr/lib/x86_64-linux-gnu/libvirt/connection-driver',
  '/usr/lib/aarch64-linux-gnu/libvirt/connection-driver',
  '/usr/lib64/libvirt/connection-driver',
];
/** The only drivers a launcher's libvirtd needs; the others cost memory and start time. */
const DRIVERS = ['libvirt_driver_qemu.so'];

const DAEMON_CONFIG = `# One client, few calls at once: small thread pools keep libvirtd small.
min_workers = 2
max_workers = 8
prio_workers = 2
admin_min_workers = 1
admin_max_workers = 1
max_clients = 16
max_anonymous_clients = 16
log_outputs = "3:stderr"
# The launcher itself watches libvirtd.
keepalive_interval = -1
admin_keepalive_interval = -1
`;

const QEMU_CONFIG = `# QEMU writes its own log file: no virtlogd needed.
stdio_handler = "file"
# The Pod is the sandbox: its cgroups, namespaces and limits are the kubelet's business.
cgroup_controllers = []
namespaces = []
remember_owner = 0
max_core = 0
`;

/**
 * Without KVM only: read the guest's CPU back in two questions (CPUID words) instead of four hundred (one
 * for each property), which is two thirds of the time that libvirt takes to start a domain. With KVM the
 * long way stays, because it alone knows features outside CPUID, which a migration compares.
 */
const EMULATION_CONFIG = `capability_filters = [ "cpu-unavailable-features" ]
`;

/** Returns whether a warm capabilities cache was found, and whether guests have KVM. */
export async function createDirectories(
  { paths, uid, capabilitiesCacheDir }: Pick<LauncherFlags, 'paths' | 'uid' | 'capabilitiesCacheDir'>,
  libvirt: LibvirtPaths,
): Promise<{ readonly warmCache: boolean; readonly kvm: boolean }> {
  const made = [
    libvirt.home,
    `${libvirt.runtime}/libvirt`,
    `${libvirt.cache}/libvirt/qemu`,
    `${libvirt.config}/libvirt`,
    libvirt.data,
    libvirt.drivers,
    paths.guestSockets(uid),
    paths.sockets,
  ];
  const [kvm] = await Promise.all([
    hasKvm(),
    ...made.map((path) => mkdir(path, { recursive: true, mode: 0o750 })),
  ]);
  const [warmCache] = await Promise.all([
    copyWarmCache([capabilitiesCacheDir, GRANTED_CAPABILITIES_CACHE], libvirt),
    writeFile(libvirt.daemonConfig, DAEMON_CONFIG),
    writeFile(`${libvirt.config}/libvirt/qemu.conf`, kvm ? QEMU_CONFIG : QEMU_CONFIG + EMULATION_CONFIG),
    linkDrivers(libvirt),
  ]);
  return { warmCache, kvm };
}

/**
 * The first that is there. The cache spares libvirtd seconds of probing QEMU. It checks its validity itself, so a stale
 * one does no harm.
 */
async function copyWarmCache(cacheDirs: readonly string[], libvirt: LibvirtPaths): Promise<boolean> {
  for (const directory of cacheDirs) {
    try {
      await cp(`${directory}/libvirt/qemu/cache/capabilities`, libvirt.capabilities, { recursive: true });
      return true;
    } catch {
      // The next one, or none: libvirtd then probes QEMU itself, slower, and as right.
    }
  }
  return false;
}

async function linkDrivers(libvirt: LibvirtPaths): Promise<void> {
  const links = DRIVER_DIRS.flatMap((dir) => DRIVERS.map((file) => ({ from: `${dir}/${file}`, file })));
  for (const { from, file } of links) {
    try {
      await access(from);
      await symlink(from, `${libvirt.drivers}/${file}`);
    } catch (error) {
      if (!isErrno(error, 'ENOENT') && !isErrno(error, 'EEXIST')) throw error;
    }
  }
}

/** The Pod has the device only where the node found it usable. */
function hasKvm(): Promise<boolean> {
  return access('/dev/kvm', constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
