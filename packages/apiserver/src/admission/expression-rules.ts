/**
 * What expressions of policies and webhooks may name, and what they must come to. They are compiled when they are
 * written; what is of no known type passes, and functions of extensions that we do not have (cel-problem.ts).
 */
import type { Environment } from '@marcbachmann/cel-js';
import { checkExpression, checkingEnvironment, functionNames } from '../crd/cel/cel.ts';
import { AUTHORIZER_TYPE } from '../crd/cel/cel-authorizer.ts';
import { celProblem } from '../crd/cel/cel-problem.ts';
import { type FieldError, invalid } from '../wire/field-errors.ts';

export interface ExpressionScope {
  /** `params`: of a policy with a kind of parameters; `namespaceObject`: of every policy. */
  readonly names: readonly ('params' | 'namespaceObject')[];
  /** Not for messages. */
  readonly authorizer: boolean;
  /** Those that stand before it, below `variables`; undefined where there are none by that name. */
  readonly variables: readonly string[] | undefined;
}

/** Match conditions of webhooks. */
export const WEBHOOK_SCOPE: ExpressionScope = { names: [], authorizer: true, variables: undefined };

type Result = 'bool' | 'string' | 'null';

/** `results`: none means any. */
export function expressionErrors(
  expression: string,
  path: string,
  scope: ExpressionScope,
  results: readonly Result[] = [],
): FieldError[] {
  const { result: checked } = checkExpression(environmentOf(scope), expression);
  if (!checked.valid) {
    const problem = celProblem(checked.error, expression, functionNames);
    return problem === undefined ? [] : [invalid(path, expression, `compilation failed: ${problem}`)];
  }
  const type = String(checked.type ?? 'dyn');
  if (results.length === 0 || results.includes(type as Result) || !isSurelyOther(type, expression)) return [];
  const wanted = results.map((result) => (result === 'null' ? 'null_type' : result));
  const words = wanted.length === 1 ? `${wanted[0]}` : `one of [${wanted.join(' ')}]`;
  return [invalid(path, expression, `must evaluate to ${words}`)];
}

/** A field of an object has no type of its own, and that is not the one that is asked for. */
function isSurelyOther(type: string, expression: string): boolean {
  return type !== 'dyn' || /^\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)+\s*$/.test(expression);
}

/** `request` has the fields of an AdmissionRequest but the objects, which are variables of their own. */
const REQUEST_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubernetes.GroupVersionKind': { group: 'string', version: 'string', kind: 'string' },
  'kubernetes.GroupVersionResource': { group: 'string', version: 'string', resource: 'string' },
  'kubernetes.UserInfo': {
    username: 'string',
    uid: 'string',
    groups: 'list<string>',
    extra: 'map<string, list<string>>',
  },
  'kubernetes.AdmissionRequest': {
    kind: 'kubernetes.GroupVersionKind',
    resource: 'kubernetes.GroupVersionResource',
    subResource: 'string',
    requestKind: 'kubernetes.GroupVersionKind',
    requestResource: 'kubernetes.GroupVersionResource',
    requestSubResource: 'string',
    name: 'string',
    namespace: 'string',
    operation: 'string',
    userInfo: 'kubernetes.UserInfo',
    dryRun: 'bool',
    options: 'dyn',
  },
};

function environmentOf({ names, authorizer, variables }: ExpressionScope): Environment {
  const environment = checkingEnvironment();
  for (const name of ['object', 'oldObject', ...names]) environment.registerVariable(name, 'dyn');
  for (const [name, fields] of Object.entries(REQUEST_TYPES)) environment.registerType(name, { fields });
  environment.registerVariable('request', 'kubernetes.AdmissionRequest');
  if (authorizer) environment.registerVariable('authorizer', AUTHORIZER_TYPE);
  if (variables === undefined) return environment;
  const fields = Object.fromEntries(variables.map((name) => [name, 'dyn']));
  return environment.registerType('Variables', { fields }).registerVariable('variables', 'Variables');
}
