/** `matchConditions`: CEL expressions that must all hold for a webhook or policy to be asked. */
import { StatusError } from '@podvisor/base';
import { celContext, evaluate } from '../crd/cel.ts';
import { type Json, stringAt } from '../wire/json.ts';
import type { Attributes } from './attributes.ts';
import { forbiddenObject } from '../wire/status.ts';

/** False when a condition does not hold. An error counts only when no condition is false. */
export function matchConditionsAllow(hook: string, conditions: readonly Json[], attributes: Attributes, ignoreErrors: boolean): boolean {
  if (conditions.length === 0) return true;
  const context = celContext(attributes);
  const errors: string[] = [];
  for (const condition of conditions) {
    try {
      if (evaluate(stringAt(condition, 'expression'), context) !== true) return false;
    } catch (error) {
      errors.push(`expression '${stringAt(condition, 'expression')}' resulted in error: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (errors.length === 0) return true;
  if (ignoreErrors) return false;
  throw forbidden(hook, attributes, errors);
}

function forbidden(_hook: string, { definition, name }: Attributes, errors: readonly string[]): StatusError {
  return forbiddenObject(definition, name, errors.join(', '));
}
