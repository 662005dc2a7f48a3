/** Which lines somebody wants to see. Pure. */
import type { LogRecord } from './record.ts';

export interface Selection {
  /** `virt-handler` is every node's; absent: all. */
  readonly component?: string;
  /** Not before, milliseconds since the epoch. */
  readonly sinceMs?: number;
  readonly vm?: VmIdentity;
}

export interface VmIdentity {
  readonly namespace: string;
  readonly name: string;
  /** Of the VM, its VMIs and their Pods, as far as they are known. */
  readonly uids: ReadonlySet<string>;
}

export function isSelected(record: LogRecord, { component, sinceMs, vm }: Selection): boolean {
  if (sinceMs !== undefined && record.atMs < sinceMs) return false;
  if (component !== undefined && !isOf(record.component, component)) return false;
  return vm === undefined || concerns(record.fields, vm);
}

function isOf(component: string, wanted: string): boolean {
  return component === wanted || component.startsWith(`${wanted}-`);
}

function concerns(fields: LogRecord['fields'], { namespace, name, uids }: VmIdentity): boolean {
  if (fields['namespace'] === namespace && fields['name'] === name) return true;
  return ['uid', 'pod', 'podUid', 'migration'].some((key) => uids.has(String(fields[key] ?? '')));
}

/** `90s`, `10m`, `2h`, `1d`, or a time in RFC 3339. */
export function sinceOf(text: string, nowMs: number): number {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (number !== undefined && unit !== undefined) return nowMs - Number(number) * (UNITS_MS[unit] ?? 0);
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new Error(`--since "${text}": expected 90s, 10m, 2h, 1d or a time such as 2026-01-31T12:00:00Z`);
  return at;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
