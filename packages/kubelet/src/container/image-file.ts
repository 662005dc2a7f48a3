/** Files of an image that this process reads itself. The image is a stranger's. */
import { fstatSync, readFileSync } from 'node:fs';
import { openBeneath } from '@podvisor/sys';

/** /etc/passwd and /etc/group of a machine with ten thousand users. */
const MAX_BYTES = 1024 * 1024;

/** The text of a plain file below `rootfs`, reached without links; empty when it is anything else, or too long. */
export function imageFile(rootfs: string, path: string): string {
  try {
    using file = openBeneath(rootfs, path);
    const stats = fstatSync(file.fd);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file.fd, 'utf8') : '';
  } catch {
    return '';
  }
}
