/** What this machine can do, found out by looking and never by assuming. */
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

export interface KvmFacts {
  readonly usable: boolean;
  /** The device is there, and this user may not open it: what the CPU can is not known. */
  readonly denied?: boolean;
  /** Why it is not usable, in words for people; empty when it is. */
  readonly reason: string;
}

/**
 * Hardware virtualisation counts only when `/dev/kvm` opens and the CPU shows vmx or svm: inside some VMs
 * the device exists and even creates guests, which then hang.
 */
export function kvmFacts(device = '/dev/kvm', cpuinfo = '/proc/cpuinfo'): KvmFacts {
  if (!existsSync(device)) return { usable: false, reason: `${device} does not exist` };
  try {
    closeSync(openSync(device, 'r+'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const denied = code === 'EACCES' || code === 'EPERM';
    return { usable: false, denied, reason: `${device} cannot be opened (${code})` };
  }
  return /^flags\s*:.*\b(vmx|svm)\b/m.test(readFileSync(cpuinfo, 'utf8'))
    ? { usable: true, reason: '' }
    : { usable: false, reason: 'the CPU shows neither vmx nor svm' };
}

/** Which cgroup layout is mounted: v2 only when the unified hierarchy is the root. */
export function cgroupVersion(): 1 | 2 {
  return existsSync('/sys/fs/cgroup/cgroup.controllers') ? 2 : 1;
}
