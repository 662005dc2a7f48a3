/** Which devices of the node this Pod got for its SR-IOV networks: a file that the kubelet keeps up to date. */
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { VirtualMachineInstance } from '@podvisor/api';
import {
  devicesFromEnvironment,
  type DomainHostDevice,
  NETWORK_INFO_FILE,
  type NetworkDevice,
  readNetworkInfo,
  sriovDevices,
  sriovInterfaces,
} from '@podvisor/translate';
import { LauncherError } from '../launcher-error.ts';

/** Multus, virt-controller and the kubelet each need a moment; the kubelet's is up to a minute and a bit. */
const TOLD_TIMEOUT_MS = 90_000;

/**
 * Host devices for the VMI's SR-IOV interfaces. Where the device plugin's variables say which they are, at once;
 * otherwise it waits until `directory` names all of them.
 */
export async function networkDevices(
  vmi: VirtualMachineInstance,
  directory: string,
  signal: AbortSignal,
  timeoutMs = TOLD_TIMEOUT_MS,
  env: NodeJS.ProcessEnv = process.env,
): Promise<readonly DomainHostDevice[]> {
  const wanted = sriovInterfaces(vmi).map(({ name }) => name);
  if (wanted.length === 0) return [];
  const given = devicesFromEnvironment(wanted, env);
  if (given !== undefined) return sriovDevices(vmi, given);
  const timeout = AbortSignal.timeout(timeoutMs);
  const info = await toldDevices(directory, wanted, AbortSignal.any([signal, timeout])).catch(
    (error: unknown) => {
      if (!timeout.aborted || signal.aborted) throw error;
      throw new LauncherError(
        `nobody told which devices serve the SR-IOV networks ${wanted.join(', ')} within ${timeoutMs / 1000} s: Multus must name them in the Pod's network-status (device-info), or the device plugin in PCIDEVICE_ variables`,
        { cause: error },
      );
    },
  );
  return sriovDevices(vmi, info);
}

/** The kubelet swaps a link beside the file, which the watch of the directory hears. */
function toldDevices(
  directory: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<readonly NetworkDevice[]> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const watcher = watch(directory);
    const done = (settle: () => void): void => {
      watcher.close();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => done(() => reject(signal.reason));
    const look = async (): Promise<void> => {
      // Not there: nobody annotated the Pod yet, or the kubelet is at it.
      const text = await readFile(`${directory}/${NETWORK_INFO_FILE}`, 'utf8').catch(() => '');
      const info = readNetworkInfo(text);
      if (wanted.every((name) => info.some(({ network }) => network === name))) done(() => resolve(info));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    watcher.on('error', (error) => done(() => reject(error)));
    watcher.on('change', () => void look());
    void look();
  });
}
