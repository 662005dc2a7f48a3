/** DataVolumes (cdi.kubevirt.io): claims, the Pods that fill them, and what is told of it. */
import {
  annotations as ours,
  type DataSource,
  type DataVolume,
  isOwnedBy,
  ownerKinds,
  type PersistentVolumeClaim,
  type Pod,
  resolveSource,
  usersOf,
} from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import {
  controller,
  type ControllerSteps,
  EventRecorder,
  keyOf,
  resources,
  onChange,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { DataVolumesContext } from './context.ts';
import { annotations, labels } from './names.ts';
import { ProgressFollower } from './progress.ts';
import { type DataVolumeAction, type Observed, reconcileDataVolume } from './reconcile.ts';
import { refusalOf } from './refusal.ts';
import { workerState } from './status.ts';
import { propertiesOf } from './storage-profiles.ts';
import { ANY_CLASS, BY_SOURCE, leadingTo, OPEN_BY_CLASS, OPEN_BY_SOURCE } from './waiting.ts';

export function dataVolumeController(options: DataVolumesContext): TableController {
  let wakeKey: Wake = () => undefined;
  const steps = new DataVolumeSteps(options, (key) => wakeKey(key));
  const wakes = (wake: Wake): void => {
    wakeKey = wake;
    listen(options, wake);
  };
  return controller({ name: 'data-volume', wakes: [wakes], steps });
}

function listen({ claims, pods, dataVolumes, dataSources, profiles }: DataVolumesContext, wake: Wake): void {
  const ofSource = (source: DataSource): readonly string[] =>
    leadingTo(keyOf(source), (key) => dataSources.byIndex(BY_SOURCE, key)).flatMap((key) =>
      dataVolumes.byIndex(OPEN_BY_SOURCE, key).map(keyOf),
    );
  const ofClass = (name: string): readonly string[] =>
    [name, ANY_CLASS].flatMap((each) => dataVolumes.byIndex(OPEN_BY_CLASS, each).map(keyOf));
  onChange(dataVolumes, (volume) => [keyOf(volume)])(wake);
  onChange(dataSources, ofSource, ['add', 'update'])(wake);
  onChange(profiles, ({ metadata }) => ofClass(metadata?.name ?? ''), ['add', 'update'])(wake);
  onChange(claims, (claim) => [keyOf(claim)])(wake);
  onChange(pods, ({ metadata, spec }) =>
    (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: used }) =>
      used === undefined ? [] : [`${metadata.namespace}/${used.claimName}`],
    ),
  )(wake);
}

interface DataVolumeObservation extends Observed {
  readonly key: string;
}

class DataVolumeSteps implements ControllerSteps<DataVolumeObservation, readonly DataVolumeAction[]> {
  readonly progress: ProgressFollower;
  readonly plan = reconcileDataVolume;
  readonly #options: DataVolumesContext;
  readonly #events: EventRecorder;

  constructor(options: DataVolumesContext, again: (key: string) => void) {
    this.#options = options;
    this.#events = new EventRecorder({ ...options, component: 'datavolume-controller' });
    this.progress = new ProgressFollower({ ...options, onProgress: again });
  }

  async apply(
    actions: readonly DataVolumeAction[],
    observed: DataVolumeObservation,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { key, pods, volume } = observed;
    for (const pod of pods)
      if (pod.metadata.labels?.[labels.app] === labels.appValue && workerState(pod).kind === 'running')
        this.progress.follow(key, pod, signal);
    for (const action of actions) await this.#apply(observed, action, signal);
    if (volume?.status?.phase === 'Succeeded') this.progress.forget(key);
  }

  observe(key: string): DataVolumeObservation | undefined {
    const { claims, classes, pods, dataVolumes, dataSources, profiles, snapshots, clock } = this.#options;
    const volume = dataVolumes.get(key);
    const claimName = volume?.metadata.annotations?.[annotations.prePopulated];
    const [namespace = '', name = ''] = key.split('/');
    const claim = claims.get(
      `${namespace}/${claimName === undefined || claimName === '' ? name : claimName}`,
    );
    if (volume === undefined && claim === undefined) return undefined;
    const dataSource = (where: string, other: string): DataSource | undefined =>
      dataSources.get(`${where}/${other}`);
    const reference = volume?.spec.sourceRef;
    return {
      key,
      volume,
      claim,
      pods: claim === undefined ? [] : allUsersOf(claim, pods.byIndex('namespace', namespace)),
      storageClass: classes.list().find(({ metadata }) => metadata?.name === claim?.spec.storageClassName),
      source: volume === undefined ? undefined : resolveSource(volume, dataSource),
      view: {
        classes: classes.list(),
        claim: (where, other) => claims.get(`${where}/${other}`),
        snapshot: (where, other) => snapshots.get(`${where}/${other}`),
        properties: (className) =>
          propertiesOf(
            classes.list().find(({ metadata }) => metadata?.name === className),
            profiles.get(className),
          ),
        sourceLabels:
          reference === undefined
            ? {}
            : (dataSource(reference.namespace ?? namespace, reference.name)?.metadata.labels ?? {}),
      },
      progress: this.progress.of(key) ?? fillProgressOf(claim),
      worker: this.#options.worker,
      nowMs: clock.now(),
    };
  }

  /** Whoever waits for `subject` hears why it was refused; it is tried again. */
  async #created(
    what: string,
    subject: DataVolume | PersistentVolumeClaim | undefined,
    call: Promise<unknown>,
  ): Promise<void> {
    try {
      await ignore('AlreadyExists', call);
    } catch (error) {
      const refused = refusalOf(what, error);
      if (refused !== undefined && subject !== undefined)
        this.#events.event(subject, 'Warning', refused.reason, refused.message);
      throw error;
    }
  }

  async #apply({ volume, claim }: Observed, action: DataVolumeAction, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    switch (action.kind) {
      case 'createClaim':
        return this.#created(
          `PersistentVolumeClaim ${action.claim.metadata.name}`,
          volume ?? claim,
          client.create(resources.persistentVolumeClaims, action.claim, {}, signal),
        );
      case 'createPod':
        return this.#created(
          `Pod ${action.pod.metadata.name}`,
          volume ?? claim,
          client.create(resources.pods, action.pod, {}, signal),
        );
      case 'deletePod': {
        const { namespace, name = '', uid } = action.pod.metadata;
        const options = { preconditions: { uid } };
        return ignore('NotFound', client.delete(resources.pods, { namespace, name }, options, signal));
      }
      case 'annotateClaim': {
        const { namespace, name = '' } = claim?.metadata ?? {};
        const body = { metadata: { annotations: action.annotations } };
        return ignore(
          'NotFound',
          client.patch(
            resources.persistentVolumeClaims,
            { namespace, name },
            { type: 'merge', body },
            signal,
          ),
        );
      }
      case 'setStatus': {
        const { namespace, name = '', resourceVersion } = volume?.metadata ?? {};
        const body = { metadata: { resourceVersion }, status: action.status };
        return ignore(
          'NotFound',
          client.patch(
            resources.dataVolumes,
            { namespace, name },
            { type: 'merge', body, subresource: 'status' },
            signal,
          ),
        );
      }
      case 'event': {
        const subject = volume ?? claim;
        if (subject !== undefined) this.#events.event(subject, action.type, action.reason, action.message);
      }
    }
  }
}

/** How far the provisioner is, as it tells on the claim. */
function fillProgressOf(claim: PersistentVolumeClaim | undefined): number | undefined {
  const percent = Number.parseFloat(claim?.metadata.annotations?.[ours.fillProgress] ?? '');
  return percent >= 0 && percent <= 100 ? percent : undefined;
}

/** Pods that use the claim, and its workers also when they are done. */
function allUsersOf(claim: PersistentVolumeClaim, pods: readonly Pod[]): Pod[] {
  const mine = pods.filter((pod) => isOwnedBy(pod, claim, ownerKinds.claim));
  return [...new Set([...usersOf(claim, pods), ...mine])];
}

async function ignore(reason: 'AlreadyExists' | 'NotFound', call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isStatus(error, reason)) throw error;
  });
}
