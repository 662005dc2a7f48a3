/** Kernel settings below /proc/sys, also of another network namespace. */
import { runInNetns } from './netns.ts';

/** Reads a setting such as `net.ipv4.ip_forward`. */
export async function readSysctl(nsPath: string | undefined, name: string): Promise<string> {
  return (await runInNetns(nsPath, 'sysctl', ['-n', name])).stdout.trim();
}

export async function writeSysctl(nsPath: string | undefined, name: string, value: string): Promise<void> {
  await runInNetns(nsPath, 'sysctl', ['-q', '-w', `${name}=${value}`]);
}
