/** Whether a VM runs: runStrategy, or the old running. */
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import { runStrategies } from '../../names.ts';
import type { VMSpec } from '../../types/index.ts';
import { type Cause, invalid, type Rule, when } from '../rule.ts';

export const runStrategyRules: readonly Rule<VMSpec>[] = [
  {
    id: 'vm.runStrategy',
    field: 'runStrategy, running',
    summary: 'Exactly one of runStrategy and the deprecated running is set, to a value we know.',
    check: ({ running, runStrategy }, { config, path }) => [
      ...when(running !== undefined && runStrategy !== undefined, () =>
        invalid(
          `${path}.running`,
          'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
        ),
      ),
      ...when(running === undefined && runStrategy === undefined, () =>
        invalid(`${path}.running`, 'RunStrategy must be specified'),
      ),
      ...(runStrategy === undefined ? [] : strategyCauses(runStrategy, config, `${path}.runStrategy`)),
    ],
  },
];

function strategyCauses(strategy: string, config: ClusterConfig, field: string): readonly Cause[] {
  if (!runStrategies.some((known) => known === strategy))
    return [invalid(field, `Invalid RunStrategy (${strategy})`)];
  return when(strategy === 'WaitAsReceiver' && !isGateEnabled(config, 'DecentralizedLiveMigration'), () =>
    invalid(
      field,
      `Invalid RunStrategy (${strategy}), DecentralizedLiveMigration feature gate is not enabled in kubevirt resource`,
    ),
  );
}
