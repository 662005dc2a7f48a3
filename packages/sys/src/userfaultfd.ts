/**
 * Post-copy migration: QEMU, which has no privileges, handles the page faults of its guest (userfaultfd(2)). Many
 * kernels forbid that by default. The setting is the whole machine's, so what it was is noted for whoever gives the
 * machine back.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const USERFAULTFD_SETTING = 'vm.unprivileged_userfaultfd';
/** What the setting was before the first change. */
export const USERFAULTFD_NOTE = '/run/podvisor/userfaultfd.before';
const PATH = '/proc/sys/vm/unprivileged_userfaultfd';

/** Allows it. Throws where that is impossible; a kernel without the setting allows it anyway. */
export function allowUserfaultfd(): void {
  if (!existsSync(PATH)) return;
  const before = readFileSync(PATH, 'utf8').trim();
  if (before === '1') return;
  if (!existsSync(USERFAULTFD_NOTE)) {
    mkdirSync(dirname(USERFAULTFD_NOTE), { recursive: true });
    writeFileSync(USERFAULTFD_NOTE, before);
  }
  writeFileSync(PATH, '1');
}
