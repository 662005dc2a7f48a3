/**
 * The start revision: the VM's spec as it was when the running VMI was made. RestartRequired is computed
 * against it, and online snapshots store it.
 */
import type { ControllerRevision, VirtualMachine, VMSpec } from '@podvisor/api';
import { VM_UID_LABEL } from '../names.ts';
import { controllerReference } from '../ownership.ts';

export function startRevisionName(vm: VirtualMachine): string {
  return `revision-start-vm-${vm.metadata?.uid}-${vm.metadata?.generation ?? 0}`;
}

export function buildStartRevision(vm: VirtualMachine): ControllerRevision {
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: startRevisionName(vm),
      namespace: vm.metadata?.namespace,
      labels: { [VM_UID_LABEL]: vm.metadata?.uid ?? '' },
      ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
    },
    data: { spec: vm.spec },
    revision: vm.metadata?.generation ?? 0,
  };
}

/** The stored spec; undefined when the revision holds something else. */
export function specOfRevision(revision: ControllerRevision | undefined): VMSpec | undefined {
  const data = revision?.data as { spec?: VMSpec } | undefined;
  return typeof data?.spec === 'object' && data.spec !== null ? data.spec : undefined;
}
