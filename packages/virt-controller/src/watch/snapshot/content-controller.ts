/** Lets the content of a snapshot go, with the VolumeSnapshots that it holds. */
import { finalizers, type VirtualMachineSnapshotContent } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { type ControllerSteps, type KubeClient, resources } from '@podvisor/kube';
import { vmSnapshotContents } from '../../resources.ts';
import { setFinalizer } from './finalizers.ts';

export interface ContentControllerOptions {
  readonly client: Pick<KubeClient, 'delete' | 'patch'>;
  content(key: string): VirtualMachineSnapshotContent | undefined;
}

/** Names of the VolumeSnapshots that go. */
type Plan = readonly string[];

export class ContentController implements ControllerSteps<VirtualMachineSnapshotContent, Plan> {
  readonly #options: ContentControllerOptions;

  constructor(options: ContentControllerOptions) {
    this.#options = options;
  }

  /** Only what is being deleted. */
  observe(key: string): VirtualMachineSnapshotContent | undefined {
    const content = this.#options.content(key);
    return content?.metadata?.deletionTimestamp === undefined ? undefined : content;
  }

  plan({ spec }: VirtualMachineSnapshotContent): Plan {
    return (spec.volumeBackups ?? []).flatMap(({ volumeSnapshotName: name }) => name ?? []);
  }

  async apply(names: Plan, content: VirtualMachineSnapshotContent, signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const namespace = content.metadata?.namespace;
    for (const name of names)
      await client
        .delete(resources.volumeSnapshots, { namespace, name }, {}, signal)
        .catch((error: unknown) => {
          if (!isStatus(error, 'NotFound')) throw error;
        });
    await setFinalizer(client, vmSnapshotContents, content, finalizers.snapshotContent, false, signal);
  }
}
