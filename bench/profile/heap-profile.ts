/** What is alive of all that a process allocated while `body` ran, by who allocated it. */
import type { ProfileNode } from './cpu-profile.ts';
import type { Cost, SourceOf } from './fold.ts';
import { evaluateIn } from './inspect-process.ts';

interface HeapNode {
  readonly callFrame: ProfileNode['callFrame'];
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
}

export interface HeapGrowth {
  /** Bytes, after garbage was collected. */
  readonly before: Memory;
  readonly after: Memory;
  readonly alive: HeapNode;
}

const COLLECT = `const collect = () => new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve));`;

const BEGIN = `(async () => {
  const session = new inspector.Session();
  session.connect();
  globalThis.benchHeap = session;
  ${COLLECT}
  await collect();
  const before = process.memoryUsage();
  session.post('HeapProfiler.startSampling', { samplingInterval: 16384 });
  return JSON.stringify(before);
})()`;

const END = `(async () => {
  const session = globalThis.benchHeap;
  delete globalThis.benchHeap;
  ${COLLECT}
  await collect();
  const after = process.memoryUsage();
  const alive = await new Promise((resolve, reject) =>
    session.post('HeapProfiler.stopSampling', (error, answer) => (error ? reject(error) : resolve(answer.profile.head))),
  );
  session.disconnect();
  return JSON.stringify({ after, alive });
})()`;

const COLLECTED = `(async () => {
  const session = new inspector.Session();
  session.connect();
  ${COLLECT}
  await collect();
  session.disconnect();
  return JSON.stringify(process.memoryUsage());
})()`;

/** What a process holds after a collection of garbage, in bytes. */
export async function collectedMemory(pid: number): Promise<Memory> {
  return JSON.parse(String(await evaluateIn(pid, COLLECTED))) as Memory;
}

export async function heapGrowth(pid: number, body: () => Promise<void>): Promise<HeapGrowth> {
  const before = JSON.parse(String(await evaluateIn(pid, BEGIN))) as Memory;
  await body();
  const end = JSON.parse(String(await evaluateIn(pid, END))) as Omit<HeapGrowth, 'before'>;
  return { before, ...end };
}

/** Bytes alive by the function that allocated them and the function of ours that asked for it. Pure. */
export function largestAlive(head: HeapNode, sourceOf: SourceOf, count: number): readonly Cost[] {
  const costs = new Map<string, number>();
  const walk = ({ callFrame, selfSize, children }: HeapNode, ours: string): void => {
    const source = sourceOf(callFrame.url, callFrame.lineNumber);
    const here = `${callFrame.functionName || '(anonymous)'} ${source}`.trim();
    const nearest = source.includes('.ts') ? here : ours;
    const name = nearest === here ? here : `${here} ← ${nearest}`;
    if (selfSize > 0) costs.set(name, (costs.get(name) ?? 0) + selfSize);
    for (const child of children) walk(child, nearest);
  };
  walk(head, '');
  return [...costs]
    .map(([name, amount]) => ({ name, amount }))
    .toSorted((a, b) => b.amount - a.amount)
    .slice(0, count);
}
