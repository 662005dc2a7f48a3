/** Freezes and thaws guests through the API, as a user would: virt-controller talks to nobody else. */
import type { VirtualMachineInstance } from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';
import { putToGuest } from '../guest-requests.ts';

export interface GuestFreezer {
  /** `thawAfterMs`: when the launcher thaws by itself; 0: never. */
  freeze(vmi: VirtualMachineInstance, thawAfterMs: number, signal: AbortSignal): Promise<void>;
  unfreeze(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<void>;
}

/** Even a snapshot that may take for ever does not freeze a guest for ever. */
const LONGEST_FREEZE_MS = 5 * 60_000;

export function guestFreezer(client: Pick<KubeClient, 'raw'>): GuestFreezer {
  return {
    freeze: (vmi, thawAfterMs, signal) => {
      const ms = thawAfterMs === 0 ? LONGEST_FREEZE_MS : Math.min(thawAfterMs, LONGEST_FREEZE_MS);
      return putToGuest(client, vmi, 'freeze', { unfreezeTimeout: `${Math.ceil(ms / 1000)}s` }, signal);
    },
    unfreeze: (vmi, signal) => putToGuest(client, vmi, 'unfreeze', {}, signal),
  };
}
