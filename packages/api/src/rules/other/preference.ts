/** Rules of preferences: how vCPUs are spread over sockets, cores and threads. */
import type { VirtualMachinePreferenceSpec } from '../../types/index.ts';
import { type Admission, admissionOf } from '../admission.ts';
import { invalid, when } from '../rule.ts';

const ACROSS = ['SocketsCoresThreads', 'SocketsCores', 'CoresThreads'];
const DEFAULT_RATIO = 2;
/** Old names of topologies that are still accepted, with a warning. */
const OLD_TOPOLOGIES: Readonly<Record<string, string>> = {
  preferSockets: 'sockets',
  preferCores: 'cores',
  preferThreads: 'threads',
  preferSpread: 'spread',
  preferAny: 'any',
};

export function validatePreference(spec: VirtualMachinePreferenceSpec): Admission {
  const { preferredCPUTopology: topology = '', spreadOptions } = spec.cpu ?? {};
  const renamed = OLD_TOPOLOGIES[topology];
  const warnings = renamed
    ? [`PreferredCPUTopology ${topology} is deprecated for removal in a future release, please use ${renamed} instead`]
    : [];
  if (topology !== 'spread' && topology !== 'preferSpread') return admissionOf([], warnings);
  const across = spreadOptions?.across ?? 'SocketsCores';
  const ratio = spreadOptions?.ratio ?? (spec.preferSpreadSocketToCoreRatio || DEFAULT_RATIO);
  return admissionOf(
    [
      ...when(!ACROSS.includes(across), () =>
        invalid('spec.cpu.spreadOptions.across', `across ${across} is not supported`),
      ),
      ...when(across === 'CoresThreads' && ratio > DEFAULT_RATIO, () =>
        invalid(
          'spec.cpu.spreadOptions.ratio',
          'only a ratio of 2 (1 core 2 threads) is allowed when spreading vCPUs over cores and threads',
        ),
      ),
    ],
    warnings,
  );
}
