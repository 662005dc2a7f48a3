/** Labels of nodes that have another name today: whoever selects by the old one is told. */
import { arrayAt, type Json, objectAt, stringAt } from '../../wire/json.ts';

const OLD_LABELS: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Of the keys of a node selector. */
export function selectorLabelWarnings(selector: unknown, path: string): string[] {
  return Object.keys(objectAt(selector)).flatMap((key) => {
    const text = OLD_LABELS.get(key);
    return text === undefined ? [] : [`${path}[${key}]: ${text}`];
  });
}

/** Of one key that stands in a field of its own. */
export function labelKeyWarnings(key: string, path: string): string[] {
  const text = OLD_LABELS.get(key);
  return text === undefined ? [] : [`${path}: ${key} is ${text}`];
}

/** Of the expressions of one term of a node affinity. */
export function termWarnings(term: Json | undefined, path: string): string[] {
  return arrayAt(term, 'matchExpressions').flatMap((expression, i) =>
    labelKeyWarnings(stringAt(expression, 'key'), `${path}.matchExpressions[${i}].key`),
  );
}

/** Of the topologies that a StorageClass allows. */
export function topologyWarnings(topologies: readonly Json[], path: string): string[] {
  return topologies.flatMap((topology, i) =>
    arrayAt(topology, 'matchLabelExpressions').flatMap((expression, j) => {
      const text = OLD_LABELS.get(stringAt(expression, 'key'));
      return text === undefined ? [] : [`${path}[${i}].matchLabelExpressions[${j}].key: ${text}`];
    }),
  );
}
