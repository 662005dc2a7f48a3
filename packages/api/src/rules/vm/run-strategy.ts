/** Whether a VM runs: runStrategy, or the old running. */
import { isGateEnabled } from '../../config/cluster-config.ts';
import { runStrategies } from '../../names.ts';
import type { VMSpec } from '../../types/index.ts';
import { invalid, type Rule, when } from '../rule.ts';

export const runStrategyRules: readonly Rule<VMSpec>[] = [
  {
    id: 'vm.runStrategy',
    field: 'runStrategy, running',
    summary: 'Exactly one of runStrategy and the deprecated running is set, to a value we know.',
    check: ({ running, runStrategy }, { config, path }) => {
      if (running !== undefined && runStrategy !== undefined) {
        return [
          invalid(
            `${path}.running`,
            'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
          ),
        ];
      }
      if (running !== undefined) return [];
      const field = `${path}.runStrategy`;
      if (runStrategy === undefined) return [invalid(field, 'RunStrategy must be specified')];
      if (!runStrategies.some((known) => known === runStrategy))
        return [invalid(field, `Invalid RunStrategy (${runStrategy})`)];
      return when(
        runStrategy === 'WaitAsReceiver' && !isGateEnabled(config, 'DecentralizedLiveMigration'),
        () =>
          invalid(
            field,
            `Invalid RunStrategy (${runStrategy}), DecentralizedLiveMigration feature gate is not enabled in kubevirt resource`,
          ),
      );
    },
  },
];
