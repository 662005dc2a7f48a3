/** What a CEL rule of a schema must be like before its expressions are read, and what is said of expressions. Pure. */
import type { Environment } from '@marcbachmann/cel-js';
import { type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { asString, type JsonObject, stringAt } from '../../wire/json.ts';
import { fieldAt } from '../field-path.ts';
import { functionNames } from './cel.ts';
import { celProblem } from './cel-problem.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const BREAK = /[\n\r]/;

/** `node` is the schema that has the rule. */
export function ruleForm(rule: JsonObject, node: JsonObject, path: string): FieldError[] {
  const text = stringAt(rule, 'rule');
  const message = stringAt(rule, 'message');
  const fieldPath = stringAt(rule, 'fieldPath');
  const reason = stringAt(rule, 'reason');
  const expression = stringAt(rule, 'messageExpression');
  const errors: FieldError[] = [];
  if (text.trim() === '') errors.push(required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '')
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  else if (BREAK.test(message.trim()))
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  else if (BREAK.test(text.trim()) && message.trim() === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  if (expression !== '' && expression.trim() === '')
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (rule['reason'] !== undefined && !REASONS.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  if (fieldPath !== '' && fieldPath.trim() === '')
    errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  if (BREAK.test(fieldPath))
    errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'));
  if (fieldPath !== '' && fieldAt(node, fieldPath, true).kind === 'problem')
    errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path'));
  return errors;
}

/** What is said of an expression that cannot be read or comes to another type. */
export function expressionProblem(
  result: ReturnType<Environment['check']>,
  wanted: 'bool' | 'string',
  text: string,
): string | undefined {
  if (!result.valid) {
    const problem = celProblem(result.error, text, functionNames);
    return problem === undefined ? undefined : `compilation failed: ${problem}`;
  }
  const type = String(result.type ?? 'dyn');
  if (type === wanted || type === 'dyn') return undefined;
  return wanted === 'bool'
    ? 'cel expression must evaluate to a bool'
    : 'messageExpression must evaluate to a string';
}

/** A rule as messages show it. */
export function shownRule(rule: JsonObject): JsonObject {
  return {
    Rule: asString(rule['rule']),
    Message: asString(rule['message']),
    MessageExpression: asString(rule['messageExpression']),
    Reason: rule['reason'] ?? null,
    FieldPath: asString(rule['fieldPath']),
    OptionalOldSelf: rule['optionalOldSelf'] ?? null,
  };
}
