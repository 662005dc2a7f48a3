/** What virt-controller made for a start: the VMI of a VM, and its launcher Pod. Pure. */
import { controllerOfKind, type KubernetesObject, labels, ownerKinds } from '@podvisor/api';
import { type Span, startTrace } from '@podvisor/kube';

export function createdSpans(object: KubernetesObject, fromMs: number, toMs: number): readonly Span[] {
  const { namespace = '', name = '', uid = '' } = object.metadata ?? {};
  const common = { service: 'virt-controller', namespace, fromMs, toMs };
  if (object.kind === 'VirtualMachineInstance')
    return [{ ...common, trace: startTrace(uid), name: 'create-vmi', object: name }];
  const owner = controllerOfKind(object, ownerKinds.vmi);
  if (object.kind !== 'Pod' || owner === undefined) return [];
  // A Pod that a guest moves to comes long after the start.
  if (object.metadata?.labels?.[labels.migrationJobUID] !== undefined) return [];
  return [
    {
      ...common,
      trace: startTrace(owner.uid),
      name: 'create-pod',
      parent: 'pod-created',
      object: owner.name,
    },
  ];
}
