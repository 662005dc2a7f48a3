/**
 * What guests used, as long as the page has looked, at most an hour. A guest is asked from when somebody first opened
 * its charts until the page is closed, so that they are there when he comes back; a few guests at most.
 */
import { type DomainStats, type UsagePoint, usagePoint } from '../model/usage.ts';
import { vmiPath } from '../model/units.ts';
import { readJson } from './requests.ts';

const EVERY_MS = 5_000;
const KEPT_POINTS = 3_600_000 / EVERY_MS;
const MAX_GUESTS = 16;

export interface UsageHistory {
  readonly points: UsagePoint[];
  problem: string | undefined;
  readonly listeners: Set<() => void>;
  readonly stop: AbortController;
}

const histories = new Map<string, UsageHistory>();

export function usageHistory(namespace: string, name: string): UsageHistory {
  const key = `${namespace}/${name}`;
  const known = histories.get(key);
  if (known !== undefined) return known;
  const made: UsageHistory = {
    points: [],
    problem: undefined,
    listeners: new Set(),
    stop: new AbortController(),
  };
  histories.set(key, made);
  const [oldest] = histories;
  if (histories.size > MAX_GUESTS && oldest !== undefined) {
    oldest[1].stop.abort();
    histories.delete(oldest[0]);
  }
  void follow(vmiPath(namespace, name, 'domainstats'), made);
  return made;
}

async function follow(path: string, history: UsageHistory): Promise<void> {
  const { signal } = history.stop;
  while (!signal.aborted) {
    try {
      const stats = await readJson<DomainStats>(path, signal);
      history.points.push(usagePoint(stats, Date.now()));
      if (history.points.length > KEPT_POINTS) history.points.shift();
      history.problem = undefined;
    } catch (error) {
      history.problem = error instanceof Error ? error.message : String(error);
    }
    for (const listener of history.listeners) listener();
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
