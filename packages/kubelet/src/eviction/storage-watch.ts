/**
 * Keeps Pods within what they may take of the node's disk: every few seconds those with limits are looked at, and
 * where the disk itself runs out, the one that takes most beyond what it asked for ends. Claims have a size of their
 * own (docs/storage.md).
 */
import { statfsSync } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { KubeletContext } from '../context.ts';
import { podName } from '../pod/types.ts';
import { type DiskUsage, exceededLimit, hasDiskLimits, mostGreedy } from './decide.ts';

export interface StorageWatchOptions {
  readonly context: KubeletContext;
  /** What a Pod takes of the disk. */
  usageOf(pod: Pod): Promise<DiskUsage>;
  /** Pods of this node that have not ended. */
  pods(): readonly Pod[];
  /** Ends the Pod for good, with this message. */
  evict(pod: Pod, message: string): void;
}

const LOOK_EVERY_MS = 5000;
const GIBI = 1024 ** 3;
/** Of the disk with the home this part stays free, and no more than ten gibibytes. */
const RESERVED_PART = 0.05;
const RESERVED_MOST_BYTES = 10 * GIBI;

export function reservedBytes(diskBytes: number): number {
  return Math.min(diskBytes * RESERVED_PART, RESERVED_MOST_BYTES);
}

/** Watches until the signal ends it. */
export function watchStorage(options: StorageWatchOptions, signal: AbortSignal): void {
  const { clock, log } = options.context;
  const again = (): void => {
    if (signal.aborted) return;
    clock.after(LOOK_EVERY_MS, () => {
      void look(options)
        .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'disk usage could not be read'))
        .then(again);
    });
  };
  again();
}

async function look(options: StorageWatchOptions): Promise<void> {
  const { context, pods, evict } = options;
  for (const pod of pods().filter(hasDiskLimits)) {
    const usage = await measured(pod, options);
    const message = usage === undefined ? undefined : exceededLimit(pod, usage);
    if (message !== undefined) evict(pod, message);
  }
  const { bavail, blocks, bsize } = statfsSync(context.paths.home);
  const [free, reserve] = [bavail * bsize, reservedBytes(blocks * bsize)];
  if (free >= reserve) return;
  const usages: (readonly [Pod, DiskUsage])[] = [];
  for (const pod of pods()) {
    const usage = await measured(pod, options);
    if (usage !== undefined) usages.push([pod, usage]);
  }
  const greedy = mostGreedy(usages);
  context.log.warn(
    { free, reserve, evicted: greedy === undefined ? '' : podName(greedy) },
    'the disk is nearly full',
  );
  if (greedy === undefined) return;
  const ki = (bytes: number): string => `${Math.floor(bytes / 1024)}Ki`;
  const amounts = `Threshold quantity: ${ki(reserve)}, available: ${ki(free)}. `;
  evict(greedy, `The node was low on resource: ephemeral-storage. ${amounts}`);
}

/** Millions of files take longer to count than we wait. Whoever has them must not keep the others from being looked at. */
async function measured(pod: Pod, { context, usageOf }: StorageWatchOptions): Promise<DiskUsage | undefined> {
  try {
    return await usageOf(pod);
  } catch (error) {
    context.log.warn(
      { pod: podName(pod), error: messageOf(error) },
      'what a Pod takes of the disk is not known',
    );
    return undefined;
  }
}
