/** Tells how far the copy into a new volume is, as an annotation of its claim: whoever follows claims can read it. */
import { annotations, type PersistentVolumeClaim } from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import type { CopyProgress } from '@podvisor/home-contract';
import { type KubeClient, type Log, resources } from '@podvisor/kube';

export interface FillReporterOptions {
  readonly client: Pick<KubeClient, 'patch'>;
  readonly clock: Clock;
  readonly log: Log;
}

const TELL_EVERY_MS = 1000;

/** One write at a time, at most one a second. A write that fails is not repeated: the copy goes on without. */
export function fillReporter(
  { metadata }: PersistentVolumeClaim,
  { client, clock, log }: FillReporterOptions,
  signal: AbortSignal,
): (progress: CopyProgress) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let isWriting = false;
  const { namespace, name = '' } = metadata;
  return ({ bytes, totalBytes }) => {
    if (isWriting || clock.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = clock.now();
    isWriting = true;
    const percent = totalBytes === 0 ? 0 : Math.min(100, (bytes / totalBytes) * 100);
    const body = { metadata: { annotations: { [annotations.fillProgress]: percent.toFixed(2) } } };
    client
      .patch(resources.persistentVolumeClaims, { namespace, name }, { type: 'merge', body }, signal)
      .catch((error: unknown) => log.info({ claim: name, error: messageOf(error) }, 'progress was not told'))
      .finally(() => (isWriting = false));
  };
}
