/** Carries out what was decided of a claim. */
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@podvisor/api';
import { Amount, assertNever, type Clock, parseQuantity } from '@podvisor/base';
import { type Content, type VolumeData, volumeNameFor } from '@podvisor/home-contract';
import {
  type EventRecorder,
  type KubeClient,
  type Log,
  type ReconcileResult,
  resources,
} from '@podvisor/kube';
import { expandVolume } from './expand.ts';
import { fillReporter } from './fill-reporter.ts';
import { bindClaim, bindVolume, localVolume } from './manifests.ts';
import type { Filling } from './origin.ts';
import { CLAIM_PROTECTION, type ClaimPlan } from './reconcile.ts';

export interface ApplyClaimContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly data: VolumeData;
  readonly instance: string;
  readonly events: EventRecorder;
}

export async function applyClaim(
  plan: ClaimPlan,
  claim: PersistentVolumeClaim,
  context: ApplyClaimContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { client, events } = context;
  const { namespace, name = '', resourceVersion } = claim.metadata;
  const patch = async (body: object, subresource?: 'status'): Promise<void> => {
    await client.patch(
      resources.persistentVolumeClaims,
      { namespace, name },
      { type: 'merge', body, ...(subresource === undefined ? {} : { subresource }) },
      signal,
    );
  };
  switch (plan.kind) {
    case 'none':
      return undefined;
    case 'release-protection': {
      const finalizers = (claim.metadata.finalizers ?? []).filter((one) => one !== CLAIM_PROTECTION);
      await patch({ metadata: { resourceVersion, finalizers } });
      return undefined;
    }
    case 'set-class':
      await patch({ metadata: { resourceVersion }, spec: { storageClassName: plan.className } });
      return undefined;
    case 'bind':
      await bind(claim, plan.volume, context, signal);
      return undefined;
    case 'provision':
      await provision(claim, plan.storageClass, plan.filling, context, signal);
      return undefined;
    case 'expand':
      await expandVolume(claim, plan.volume, context, signal);
      return undefined;
    case 'lost':
      await patch({ status: { phase: 'Lost' } }, 'status');
      events.event(
        claim,
        'Warning',
        'ClaimLost',
        `Bound claim has lost its PersistentVolume ${plan.volumeName}. Data on the volume is lost!`,
      );
      return undefined;
    case 'wait': {
      const type = ['ProvisioningFailed', 'VolumeMismatch'].includes(plan.reason) ? 'Warning' : 'Normal';
      events.event(claim, type, plan.reason, plan.message);
      return undefined;
    }
    default:
      return assertNever(plan);
  }
}

async function provision(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  filling: Filling,
  context: ApplyClaimContext,
  signal: AbortSignal,
): Promise<void> {
  const { client, data, instance, events } = context;
  const name = volumeNameFor(claim.metadata.uid ?? '');
  const bytes = parseQuantity(claim.spec.resources?.requests?.['storage'] ?? 0).value();
  const mode = claim.spec.volumeMode ?? 'Filesystem';
  const onProgress = fillReporter(claim, context, signal);
  const path = await data.make(name, { mode, bytes, content: contentOf(filling), onProgress }, signal);
  const capacity = Amount.ofBytes(bytes).toString();
  const volume = await client.create(
    resources.persistentVolumes,
    localVolume({ name, path, capacity, claim, storageClass, instance }),
    {},
    signal,
  );
  events.event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  await bind(claim, volume, context, signal);
}

/** Volume first: it then belongs to the claim, whatever happens in between. */
async function bind(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  { client }: ApplyClaimContext,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid } = claim.metadata;
  const volumeKey = { name: volume.metadata.name ?? '' };
  if (volume.spec.claimRef?.['uid'] !== uid) {
    await client.patch(
      resources.persistentVolumes,
      volumeKey,
      { type: 'merge', body: bindVolume(volume, claim) },
      signal,
    );
  }
  if (volume.status?.phase !== 'Bound') {
    await client.patch(
      resources.persistentVolumes,
      volumeKey,
      { type: 'merge', body: { status: { phase: 'Bound' } }, subresource: 'status' },
      signal,
    );
  }
  const binding = bindClaim(claim, volume);
  if (binding !== undefined) {
    await client.patch(
      resources.persistentVolumeClaims,
      { namespace, name },
      { type: 'merge', body: binding },
      signal,
    );
  }
  const status = { phase: 'Bound', accessModes: volume.spec.accessModes, capacity: volume.spec.capacity };
  await client.patch(
    resources.persistentVolumeClaims,
    { namespace, name },
    { type: 'merge', body: { status }, subresource: 'status' },
    signal,
  );
}

function contentOf(filling: Filling): Content {
  switch (filling.kind) {
    case 'claim':
      return { kind: 'volume', name: filling.volumeName };
    case 'snapshot':
      return { kind: 'snapshot', name: filling.handle };
    default:
      return filling;
  }
}
