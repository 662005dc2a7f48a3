/** What the object graph tells beyond the VM and its VMI: the launcher Pod, and the claim of firmware and TPM. */
import {
  labels,
  needsBackendStorage,
  type PersistentVolumeClaim,
  type Pod,
  tracksChanges,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import type { Lookup } from './decision.ts';

export interface GraphFacts {
  /** Pods that say they were made for the VMI; whose they are is judged by their owner. */
  readonly launchers: Lookup<readonly Pod[]>;
  /** Claims that keep what firmware and TPM remember of a VM of this name. */
  readonly stateClaims: Lookup<readonly PersistentVolumeClaim[]>;
}

/** Whether there is a claim of its own for firmware, TPM or changed blocks. */
export function keepsState(object: VirtualMachine | VirtualMachineInstance): boolean {
  const spec = 'template' in object.spec ? object.spec.template.spec : object.spec;
  return (spec !== undefined && needsBackendStorage(spec)) || tracksChanges(object);
}

/** Reads what there may be; a list that is not needed is empty. */
export async function readGraphFacts(
  client: Pick<KubeClient, 'list'>,
  root: VirtualMachine | VirtualMachineInstance,
  vmi: VirtualMachineInstance | undefined,
  signal: AbortSignal,
): Promise<GraphFacts> {
  const { namespace, name = '' } = root.metadata ?? {};
  const selected = (label: string, value: string) => ({ namespace, labelSelector: `${label}=${value}` });
  const [launchers, stateClaims] = await Promise.all([
    vmi === undefined
      ? NONE
      : listed(() =>
          client.list(resources.pods, selected(labels.createdBy, vmi.metadata?.uid ?? ''), signal),
        ),
    keepsState(root)
      ? listed(() =>
          client.list(resources.persistentVolumeClaims, selected(labels.persistentStateFor, name), signal),
        )
      : NONE,
  ]);
  return { launchers, stateClaims };
}

const NONE = { kind: 'found', object: [] } as const;

async function listed<T>(
  list: () => Promise<{ readonly items: readonly T[] }>,
): Promise<Lookup<readonly T[]>> {
  try {
    return { kind: 'found', object: (await list()).items };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}
