/** The VMI that a VM starts: its template, under the VM's own name, owned by the VM. Pure. */
import {
  annotations as annotationKeys,
  type ChangedBlockTrackingStatus,
  finalizers,
  isMemoryDump,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMITemplate,
} from '@podvisor/api';
import { controllerReference } from '../ownership.ts';
import { templateAnnotations, templateLabels } from '../template-metadata.ts';
import { legacyFirmwareUuid } from './firmware-uuid.ts';
import { originAnnotations } from './instancetype.ts';
import { hasStartPausedRequest } from './run/requests.ts';
import { startRevisionName } from './revision.ts';

/** Builds the manifest from the VM's own template, or from one that instancetype and preference were merged into. */
export function buildVmi(
  vm: VirtualMachine,
  from: VMITemplate = vm.spec.template,
  changedBlockTracking?: ChangedBlockTrackingStatus,
): VirtualMachineInstance {
  const template = from.spec;
  if (template === undefined)
    throw new Error(`VirtualMachine ${vm.metadata?.name} has no spec.template.spec`);
  const { labels, annotations } = from.metadata ?? {};
  const firmware = template.domain.firmware;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: vm.metadata?.name,
      namespace: vm.metadata?.namespace,
      labels: templateLabels(labels),
      annotations: {
        ...templateAnnotations(annotations),
        ...originAnnotations(vm),
        [annotationKeys.vmGeneration]: String(vm.metadata?.generation ?? 0),
      },
      ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
      // The VM controller sees every VMI end before it is gone: a failed start must be counted.
      finalizers: [finalizers.vm],
    },
    spec: {
      ...template,
      // A claim that holds a dump belongs to the VM; it is with a VMI only while memory is dumped.
      ...(template.volumes?.some(isMemoryDump) === true
        ? { volumes: template.volumes.filter((volume) => !isMemoryDump(volume)) }
        : {}),
      ...(hasStartPausedRequest(vm) ? { startStrategy: 'Paused' } : {}),
      domain: {
        ...template.domain,
        firmware: { ...firmware, uuid: firmware?.uuid ?? legacyFirmwareUuid(vm.metadata?.name ?? '') },
      },
    },
    status: {
      virtualMachineRevisionName: startRevisionName(vm),
      ...(changedBlockTracking === undefined ? {} : { changedBlockTracking }),
    },
  };
}
