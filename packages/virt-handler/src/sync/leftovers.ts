/** VMs of which only our record is left, or whose VMI was replaced by another of the same name. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { type KubeClient, type Log, resources } from '@podvisor/kube';
import type { GhostRecord } from '../ghost-records/record.ts';
import type { VmiKnowledge } from './situation.ts';

/** Our cache holds only VMIs of this node: what is not in it may be gone, elsewhere, or just late. */
export async function askAbout(
  record: GhostRecord,
  { client, nodeName, log }: { client: Pick<KubeClient, 'find'>; nodeName: string; log: Log },
  signal: AbortSignal,
): Promise<VmiKnowledge> {
  try {
    const found = await client.find(resources.virtualMachineInstances, record, signal);
    if (found === undefined || found.metadata?.uid !== record.uid) return { kind: 'gone' };
    return { kind: found.status?.nodeName === nodeName ? 'unknown' : 'elsewhere' };
  } catch (error) {
    log.warn(
      { namespace: record.namespace, name: record.name, uid: record.uid, error: messageOf(error) },
      'API server did not answer',
    );
    return { kind: 'unknown' };
  }
}

/** As much of the VMI as the record knows: enough to end its domain. */
export function remainsOf({ namespace, name, uid }: GhostRecord): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { namespace, name, uid },
    spec: { domain: { devices: {} } },
  };
}

/** The record is of the Pod that a migration is bringing the VMI to. */
export function isTargetOf(record: GhostRecord, expected: VirtualMachineInstance | undefined): boolean {
  const uid = expected?.status?.migrationState?.migrationUid;
  return expected?.metadata?.uid === record.uid && uid !== undefined && record.migrationUid === uid;
}
