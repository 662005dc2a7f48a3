/** Small things that a domain names beside its disks, and that must be there when libvirt reads the XML. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { annotations, type LauncherPaths, type VirtualMachineInstance } from '@podvisor/api';
import { waitForFile } from '../start-up/wait-for-file.ts';
import { LauncherError } from '../launcher-error.ts';

/** A container may need a moment to start; more than this means that it will not. */
const SHARE_TIMEOUT_MS = 60_000;

/** First-boot configuration that the guest reads through the firmware. */
export async function writeIgnition(vmi: VirtualMachineInstance, paths: LauncherPaths): Promise<void> {
  const data = vmi.metadata?.annotations?.[annotations.ignitionData];
  if (!data) return;
  const file = paths.ignitionFile(vmi.metadata?.namespace ?? '', vmi.metadata?.name ?? '');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, data, { mode: 0o600 });
}

/** Waits for the servers of shared file systems, which are containers of their own. */
export async function waitForShares(
  vmi: VirtualMachineInstance,
  paths: LauncherPaths,
  signal: AbortSignal,
): Promise<void> {
  const shares = vmi.spec.domain.devices.filesystems ?? [];
  if (shares.length === 0) return;
  await mkdir(paths.virtiofsSockets, { recursive: true });
  await Promise.all(
    shares.map(({ name }) => {
      const timeout = AbortSignal.timeout(SHARE_TIMEOUT_MS);
      const socket = paths.virtiofsSocket(name);
      return waitForFile(socket, AbortSignal.any([signal, timeout])).catch((error: unknown) => {
        if (!timeout.aborted) throw error;
        throw new LauncherError(
          `file system ${name} is not served: nothing listens at ${socket} after ${SHARE_TIMEOUT_MS / 1000} s`,
          { cause: error },
        );
      });
    }),
  );
}
