/** Carries out what was decided of a VolumeSnapshot. */
import type { VolumeSnapshot } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import {
  type EventRecorder,
  ignoreAlreadyExists,
  ignoreNotFound,
  keyOf,
  type ReconcileResult,
  resources,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { SNAPSHOT_FINALIZERS, type SnapshotAction } from './reconcile.ts';
import { withFinalizers } from './finalizers.ts';

/** A snapshot whose claim is missing or not bound is looked at again when something changes, and then. */
const RETRY_MS = 10_000;

export class SnapshotApplier {
  readonly #options: Pick<ControllerOptions, 'client' | 'clock'>;
  readonly #events: EventRecorder;

  constructor(options: Pick<ControllerOptions, 'client' | 'clock'>, events: EventRecorder) {
    this.#options = options;
    this.#events = events;
  }

  async apply(
    snapshot: VolumeSnapshot,
    action: SnapshotAction,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { client } = this.#options;
    const { namespace, name = '', finalizers = [] } = snapshot.metadata;
    const where = { namespace, name };
    const key = keyOf(snapshot);
    const patch = (body: object): Promise<unknown> =>
      client.patch(resources.volumeSnapshots, where, { type: 'merge', body }, signal);
    switch (action.kind) {
      case 'none':
        return;
      case 'protect':
        await patch(withFinalizers(snapshot, [...new Set([...finalizers, ...SNAPSHOT_FINALIZERS])]));
        return;
      case 'release':
        await patch(
          withFinalizers(
            snapshot,
            finalizers.filter((finalizer) => !SNAPSHOT_FINALIZERS.includes(finalizer)),
          ),
        );
        return;
      case 'delete-content':
        await ignoreNotFound(
          client.delete(resources.volumeSnapshotContents, { name: action.name }, {}, signal),
        );
        return;
      case 'set-class':
        await patch({ spec: { volumeSnapshotClassName: action.className } });
        return;
      case 'create-content':
        this.#events.event(
          snapshot,
          'Normal',
          'CreatingSnapshot',
          `Waiting for a snapshot ${key} to be created by the driver.`,
        );
        await ignoreAlreadyExists(
          client.create(resources.volumeSnapshotContents, action.content, {}, signal),
        );
        return;
      case 'bind-content': {
        const body = {
          metadata: { resourceVersion: action.content.metadata.resourceVersion },
          spec: { volumeSnapshotRef: { uid: snapshot.metadata.uid } },
        };
        const content = { name: action.content.metadata.name ?? '' };
        await client.patch(resources.volumeSnapshotContents, content, { type: 'merge', body }, signal);
        return;
      }
      case 'set-status': {
        const body = { status: { ...action.status, error: action.status?.error ?? null } };
        await client.patch(
          resources.volumeSnapshots,
          where,
          { type: 'merge', body, subresource: 'status' },
          signal,
        );
        if (action.status?.readyToUse === true)
          this.#events.event(snapshot, 'Normal', 'SnapshotReady', `Snapshot ${key} is ready to use.`);
        return;
      }
      case 'fail':
        return this.#fail(snapshot, action.message, signal);
    }
  }

  async #fail(
    snapshot: VolumeSnapshot,
    message: string,
    signal: AbortSignal,
  ): Promise<{ requeueAfterMs: number }> {
    const { client, clock } = this.#options;
    if (snapshot.status?.error?.message !== message) {
      const { namespace, name = '' } = snapshot.metadata;
      const body = { status: { readyToUse: false, error: { message, time: rfc3339(clock.now()) } } };
      await client.patch(
        resources.volumeSnapshots,
        { namespace, name },
        { type: 'merge', body, subresource: 'status' },
        signal,
      );
      this.#events.event(snapshot, 'Warning', 'SnapshotContentCreationFailed', message);
    }
    return { requeueAfterMs: RETRY_MS };
  }
}
