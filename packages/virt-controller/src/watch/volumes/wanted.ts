/** Which claims a running VMI wants on its node, and which of them are not ready for it. Pure. */
import {
  claimName,
  isHotpluggable,
  isMemoryDump,
  migratedVolume,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachineInstance,
  type Volume,
  volumesOfPod,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import type { AttachedClaim } from '@podvisor/translate';
import type { VolumeView } from '../vmi/volumes.ts';

export type WantedVolume =
  /** `isBound` false: it binds when a Pod uses it. `isExclusive`: no second Pod may have it. */
  | {
      readonly kind: 'claim';
      readonly claim: AttachedClaim;
      readonly isBound: boolean;
      readonly isExclusive: boolean;
    }
  | { readonly kind: 'waits'; readonly volume: string; readonly message: string };

/** Phases in which a DataVolume is filled once a Pod uses its claim. */
const NEEDS_CONSUMER: ReadonlySet<string> = new Set(['WaitForFirstConsumer', 'PendingPopulation']);

/** `end`: a disk that moves to another claim is on the old one here, and on the new one where its guest goes. */
export function wantedVolumes(
  vmi: VirtualMachineInstance,
  view: VolumeView,
  end: 'source' | 'target' = 'source',
): readonly WantedVolume[] {
  return volumesOfPod(vmi.spec).flatMap((volume): WantedVolume[] => {
    const name = end === 'source' ? claimAtSource(vmi, volume) : claimName(volume);
    if (name === undefined || !isHotpluggable(volume)) return [];
    const phase = view.dataVolumePhase(name);
    const isFilled = phase === undefined || phase === 'Succeeded';
    const waits = (message: string): WantedVolume[] => [{ kind: 'waits', volume: volume.name, message }];
    if (!isFilled && !NEEDS_CONSUMER.has(phase))
      return waits(`DataVolume ${name} is in phase ${phase || 'Pending'}`);
    const claim = view.claim(name);
    if (claim === undefined) return waits(`PVC ${name} does not exist, waiting for it to appear`);
    if (claim.status?.phase === 'Lost') return waits(`PVC ${name} is in phase Lost`);
    const isBound = isFilled && claim.status?.phase === 'Bound';
    const isExclusive = claim.spec.accessModes?.includes('ReadWriteOncePod') === true;
    const attached = attachedClaim(volume.name, claim);
    if (!isMemoryDump(volume)) return [{ kind: 'claim', claim: attached, isBound, isExclusive }];
    // A dump is a file of its own: the claim needs no image.
    const { capacityBytes: _, ...plain } = attached;
    return [{ kind: 'claim', claim: plain, isBound, isExclusive }];
  });
}

/** The claim that the running guest has: as long as its disk has not moved, that is the old one. */
export function claimAtSource(vmi: VirtualMachineInstance, volume: Volume): string | undefined {
  return migratedVolume(vmi, volume.name)?.sourcePVCInfo?.claimName ?? claimName(volume);
}

function attachedClaim(volume: string, claim: PersistentVolumeClaim): AttachedClaim {
  const capacity = claim.status?.capacity?.['storage'] ?? claim.spec.resources?.requests?.['storage'];
  return {
    volume,
    claimName: claim.metadata.name ?? '',
    claimUid: claim.metadata.uid ?? '',
    block: claim.spec.volumeMode === 'Block',
    ...(capacity === undefined ? {} : { capacityBytes: parseQuantity(capacity).value() }),
  };
}

/**
 * What goes into one attachment Pod each: all that is bound together, and what is not bound alone, so that a
 * claim that never binds holds up nobody. A claim for one Pod only is alone too: no other Pod could take it over
 * when the set changes.
 */
export function attachmentGroups(wanted: readonly WantedVolume[]): readonly (readonly AttachedClaim[])[] {
  const claims = wanted.filter((volume) => volume.kind === 'claim');
  const [together = [], apart = []] = [true, false].map((side) =>
    claims.filter(({ isBound, isExclusive }) => (isBound && !isExclusive) === side),
  );
  const bound = together.map(({ claim }) => claim);
  const alone = apart.map(({ claim }) => [claim]);
  return bound.length === 0 ? alone : [bound, ...alone];
}

/** Claims that an attachment Pod holds, by volume name. */
export function heldClaims(pod: Pod): ReadonlyMap<string, string> {
  return new Map(
    (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim }) =>
      persistentVolumeClaim === undefined ? [] : [[name, persistentVolumeClaim.claimName] as const],
    ),
  );
}

export function holdsExactly(pod: Pod, group: readonly AttachedClaim[]): boolean {
  const held = heldClaims(pod);
  return (
    held.size === group.length && group.every(({ volume, claimName: name }) => held.get(volume) === name)
  );
}
