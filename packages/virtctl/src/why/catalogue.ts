/**
 * Known failures, as data: what they look like, why they happen, what to do. The first entry that fits is
 * the probable cause, so the particular stands before the general. `docs/why.md` is made from this table.
 */
import { beforeThePod } from './known/before-the-pod.ts';
import { imagesAndDisks } from './known/images-and-disks.ts';
import { lostAndEnded } from './known/lost-and-ended.ts';
import { memoryStates } from './known/memory-states.ts';
import { placement } from './known/placement.ts';
import { runningWithANote } from './known/running-with-a-note.ts';
import { startOnTheNode } from './known/start-on-the-node.ts';
import type { KnownFailure } from './known/known-failure.ts';

export const catalogue: readonly KnownFailure[] = [
  ...beforeThePod,
  ...placement,
  ...imagesAndDisks,
  ...startOnTheNode,
  ...memoryStates,
  ...lostAndEnded,
  ...runningWithANote,
];
