/** Whether changed volumes can be copied while the guest runs, and if not, which of them and why. Pure. */
import {
  type MigratedVolume,
  trackableVolumes,
  tracksChanges,
  type VirtualMachineInstance,
  claimBytes,
} from '@podvisor/api';
import { Amount } from '@podvisor/base';
import { findCondition } from '../conditions.ts';
import type { StorageView } from '../vm/volumes/data-volumes.ts';
import type { ChangedVolume } from './changed.ts';

type Vmi = VirtualMachineInstance;

/** Why the volumes cannot be moved at all: only a restart takes the new ones. */
export function refusal(
  vmi: Vmi,
  changed: readonly ChangedVolume[],
  moved: readonly MigratedVolume[],
): string | undefined {
  return (
    wrongKinds(vmi, changed) ??
    otherObstacles(vmi) ??
    notIncluded(vmi, changed) ??
    moved.map((volume) => tooSmall(vmi, volume)).find((message) => message !== undefined)
  );
}

function wrongKinds(vmi: Vmi, changed: readonly ChangedVolume[]): string | undefined {
  const { disks = [], filesystems = [] } = vmi.spec.domain.devices;
  const tracked = tracksChanges(vmi) ? trackableVolumes(vmi.spec).map(({ name }) => name) : [];
  const diskOf = (name: string) => disks.find((disk) => disk.name === name);
  const kinds: readonly (readonly [string, (volume: ChangedVolume) => boolean | undefined])[] = [
    ['filesystems', ({ name }) => filesystems.some((filesystem) => filesystem.name === name)],
    ['shareable', ({ name }) => diskOf(name)?.shareable],
    ['luns', ({ name }) => diskOf(name)?.lun !== undefined],
    // Their bitmaps are about the old claim.
    ['changed blocks tracked', ({ name }) => tracked.includes(name)],
    // A copy is made by the writer of a disk; what nobody writes can be copied at any time by hand.
    ['read-only', ({ name }) => diskOf(name)?.cdrom !== undefined || diskOf(name)?.disk?.readonly],
  ];
  const texts = kinds.flatMap(([kind, is]) => {
    const names = changed.filter((volume) => is(volume) === true).map(({ name }) => name);
    return names.length === 0 ? [] : [`${kind}: [${names.join(' ')}]`];
  });
  return texts.length === 0 ? undefined : `invalid volumes to update with migration: ${texts.join(' ')}`;
}

function otherObstacles({ status }: Vmi): string | undefined {
  const condition = findCondition(status?.conditions, 'StorageLiveMigratable');
  return condition?.status === 'False'
    ? `cannot migrate the volumes as the VMI isn't migratable: ${condition.message ?? ''}`
    : undefined;
}

/** Every claim that only one node can use has to move along. */
function notIncluded({ status }: Vmi, changed: readonly ChangedVolume[]): string | undefined {
  const left = (status?.volumeStatus ?? []).find(({ name, persistentVolumeClaimInfo }) => {
    const modes = persistentVolumeClaimInfo?.accessModes;
    return (
      modes !== undefined &&
      !modes.includes('ReadWriteMany') &&
      !modes.includes('ReadOnlyMany') &&
      !changed.some((volume) => volume.name === name)
    );
  });
  return left === undefined
    ? undefined
    : `cannot migrate the VM. The volume ${left.name} is RWO and not included in the migration volumes`;
}

function tooSmall({ status }: Vmi, volume: MigratedVolume): string | undefined {
  const { volumeName, sourcePVCInfo, destinationPVCInfo } = volume;
  const disk = status?.volumeStatus?.find(({ name }) => name === volumeName)?.size;
  const needed = disk ?? claimBytes(sourcePVCInfo);
  const room = claimBytes(destinationPVCInfo);
  if (needed === undefined || room === undefined || room >= Number(needed)) return undefined;
  const text = (bytes: number): string => Amount.ofBytes(bytes).toString();
  return `cannot migrate the volume ${volumeName}: claim ${destinationPVCInfo?.claimName} has ${text(room)}, its disk has ${text(Number(needed))}; take a claim that is not smaller`;
}

/** What has to happen before the copy can begin; undefined: nothing. */
export function obstacle(changed: readonly ChangedVolume[], storage: StorageView): string | undefined {
  for (const { name, to, volume } of changed) {
    const phase = storage.dataVolume(to)?.status?.phase;
    if (phase === undefined && volume.dataVolume !== undefined && storage.claim(to) === undefined)
      return `volume ${name} waits: DataVolume ${to} does not exist`;
    if (phase !== undefined && phase !== 'Succeeded')
      return `volume ${name} waits: DataVolume ${to} is in phase ${phase === '' ? 'Pending' : phase}${CONSUMER.has(phase) ? ' (give it the annotation cdi.kubevirt.io/storage.bind.immediate.requested)' : ''}`;
    const claim = storage.claim(to);
    if (claim === undefined) return `volume ${name} waits: PVC ${to} does not exist`;
    if (claim.status?.phase === 'Lost') return `volume ${name} waits: PVC ${to} is in phase Lost`;
  }
  return undefined;
}

/** Filled when a Pod needs it; a copy must not race with that. */
const CONSUMER: ReadonlySet<string> = new Set(['WaitForFirstConsumer', 'PendingPopulation']);
