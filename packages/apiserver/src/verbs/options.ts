/** The query parameters of writes: dry-run, field manager, field validation. */
import type { VerbContext } from '../core.ts';
import { type FieldError, invalid, invalidObject, notSupported, required } from '../wire/field-errors.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** As given by the client; undefined when the parameter is missing. */
  readonly given: {
    readonly fieldManager?: string;
    readonly dryRun?: string[];
    readonly fieldValidation?: string;
    readonly force?: boolean;
  };
  readonly force: boolean;
}

/** Reads and checks them. `kind` is the options' kind in messages (CreateOptions, UpdateOptions, PatchOptions). */
export function writeOptions(
  context: VerbContext,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteOptions {
  const { query } = context.info;
  const errors: FieldError[] = [];
  const dryRun = query.getAll('dryRun');
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const force = query.get('force');
  if (kind === 'PatchOptions' && force !== null && force !== '' && !apply) errors.push(forbiddenForce());
  if (apply && manager === '') errors.push(required('fieldManager', 'is required for apply patch'));
  errors.push(...managerErrors(manager));
  errors.push(...dryRunErrors(dryRun));
  if (validation !== '' && !['Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidObject(kind, 'meta.k8s.io', '', errors);
  return {
    dryRun: dryRun.includes('All'),
    fieldManager: manager === '' ? managerFromUserAgent(context.headers['user-agent']) : manager,
    fieldValidation: validation === '' ? 'Warn' : (validation as 'Ignore' | 'Warn' | 'Strict'),
    given: {
      ...(manager === '' ? {} : { fieldManager: manager }),
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...(validation === '' ? {} : { fieldValidation: validation }),
      ...(force === null ? {} : { force: force !== 'false' && force !== '0' }),
    },
    force: force !== null && force !== 'false' && force !== '0',
  };
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.length === 0 || (dryRun.length === 1 && dryRun[0] === 'All')) return [];
  return dryRun
    .filter((value) => value !== 'All')
    .map((value) => notSupported('dryRun', value === '' ? [''] : dryRun, ['All']));
}

function forbiddenForce(): FieldError {
  return {
    field: 'force',
    reason: 'FieldValueForbidden',
    message: 'Forbidden: may not be specified for non-apply patch',
  };
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (manager.length > 128) errors.push(invalid('fieldManager', manager, 'may not be longer than 128'));
  [...manager].forEach((char, i) => {
    if (!/\p{L}|\p{M}|\p{N}|\p{P}|\p{S}| /u.test(char)) {
      errors.push(
        invalid('fieldManager', manager, `should only contain printable characters (at position ${i})`),
      );
    }
  });
  return errors;
}

/** The manager of a client that names none: the first part of its user agent, printable and at most 128 bytes. */
export function managerFromUserAgent(agent: string | undefined): string {
  const first = (agent ?? '').split('/')[0] ?? '';
  const name = [...first].filter((char) => /\p{L}|\p{M}|\p{N}|\p{P}|\p{S}| /u.test(char)).join('');
  return name.slice(0, 128) === '' ? 'unknown' : name.slice(0, 128);
}
