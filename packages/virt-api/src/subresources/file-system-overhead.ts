/** Which share of a volume its file system takes, as CDI's configuration says. */
import type { KubernetesObject } from '@podvisor/api';
import { defineResource, type KubeClient } from '@podvisor/kube';

interface CdiConfig extends KubernetesObject {
  readonly status?: {
    readonly filesystemOverhead?: {
      readonly global?: string;
      readonly storageClass?: Readonly<Record<string, string>>;
    };
  };
}

const cdiConfigs = defineResource<CdiConfig>('CDIConfig', 'cdiconfigs', 'cdi.kubevirt.io/v1beta1', 'Cluster');

/** Undefined where there is no CDI, or it cannot be asked. */
export async function readOverhead(
  client: Pick<KubeClient, 'find'>,
  storageClass: string | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  const config = await client.find(cdiConfigs, { name: 'config' }, signal).catch(() => undefined);
  const { global, storageClass: byClass = {} } = config?.status?.filesystemOverhead ?? {};
  const share = Number((storageClass === undefined ? undefined : byClass[storageClass]) ?? global);
  return Number.isFinite(share) && share >= 0 && share < 1 ? share : undefined;
}
