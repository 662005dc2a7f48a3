/**
 * Which fields of a VM's template differ from those its VMI was started with, for people: the path, the old and
 * the new value. Items of lists are told by their names. Values are short, and what may hold a password is not shown.
 */
import type { VMSpec } from '@podvisor/api';
import { deepEqual, isRecord } from '@podvisor/base';
import { LIVE_FIELDS } from './restart-required.ts';

export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** More changes than these are counted, not listed. */
const MOST = 3;
const LONGEST_VALUE = 60;
/** Texts that often hold secrets. */
const HIDDEN = /(userData|networkData)(Base64)?$/;

/** Changes of what a guest is made of; fields that are followed live are left out. */
export function changedFields(started: VMSpec, current: VMSpec, liveUpdate: boolean): FieldChange[] {
  const live = liveUpdate ? LIVE_FIELDS.map((field) => `spec.template.spec.${field}`) : [];
  return [
    ...differences(started.template?.spec, current.template?.spec, 'spec.template.spec'),
    ...differences(started.instancetype, current.instancetype, 'spec.instancetype'),
    ...differences(started.preference, current.preference, 'spec.preference'),
  ].filter(({ path }) => !live.some((field) => path === field || path.startsWith(`${field}.`)));
}

/** One sentence part: `path (was 1, now 2), …`. Empty without changes. */
export function describeChanges(changes: readonly FieldChange[]): string {
  const told = changes
    .slice(0, MOST)
    .map(({ path, before, after }) =>
      HIDDEN.test(path) ? path : `${path} (was ${shown(before)}, now ${shown(after)})`,
    );
  const rest = changes.length - told.length;
  return [...told, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

function differences(before: unknown, after: unknown, path: string): FieldChange[] {
  if (deepEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], `${path}.${key}`));
  }
  if (areNamed(before) && areNamed(after)) {
    const names = [...new Set([...before, ...after].map(({ name }) => name))];
    const find = (list: typeof before, name: string): unknown => list.find((item) => item.name === name);
    return names.flatMap((name) => differences(find(before, name), find(after, name), `${path}[${name}]`));
  }
  return [{ path, before, after }];
}

function areNamed(value: unknown): value is readonly { readonly name: string }[] {
  return Array.isArray(value) && value.every((item) => isRecord(item) && typeof item['name'] === 'string');
}

function shown(value: unknown): string {
  if (value === undefined) return 'unset';
  if (isRecord(value) || Array.isArray(value)) return 'set';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
