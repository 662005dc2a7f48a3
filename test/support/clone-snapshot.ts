/** A VM made from a snapshot, by a clone object of the same name. */
import assert from 'node:assert/strict';
import type { KubeClient } from '@podvisor/kube';
import { eventually } from './eventually.ts';
import { CLONE_API, vmClones } from './storage-resources.ts';

/**
 * Resolves when the VM `name` is there. `warm`: it goes on from the snapshot's memory; `identityless`: as the guest that
 * it was.
 */
export async function cloneSnapshot(
  client: KubeClient,
  { namespace, name: snapshot }: { readonly namespace: string; readonly name: string },
  name: string,
  how: { readonly warm?: true; readonly identityless?: true } = {},
): Promise<void> {
  const clone = { namespace, name };
  await client.create(vmClones, {
    apiVersion: CLONE_API,
    kind: 'VirtualMachineClone',
    metadata: clone,
    spec: {
      source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: snapshot },
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name },
      ...how,
    },
  });
  await eventually('the clone', 60_000, async () => {
    const { status } = await client.get(vmClones, clone);
    assert.notEqual(status?.phase, 'Failed', JSON.stringify(status?.conditions));
    return status?.phase === 'Succeeded' ? true : undefined;
  });
}
