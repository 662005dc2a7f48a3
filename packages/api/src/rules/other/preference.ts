/** Rules of preferences: how vCPUs are spread over sockets, cores and threads. */
import { memberOf } from '@podvisor/base';
import { prefersSpread, spreadOptions } from '../../instancetype/topology.ts';
import type { VirtualMachinePreferenceSpec } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { invalid, when } from '../rule.ts';
import { fitsUnsigned, unreadableNumber } from '../go-unsigned.ts';

const ACROSS = ['SocketsCoresThreads', 'SocketsCores', 'CoresThreads'];
const THREADS_PER_CORE = 2;
/** Old names of topologies that are still accepted, with a warning. */
const OLD_TOPOLOGIES: Readonly<Record<string, string>> = {
  preferSockets: 'sockets',
  preferCores: 'cores',
  preferThreads: 'threads',
  preferSpread: 'spread',
  preferAny: 'any',
};

const TOPOLOGIES = Object.values(OLD_TOPOLOGIES);

export function validatePreference(spec: VirtualMachinePreferenceSpec): Admission {
  for (const [field, value] of counts(spec))
    if (value !== undefined && !fitsUnsigned(value, 'uint32'))
      return refusal(unreadableNumber(value, field, 'uint32'), 400);
  const topology = spec.cpu?.preferredCPUTopology ?? '';
  const renamed = memberOf(OLD_TOPOLOGIES, topology);
  const warnings = renamed
    ? [
        `PreferredCPUTopology ${topology} is deprecated for removal in a future release, please use ${renamed} instead`,
      ]
    : [];
  const isKnown = renamed !== undefined || TOPOLOGIES.includes(topology);
  const unknown = when(spec.cpu?.preferredCPUTopology !== undefined && !isKnown, () =>
    invalid('spec.cpu.preferredCPUTopology', `unknown preferredCPUTopology ${topology}`),
  );
  if (!prefersSpread(spec)) return admissionOf(unknown, warnings);
  const { across, ratio } = spreadOptions(spec);
  return admissionOf(
    [
      ...when(!ACROSS.includes(across), () =>
        invalid('spec.cpu.spreadOptions.across', `across ${across} is not supported`),
      ),
      ...when(across === 'CoresThreads' && ratio !== THREADS_PER_CORE, () =>
        invalid(
          'spec.cpu.spreadOptions.ratio',
          'only a ratio of 2 (1 core 2 threads) is allowed when spreading vCPUs over cores and threads',
        ),
      ),
    ],
    warnings,
  );
}

/** Numbers that count something, by the type and path that KubeVirt knows them by. */
function counts(spec: VirtualMachinePreferenceSpec): readonly (readonly [string, number | undefined])[] {
  return [
    ['VirtualMachinePreferenceSpec.spec.preferSpreadSocketToCoreRatio', spec.preferSpreadSocketToCoreRatio],
    ['SpreadOptions.spec.cpu.spreadOptions.ratio', spec.cpu?.spreadOptions?.ratio],
    ['CPUPreferenceRequirement.spec.requirements.cpu.guest', spec.requirements?.cpu?.guest],
  ];
}
