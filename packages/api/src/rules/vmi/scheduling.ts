/** Affinity and topology spread: the rules of a Pod, told at once instead of when it fails. */
import type {
  LabelSelector,
  NodeAffinity,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  SelectorRequirement,
  TopologySpreadConstraint,
  VMISpec,
} from '../../types/index.ts';
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../kubernetes-names.ts';
import { type Cause, invalid, type Rule, when } from '../rule.ts';

export const schedulingRules: readonly Rule<VMISpec>[] = [
  {
    id: 'affinity',
    field: 'affinity',
    summary: 'Affinity terms have valid keys, operators, values, weights (1 to 100) and topology keys.',
    check: (spec, { path }) => {
      const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {};
      return [
        ...(nodeAffinity ? checkNodeAffinity(nodeAffinity, `${path}.nodeAffinity`) : []),
        ...(podAffinity ? checkPodAffinity(podAffinity, `${path}.podAffinity`) : []),
        ...(podAntiAffinity ? checkPodAffinity(podAntiAffinity, `${path}.podAntiAffinity`) : []),
      ];
    },
  },
  {
    id: 'topologySpreadConstraints',
    field: 'topologySpreadConstraints',
    summary: 'Spread constraints have a positive skew, a valid topology key and are not repeated.',
    check: (spec, { path }) =>
      checkSpread(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`),
  },
];

function missing(field: string, detail: string): Cause {
  return invalid(field, `${field}: Required value${detail === '' ? '' : `: ${detail}`}`);
}

function bad(field: string, value: unknown, detail: string): Cause {
  return invalid(field, `${field}: Invalid value: ${JSON.stringify(value)}: ${detail}`);
}

function unsupported(field: string, value: unknown, allowed: readonly string[]): Cause {
  const list = allowed.map((entry) => `"${entry}"`).join(', ');
  return invalid(field, `${field}: Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`);
}

function banned(field: string, detail: string): Cause {
  return invalid(field, `${field}: Forbidden: ${detail}`);
}

function checkKey(key: string, field: string): Cause[] {
  return qualifiedNameProblems(key).map((problem) => bad(field, key, problem));
}

function checkNodeName(name: string, field: string): Cause[] {
  return dnsSubdomainProblems(name).map((problem) => bad(field, name, problem));
}

function checkNodeAffinity(affinity: NodeAffinity, field: string): Cause[] {
  const needed = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  const neededField = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const terms = needed?.nodeSelectorTerms ?? [];
  return [
    ...when(needed && terms.length === 0, () =>
      missing(neededField, 'must have at least one node selector term'),
    ),
    ...terms.flatMap((term, index) => checkNodeTerm(term, `${neededField}[${index}]`)),
    ...preferred.flatMap(({ preference, weight }, index) => {
      const own = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...checkWeight(weight, own), ...checkNodeTerm(preference, `${own}.preference`)];
    }),
  ];
}

function checkNodeTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  field: string,
): Cause[] {
  return [
    ...matchExpressions.flatMap((requirement, index) => {
      const own = `${field}.matchExpressions[${index}]`;
      return [...checkNodeOperator(requirement, own), ...checkKey(requirement.key, `${own}.key`)];
    }),
    ...matchFields.flatMap(({ key, operator, values = [] }, index) => {
      const own = `${field}.matchFields[${index}]`;
      const isSingle = operator === 'In' || operator === 'NotIn';
      return [
        ...when(isSingle && values.length !== 1, () =>
          missing(
            `${own}.values`,
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
          ),
        ),
        ...when(!isSingle, () => bad(`${own}.operator`, operator, 'not a valid selector operator')),
        ...(key === 'metadata.name'
          ? values.flatMap((value, at) => checkNodeName(value, `${own}.values[${at}]`))
          : [bad(`${own}.key`, key, 'not a valid field selector key')]),
      ];
    }),
  ];
}

function checkNodeOperator({ operator, values = [] }: SelectorRequirement, field: string): readonly Cause[] {
  if (operator === 'Gt' || operator === 'Lt') {
    return when(values.length !== 1, () =>
      missing(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
    );
  }
  return checkOperator(operator, values, field);
}

function checkOperator(operator: string, values: readonly string[], field: string): readonly Cause[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return when(values.length === 0, () =>
        missing(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      );
    case 'Exists':
    case 'DoesNotExist':
      return when(values.length > 0, () =>
        banned(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    default:
      return [bad(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

function checkWeight(weight: number, field: string): readonly Cause[] {
  return when(weight <= 0 || weight > 100, () =>
    bad(`${field}.weight`, weight, 'must be in the range 1-100'),
  );
}

function checkPodAffinity(affinity: PodAffinity, field: string): Cause[] {
  const needed = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...needed.flatMap((term, index) =>
      checkPodTerm(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...preferred.flatMap(({ podAffinityTerm, weight }, index) => {
      const own = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...checkWeight(weight, own), ...checkPodTerm(podAffinityTerm, `${own}.podAffinityTerm`)];
    }),
  ];
}

function checkPodTerm(term: PodAffinityTerm, field: string): Cause[] {
  return [
    ...checkSelector(term.labelSelector, `${field}.labelSelector`),
    ...checkSelector(term.namespaceSelector, `${field}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name) =>
      dnsLabelProblems(name).map((problem) => bad(`${field}.namespace`, name, problem)),
    ),
    ...when(term.topologyKey === '', () => missing(`${field}.topologyKey`, 'can not be empty')),
    ...checkKey(term.topologyKey, `${field}.topologyKey`),
  ];
}

function checkSelector(selector: LabelSelector | undefined, field: string): Cause[] {
  if (!selector) return [];
  return [
    ...Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) => [
      ...checkKey(key, `${field}.matchLabels`),
      ...labelValueProblems(value).map((problem) => bad(`${field}.matchLabels`, value, problem)),
    ]),
    ...(selector.matchExpressions ?? []).flatMap(({ key, operator, values = [] }, index) => {
      const own = `${field}.matchExpressions[${index}]`;
      return [
        ...checkOperator(operator, values, own),
        ...checkKey(key, `${own}.key`),
        ...values.flatMap((value, at) =>
          labelValueProblems(value).map((problem) => bad(`${own}.values[${at}]`, value, problem)),
        ),
      ];
    }),
  ];
}

function checkSpread(constraints: readonly TopologySpreadConstraint[], field: string): Cause[] {
  return constraints.flatMap((constraint, index) => {
    const own = `${field}[${index}]`;
    const { maxSkew, minDomains, topologyKey, whenUnsatisfiable } = constraint;
    // Of two that are the same, the first one is blamed.
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    return [
      ...when(maxSkew <= 0, () => bad(`${own}.maxSkew`, maxSkew, 'must be greater than zero')),
      ...(topologyKey === ''
        ? [missing(`${own}.topologyKey`, 'can not be empty')]
        : checkKey(topologyKey, `${own}.topologyKey`)),
      ...when(!['DoNotSchedule', 'ScheduleAnyway'].includes(whenUnsatisfiable), () =>
        unsupported(`${own}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
      ),
      // The selector's path carries no index; clients know it so.
      ...checkSelector(constraint.labelSelector, `${field}.labelSelector`),
      ...when(isRepeated, () =>
        invalid(
          `${own}.{topologyKey, whenUnsatisfiable}`,
          `${own}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{${topologyKey}, ${whenUnsatisfiable}}"`,
        ),
      ),
      ...when(minDomains !== undefined && minDomains <= 0, () =>
        bad(`${own}.minDomains`, minDomains, 'must be greater than zero'),
      ),
    ];
  });
}
