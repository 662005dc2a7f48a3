/** Lets the content of a snapshot go, with the VolumeSnapshots that it holds. */
import { finalizers, type VirtualMachineSnapshotContent } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { vmSnapshotContents } from '../../resources.ts';
import { setFinalizer } from './finalizers.ts';

export interface ContentControllerOptions {
  readonly client: Pick<KubeClient, 'delete' | 'patch'>;
  content(key: string): VirtualMachineSnapshotContent | undefined;
}

export class ContentController {
  readonly #options: ContentControllerOptions;

  constructor(options: ContentControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const content = this.#options.content(key);
    if (content?.metadata?.deletionTimestamp === undefined) return;
    const { namespace } = content.metadata;
    for (const { volumeSnapshotName: name } of content.spec.volumeBackups ?? []) {
      if (name === undefined) continue;
      await client
        .delete(resources.volumeSnapshots, { namespace, name }, {}, signal)
        .catch((error: unknown) => {
          if (!isStatus(error, 'NotFound')) throw error;
        });
    }
    await setFinalizer(client, vmSnapshotContents, content, finalizers.snapshotContent, false, signal);
  }
}
