/**
 * The finalizer of a new VM comes with its creation. virt-controller would add it as soon as it sees the VM, and does
 * so still where it is missing; a write of its own for it cost as much as a third of the whole creation. KubeVirt's
 * webhook does the same for VMIs and migrations, but not for VMs: the table of webhooks stays as recorded, and this
 * stands around it.
 */
import { finalizers, type VirtualMachine } from '@podvisor/api';
import type { JsonPatchOperation } from '@podvisor/kube';
import type { Webhook } from './context.ts';

const PATH = '/virtualmachines-mutate';

/** The same webhooks; the mutating one of VMs also adds virt-controller's finalizer to what is created. */
export function withFirstFinalizer(table: ReadonlyMap<string, Webhook>): ReadonlyMap<string, Webhook> {
  return new Map([...table].map(([path, webhook]) => [path, path === PATH ? guarded(webhook) : webhook]));
}

function guarded(mutateVm: Webhook): Webhook {
  return async (request, context) => {
    const answer = await mutateVm(request, context);
    if (answer.kind !== 'mutated' || request.operation !== 'CREATE') return answer;
    return { ...answer, patch: [...answer.patch, ...finalizerPatch(request.object as VirtualMachine)] };
  };
}

function finalizerPatch({ metadata }: VirtualMachine): readonly JsonPatchOperation[] {
  if (metadata === undefined) return [];
  const present = metadata.finalizers;
  if (present === undefined) return [{ op: 'add', path: '/metadata/finalizers', value: [finalizers.vm] }];
  return present.includes(finalizers.vm)
    ? []
    : [{ op: 'add', path: '/metadata/finalizers/-', value: finalizers.vm }];
}
