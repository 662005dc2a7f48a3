/** CPU requests, topology and features. Rules of pinned CPUs are in dedicated-cpu.ts. */
import { parseQuantity } from '@podvisor/base';
import type { Quantity, VMISpec } from '../../../types/index.ts';
import { invalid, notSupported, type Rule, when } from '../../rule.ts';

const REQUESTS = 'domain.resources.requests.cpu';
const LIMITS = 'domain.resources.limits.cpu';
const FEATURE_POLICIES = ['', 'force', 'require', 'optional', 'disable', 'forbid'];

export const cpuRules: readonly Rule<VMISpec>[] = [
  {
    id: 'cpu.requests.positive',
    field: REQUESTS,
    summary: 'Requested CPU is not negative.',
    check: (spec, { path }) => notNegative(`${path}.${REQUESTS}`, spec.domain.resources?.requests?.cpu),
  },
  {
    id: 'cpu.limits.positive',
    field: LIMITS,
    summary: 'The CPU limit is not negative.',
    check: (spec, { path }) => notNegative(`${path}.${LIMITS}`, spec.domain.resources?.limits?.cpu),
  },
  {
    id: 'cpu.requests.limit',
    field: REQUESTS,
    summary: 'Requested CPU does not exceed the limit.',
    check: (spec, { path }) => {
      const requests = spec.domain.resources?.requests?.cpu ?? 0;
      const limits = spec.domain.resources?.limits?.cpu ?? 0;
      const field = `${path}.${REQUESTS}`;
      return when(milli(limits) > 0 && milli(requests) > milli(limits), () =>
        invalid(field, `${field} '${text(requests)}' is greater than ${path}.${LIMITS} '${text(limits)}'`),
      );
    },
  },
];

export const cpuFeatureRules: readonly Rule<VMISpec>[] = [
  {
    id: 'cpu.features.policy',
    field: 'domain.cpu.features[].policy',
    summary: 'The policy of a CPU feature is force, require, optional, disable or forbid.',
    check: (spec, { path }) =>
      (spec.domain.cpu?.features ?? []).flatMap(({ name, policy = '' }, index) =>
        when(!FEATURE_POLICIES.includes(policy), () =>
          notSupported(
            `${path}.domain.cpu.features[${index}].policy`,
            `CPU feature ${name} uses policy ${policy} that is not supported.`,
          ),
        ),
      ),
  },
  {
    id: 'cpu.sockets.maximum',
    field: 'domain.cpu.sockets',
    summary: 'There are at most as many sockets as maxSockets allows.',
    check: (spec, { path }) => {
      const { maxSockets = 0, sockets = 0 } = spec.domain.cpu ?? {};
      return when(maxSockets !== 0 && sockets > maxSockets, () =>
        invalid(
          `${path}.domain.cpu.sockets`,
          'Number of sockets in CPU topology is greater than the maximum sockets allowed',
        ),
      );
    },
  },
];

function milli(quantity: Quantity): number {
  return parseQuantity(quantity).milliValue();
}

function text(quantity: Quantity): string {
  return parseQuantity(quantity).toString();
}

function notNegative(field: string, quantity: Quantity = 0) {
  return when(milli(quantity) < 0, () =>
    invalid(field, `${field} '${text(quantity)}': must be greater than or equal to 0.`),
  );
}
