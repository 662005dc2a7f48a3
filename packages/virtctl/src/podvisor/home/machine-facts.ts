/** What this machine is, in the words that `up`, `status` and `doctor` print. */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { kvmFacts } from '@podvisor/sys';

export function memoryGib(): { readonly total: number; readonly available: number } {
  const info = readFileSync('/proc/meminfo', 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { total: kib('MemTotal') / 1048576, available: kib('MemAvailable') / 1048576 };
}

function diskFreeGib(path: string): number {
  const fs = statfsSync(path);
  return (fs.bavail * fs.bsize) / 2 ** 30;
}

/** Free space where the home lies or will lie: of the nearest directory that is there. */
export function freeForHome(home: string): { readonly at: string; readonly gib: number } {
  let at = home;
  while (!existsSync(at)) at = dirname(at);
  return { at, gib: diskFreeGib(at) };
}

/** So much a home takes before anybody uses it: its programs, the launchers' root, the image of the examples. */
export const HOME_GIB = 1;

/** Said before a home is started that will run out of disk; undefined where there is enough. Pure. */
export function tightDisk({ at, gib }: { readonly at: string; readonly gib: number }): string | undefined {
  if (gib >= HOME_GIB) return undefined;
  return `only ${gib.toFixed(1)} GiB are free at ${at}: a home takes ${HOME_GIB} GiB, images and volumes more. Free some, or let PODVISOR_HOME name another disk`;
}

export function machineLine(): string {
  const kvm = kvmFacts();
  const how = kvm.usable ? 'hardware virtualisation (KVM)' : `software emulation: ${kvm.reason}`;
  return `${availableParallelism()} cores, ${memoryGib().total.toFixed(0)} GiB memory, ${how}`;
}
