/** What a volume needs to be set up, and what containers get of it. */
import type { Pod } from '@podvisor/api';
import type { KubeletClient } from '../client.ts';
import type { KubeletContext } from '../context.ts';
import type { Image, PullPolicy } from '../images/types.ts';
import type { PodFacts } from '../pod/field-path.ts';

export interface VolumeContext {
  readonly kubelet: KubeletContext;
  readonly client: KubeletClient;
  readonly pod: Pod;
  readonly facts: PodFacts;
  /** Gives the image, pulling it if the policy says so. */
  image(reference: string, policy: PullPolicy | undefined): Promise<Image>;
}

/** A volume on the machine. `path` is trusted: made by us or named by whoever may write hostPath volumes. */
export type MountedVolume =
  | {
      readonly kind: 'files';
      readonly path: string;
      readonly readOnly: boolean;
      /** Its files are links of ours through `..data`, and nobody else can write there. */
      readonly isProjected?: true;
    }
  | { readonly kind: 'device'; readonly path: string };

/** The volume cannot be made: what is missing, in words for the Pod's events. */
export class VolumeError extends Error {
  override readonly name = 'VolumeError';
}
