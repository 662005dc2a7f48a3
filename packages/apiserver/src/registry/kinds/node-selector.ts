/** The rules of NodeSelector objects: terms of labels and of the node's name. */
import { subdomainProblems } from '../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, type Json, stringAt } from '../../wire/json.ts';
import { labelKeyProblems, labelValueProblems } from '../../wire/label-selector.ts';

export function nodeSelectorErrors(selector: Json, path: string): FieldError[] {
  const terms = arrayAt(selector, 'nodeSelectorTerms');
  const where = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(where, 'must have at least one node selector term')];
  return terms.flatMap((term, i) => nodeSelectorTermErrors(term, `${where}[${i}]`));
}

export function nodeSelectorTermErrors(term: Json, path: string): FieldError[] {
  return [
    ...arrayAt(term, 'matchExpressions').flatMap((requirement, i) =>
      labelErrors(requirement, `${path}.matchExpressions[${i}]`),
    ),
    ...arrayAt(term, 'matchFields').flatMap((requirement, i) =>
      fieldErrors(requirement, `${path}.matchFields[${i}]`),
    ),
  ];
}

function labelErrors(requirement: Json, path: string): FieldError[] {
  const key = stringAt(requirement, 'key');
  const values = arrayAt(requirement, 'values').map(asString);
  return [
    ...operatorErrors(stringAt(requirement, 'operator'), values.length, path),
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
      return values > 0
        ? []
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return values === 1
        ? []
        : [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function fieldErrors(requirement: Json, path: string): FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const key = stringAt(requirement, 'key');
  const values = arrayAt(requirement, 'values').map(asString);
  const known = operator === 'In' || operator === 'NotIn';
  return [
    ...(known && values.length !== 1
      ? [
          required(
            `${path}.values`,
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          ),
        ]
      : []),
    ...(known ? [] : [invalid(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...(key === 'metadata.name'
      ? values.flatMap((value, i) =>
          subdomainProblems(value).map((problem) => invalid(`${path}.values[${i}]`, value, problem)),
        )
      : [invalid(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}
