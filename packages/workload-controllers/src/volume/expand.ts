/**
 * Makes a claim larger: data first, then the volume, then the claim's status, so that nobody is told of
 * space that is not there. Every step may be repeated.
 */
import type { Condition, PersistentVolume, PersistentVolumeClaim } from '@podvisor/api';
import { Amount, type Clock, parseQuantity, rfc3339 } from '@podvisor/base';
import { type EventRecorder, type KubeClient, resources } from '@podvisor/kube';
import type { VolumeData } from '@podvisor/home-contract';

export interface ExpandContext {
  readonly client: Pick<KubeClient, 'patch'>;
  readonly data: Pick<VolumeData, 'grow'>;
  readonly clock: Clock;
  readonly events: Pick<EventRecorder, 'event'>;
}

/** The two conditions by which clients see that a claim is growing. */
const RESIZING = new Set(['Resizing', 'FileSystemResizePending']);

export async function expandVolume(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  { client, data, clock, events }: ExpandContext,
  signal: AbortSignal,
): Promise<void> {
  const bytes = parseQuantity(claim.spec.resources?.requests?.['storage'] ?? 0).value();
  const capacity = { ...volume.spec.capacity, storage: Amount.ofBytes(bytes).toString() };
  const { namespace, name = '' } = claim.metadata;
  const volumeName = volume.metadata.name ?? '';
  const setStatus = (status: object): Promise<unknown> =>
    client.patch(
      resources.persistentVolumeClaims,
      { namespace, name },
      { type: 'merge', body: { status }, subresource: 'status' },
      signal,
    );
  const others = (claim.status?.conditions ?? []).filter(({ type }) => !RESIZING.has(type));
  if (others.length === (claim.status?.conditions ?? []).length) {
    const resizing: Condition = {
      type: 'Resizing',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: rfc3339(clock.now()),
    };
    await setStatus({ conditions: [...others, resizing] });
    events.event(claim, 'Normal', 'Resizing', `resizing volume ${volumeName} to ${capacity.storage}`);
  }
  await data.grow(volumeName, claim.spec.volumeMode ?? 'Filesystem', bytes, signal);
  if (parseQuantity(volume.spec.capacity?.['storage'] ?? 0).value() < bytes) {
    const body = { spec: { capacity } };
    await client.patch(resources.persistentVolumes, { name: volumeName }, { type: 'merge', body }, signal);
  }
  await setStatus({ capacity: { storage: capacity.storage }, conditions: others });
  events.event(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded');
}
