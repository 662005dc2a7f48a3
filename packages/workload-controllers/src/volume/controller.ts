/** The rows of claims and of volumes: what is observed, and what wakes them. `reconcile.ts` decides. */
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
  usersOf,
} from '@podvisor/api';
import { type VolumeData, volumeNameFor } from '@podvisor/home-contract';
import {
  controller,
  EventRecorder,
  type Informer,
  keyOf,
  onChange,
  resources,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import type { StorageObjects } from '../storage-objects.ts';
import { applyClaim } from './apply-claim.ts';
import { applyVolume } from './apply-volume.ts';
import { claimNamesOf, FED, UNBOUND } from './indexes.ts';
import type { OriginView } from './origin.ts';
import {
  type ClaimObservation,
  planClaim,
  planVolume,
  type VolumeAction,
  type VolumeObservation,
  writersOf,
} from './reconcile.ts';

export interface VolumeControllerOptions extends ControllerOptions {
  /** With `claimIndexes`. */
  readonly claims: Informer<PersistentVolumeClaim>;
  /** With `volumeIndexes`. */
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  /** With `podClaimIndexes`. */
  readonly pods: Informer<Pod>;
  /** Snapshots and DataVolumes, that a claim may be filled from. */
  readonly storage: StorageObjects;
  /** Who has the disk. */
  readonly data: VolumeData;
  /** Name of the instance: all nodes of the machine carry it. */
  readonly instance: string;
}

export function volumeControllers(options: VolumeControllerOptions): readonly TableController[] {
  const { client, clock, log } = options;
  const events = new EventRecorder({ client, component: 'persistentvolume-controller', clock, log });
  return [
    controller({
      name: 'claim',
      // A copy keeps its worker busy.
      workers: 16,
      wakes: [(wake) => wakeClaims(options, wake)],
      steps: {
        observe: (key) => observeClaim(options, key),
        plan: planClaim,
        apply: (plan, { claim }, signal) => applyClaim(plan, claim, { ...options, events }, signal),
      },
    }),
    controller({
      name: 'volume',
      wakes: [(wake) => wakeVolumes(options, wake)],
      steps: {
        observe: (name) => observeVolume(options, name),
        plan: planVolume,
        prove: (observed, plan, signal) => proveClaim(options, observed, plan, signal),
        apply: (plan, { volume }, signal) => applyVolume(plan, volume, options, signal),
      },
    }),
  ];
}

function observeClaim(options: VolumeControllerOptions, key: string): ClaimObservation | undefined {
  const { claims, volumes, classes, pods } = options;
  const claim = claims.get(key);
  if (claim === undefined) return undefined;
  const { volumeName = '', storageClassName = '' } = claim.spec;
  const named = volumeName === '' ? undefined : volumes.get(volumeName);
  return {
    claim,
    volumes:
      named === undefined
        ? [...volumes.byIndex('claim', key), ...volumes.byIndex('free', storageClassName)]
        : [named],
    classes: classes.list(),
    users: usersOf(claim, pods.byIndex('claim', key)),
    view: originView(options),
  };
}

function originView({ claims, volumes, storage, pods }: VolumeControllerOptions): OriginView {
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    snapshot: (namespace, name) => storage.snapshots.get(`${namespace}/${name}`),
    snapshotContent: (name) => storage.contents.get(name),
    dataVolume: (namespace, name) => storage.dataVolumes.get(`${namespace}/${name}`),
    dataSource: (namespace, name) => storage.dataSources.get(`${namespace}/${name}`),
    inUse: (namespace, name) => writersOf(name, pods.byIndex('claim', `${namespace}/${name}`)).length > 0,
  };
}

function wakeClaims({ claims, volumes, classes, pods, storage }: VolumeControllerOptions, wake: Wake): void {
  const add = (claim: PersistentVolumeClaim): void => wake(keyOf(claim));
  const unbound = (): void => claims.byIndex('waiting', UNBOUND).forEach(add);
  const fed = (): void => claims.byIndex('waiting', FED).forEach(add);
  const ofVolume = ({ spec }: PersistentVolume): void => {
    const { namespace, name } = spec.claimRef ?? {};
    if (name !== undefined) wake(`${namespace}/${name}`);
  };
  const ofPod = (pod: Pod): void => {
    const used = claimNamesOf(pod);
    used.forEach((key) => wake(key));
    if (used.length > 0) fed();
  };
  claims.on({
    add,
    update: (claim, old) => {
      add(claim);
      if (claim.status?.phase !== old.status?.phase) fed();
    },
  });
  volumes.on({ add: unbound, update: ofVolume, delete: ofVolume });
  classes.on({
    add: unbound,
    // It may allow expansion now.
    update: ({ metadata }) => {
      claims.byIndex('class', metadata?.name ?? '').forEach(add);
      unbound();
    },
  });
  storage.onChange(fed);
  pods.on({
    add: ofPod,
    update: (pod, old) => {
      if (pod.status?.phase !== old.status?.phase) ofPod(pod);
    },
    delete: ofPod,
  });
}

function observeVolume(
  { volumes, claims }: VolumeControllerOptions,
  name: string,
): VolumeObservation | undefined {
  const volume = volumes.get(name);
  if (volume === undefined) return undefined;
  const { namespace, name: claimName = '', uid } = volume.spec.claimRef ?? {};
  const cached = claims.get(`${namespace}/${claimName}`);
  return { volume, claim: cached?.metadata.uid === uid ? 'present' : 'unknown' };
}

/** A claim that the cache does not show is gone only when the API says so. */
async function proveClaim(
  { client }: VolumeControllerOptions,
  { volume }: VolumeObservation,
  plan: VolumeAction,
  signal: AbortSignal,
): Promise<VolumeObservation | undefined> {
  if (plan.kind !== 'check-claim') return undefined;
  const { namespace, name = '', uid } = volume.spec.claimRef ?? {};
  const live = await client.find(resources.persistentVolumeClaims, { namespace, name }, signal);
  return { volume, claim: live?.metadata.uid === uid ? 'present' : 'absent' };
}

function wakeVolumes({ claims, volumes }: VolumeControllerOptions, wake: Wake): void {
  onChange(volumes, (volume) => [keyOf(volume)], ['add', 'update'])(wake);
  onChange(claims, ({ metadata, spec }) => [spec.volumeName ?? volumeNameFor(metadata.uid ?? '')], [
    'delete',
  ])(wake);
}
