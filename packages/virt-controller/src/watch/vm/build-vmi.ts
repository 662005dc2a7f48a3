/** The VMI that a VM starts: its template, under the VM's own name, owned by the VM. Pure. */
import { annotations as annotationKeys, finalizers, type VirtualMachine, type VirtualMachineInstance } from '@podvisor/api';
import { controllerReference } from '../ownership.ts';
import { legacyFirmwareUuid } from './firmware-uuid.ts';
import { hasStartPausedRequest } from './requests.ts';
import { startRevisionName } from './revision.ts';

/** Builds the manifest; the VM has a UID and a generation. */
export function buildVmi(vm: VirtualMachine): VirtualMachineInstance {
  const template = vm.spec.template.spec;
  if (template === undefined) throw new Error(`VirtualMachine ${vm.metadata?.name} has no spec.template.spec`);
  const { labels, annotations } = vm.spec.template.metadata ?? {};
  const firmware = template.domain.firmware;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: vm.metadata?.name,
      namespace: vm.metadata?.namespace,
      labels,
      annotations: { ...annotations, [annotationKeys.vmGeneration]: String(vm.metadata?.generation ?? 0) },
      ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
      // The VM controller sees every VMI end before it is gone: a failed start must be counted.
      finalizers: [finalizers.vm],
    },
    spec: {
      ...template,
      ...(hasStartPausedRequest(vm) ? { startStrategy: 'Paused' } : {}),
      domain: {
        ...template.domain,
        firmware: { ...firmware, uuid: firmware?.uuid ?? legacyFirmwareUuid(vm.metadata?.name ?? '') },
      },
    },
    status: { virtualMachineRevisionName: startRevisionName(vm) },
  };
}
