/**
 * Keeps Pods within what they may take of the node's disk: every few seconds those with limits are looked at, and
 * where the disk itself runs out, the one that takes most beyond what it asked for ends. Claims have a size of their
 * own (docs/storage.md).
 */
import type { StatsFs } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { KubeletContext } from '../context.ts';
import { podName } from '../pod/types.ts';
import { type DiskUsage, exceededLimit, hasDiskLimits, mostGreedy } from './decide.ts';

export type DiskSpace = Pick<StatsFs, 'bavail' | 'blocks' | 'bsize' | 'ffree' | 'files'>;

export interface StorageWatchOptions {
  readonly context: KubeletContext;
  /** What a Pod takes of the disk. */
  usageOf(pod: Pod): Promise<DiskUsage>;
  /** How many files it has there. */
  filesOf(pod: Pod): Promise<number>;
  /** The disk with the home. */
  disk(): DiskSpace;
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

/** A Pod with less of all files than this is not what the disk suffers from. */
const GREEDY_PART = 0.01;

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
  const { bavail, blocks, bsize, ffree, files } = options.disk();
  if (ffree < files * RESERVED_PART) await evictForFiles(options, ffree, files);
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

/**
 * Empty files take no space, and a file system has a number of them: whoever has most goes. Those with few stay: it is
 * not their doing, and others of the machine may have taken them.
 */
async function evictForFiles(options: StorageWatchOptions, free: number, all: number): Promise<void> {
  const reserve = Math.ceil(all * RESERVED_PART);
  const counts: (readonly [Pod, number])[] = [];
  for (const pod of options.pods()) counts.push([pod, await options.filesOf(pod).catch(() => 0)]);
  const [most] = counts
    .filter(([, count]) => count > all * GREEDY_PART)
    .toSorted(
      ([a, filesOfA], [b, filesOfB]) =>
        (a.spec.priority ?? 0) - (b.spec.priority ?? 0) || filesOfB - filesOfA,
    );
  const evicted = most === undefined ? '' : podName(most[0]);
  options.context.log.warn({ free, reserve, evicted }, 'the disk has nearly no files left');
  const amounts = `Threshold quantity: ${reserve}, available: ${free}. `;
  if (most !== undefined) options.evict(most[0], `The node was low on resource: inodes. ${amounts}`);
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
