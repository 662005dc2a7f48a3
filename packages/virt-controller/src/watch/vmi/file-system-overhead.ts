/** Which share of a Filesystem claim its file system takes for itself: CDI's word, where there is CDI. Pure. */
import type { PersistentVolumeClaim } from '@podvisor/api';
import type { CdiConfig } from '../../resources.ts';

/** As KubeVirt counts where nobody says anything. */
const DEFAULT_SHARE = '0.055';

/** A decimal number below 1, in words. */
export function fileSystemOverhead({ spec }: PersistentVolumeClaim, config: CdiConfig | undefined): string {
  if (spec.volumeMode === 'Block') return '0';
  const { global, storageClass = {} } = config?.status?.filesystemOverhead ?? {};
  return storageClass[spec.storageClassName ?? ''] ?? global ?? DEFAULT_SHARE;
}
