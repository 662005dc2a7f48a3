/**
 * The SELinux context of a process, as the kernel says. The file system of SELinux is not mounted in containers; that
 * the kernel knows it at all tells whether SELinux is on, and that is the same in every container.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where there is no SELinux, as KubeVirt has it in the status of a VMI. */
const NONE = 'none';
/** `user:role:type:level`; a level may have colons of its own. */
const CONTEXT = /^[^:\s]+:[^:\s]+:[^:\s]+:[\w:.,-]+$/;

/** `none` without SELinux; undefined when it cannot be told, as the process has ended. */
export function seLinuxContextOf(pid: number, proc = '/proc'): string | undefined {
  if (!/\bselinuxfs$/m.test(readFileSync(join(proc, 'filesystems'), 'utf8'))) return NONE;
  let text: string;
  try {
    [text = ''] = readFileSync(join(proc, String(pid), 'attr/current'), 'utf8').split(/[\0\n]/, 1);
  } catch {
    return undefined; // The process ended in the meantime.
  }
  // The whole of it before a policy is loaded, when nothing has a level.
  if (text === 'kernel') return NONE;
  return CONTEXT.test(text) ? text : undefined;
}
