/** What this machine is, in the words that `up`, `status` and `doctor` print. */
import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { kvmFacts } from '@podvisor/sys';

export function memoryGib(): { readonly total: number; readonly available: number } {
  const info = readFileSync('/proc/meminfo', 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { total: kib('MemTotal') / 1048576, available: kib('MemAvailable') / 1048576 };
}

export function diskFreeGib(path: string): number {
  const fs = statfsSync(path);
  return (fs.bavail * fs.bsize) / 2 ** 30;
}

export function machineLine(): string {
  const kvm = kvmFacts();
  const how = kvm.usable ? 'hardware virtualisation (KVM)' : `software emulation: ${kvm.reason}`;
  return `${availableParallelism()} cores, ${memoryGib().total.toFixed(0)} GiB memory, ${how}`;
}
