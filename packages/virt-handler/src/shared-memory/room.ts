/** How much memory of the node may be used for what copies share, and what has to go for it. Pure. */
export interface KeptMemory {
  readonly digest: string;
  readonly usedBytes: number;
  /** Guests of this node were started with it and still run. */
  readonly isInUse: boolean;
  readonly lastAskedMs: number;
}

export interface NodeMemory {
  readonly totalBytes: number;
  readonly availableBytes: number;
}

/** Of the node's memory: what copies share counts for no Pod. */
const SHARE = 1 / 4;
/** Of what is available, so that nothing else is pushed out. */
const AVAILABLE_SHARE = 1 / 2;
/** The next copy of a snapshot may come a while after the last one has ended. */
export const IDLE_MS = 10 * 60_000;

/** Whether there could be room at all, whatever else is kept. */
export function canEverFit(neededBytes: number, { totalBytes }: Pick<NodeMemory, 'totalBytes'>): boolean {
  return neededBytes <= totalBytes * SHARE;
}

/** What may be written, at most; others have what they have. */
export function roomFor(kept: readonly KeptMemory[], { totalBytes, availableBytes }: NodeMemory): number {
  const used = kept.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  return Math.max(0, Math.floor(Math.min(totalBytes * SHARE - used, availableBytes * AVAILABLE_SHARE)));
}

/** What nobody has used for long, and, to make room, the oldest of what nobody uses: as much as `neededBytes` takes. */
export function dispensable(
  kept: readonly KeptMemory[],
  node: NodeMemory,
  nowMs: number,
  neededBytes = 0,
): readonly string[] {
  const idle = kept.filter(({ isInUse }) => !isInUse).toSorted((a, b) => a.lastAskedMs - b.lastAskedMs);
  const gone: KeptMemory[] = [];
  for (const one of idle) {
    const left = kept.filter((other) => !gone.includes(other));
    if (nowMs - one.lastAskedMs >= IDLE_MS || roomFor(left, node) < neededBytes) gone.push(one);
  }
  return gone.map(({ digest }) => digest);
}
