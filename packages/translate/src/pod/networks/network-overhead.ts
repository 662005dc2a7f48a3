/** Memory that network bindings need beside the guest: passt, and plugins of the cluster's configuration. */
import type { ClusterConfig, VMISpec } from '@podvisor/api';
import { parseQuantity, memberOf } from '@podvisor/base';

const PASST_BYTES = 250 * 1024 * 1024;

/** Bytes on top of `memoryOverheadBytes`; each binding counts once, however many interfaces use it. */
export function networkOverheadBytes({ domain }: VMISpec, { networkBindings }: ClusterConfig): number {
  const interfaces = domain.devices.interfaces ?? [];
  const plugins = new Set(interfaces.flatMap(({ binding }) => binding?.name ?? []));
  const ofPlugins = [...plugins].map((name) => {
    const memory = memberOf(networkBindings, name)?.computeResourceOverhead?.requests?.memory;
    return memory === undefined ? 0 : parseQuantity(memory).value();
  });
  const passt = interfaces.some(({ passtBinding }) => passtBinding !== undefined) ? PASST_BYTES : 0;
  return ofPlugins.reduce((sum, bytes) => sum + bytes, passt);
}
