/** Nodes. */
import { duplicate, type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, at, type KubeObject, stringAt } from '../../wire/json.ts';
import { labelKeyProblems, labelValueProblems } from '../../wire/label-selector.ts';
import type { KindRules } from '../definition.ts';
import { own } from './fill.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const nodeRules: KindRules = {
  selectable: ['spec.unschedulable'],
  select: (object) => String(at(object, 'spec', 'unschedulable') === true),
  prepareCreate: () => undefined,
  default: (object) => {
    const status = own(object, 'status');
    if (status !== undefined && status['allocatable'] === undefined && status['capacity'] !== undefined)
      status['allocatable'] = status['capacity'];
  },
  validate: taintErrors,
};

function taintErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  arrayAt(object, 'spec', 'taints').forEach((taint, i) => {
    const path = `spec.taints[${i}]`;
    const [key, value, effect] = [
      stringAt(taint, 'key'),
      stringAt(taint, 'value'),
      stringAt(taint, 'effect'),
    ];
    for (const problem of labelKeyProblems(key)) errors.push(invalid(`${path}.key`, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(`${path}.value`, value, problem));
    if (effect === '') errors.push(required(`${path}.effect`));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
    if (seen.has(`${key} ${effect}`)) {
      const error = duplicate(path, { Key: key, Value: value, Effect: effect, TimeAdded: null });
      errors.push({ ...error, message: `${error.message}: taints must be unique by key and effect pair` });
    }
    seen.add(`${key} ${effect}`);
  });
  return errors;
}
