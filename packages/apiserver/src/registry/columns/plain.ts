/** The Table of a kind that has no columns of its own, and the helpers that the others use. */
import { asString, type KubeObject } from '../../wire/json.ts';
import type { Column, Printer } from '../definition.ts';

export function column(name: string, type = 'string', priority = 0, format = ''): Column {
  return { name, type, format, description: '', priority };
}

export const NAME: Column = column('Name', 'string', 0, 'name');
export const AGE: Column = column('Age');

export const plainPrinter: Printer = {
  columns: [NAME, { ...column('Created At', 'date') }],
  cells: (object) => [object.metadata.name ?? '', asString(object.metadata.creationTimestamp)],
};

/** Age as kubectl shows it: 5s, 3m, 2m10s, 4h, 3d. */
export function ageOf(timestamp: unknown, nowMs: number): string {
  if (typeof timestamp !== 'string' || timestamp === '') return '<unknown>';
  return humanDuration(nowMs - Date.parse(timestamp));
}

/** A duration in the two largest units that matter, as Kubernetes' HumanDuration. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  if (days < 365 * 8) return days % 365 === 0 ? `${years}y` : `${years}y${days % 365}d`;
  return `${years}y`;
}

export function age(object: KubeObject, nowMs: number): string {
  return ageOf(object.metadata.creationTimestamp, nowMs);
}
