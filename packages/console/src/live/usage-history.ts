/**
 * What guests used over the last hour: what their node kept of it, and from when somebody first opened its charts what
 * is asked every few seconds, until the page is closed; a few guests at most.
 */
import { type UsageHistory as Told, type UsagePoint, usagePoint } from '@podvisor/base';
import { pastPoints, withPoint } from '../model/usage.ts';
import { vmiPath } from '../model/units.ts';
import { readJson } from './requests.ts';

const EVERY_MS = 5_000;
const MAX_GUESTS = 16;

export interface UsageHistory {
  points: readonly UsagePoint[];
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
  void follow(namespace, name, made);
  return made;
}

async function follow(namespace: string, name: string, history: UsageHistory): Promise<void> {
  const { signal } = history.stop;
  const path = (what: string): string => vmiPath(namespace, name, what);
  // Who may not ask for it sees what comes.
  history.points = await readJson<Told>(path('usagehistory'), signal).then(
    (told) => pastPoints(told, Date.now()),
    () => [],
  );
  while (!signal.aborted) {
    try {
      const stats = await readJson<Readonly<Record<string, unknown>>>(path('domainstats'), signal);
      history.points = withPoint(history.points, usagePoint(stats, Date.now()));
      history.problem = undefined;
    } catch (error) {
      history.problem = error instanceof Error ? error.message : String(error);
    }
    for (const listener of history.listeners) listener();
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
