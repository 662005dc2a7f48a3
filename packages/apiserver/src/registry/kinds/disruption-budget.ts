/** PodDisruptionBudgets. */
import { type FieldError, invalid, notSupported } from '../../wire/field-errors.ts';
import { at, type KubeObject, objectAt } from '../../wire/json.ts';
import { labelSelectorErrors } from '../../wire/selector-rules.ts';
import type { KindRules } from '../definition.ts';
import { atMostAll, intOrPercentErrors, notNegativeAt } from './common-rules.ts';
import { conditionErrors } from './conditions.ts';

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

export const budgetRules: KindRules = {
  hasGeneration: true,
  prepareCreate: (object) => {
    object['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  validate: (object) => budgetErrors(object),
  validateStatusUpdate: (object) => [
    ...conditionErrors(at(object, 'status', 'conditions'), 'status.conditions'),
    ...notNegativeAt(objectAt(object, 'status'), 'status', [
      'disruptionsAllowed',
      'currentHealthy',
      'desiredHealthy',
      'expectedPods',
    ]),
  ],
};

function budgetErrors(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const both = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(both
      ? [
          invalid(
            'spec',
            {
              MinAvailable: minAvailable,
              Selector: selector ?? null,
              MaxUnavailable: maxUnavailable,
              UnhealthyPodEvictionPolicy: policy ?? null,
            },
            'minAvailable and maxUnavailable cannot be both set',
          ),
        ]
      : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((field) => [
      ...intOrPercentErrors(`spec.${field}`, spec[field]),
      ...atMostAll(`spec.${field}`, spec[field]),
    ]),
    ...labelSelectorErrors(selector, 'spec.selector'),
    ...(policy === undefined || (typeof policy === 'string' && POLICIES.includes(policy))
      ? []
      : [notSupported('spec.unhealthyPodEvictionPolicy', policy, POLICIES)]),
  ];
}
