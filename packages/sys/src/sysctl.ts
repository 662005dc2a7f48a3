/** Kernel settings below /proc/sys, also of another network namespace. */
import { writeFileSync } from 'node:fs';
import { runInNetns } from './network/netns.ts';
import { withNetns } from './network/netns-socket.ts';

/** Reads a setting such as `net.ipv4.ip_forward`. */
export async function readSysctl(nsPath: string | undefined, name: string): Promise<string> {
  return (await runInNetns(nsPath, 'sysctl', ['-n', name])).stdout.trim();
}

export async function writeSysctl(nsPath: string | undefined, name: string, value: string): Promise<void> {
  await runInNetns(nsPath, 'sysctl', ['-q', '-w', `${name}=${value}`]);
}

/**
 * Writes settings of a network namespace without starting a program: this thread enters it for the moment. A setting
 * that the kernel does not have (no IPv6) is passed over.
 */
export function writeNetSysctls(nsPath: string, settings: Readonly<Record<string, string>>): void {
  withNetns(nsPath, () => {
    for (const [name, value] of Object.entries(settings)) {
      try {
        writeFileSync(`/proc/sys/${sysctlPath(name)}`, value);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  });
}

/** `net.ipv4.conf.DEVICE.x` as a path; dots in a device's name stay what they are. */
export function sysctlPath(name: string): string {
  const [area = '', family = '', kind = '', ...rest] = name.split('.');
  if (kind !== 'conf' && kind !== 'neigh') return name.replaceAll('.', '/');
  return [area, family, kind, rest.slice(0, -1).join('.'), rest.at(-1)].join('/');
}
