/** Direct kernel boot: puts kernel and initrd of the image volume where the domain XML names them. */
import { mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { VirtualMachineInstance } from '@podvisor/api';
import { findContainerDisk } from '@podvisor/storage';

export interface KernelBootDirs {
  /** Where the image volume with kernel and initrd is mounted. */
  readonly image: string;
  /** `kernel-boot/` below it is what the XML names. */
  readonly containerDisks: string;
}

/** Links the files; a VMI without a kernel boot container needs nothing. Idempotent. */
export async function prepareKernelBoot(vmi: VirtualMachineInstance, dirs: KernelBootDirs): Promise<void> {
  const container = vmi.spec.domain.firmware?.kernelBoot?.container;
  if (container === undefined) return;
  const target = join(dirs.containerDisks, 'kernel-boot');
  await mkdir(target, { recursive: true });
  for (const path of [container.kernelPath, container.initrdPath]) {
    if (!path) continue;
    // Resolved beneath the image, links included: its author is a tenant.
    await symlink(findContainerDisk(dirs.image, path), join(target, basename(path))).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}
