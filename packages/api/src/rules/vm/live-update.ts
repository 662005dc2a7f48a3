/** Limits for what is plugged into a running VM. */
import { hotplugMemoryProblem } from '../../lifecycle/memory-hotplug.ts';
import type { VMISpec } from '../../types/index.ts';
import { invalid, type Rule } from '../rule.ts';

export const liveUpdateRules: readonly Rule<VMISpec>[] = [
  {
    id: 'vm.memory.maxGuest',
    field: 'domain.memory.maxGuest',
    summary:
      'A VM whose memory may grow has at least 1Gi, aligned, on amd64, without realtime, NUMA passthrough or encryption.',
    check: (spec, { config, path }) => {
      const maxGuest = spec.domain.memory?.maxGuest;
      if (config.vmRolloutStrategy !== 'LiveUpdate' || maxGuest === undefined) return [];
      const problem = hotplugMemoryProblem(spec, maxGuest);
      return problem === undefined ? [] : [invalid(`${path}.domain.memory.guest`, problem)];
    },
  },
];
