/** Carries out what was decided of a volume. */
import type { PersistentVolume } from '@podvisor/api';
import { assertNever, isStatus } from '@podvisor/base';
import type { VolumeData } from '@podvisor/home-contract';
import { type KubeClient, type ReconcileResult, resources } from '@podvisor/kube';
import { VOLUME_PROTECTION, type VolumeAction } from './reconcile.ts';

export interface ApplyVolumeContext {
  readonly client: KubeClient;
  readonly data: VolumeData;
}

export async function applyVolume(
  action: VolumeAction,
  volume: PersistentVolume,
  context: ApplyVolumeContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  try {
    await carryOut(action, volume, context, signal);
  } catch (error) {
    // Our cache was behind: the volume is gone already.
    if (!isStatus(error, 'NotFound')) throw error;
  }
  return undefined;
}

async function carryOut(
  action: VolumeAction,
  volume: PersistentVolume,
  { client, data }: ApplyVolumeContext,
  signal: AbortSignal,
): Promise<void> {
  const name = volume.metadata.name ?? '';
  switch (action.kind) {
    case 'none':
    // Only until the API was asked: what it said is planned again.
    case 'check-claim':
      return;
    case 'set-phase': {
      const body = { status: { phase: action.phase } };
      const patch = { type: 'merge', body, subresource: 'status' } as const;
      await client.patch(resources.persistentVolumes, { name }, patch, signal);
      return;
    }
    case 'delete-data': {
      await data.remove(name, signal);
      const preconditions = { uid: volume.metadata.uid };
      await client.delete(resources.persistentVolumes, { name }, { preconditions }, signal);
      await release(volume, client, signal);
      return;
    }
    case 'release-protection':
      await release(volume, client, signal);
      return;
    default:
      assertNever(action);
  }
}

async function release(volume: PersistentVolume, client: KubeClient, signal: AbortSignal): Promise<void> {
  const { name = '', finalizers = [] } = volume.metadata;
  if (!finalizers.includes(VOLUME_PROTECTION)) return;
  const body = { metadata: { finalizers: finalizers.filter((one) => one !== VOLUME_PROTECTION) } };
  await client.patch(resources.persistentVolumes, { name }, { type: 'merge', body }, signal);
}
