/** Freezes and thaws guests through the API, as a user would: virt-controller talks to nobody else. */
import type { VirtualMachineInstance } from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';

export interface GuestFreezer {
  /** `thawAfterMs`: when the launcher thaws by itself; 0: never. */
  freeze(vmi: VirtualMachineInstance, thawAfterMs: number, signal: AbortSignal): Promise<void>;
  unfreeze(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<void>;
}

/** Even a snapshot that may take for ever does not freeze a guest for ever. */
const LONGEST_FREEZE_MS = 5 * 60_000;

export function guestFreezer(client: Pick<KubeClient, 'raw'>): GuestFreezer {
  const put = async (
    { metadata }: VirtualMachineInstance,
    verb: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    const root = '/apis/subresources.kubevirt.io/v1';
    const path = `${root}/namespaces/${metadata?.namespace}/virtualmachineinstances/${metadata?.name}/${verb}`;
    const headers = { 'content-type': 'application/json' };
    await client.raw({ method: 'PUT', path, headers, body: JSON.stringify(body) }, signal);
  };
  return {
    freeze: (vmi, thawAfterMs, signal) => {
      const ms = thawAfterMs === 0 ? LONGEST_FREEZE_MS : Math.min(thawAfterMs, LONGEST_FREEZE_MS);
      return put(vmi, 'freeze', { unfreezeTimeout: `${Math.ceil(ms / 1000)}s` }, signal);
    },
    unfreeze: (vmi, signal) => put(vmi, 'unfreeze', {}, signal),
  };
}
