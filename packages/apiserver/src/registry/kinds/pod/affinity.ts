/** Rules of affinity and of what spreads Pods. */
import { type FieldError, invalid, required } from '../../../wire/field-errors.ts';
import { labelProblems } from '../../../verbs/metadata.ts';
import { arrayAt, asString, at, type Json, type JsonObject, stringAt } from '../../../wire/json.ts';
import { labelKeyProblems } from '../../../wire/label-selector.ts';
import { labelSelectorErrors } from '../../../wire/selector-rules.ts';
import { labelKeysErrors } from './label-keys.ts';
import { nodeSelectorErrors, nodeSelectorTermErrors } from '../node-selector.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function affinityErrors(spec: JsonObject, path: string): FieldError[] {
  const node = at(spec, 'affinity', 'nodeAffinity');
  const needed = at(node, REQUIRED);
  const where = `${path}.affinity.nodeAffinity`;
  return [
    ...(needed === undefined ? [] : nodeSelectorErrors(needed, `${where}.${REQUIRED}`)),
    ...arrayAt(node, PREFERRED).flatMap((term, i) => [
      ...weightErrors(term, `${where}.${PREFERRED}[${i}]`),
      ...nodeSelectorTermErrors(at(term, 'preference') ?? {}, `${where}.${PREFERRED}[${i}].preference`),
    ]),
    ...['podAffinity', 'podAntiAffinity'].flatMap((kind) =>
      podAffinityErrors(at(spec, 'affinity', kind), `${path}.affinity.${kind}`),
    ),
  ];
}

function podAffinityErrors(affinity: Json | undefined, path: string): FieldError[] {
  return [
    ...arrayAt(affinity, REQUIRED).flatMap((term, i) => termErrors(term, `${path}.${REQUIRED}[${i}]`)),
    ...arrayAt(affinity, PREFERRED).flatMap((term, i) => [
      ...weightErrors(term, `${path}.${PREFERRED}[${i}]`),
      ...termErrors(at(term, 'podAffinityTerm') ?? {}, `${path}.${PREFERRED}[${i}].podAffinityTerm`),
    ]),
  ];
}

function weightErrors(term: Json, path: string): FieldError[] {
  const weight = Number(at(term, 'weight') ?? 0);
  return weight >= 1 && weight <= 100
    ? []
    : [invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
}

function termErrors(term: Json, path: string): FieldError[] {
  const key = stringAt(term, 'topologyKey');
  return [
    ...['labelSelector', 'namespaceSelector'].flatMap((field) =>
      labelSelectorErrors(at(term, field), `${path}.${field}`),
    ),
    ...arrayAt(term, 'namespaces').flatMap((name) =>
      labelProblems(asString(name)).map((text) => invalid(`${path}.namespace`, name, text)),
    ),
    ...labelKeysErrors(term, path),
    ...(key === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...labelKeyProblems(key).map((problem) => invalid(`${path}.topologyKey`, key, problem)),
  ];
}
