/**
 * What a restart would bring: where the template of a VM says something else than the VMI that runs has. Pure. The VMI
 * has more than the template (defaults, instance type, addresses); only what the template says is compared, and of
 * lists whose members have names also what the template has no more.
 */
import { isRecord } from '@podvisor/base';

export interface Difference {
  /** As `spec.domain.cpu.cores` or `spec.volumes[data].size`. */
  readonly path: string;
  /** What runs; absent: nothing of it does. */
  readonly running?: string;
  /** What the next start brings; absent: it goes. */
  readonly next?: string;
}

export function restartDifferences(template: unknown, running: unknown): readonly Difference[] {
  return differences(template, running, 'spec');
}

function differences(next: unknown, running: unknown, path: string): readonly Difference[] {
  if (next === undefined || next === null) return [];
  if (running === undefined || running === null) return isEmpty(next) ? [] : [{ path, next: textOf(next) }];
  if (Array.isArray(next)) return listDifferences(next, Array.isArray(running) ? running : [], path);
  if (isRecord(next) && isRecord(running))
    return Object.entries(next).flatMap(([key, value]) => differences(value, running[key], `${path}.${key}`));
  return textOf(next) === textOf(running) ? [] : [{ path, running: textOf(running), next: textOf(next) }];
}

function listDifferences(
  next: readonly unknown[],
  running: readonly unknown[],
  path: string,
): readonly Difference[] {
  if (!next.every((one) => nameOf(one) !== undefined))
    return textOf(next) === textOf(running) ? [] : [{ path, running: textOf(running), next: textOf(next) }];
  const there = new Map(running.map((one) => [nameOf(one), one]));
  const wanted = new Set(next.map(nameOf));
  return [
    ...next.flatMap((one) => differences(one, there.get(nameOf(one)), `${path}[${nameOf(one)}]`)),
    ...running
      .filter((one) => nameOf(one) !== undefined && !wanted.has(nameOf(one)))
      .map((one) => ({ path: `${path}[${nameOf(one)}]`, running: textOf(one) })),
  ];
}

/** `{}` stands for "the default of this kind", which the VMI may have left out or filled. */
function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function nameOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
}

/** `1` and `"1"` are the same quantity. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
