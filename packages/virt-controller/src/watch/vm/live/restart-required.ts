/**
 * Whether a change of a VM's template waits for a restart. Scheduling constraints of a running VMI may
 * change live (they matter at its next move), interfaces, volumes, CPUs and memory as far as live-networks.ts,
 * live-volumes.ts, live-resources.ts and volume-migration/ say; everything else needs a new VMI.
 */
import type { VirtualMachineInstance, VMISpec, VMSpec } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { withClaimsOf } from '../../volume-migration/changed.ts';
import { frozenNetworks, withoutUnplugged } from './live-networks.ts';
import { resourcesNeedRestart, withoutLiveResources } from './live-resources.ts';
import { frozenVolumes } from './live-volumes.ts';
import type { PlaceToGrow } from '../place-to-grow.ts';

export const RESTART_REQUIRED_MESSAGE = 'a non-live-updatable field was changed in the template spec';

/** Fields of the VMI spec that are copied to a running VMI as they are. */
export const LIVE_FIELDS = ['nodeSelector', 'affinity', 'tolerations'] as const;

/** True when the VMI that was started from `started` does not do what `current` says. */
export function needsRestart(
  started: VMSpec,
  current: VMSpec,
  liveUpdate: boolean,
  vmi: VirtualMachineInstance,
  place: PlaceToGrow,
): boolean {
  if (liveUpdate && resourcesNeedRestart(current.template?.spec, vmi, place)) return true;
  const running = withVolumes(started, current, vmi);
  const nics = withoutUnplugged(started.template?.spec, vmi);
  return !(
    deepEqual(comparable(running, liveUpdate), comparable(current, liveUpdate)) &&
    deepEqual(frozenNetworks(nics, nics), frozenNetworks(current.template?.spec, nics))
  );
}

/** Other claims are followed by copying (volume-migration/), or have been: those that the guest has count. */
function withVolumes(started: VMSpec, current: VMSpec, vmi: VirtualMachineInstance): VMSpec {
  const { template } = started;
  if (template?.spec?.volumes === undefined) return started;
  const followed = current.updateVolumesStrategy === 'Migration' ? current.template?.spec : vmi.spec;
  const volumes = withClaimsOf(template.spec.volumes, followed?.volumes ?? []);
  return { ...started, template: { ...template, spec: { ...template.spec, volumes } } };
}

/** Only the template counts: a new run strategy or DataVolume template changes nothing in the guest. */
function comparable(spec: VMSpec, liveUpdate: boolean): unknown {
  const template: Partial<Record<keyof VMISpec, unknown>> = { ...spec.template?.spec };
  if (liveUpdate) for (const field of LIVE_FIELDS) delete template[field];
  return {
    template: { ...template, ...withoutPluggables(spec.template?.spec, liveUpdate) },
    volumes: frozenVolumes(spec.template?.spec),
    instancetype: spec.instancetype,
    preference: spec.preference,
  };
}

/** Interfaces, networks, volumes, CPUs and memory are compared apart: some of their changes are followed live. */
function withoutPluggables(spec: VMISpec | undefined, liveUpdate: boolean): object {
  if (spec === undefined) return {};
  const { interfaces: _nics, disks: _disks, ...devices } = spec.domain.devices;
  const domain = liveUpdate ? withoutLiveResources(spec.domain) : spec.domain;
  return { domain: { ...domain, devices }, networks: undefined, volumes: undefined };
}
