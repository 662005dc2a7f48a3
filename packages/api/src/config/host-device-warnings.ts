/**
 * Host devices that the configuration permits, and that guests would wait for in vain: KubeVirt's virt-handler offers
 * them to the kubelet, ours leaves that to the device plugin of whoever made the device. Who permits one without
 * saying that a plugin offers it (`externalResourceProvider`) is told so.
 */
import { deepEqual } from '@podvisor/base';
import type { KubeVirtConfiguration } from '../types/index.ts';

const KINDS = ['pciHostDevices', 'mediatedDevices', 'usb'] as const;

interface Permitted {
  readonly externalResourceProvider?: boolean;
  readonly resourceName: string;
}

/** A warning for each entry that is new or was another. */
export function hostDeviceWarnings(
  now: KubeVirtConfiguration,
  before: KubeVirtConfiguration,
): readonly string[] {
  return KINDS.flatMap((kind) => {
    const known: readonly Permitted[] = before.permittedHostDevices?.[kind] ?? [];
    const permitted: readonly Permitted[] = now.permittedHostDevices?.[kind] ?? [];
    return permitted.flatMap((entry, index) =>
      entry.externalResourceProvider === true || known.some((old) => deepEqual(old, entry))
        ? []
        : [
            `spec.configuration.permittedHostDevices.${kind}[${index}]: nodes do not offer host devices by themselves; a device plugin has to offer ${entry.resourceName}, which externalResourceProvider: true says`,
          ],
    );
  });
}
