/** How a guest starts, reboots and leaves its node. */
import { isGateEnabled } from '../../config/cluster-config.ts';
import type { VMISpec } from '../../types/index.ts';
import { invalid, type Rule, when } from '../rule.ts';

const EVICTION_STRATEGIES = [
  'None',
  'LiveMigrate',
  'LiveMigrateIfPossible',
  'External',
  'HibernateIfNotMigratable',
];

export const startStrategyRule: Rule<VMISpec> = {
  id: 'startStrategy',
  field: 'startStrategy',
  summary: 'The only start strategy is Paused, and it does not go with a liveness probe.',
  check: (spec, { path }) => {
    if (spec.startStrategy === undefined) return [];
    const field = `${path}.startStrategy`;
    if (spec.startStrategy !== 'Paused')
      return [invalid(field, `${field} is set with an unrecognized option: ${spec.startStrategy}`)];
    return when(spec.livenessProbe, () =>
      invalid(
        field,
        `either ${field} or ${path}.livenessProbe should be provided.Pausing VMI with LivenessProbe is not supported`,
      ),
    );
  },
};

export const evictionRules: readonly Rule<VMISpec>[] = [
  {
    id: 'evictionStrategy',
    field: 'evictionStrategy',
    summary:
      'The eviction strategy is None, LiveMigrate, LiveMigrateIfPossible, External or HibernateIfNotMigratable.',
    check: (spec, { config, path }) => {
      const strategy = spec.evictionStrategy ?? config.evictionStrategy;
      const field = `${path}.evictionStrategy`;
      return when(!EVICTION_STRATEGIES.includes(strategy), () =>
        invalid(field, `${field} is set with an unrecognized option: ${strategy}`),
      );
    },
  },
];

export const rebootPolicyRules: readonly Rule<VMISpec>[] = [
  {
    id: 'rebootPolicy.gate',
    field: 'domain.rebootPolicy',
    summary: 'A reboot policy needs the gate RebootPolicy.',
    check: (spec, { config, path }) =>
      when(spec.domain.rebootPolicy !== undefined && !isGateEnabled(config, 'RebootPolicy'), () =>
        invalid(
          `${path}.domain.rebootPolicy`,
          'RebootPolicy is specified but the RebootPolicy feature gate is not enabled',
        ),
      ),
  },
];
