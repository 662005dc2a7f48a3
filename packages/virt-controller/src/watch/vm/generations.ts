/**
 * Which generation of the VM its VMI runs. The VMI carries it in an annotation: the generation of its start, or
 * any later one with the same template (metadata included), to which the annotation is raised. Pure.
 */
import { annotations as keys, type VirtualMachineInstance, type VMStatus } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { type JsonPatchOperation, entryPath, guardedChange } from '@podvisor/kube';
import type { VmObservation } from './plan.ts';

type Observed = Pick<VmObservation, 'vm' | 'vmi' | 'startedFrom'>;

/** `observedGeneration` is what the VMI runs, `desiredGeneration` what the VM says. */
export function generations(observed: Observed): Pick<VMStatus, 'observedGeneration' | 'desiredGeneration'> {
  const { vm, vmi } = observed;
  const desiredGeneration = vm.metadata?.generation;
  const observedGeneration = runsTemplate(observed)
    ? desiredGeneration
    : (annotated(vmi) ?? generationOfStart(vmi));
  return observedGeneration === undefined ? {} : { observedGeneration, desiredGeneration };
}

/** Raises the annotation when the VM changed beside its template; restores it from the revision when it is gone. */
export function generationPatch(observed: Observed): readonly JsonPatchOperation[] {
  const { vmi } = observed;
  const { observedGeneration } = generations(observed);
  if (vmi === undefined || observedGeneration === undefined || annotated(vmi) === observedGeneration)
    return [];
  const value = String(observedGeneration);
  const present = vmi.metadata?.annotations;
  const path = '/metadata/annotations';
  return present === undefined
    ? guardedChange(path, undefined, { [keys.vmGeneration]: value })
    : guardedChange(entryPath(path, keys.vmGeneration), present[keys.vmGeneration], value);
}

/** False only when nothing has changed in the VM since the start of this VMI. */
export function mayDifferFromStart({ vm, vmi }: Pick<Observed, 'vm' | 'vmi'>): boolean {
  return (generationOfStart(vmi) ?? annotated(vmi)) !== vm.metadata?.generation;
}

function runsTemplate({ vm, vmi, startedFrom }: Observed): boolean {
  return vmi !== undefined && startedFrom !== undefined && deepEqual(startedFrom.template, vm.spec.template);
}

function annotated(vmi: VirtualMachineInstance | undefined): number | undefined {
  return integer(vmi?.metadata?.annotations?.[keys.vmGeneration]);
}

/** The start revision is named after the generation that it holds. */
function generationOfStart(vmi: VirtualMachineInstance | undefined): number | undefined {
  return integer(vmi?.status?.virtualMachineRevisionName?.split('-').at(-1));
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
