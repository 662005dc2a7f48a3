/** Rules of tolerations. */
import { type FieldError, invalid, notSupported } from '../../../wire/field-errors.ts';
import { at, type Json, stringAt } from '../../../wire/json.ts';
import { labelKeyProblems, labelValueProblems } from '../../../wire/label-selector.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function tolerationErrors(tolerations: readonly Json[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, i) => {
    const where = `${path}[${i}]`;
    const errors: FieldError[] = [];
    const [key, operator] = [stringAt(toleration, 'key'), stringAt(toleration, 'operator')];
    const [value, effect] = [stringAt(toleration, 'value'), stringAt(toleration, 'effect')];
    if (key !== '')
      for (const problem of labelKeyProblems(key)) errors.push(invalid(`${where}.key`, key, problem));
    if (key === '' && operator !== 'Exists')
      errors.push(
        invalid(
          `${where}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (at(toleration, 'tolerationSeconds') !== undefined && effect !== 'NoExecute')
      errors.push(
        invalid(`${where}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    if (operator === '' || operator === 'Equal') {
      for (const problem of labelValueProblems(value))
        errors.push(invalid(`${where}.operator`, value, problem));
    } else if (operator === 'Exists') {
      if (value !== '')
        errors.push(invalid(`${where}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else errors.push(notSupported(`${where}.operator`, operator, knownOperators(operator)));
    if (effect !== '' && !EFFECTS.includes(effect))
      errors.push(notSupported(`${where}.effect`, effect, EFFECTS));
    return errors;
  });
}

/** Comparisons are known by name and not served yet; who asks for one is told that there are four. */
function knownOperators(operator: string): string[] {
  return ['Equal', 'Exists', ...(['Lt', 'Gt'].includes(operator) ? ['Lt', 'Gt'] : [])];
}
