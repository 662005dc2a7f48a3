/**
 * Tells the containers that hold container disks that nobody needs them any more: the Pod ends when all of its
 * containers have. They look for this file (`container-disk.c`), also those that start after us.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function endContainerDisks(directory: string): void {
  try {
    writeFileSync(join(directory, 'ended'), '');
  } catch {
    // No such directory: images are volumes of the Pod, and there is nobody to tell.
  }
}
