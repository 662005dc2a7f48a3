/** Leases. */
import { type FieldError, forbidden, invalid, notSupported } from '../../wire/field-errors.ts';
import { at, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { labelKeyProblems } from '../../wire/label-selector.ts';
import type { KindRules } from '../definition.ts';
import { notNegativeAt } from './common-rules.ts';

const STRATEGIES = ['OldestEmulationVersion'];

export const leaseRules: KindRules = { createOnUpdate: true, validate: (object) => leaseErrors(object) };

function leaseErrors(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const duration = at(spec, 'leaseDurationSeconds');
  const strategy = at(spec, 'strategy');
  return [
    ...(typeof duration === 'number' && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...notNegativeAt(spec, 'spec', ['leaseTransitions']),
    ...(typeof strategy === 'string' ? strategyErrors(strategy) : []),
    ...(stringAt(spec, 'preferredHolder') !== '' && stringAt(spec, 'strategy') === ''
      ? [forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}

/** A strategy of somebody else has a domain in front; one without is Kubernetes' own. Kubernetes names the field twice. */
function strategyErrors(strategy: string): FieldError[] {
  const path = 'spec.strategy.strategy';
  if (strategy.includes('/'))
    return labelKeyProblems(strategy).map((problem) => invalid(path, strategy, problem));
  return STRATEGIES.includes(strategy) ? [] : [notSupported(path, strategy, STRATEGIES)];
}
