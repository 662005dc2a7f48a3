/** Carries out what was decided of a VolumeSnapshotContent: takes, adopts or removes the copy of the volume. */
import type { PersistentVolume, Pod, VolumeSnapshotContent } from '@podvisor/api';
import { messageOf, parseQuantity, rfc3339 } from '@podvisor/base';
import { snapshotNameFor, type VolumeData } from '@podvisor/home-contract';
import { type EventRecorder, ignoreNotFound, type Informer, resources } from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { writersOf } from '../volume/reconcile.ts';
import { CONTENT_FINALIZER, type ContentAction } from './reconcile.ts';
import { withFinalizers } from './finalizers.ts';
import { podsToPause } from './writers.ts';

export interface ContentApplierOptions extends Pick<ControllerOptions, 'client' | 'clock'> {
  readonly volumes: Informer<PersistentVolume>;
  /** Who has the disk. */
  readonly data: VolumeData;
  /** With `podClaimIndexes`. */
  readonly pods: Informer<Pod>;
}

export class ContentApplier {
  readonly #options: ContentApplierOptions;
  readonly #events: EventRecorder;

  constructor(options: ContentApplierOptions, events: EventRecorder) {
    this.#options = options;
    this.#events = events;
  }

  async apply(
    content: VolumeSnapshotContent,
    action: ContentAction,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { data } = this.#options;
    if (action.kind === 'none') return;
    if (action.kind === 'remove') {
      if (action.handle !== undefined) await data.removeSnapshot(action.handle, signal);
      await this.#release(content, signal);
      return;
    }
    try {
      if (action.kind === 'take') await this.#take(content, action.volumeName, signal);
      else await this.#adopt(content, action.handle, signal);
    } catch (error) {
      if (signal.aborted) return;
      await this.#fail(content, messageOf(error), signal);
      throw error;
    }
  }

  async #take(content: VolumeSnapshotContent, volumeName: string, signal: AbortSignal): Promise<void> {
    const { volumes, data, clock } = this.#options;
    const volume = volumes.get(volumeName);
    if (volume === undefined) throw new Error(`volume ${volumeName} does not exist`);
    const handle = snapshotNameFor(content.spec.volumeSnapshotRef.uid ?? '');
    await data.takeSnapshot(handle, volumeName, this.#writersOf(volume), signal);
    const restoreSize = parseQuantity(volume.spec.capacity?.['storage'] ?? 0).value();
    await this.#ready(
      content,
      { snapshotHandle: handle, restoreSize, creationTime: clock.now() * 1e6 },
      signal,
    );
  }

  /** UIDs of Pods that may write to the volume; a Pod that only holds it for another one brings that along. */
  #writersOf(volume: PersistentVolume): readonly string[] {
    const { namespace = '', name = '' } = volume.spec.claimRef ?? {};
    const { pods } = this.#options;
    const writers = writersOf(name, pods.byIndex('claim', `${namespace}/${name}`));
    return podsToPause(writers, (key) => pods.get(key));
  }

  async #adopt(content: VolumeSnapshotContent, handle: string, signal: AbortSignal): Promise<void> {
    const { data, clock } = this.#options;
    if (!(await data.hasSnapshot(handle, signal)))
      throw new Error(`there is no snapshot ${handle} on this machine`);
    await this.#ready(
      content,
      { snapshotHandle: handle, restoreSize: 0, creationTime: clock.now() * 1e6 },
      signal,
    );
  }

  async #ready(content: VolumeSnapshotContent, facts: object, signal: AbortSignal): Promise<void> {
    const body = { status: { ...facts, readyToUse: true, error: null } };
    await this.#options.client.patch(
      resources.volumeSnapshotContents,
      { name: content.metadata.name ?? '' },
      { type: 'merge', body, subresource: 'status' },
      signal,
    );
  }

  async #fail(content: VolumeSnapshotContent, message: string, signal: AbortSignal): Promise<void> {
    if (content.status?.error?.message === message) return;
    const { client, clock } = this.#options;
    const body = { status: { readyToUse: false, error: { message, time: rfc3339(clock.now()) } } };
    await client.patch(
      resources.volumeSnapshotContents,
      { name: content.metadata.name ?? '' },
      { type: 'merge', body, subresource: 'status' },
      signal,
    );
    this.#events.event(content, 'Warning', 'SnapshotCreationFailed', message);
  }

  async #release(content: VolumeSnapshotContent, signal: AbortSignal): Promise<void> {
    const finalizers = (content.metadata.finalizers ?? []).filter((name) => name !== CONTENT_FINALIZER);
    await ignoreNotFound(
      this.#options.client.patch(
        resources.volumeSnapshotContents,
        { name: content.metadata.name ?? '' },
        { type: 'merge', body: withFinalizers(content, finalizers) },
        signal,
      ),
    );
  }
}
