/**
 * What a running VMI takes over of a changed template, and what has to wait for a restart. Pure.
 */
import type { VirtualMachine, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { guardedChange } from '@podvisor/kube';
import { isDeleting, isFinal } from '../../vmi-phase.ts';
import { withoutMigrations } from '../../volume-migration/changed.ts';
import { planVolumeUpdate, type VolumeUpdate } from '../../volume-migration/plan.ts';
import { generationPatch } from '../generations.ts';
import { raisedRequests } from '../place-to-grow.ts';
import type { VmAction, VmObservation, VmPlan } from '../plan.ts';
import { memoryDumpPatch } from '../volumes/memory-dump.ts';
import { changedFields, describeChanges } from './changed-fields.ts';
import { liveNetworksPatch } from './live-networks.ts';
import { liveResources, whyNotLive } from './live-resources.ts';
import { liveVolumesPatch } from './live-volumes.ts';
import { LIVE_FIELDS, needsRestart, RESTART_REQUIRED_MESSAGE } from './restart-required.ts';

/** Volumes that move to other claims while the guest runs. */
export function volumeUpdate(observed: VmObservation): VolumeUpdate {
  const { vmi } = observed;
  if (vmi === undefined || isFinal(vmi) || isDeleting(vmi)) return { kind: 'none' };
  return planVolumeUpdate({ ...observed, vmi });
}

export function volumeActions(update: VolumeUpdate): readonly VmAction[] {
  if (update.kind === 'patch') return [{ kind: 'updateVolumes', patch: update.patch }];
  if (update.kind !== 'stop') return [];
  return update.migrations.map((migration) => ({ kind: 'stopMigration', migration }));
}

/** Whether the running VMI waits for a restart, and for which fields. */
export function restartNeeded({
  vm,
  vmi,
  startedFrom,
  liveUpdate,
  placeToGrow,
}: VmObservation): Partial<VmPlan> {
  if (vmi === undefined || isFinal(vmi) || isDeleting(vmi) || startedFrom === undefined) return {};
  if (!needsRestart(startedFrom, vm.spec, liveUpdate, vmi, placeToGrow)) return {};
  const why = liveUpdate ? whyNotLive(vm.spec.template?.spec, vmi, placeToGrow) : undefined;
  const changes = describeChanges(changedFields(startedFrom, vm.spec, liveUpdate));
  return {
    restartRequired: true,
    ...(changes === ''
      ? {}
      : {
          restartMessage: `${RESTART_REQUIRED_MESSAGE}: ${changes}${why === undefined ? '' : `; the running guest cannot have it: ${why}`}`,
        }),
  };
}

/** With volumes that migrate, a changed claim means a copy and not another disk. */
function liveTemplate({ spec }: VirtualMachine, vmi: VirtualMachineInstance): VMISpec | undefined {
  const wanted = spec.template?.spec;
  if (wanted?.volumes === undefined || spec.updateVolumesStrategy !== 'Migration') return wanted;
  return { ...wanted, volumes: withoutMigrations(wanted.volumes, vmi) };
}

/** In place, its Pod asks for more before the guest has it. */
function resourceActions(
  { vm, placeToGrow }: VmObservation,
  vmi: VirtualMachineInstance,
  nowMs: number,
): readonly VmAction[] {
  const found = liveResources(vm.spec.template?.spec, vmi, placeToGrow, nowMs);
  if (found === undefined) return [];
  const patchVmi: VmAction = { kind: 'patchVmi', patch: found.patch };
  if (placeToGrow.kind !== 'in place') return [patchVmi];
  const { pod } = placeToGrow;
  return [{ kind: 'resizePod', pod, requests: raisedRequests(pod, found.increase) }, patchVmi];
}

/** Interfaces, volumes, CPUs, memory and scheduling constraints follow the template while the VMI runs. */
export function liveUpdates(observed: VmObservation): readonly VmAction[] {
  const { vm, vmi, startedFrom, liveUpdate, nowMs } = observed;
  if (vmi === undefined || startedFrom === undefined || isFinal(vmi) || isDeleting(vmi)) return [];
  const networks = liveNetworksPatch(vm.spec.template?.spec, vmi);
  const volumes = liveVolumesPatch(liveTemplate(vm, vmi), vmi);
  const dump = memoryDumpPatch(vm.status?.memoryDumpRequest, vmi);
  // Both change the list of volumes: one after the other.
  const generation = generationPatch(observed);
  const plug: VmAction[] = [generation, networks, volumes.length > 0 ? volumes : dump].flatMap(
    (patch): readonly VmAction[] => (patch.length === 0 ? [] : [{ kind: 'patchVmi', patch }]),
  );
  if (!liveUpdate) return plug;
  plug.push(...resourceActions(observed, vmi, nowMs));
  const wanted: Partial<VMISpec> = vm.spec.template?.spec ?? {};
  const patch = LIVE_FIELDS.flatMap((field) =>
    deepEqual(wanted[field], vmi.spec[field])
      ? []
      : guardedChange(`/spec/${field}`, vmi.spec[field], wanted[field]),
  );
  return patch.length === 0 ? plug : [...plug, { kind: 'patchVmi', patch }];
}
