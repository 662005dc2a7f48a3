/** The rules of list and watch parameters, and the continue token. */
import type { VerbContext } from '../../core.ts';
import { type FieldError, forbidden, invalidObject, notSupported } from '../../wire/field-errors.ts';
import { queryInteger } from '../../wire/query-integer.ts';
import { jsonProblem } from '../../wire/go-json.ts';
import { badRequest } from '../../wire/status.ts';
import { isTrue } from '../../wire/request-info.ts';

export interface ListOptions {
  readonly limit: number;
  readonly continueToken: string;
  readonly match: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/** Reads and checks them; throws 400 or 422. */
export function listOptions({ info }: VerbContext, watch: boolean): ListOptions {
  const { query } = info;
  const integer = (name: string): number | undefined => queryInteger(query, name);
  const initial = query.get('sendInitialEvents');
  const options: ListOptions = {
    limit: Math.max(0, integer('limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: integer('timeoutSeconds'),
  };
  const errors = watch ? watchErrors(options) : listErrors(options, query.get('resourceVersion') ?? '');
  if (errors.length > 0) throw invalidObject('ListOptions', 'meta.k8s.io', '', errors);
  return options;
}

const MATCH = 'resourceVersionMatch';

function listErrors(
  { match, continueToken, sendInitialEvents }: ListOptions,
  revision: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (revision === '')
      errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '')
      errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && revision === '0')
      errors.push(forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined)
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors({ match, sendInitialEvents, continueToken }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan')
      errors.push(
        forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      );
  } else if (match !== '')
    errors.push(
      forbidden(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  if (match !== '' && match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
  if (continueToken !== '')
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/** Where a paged list goes on. */
export interface ContinueToken {
  /** -1: the list continues from the present, after an expired token. */
  readonly revision: number;
  /** Key of the last item given, relative to the collection or namespace. */
  readonly start: string;
}

export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${start}\u0000` })).toString(
    'base64url',
  );
}

export function decodeContinue(token: string): ContinueToken {
  const fail = (why: string): never => {
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  };
  const bad = /[^A-Za-z0-9_-]/.exec(token);
  if (bad !== null) return fail(`illegal base64 data at input byte ${bad.index}`);
  if (token.length % 4 === 1) return fail(`illegal base64 data at input byte ${token.length - 1}`);
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const problem = jsonProblem(text);
  if (problem !== undefined) return fail(problem);
  const { v, rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as {
    v?: string;
    rv?: number;
    start?: string;
  };
  if (v !== 'meta.k8s.io/v1') return fail(`server does not recognize this encoded version ${v ?? ''}`);
  if (rv === undefined || rv === 0)
    return fail('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === undefined || start === '') return fail('encoded start key empty (version meta.k8s.io/v1)');
  if (start.includes('..')) return fail(start);
  return { revision: rv, start: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}
