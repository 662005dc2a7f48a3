/** The kernel's switches for merging equal memory pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import type { KsmState, NodeMemory } from './plan.ts';

export interface KsmKernel {
  /** Undefined: this kernel cannot. */
  read(): Pick<KsmState, 'running' | 'pagesToScan'> | undefined;
  write(state: KsmState): void;
  /** Pages that are merged stay so; no more are looked at. */
  stop(): void;
  memory(): NodeMemory;
}

/** `hostRoot`: a container's own /sys may be read-only. */
export function ksmKernel(hostRoot: string): KsmKernel {
  const file = (name: string): string => join(hostRoot, 'sys/kernel/mm/ksm', name);
  const set = (name: string, value: number): void => writeFileSync(file(name), `${value}\n`);
  const text = (path: string): string => readFileSync(path, 'utf8').trim();
  return {
    read: () => {
      try {
        return { running: text(file('run')) === '1', pagesToScan: Number(text(file('pages_to_scan'))) };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: ({ running, pagesToScan, sleepMs }) => {
      if (running) {
        set('sleep_millisecs', sleepMs);
        set('pages_to_scan', pagesToScan);
      }
      set('run', running ? 1 : 0);
    },
    stop: () => set('run', 0),
    memory: () => ({ totalBytes: totalmem(), availableBytes: freemem() }),
  };
}
