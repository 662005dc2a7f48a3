/**
 * What the kernel's merging of equal memory pages (KSM) should do next on a node, by how much of its memory is free.
 * Under pressure it looks at more pages in each round, without it at fewer, until it stops. Annotations of the Node
 * override each number. Pure.
 */
import { annotations } from '@podvisor/api';

/** What the kernel does: whether it merges, how many pages it looks at in a round, and the rest between two rounds. */
export interface KsmState {
  readonly running: boolean;
  readonly pagesToScan: number;
  readonly sleepMs: number;
}

export interface NodeMemory {
  readonly totalBytes: number;
  readonly availableBytes: number;
}

export interface KsmSettings {
  /** Pages that a round gets more under pressure, and fewer (a number below zero) without it. */
  readonly boost: number;
  readonly decay: number;
  readonly minPages: number;
  readonly maxPages: number;
  readonly initialPages: number;
  /** Rest between two rounds where 16 GiB are in use. */
  readonly baselineSleepMs: number;
  /** Share of the memory that must be free. */
  readonly freeShare: number;
}

const SIXTEEN_GIB = 16 * 1024 ** 3;

/** A value that is no number, or out of bounds, counts as not given. */
export function ksmSettings(given: Readonly<Record<string, string>>): KsmSettings {
  const whole = (key: string, standard: number, least: number, most: number): number => {
    const text = given[key]?.trim() ?? '';
    const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : Math.min(Math.max(standard, least), most);
  };
  const most = Number.MAX_SAFE_INTEGER;
  const minPages = whole(annotations.ksmPagesMin, 64, 0, most);
  const maxPages = whole(annotations.ksmPagesMax, 1250, minPages, most);
  const free = Number(given[annotations.ksmFreePercent] || Number.NaN);
  return {
    boost: whole(annotations.ksmPagesBoost, 300, 0, most),
    decay: whole(annotations.ksmPagesDecay, -50, -most, 0),
    minPages,
    maxPages,
    initialPages: whole(annotations.ksmPagesInit, 100, minPages, maxPages),
    baselineSleepMs: whole(annotations.ksmSleepMsBaseline, 100, 1, most),
    freeShare: free >= 0 && free <= 1 ? free : 0.2,
  };
}

/** What to write; `pagesToScan` and `sleepMs` mean something only where it runs. */
export function nextKsmState(
  now: Pick<KsmState, 'running' | 'pagesToScan'>,
  memory: NodeMemory,
  settings: KsmSettings,
): KsmState {
  const used = Math.max(memory.totalBytes - memory.availableBytes, 1);
  const sleepMs = Math.max(
    Math.floor((settings.baselineSleepMs * SIXTEEN_GIB) / used),
    Math.floor(settings.baselineSleepMs / 10),
  );
  if (memory.availableBytes <= memory.totalBytes * settings.freeShare) {
    const pages = now.running
      ? Math.min(now.pagesToScan + settings.boost, settings.maxPages)
      : settings.initialPages;
    return { running: true, pagesToScan: pages, sleepMs };
  }
  const fewer = now.pagesToScan + settings.decay;
  return now.running && fewer >= settings.minPages
    ? { running: true, pagesToScan: fewer, sleepMs }
    : { running: false, pagesToScan: settings.minPages, sleepMs };
}
