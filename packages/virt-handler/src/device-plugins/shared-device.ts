/**
 * A device of the node that many guests use at once: the resource has many units, each of which gives a container the
 * same node.
 */
import { existsSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Offer } from './offer.ts';

export interface SharedDevice {
  /** e.g. `devices.kubevirt.io/tun`. */
  readonly name: string;
  /** Path of the device on the node. */
  readonly path: string;
  readonly count: number;
  /** Directory of the node that comes with the device, read-only; whoever asks for two devices gets it once. */
  readonly mount?: { readonly hostPath: string; readonly containerPath: string };
}

export function sharedDevice({ name, path, count, mount }: SharedDevice): Offer {
  const prefix = basename(path);
  return {
    name,
    socketName: `kubevirt-${prefix}.sock`,
    devices: () => {
      const health = existsSync(path) ? 'Healthy' : 'Unhealthy';
      return Array.from({ length: count }, (_, i) => ({ ID: `${prefix}${i}`, health, topology: undefined }));
    },
    allocate: () => ({
      envs: {},
      mounts: mount === undefined ? [] : [{ ...mount, readOnly: true }],
      devices: [{ containerPath: path, hostPath: path, permissions: 'rw' }],
      annotations: {},
      cdiDevices: [],
    }),
    follow: (onChange) => {
      let exists = existsSync(path);
      const watcher = watch(dirname(path), { persistent: false }, () => {
        const now = existsSync(path);
        if (now === exists) return;
        exists = now;
        onChange();
      });
      return { [Symbol.dispose]: () => watcher.close() };
    },
  };
}
