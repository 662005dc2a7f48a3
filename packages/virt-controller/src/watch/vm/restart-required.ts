/**
 * Whether a change of a VM's template waits for a restart. Scheduling constraints of a running VMI may
 * change live (they matter at its next move); everything else needs a new VMI. CPU and memory hotplug are
 * not built yet, so a change of either counts as one that needs a restart.
 */
import type { VMISpec, VMSpec } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';

export const RESTART_REQUIRED_MESSAGE = 'a non-live-updatable field was changed in the template spec';

/** Fields of the VMI spec that are copied to a running VMI as they are. */
export const LIVE_FIELDS = ['nodeSelector', 'affinity', 'tolerations'] as const;

/** True when the VMI that was started from `started` does not do what `current` says. */
export function needsRestart(started: VMSpec, current: VMSpec, liveUpdate: boolean): boolean {
  return !deepEqual(comparable(started, liveUpdate), comparable(current, liveUpdate));
}

/** Only the template counts: a new run strategy or DataVolume template changes nothing in the guest. */
function comparable(spec: VMSpec, liveUpdate: boolean): unknown {
  const template: Partial<Record<keyof VMISpec, unknown>> = { ...spec.template?.spec };
  if (liveUpdate) for (const field of LIVE_FIELDS) delete template[field];
  return { template, instancetype: spec.instancetype, preference: spec.preference };
}
