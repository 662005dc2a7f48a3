/** The rules of LabelSelector objects, wherever a kind has one. */
import { type FieldError, forbidden, invalid, required } from './field-errors.ts';
import { arrayAt, asString, type Json, objectAt, stringAt } from './json.ts';
import { labelKeyProblems, labelValueProblems } from './label-selector.ts';

/** Problems of a selector; none when there is no selector. */
export function labelSelectorErrors(selector: Json | undefined, path: string): FieldError[] {
  const labels = Object.entries(objectAt(selector, 'matchLabels')).flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((problem) => invalid(`${path}.matchLabels`, key, problem)),
    ...labelValueProblems(asString(value)).map((problem) => invalid(`${path}.matchLabels`, value, problem)),
  ]);
  return [
    ...labels,
    ...arrayAt(selector, 'matchExpressions').flatMap((expression, i) =>
      requirementErrors(expression, `${path}.matchExpressions[${i}]`),
    ),
  ];
}

function requirementErrors(requirement: Json, path: string): FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const key = stringAt(requirement, 'key');
  const values = arrayAt(requirement, 'values').map(asString);
  return [
    ...operatorErrors(operator, values.length, path),
    ...labelKeyProblems(key).map((problem) => invalid(`${path}.key`, key, problem)),
    ...values.flatMap((value, i) =>
      labelValueProblems(value).map((problem) => invalid(`${path}.values[${i}]`, value, problem)),
    ),
  ];
}

function operatorErrors(operator: string, values: number, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values === 0
        ? [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
        : [];
    case 'Exists':
    case 'DoesNotExist':
      return values > 0
        ? [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : [];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
