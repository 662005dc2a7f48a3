/** All Pods of the node: keeps the newest version of each and one worker per UID. */
import type { Pod } from '@podvisor/api';
import { messageOf, rfc3339 } from '@podvisor/base';
import type { KubeletClient, PodEvents } from './client.ts';
import type { KubeletContext } from './context.ts';
import type { DeviceManager } from './device-manager/manager.ts';
import type { ImageStore } from './images/store.ts';
import type { PodFacts } from './pod/field-path.ts';
import { Hooks } from './pod/hooks.ts';
import { PodRuntime } from './pod/runtime.ts';
import { syncPod } from './pod/sync.ts';
import { podName, uidOf } from './pod/types.ts';
import { Probes } from './probes/probes.ts';
import { SerialWorkers } from './serial-workers.ts';
import { shownObjects } from './volumes/references.ts';
import { ServiceAccountTokens } from './volumes/service-account-token.ts';

export interface PodWorkersOptions {
  readonly context: KubeletContext;
  readonly client: KubeletClient;
  readonly events: PodEvents;
  readonly images: ImageStore;
  readonly devices: DeviceManager;
  readonly allocatable: PodFacts['allocatable'];
}

/** What a Pod that was deleted by force still gets to end itself. */
const FORCED_GRACE_SECONDS = 2;

export class PodWorkers {
  readonly runtime: PodRuntime;
  readonly #options: PodWorkersOptions;
  readonly #probes: Probes;
  readonly #workers: SerialWorkers;
  readonly #pods = new Map<string, { readonly pod: Pod; readonly gone: boolean }>();

  constructor(options: PodWorkersOptions) {
    this.#options = options;
    const { context, events, client, images, devices, allocatable } = options;
    this.#probes = new Probes({ context, events, wake: (uid) => this.#workers.wake(uid) });
    this.runtime = new PodRuntime({
      context,
      client,
      events,
      images,
      devices,
      allocatable,
      probes: this.#probes,
      tokens: new ServiceAccountTokens(),
      hooks: new Hooks({ context, events }),
      otherPods: () => [...this.#pods.values()].map(({ pod }) => pod),
    });
    this.#workers = new SerialWorkers({
      clock: context.clock,
      work: (uid) => this.#sync(uid),
      onError: (uid, error) => {
        const pod = this.#pods.get(uid)?.pod;
        const name = pod === undefined ? '' : podName(pod);
        context.log.warn(
          { pod: name, uid, error: messageOf(error) },
          'Pod could not be synced, trying again',
        );
      },
    });
  }

  podChanged(pod: Pod): void {
    const uid = uidOf(pod);
    this.#pods.set(uid, { pod, gone: false });
    // A worker may be waiting for an image that nobody needs any more.
    if (pod.metadata.deletionTimestamp !== undefined)
      this.runtime.memory(uid).ending.abort(new Error('the Pod is being deleted'));
    this.#workers.wake(uid);
  }

  /** The API has forgotten the Pod: whatever still runs must end. */
  podGone(pod: Pod): void {
    const uid = uidOf(pod);
    const deleted: Pod = {
      ...pod,
      metadata: {
        ...pod.metadata,
        deletionTimestamp: pod.metadata.deletionTimestamp ?? rfc3339(this.#options.context.clock.now()),
        deletionGracePeriodSeconds: Math.min(
          pod.metadata.deletionGracePeriodSeconds ?? FORCED_GRACE_SECONDS,
          FORCED_GRACE_SECONDS,
        ),
      },
    };
    this.#pods.set(uid, { pod: deleted, gone: true });
    this.runtime.memory(uid).ending.abort(new Error('the Pod is gone'));
    this.#workers.wake(uid);
  }

  /** A config map or secret changed: volumes that show it follow. */
  objectChanged(object: string): void {
    for (const [uid, { pod }] of this.#pods) {
      if (!shownObjects(pod).has(object)) continue;
      const memory = this.runtime.memory(uid);
      memory.volumesAtMs = Number.NEGATIVE_INFINITY;
      // What was missing may be there now.
      memory.setUpProblem = undefined;
      this.#workers.wake(uid);
    }
  }

  containerExited(containerId: string): void {
    const uid = this.runtime.podOfContainer(containerId);
    if (uid !== undefined) this.#workers.wake(uid);
  }

  /** Pods that have not ended. */
  activePods(): readonly Pod[] {
    return [...this.#pods.values()]
      .filter(({ pod, gone }) => !gone && pod.metadata.deletionTimestamp === undefined)
      .map(({ pod }) => pod)
      .filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
  }

  /** Ends a Pod that took more than it may. */
  evict(pod: Pod, message: string): void {
    this.runtime.evict(pod, message);
    this.#workers.wake(uidOf(pod));
  }

  /** Ends the workers, not the containers. */
  async close(): Promise<void> {
    this.#probes.close();
    this.runtime.close();
    await this.#workers.close();
  }

  async #sync(uid: string): Promise<{ readonly againAtMs?: number }> {
    const known = this.#pods.get(uid);
    if (known === undefined) return {};
    const { context, client } = this.#options;
    const result = await syncPod(
      { context, client, runtime: this.runtime, probes: this.#probes },
      known.pod,
      known.gone,
    );
    if (result.againAtMs === undefined && this.#pods.get(uid)?.gone === true) {
      this.#pods.delete(uid);
      this.#workers.forget(uid);
    }
    return result;
  }
}
