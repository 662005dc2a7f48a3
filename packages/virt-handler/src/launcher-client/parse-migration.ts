/** Reads what a launcher says about a migration. What does not make sense is not there. */
import type { DomainMigration, MigrationReport, SourceMigration, TargetMigration } from '@podvisor/api';

const MAX_TEXT = 1024;
const MODES: readonly SourceMigration['mode'][] = ['PreCopy', 'PostCopy', 'Paused'];
const ABORTS: readonly SourceMigration['abortStatus'][] = ['Aborting', 'Succeeded', 'Failed'];
const STAGES: readonly TargetMigration['stage'][] = ['waiting', 'post-copy', 'broken', 'arrived'];

type Fields = Readonly<Record<string, unknown>>;

export function parseMigration(value: unknown): DomainMigration | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Fields;
  const uid = textOf(fields['uid']);
  if (uid === undefined) return undefined;
  if (fields['role'] === 'target') {
    const stage = STAGES.find((known) => known === fields['stage']);
    return stage === undefined ? undefined : { role: 'target', uid, stage };
  }
  const mode = MODES.find((known) => known === fields['mode']);
  const startTimestamp = textOf(fields['startTimestamp']);
  if (fields['role'] !== 'source' || mode === undefined || startTimestamp === undefined) return undefined;
  const abortStatus = ABORTS.find((known) => known === fields['abortStatus']);
  const endTimestamp = textOf(fields['endTimestamp']);
  const failureReason = textOf(fields['failureReason']);
  const report = reportOf(uid, mode, fields['report']);
  return {
    role: 'source',
    uid,
    mode,
    startTimestamp,
    ...(endTimestamp === undefined ? {} : { endTimestamp }),
    ...(fields['completed'] === true ? { completed: true } : {}),
    ...(fields['failed'] === true ? { failed: true } : {}),
    ...(failureReason === undefined ? {} : { failureReason }),
    ...(abortStatus === undefined ? {} : { abortStatus }),
    ...(fields['isUndecided'] === true ? { isUndecided: true } : {}),
    ...(report === undefined ? {} : { report }),
  };
}

function reportOf(uid: string, mode: SourceMigration['mode'], value: unknown): MigrationReport | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const numbers = Object.fromEntries(
    ['totalMs', 'downtimeMs', 'dataBytes', 'diskBytes', 'iterations'].flatMap((name) => {
      const number = (value as Fields)[name];
      return typeof number === 'number' && Number.isFinite(number) ? [[name, number] as const] : [];
    }),
  );
  return { uid, mode, totalMs: 0, ...numbers };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;
}
