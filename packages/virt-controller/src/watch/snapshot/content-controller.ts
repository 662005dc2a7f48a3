/**
 * Lets the content of a snapshot go, with the VolumeSnapshots that it holds. Its memory goes with it, so it stays until
 * every copy of the memory that is under way is made: where claims are bound when their first user comes, a VM that was
 * just restored has none yet, and could never start.
 */
import { finalizers, type PersistentVolumeClaim, type VirtualMachineSnapshotContent } from '@podvisor/api';
import { type ControllerSteps, type KubeClient, resources, ignoreNotFound } from '@podvisor/kube';
import { vmSnapshotContents } from '../../resources.ts';
import { setFinalizer } from './finalizers.ts';

export interface ContentControllerOptions {
  readonly client: Pick<KubeClient, 'delete' | 'patch'>;
  content(key: string): VirtualMachineSnapshotContent | undefined;
  /** Claims that are still to be made from the memory of this content. */
  memoryCopies(content: VirtualMachineSnapshotContent): readonly PersistentVolumeClaim[];
}

export interface ContentObservation {
  readonly content: VirtualMachineSnapshotContent;
  readonly memoryCopies: readonly PersistentVolumeClaim[];
}

/** `release`: names of the VolumeSnapshots that go. */
export type ContentPlan =
  | { readonly kind: 'wait' }
  | { readonly kind: 'release'; readonly volumeSnapshots: readonly string[] };

export class ContentController implements ControllerSteps<ContentObservation, ContentPlan> {
  readonly #options: ContentControllerOptions;

  constructor(options: ContentControllerOptions) {
    this.#options = options;
  }

  /** Only what is being deleted. */
  observe(key: string): ContentObservation | undefined {
    const content = this.#options.content(key);
    if (content?.metadata?.deletionTimestamp === undefined) return undefined;
    return { content, memoryCopies: this.#options.memoryCopies(content) };
  }

  plan({ content, memoryCopies }: ContentObservation): ContentPlan {
    if (memoryCopies.length > 0) return { kind: 'wait' };
    const backups = content.spec.volumeBackups ?? [];
    return {
      kind: 'release',
      volumeSnapshots: backups.flatMap(({ volumeSnapshotName: name }) => name ?? []),
    };
  }

  async apply(plan: ContentPlan, { content }: ContentObservation, signal: AbortSignal): Promise<void> {
    // A claim that is bound or goes wakes it.
    if (plan.kind === 'wait') return;
    const { client } = this.#options;
    const namespace = content.metadata?.namespace;
    for (const name of plan.volumeSnapshots)
      await ignoreNotFound(client.delete(resources.volumeSnapshots, { namespace, name }, {}, signal));
    await setFinalizer(client, vmSnapshotContents, content, finalizers.snapshotContent, false, signal);
  }
}

/** Name of the claim that `claim` is a copy of, while the copy is not made. Pure. */
export function pendingCopyOf({ metadata, spec, status }: PersistentVolumeClaim): string | undefined {
  if (status?.phase === 'Bound' || metadata.deletionTimestamp !== undefined) return undefined;
  return spec.dataSource?.kind === 'PersistentVolumeClaim' ? spec.dataSource.name : undefined;
}
