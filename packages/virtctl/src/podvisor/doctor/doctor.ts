/** Checks of this machine, and of the settings of the home: each says PASS, WARN or FAIL, what was found, and the fix. */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { cgroupVersion, instancePaths, type KvmFacts, kvmFacts } from '@podvisor/sys';
import pc from 'picocolors';
import { canLoadModule } from './kernel-modules.ts';
import { limitsCheck } from './doctor-limits.ts';
import { networkChecks } from './doctor-network.ts';
import { privilegeChecks } from './doctor-privileges.ts';
import { runDirectoryCheck } from '../doctor-run.ts';
import { grantFacts, homeFacts, weakSettings } from './doctor-security.ts';
import { homeOf } from '../home/home-access.ts';
import { freeForHome, HOME_GIB, memoryGib } from '../home/machine-facts.ts';
import { colouredLines } from '../../output/plain-text.ts';

export interface Check {
  readonly level: 'PASS' | 'WARN' | 'FAIL';
  readonly what: string;
  readonly found: string;
  readonly fix?: string;
}

const TOOLS: readonly (readonly [tool: string, debianPackage: string])[] = [
  ['qemu-system-x86_64', 'qemu-system-x86'],
  ['qemu-img', 'qemu-utils'],
  ['libvirtd', 'libvirt-daemon'],
  ['runc', 'runc'],
  ['conmon', 'conmon'],
  ['nft', 'nftables'],
  ['ip', 'iproute2'],
  ['nsenter', 'util-linux'],
  ['tini', 'tini'],
  ['mkfs.ext4', 'e2fsprogs'],
  ['xorriso', 'xorriso'],
  ['skopeo', 'skopeo'],
];
const CONTROLLERS = ['cpu', 'memory', 'devices', 'pids', 'cpuset', 'freezer'];

/** All checks, in the order in which they matter. */
export function diagnose(home: string): readonly Check[] {
  return [
    rootCheck(),
    kvmCheck(kvmFacts(), userInfo().username),
    tunCheck(),
    ...toolChecks(),
    cniCheck(),
    ...networkChecks(),
    cgroupCheck(),
    limitsCheck(),
    overlayCheck(readFileSync('/proc/filesystems', 'utf8'), canLoadModule),
    runDirectoryCheck(),
    ...privilegeChecks(home),
    memoryCheck(),
    diskCheck(home),
  ];
}

function rootCheck(): Check {
  return process.getuid?.() === 0
    ? { level: 'PASS', what: 'root', found: 'running as root' }
    : { level: 'FAIL', what: 'root', found: 'not running as root', fix: 'run podvisor with sudo' };
}

/** Pure but for what it is given. `user`: who asks. */
export function kvmCheck(kvm: KvmFacts, user: string): Check {
  if (kvm.denied === true)
    return {
      level: 'WARN',
      what: 'KVM',
      found: `${kvm.reason}: ${user} may not use it, so what this machine can is not known`,
      fix: `sudo ./podvisor doctor; to use /dev/kvm yourself: sudo usermod -aG kvm ${user}, and log in again`,
    };
  return kvm.usable
    ? { level: 'PASS', what: 'KVM', found: '/dev/kvm opens and the CPU virtualises' }
    : {
        level: 'WARN',
        what: 'KVM',
        found: `${kvm.reason}: guests run by software emulation, about ten times slower`,
        fix: 'enable virtualisation (VT-x or AMD-V) in the firmware, or nested virtualisation on the host of this machine',
      };
}

function tunCheck(): Check {
  const device = '/dev/net/tun';
  try {
    closeSync(openSync(device, 'r+'));
    return { level: 'PASS', what: 'TAP devices', found: `${device} opens` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    return {
      level: 'FAIL',
      what: 'TAP devices',
      found: `${device} does not open (${code})`,
      fix: code === 'EACCES' || code === 'EPERM' ? 'run podvisor with sudo' : 'modprobe tun',
    };
  }
}

function toolChecks(): readonly Check[] {
  const dirs = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];
  const missing = TOOLS.filter(([tool]) => !dirs.some((dir) => isExecutable(join(dir, tool))));
  if (missing.length === 0)
    return [{ level: 'PASS', what: 'packages', found: `${TOOLS.length} tools are installed` }];
  return missing.map(([tool, name]) => ({
    level: 'FAIL',
    what: 'packages',
    found: `${tool} is missing`,
    fix: `apt-get install ${name}`,
  }));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function cniCheck(): Check {
  const missing = ['bridge', 'host-local', 'loopback'].filter((name) => !existsSync(`/usr/lib/cni/${name}`));
  return missing.length === 0
    ? { level: 'PASS', what: 'CNI plugins', found: '/usr/lib/cni has bridge, host-local and loopback' }
    : {
        level: 'FAIL',
        what: 'CNI plugins',
        found: `missing: ${missing.join(', ')}`,
        fix: 'apt-get install containernetworking-plugins',
      };
}

function cgroupCheck(): Check {
  const version = cgroupVersion();
  const have =
    version === 2
      ? readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').trim().split(' ')
      : CONTROLLERS.filter((name) => existsSync(`/sys/fs/cgroup/${name}`));
  const needed = version === 2 ? ['cpu', 'memory', 'pids'] : CONTROLLERS;
  const missing = needed.filter((name) => !have.includes(name));
  return missing.length === 0
    ? { level: 'PASS', what: 'cgroups', found: `v${version} with ${needed.join(', ')}` }
    : {
        level: 'FAIL',
        what: 'cgroups',
        found: `v${version} without ${missing.join(', ')}`,
        fix: 'mount the missing controllers under /sys/fs/cgroup',
      };
}

/** Pure but for what it is given: /proc/filesystems, and which modules the kernel can load. */
export function overlayCheck(filesystems: string, canLoad: (module: string) => boolean): Check {
  const what = 'overlayfs';
  if (/\boverlay\b/.test(filesystems)) return { level: 'PASS', what, found: 'known to the kernel' };
  return canLoad('overlay')
    ? { level: 'PASS', what, found: 'a module, which the kernel loads at the first mount' }
    : { level: 'FAIL', what, found: 'not known to the kernel', fix: 'modprobe overlay' };
}

function memoryCheck(): Check {
  const { available } = memoryGib();
  const found = `${available.toFixed(1)} GiB available`;
  if (available < 0.7)
    return {
      level: 'FAIL',
      what: 'memory',
      found,
      fix: 'free at least 0.7 GiB: the cluster needs 0.4, a small VM 0.3',
    };
  return available < 2
    ? {
        level: 'WARN',
        what: 'memory',
        found: `${found}: room for a few small VMs`,
        fix: 'free some memory or add more',
      }
    : { level: 'PASS', what: 'memory', found };
}

function diskCheck(home: string): Check {
  const { at, gib: free } = freeForHome(home);
  const found = `${free.toFixed(1)} GiB free at ${at}`;
  if (free < HOME_GIB)
    return {
      level: 'FAIL',
      what: 'disk',
      found,
      fix: `free at least ${HOME_GIB} GiB, or set PODVISOR_HOME to another disk`,
    };
  return free < 5
    ? { level: 'WARN', what: 'disk', found, fix: 'images and volumes will need more' }
    : { level: 'PASS', what: 'disk', found };
}

const COLOUR = { PASS: pc.green, WARN: pc.yellow, FAIL: pc.red } as const;

/** What is weak in the home, if there is one. */
async function homeChecks(home: string): Promise<readonly Check[]> {
  if (homeOf(home) === 'denied')
    return [
      {
        level: 'WARN',
        what: 'home',
        found: `${home} is there and belongs to root; what is in it is not known`,
        fix: 'sudo ./podvisor doctor',
      },
    ];
  const facts = homeFacts(home);
  if (facts === undefined) return [];
  return weakSettings(facts, await grantFacts(instancePaths(home).kubeconfig), Date.now());
}

/** Prints all checks; true when none failed. */
export async function doctor(home: string): Promise<boolean> {
  return printChecks(await allChecks(home), 'This machine can run VMs');
}

/** Of the machine and of the home. */
export async function allChecks(home: string): Promise<readonly Check[]> {
  return [...diagnose(home), ...(await homeChecks(home))];
}

/** Prints all checks; true when none failed. `verdict` is what is said then. */
export function printChecks(checks: readonly Check[], verdict: string): boolean {
  for (const { level, what, found, fix } of checks) {
    console.log(`${COLOUR[level](level)}  ${what.padEnd(13)} ${colouredLines(found)}`);
    if (fix !== undefined) console.log(`      ${' '.repeat(13)} fix: ${fix}`);
  }
  const failed = checks.filter((c) => c.level === 'FAIL').length;
  const warned = checks.filter((c) => c.level === 'WARN').length;
  console.log(
    failed === 0
      ? `${verdict}${warned === 0 ? '' : ` (${warned} warning${warned === 1 ? '' : 's'})`}.`
      : `${failed} check${failed === 1 ? '' : 's'} failed.`,
  );
  return failed === 0;
}
