/** The volumes of a VMI as the control plane sees them: claims that must exist, and status seeds. Pure. */
import {
  claimName,
  isHotpluggable,
  type PersistentVolumeClaim,
  type VirtualMachineInstance,
  type VolumeStatus,
} from '@podvisor/api';

import { currentStateClaim, stateOwner } from '../backend-storage/state-claim.ts';

/** What the caches know about claims and DataVolumes of the VMI's namespace. */
export interface VolumeView {
  claim(name: string): PersistentVolumeClaim | undefined;
  /** Phase of a DataVolume; undefined when it does not exist or DataVolumes are not served. */
  dataVolumePhase(name: string): string | undefined;
  /** Claims that something with this UID manages. */
  ownedClaims?(uid: string): readonly PersistentVolumeClaim[];
  /** Which share of the claim its file system takes. */
  fileSystemOverhead?(claim: PersistentVolumeClaim): string;
}

export type VolumeReadiness =
  | { readonly kind: 'ready' }
  /** The claim of firmware and TPM has to be made. */
  | { readonly kind: 'missingState' }
  | { readonly kind: 'missingClaim'; readonly name: string }
  | { readonly kind: 'filling'; readonly name: string; readonly phase: string }
  | { readonly kind: 'failed'; readonly name: string };

/** Whether the launcher Pod may be made: the first volume that is not ready decides. */
export function volumeReadiness(vmi: VirtualMachineInstance, view: VolumeView): VolumeReadiness {
  for (const volume of vmi.spec.volumes ?? []) {
    const name = claimName(volume);
    // What is plugged into the running guest does not hold up its start.
    if (name === undefined || isHotpluggable(volume)) continue;
    const phase = view.dataVolumePhase(name);
    if (phase === 'Failed') return { kind: 'failed', name };
    if (phase !== undefined && phase !== 'Succeeded') return { kind: 'filling', name, phase };
    if (view.claim(name) === undefined) return { kind: 'missingClaim', name };
  }
  const state = currentStateClaim(vmi, view.ownedClaims?.(stateOwner(vmi)) ?? []);
  return { kind: state !== undefined && view.claim(state) === undefined ? 'missingState' : 'ready' };
}

/** `status.volumeStatus` at hand-over: one entry per volume, by name; virt-handler adds the targets. */
export function volumeStatusSeeds(vmi: VirtualMachineInstance, view: VolumeView): readonly VolumeStatus[] {
  const seeds = (vmi.spec.volumes ?? []).map((volume): VolumeStatus => {
    const name = claimName(volume);
    const claim = name === undefined ? undefined : view.claim(name);
    const seed: VolumeStatus = {
      name: volume.name,
      target: '',
      ...(isHotpluggable(volume) ? { hotplugVolume: {} } : {}),
    };
    return claim === undefined ? seed : { ...seed, persistentVolumeClaimInfo: claimInfo(claim, view) };
  });
  return seeds.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What the status tells of a claim. */
export function claimInfo(
  claim: PersistentVolumeClaim,
  view: Pick<VolumeView, 'fileSystemOverhead'>,
): NonNullable<VolumeStatus['persistentVolumeClaimInfo']> {
  const filesystemOverhead = view.fileSystemOverhead?.(claim);
  return {
    claimName: claim.metadata.name,
    accessModes: claim.spec.accessModes,
    volumeMode: claim.spec.volumeMode ?? 'Filesystem',
    capacity: claim.status?.capacity,
    requests: claim.spec.resources?.requests,
    ...(filesystemOverhead === undefined ? {} : { filesystemOverhead }),
  };
}
