/** Rules of `topologySpreadConstraints`. */
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { at, type Json, stringAt } from '../../../wire/json.ts';
import { labelSelectorErrors } from '../../../wire/selector-rules.ts';
import { labelKeysErrors } from './label-keys.ts';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];
const POSITIVE = 'must be greater than zero';

export function spreadErrors(constraints: readonly Json[], path: string): FieldError[] {
  const kinds = constraints.map(
    (one) => `{${stringAt(one, 'topologyKey')}, ${stringAt(one, 'whenUnsatisfiable')}}`,
  );
  const last = new Map(kinds.map((kind, i) => [kind, i]));
  return constraints.flatMap((constraint, i) => {
    const where = `${path}[${i}]`;
    const action = stringAt(constraint, 'whenUnsatisfiable');
    const skew = Number(at(constraint, 'maxSkew') ?? 0);
    const errors: FieldError[] = [];
    if (skew <= 0) errors.push(invalid(`${where}.maxSkew`, skew, POSITIVE));
    if (stringAt(constraint, 'topologyKey') === '')
      errors.push(required(`${where}.topologyKey`, 'can not be empty'));
    if (!ACTIONS.includes(action)) errors.push(notSupported(`${where}.whenUnsatisfiable`, action, ACTIONS));
    if ((last.get(kinds[i] ?? '') ?? i) > i)
      errors.push(duplicate(`${where}.{topologyKey, whenUnsatisfiable}`, kinds[i]));
    errors.push(...domainErrors(at(constraint, 'minDomains'), action, `${where}.minDomains`));
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      const policy = at(constraint, field);
      if (typeof policy === 'string' && !POLICIES.includes(policy))
        errors.push(notSupported(`${where}.${field}`, policy, POLICIES));
    }
    return [
      ...errors,
      ...labelKeysErrors(constraint, where),
      ...labelSelectorErrors(at(constraint, 'labelSelector'), `${where}.labelSelector`),
    ];
  });
}

function domainErrors(least: Json | undefined, action: string, path: string): FieldError[] {
  if (typeof least !== 'number') return [];
  const errors: FieldError[] = [];
  if (least <= 0) errors.push(invalid(path, least, POSITIVE));
  if (action !== 'DoNotSchedule')
    errors.push(
      invalid(path, least, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`),
    );
  return errors;
}
