/** What a preference needs at least, against what an instance type or the VM itself gives. */
import { parseQuantity } from '@podvisor/base';
import type { Cause } from '../rules/rule.ts';
import { invalid } from '../rules/rule.ts';
import type {
  CPU,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
  VMISpec,
} from '../types/index.ts';
import { prefersSpread } from './topology.ts';

const TEMPLATE = 'spec.template.spec';
/** Where each topology counts its vCPUs. */
const COUNTED: Readonly<Record<string, 'sockets' | 'cores' | 'threads'>> = {
  sockets: 'sockets',
  preferSockets: 'sockets',
  any: 'sockets',
  preferAny: 'sockets',
  cores: 'cores',
  preferCores: 'cores',
  threads: 'threads',
  preferThreads: 'threads',
};

/** Causes against a VM that gives less than its preference requires; empty when it suffices. */
export function requirementCauses(
  spec: VMISpec,
  preference: VirtualMachinePreferenceSpec,
  instancetype: VirtualMachineInstancetypeSpec | undefined,
): Cause[] {
  const { requirements } = preference;
  if (!requirements) return [];
  const causes = [
    requirements.cpu && cpuProblem(requirements.cpu.guest, spec, preference, instancetype),
    requirements.memory && memoryProblem(requirements.memory.guest, spec, instancetype),
    requirements.architecture ? architectureProblem(requirements.architecture, spec) : undefined,
  ];
  return causes.filter((cause) => cause !== undefined);
}

/** Causes for the fields of a VM that its instance type owns. */
export function conflictCauses(paths: readonly string[]): Cause[] {
  return paths.map((path) =>
    invalid(
      path,
      path.startsWith('instancetype.')
        ? 'the vCPUs of the instance type cannot be spread evenly as the preference asks'
        : `VM field(s) ${path} conflicts with selected instance type`,
    ),
  );
}

function cpuProblem(
  needed: number,
  spec: VMISpec,
  preference: VirtualMachinePreferenceSpec,
  instancetype: VirtualMachineInstancetypeSpec | undefined,
): Cause | undefined {
  if (instancetype) {
    const given = instancetype.cpu.guest;
    return given < needed
      ? invalid(
          'spec.instancetype',
          `insufficient CPU resources of ${given} vCPU provided by instance type, preference requires ${needed} vCPU`,
        )
      : undefined;
  }
  const field = `${TEMPLATE}.domain.cpu`;
  const { cpu } = spec.domain;
  if (!cpu)
    return invalid(field, `no CPU resources provided by VirtualMachine, preference requires ${needed} vCPU`);
  const counted = prefersSpread(preference)
    ? undefined
    : COUNTED[preference.cpu?.preferredCPUTopology ?? 'sockets'];
  const given = counted ? (cpu[counted] ?? 0) : vcpus(cpu);
  if (given >= needed) return undefined;
  const where = counted ? ` provided as ${counted}` : '';
  return invalid(
    counted ? `${field}.${counted}` : field,
    `insufficient CPU resources of ${given} vCPU provided by VirtualMachine, preference requires ${needed} vCPU${where}`,
  );
}

function vcpus({ cores, sockets, threads }: CPU): number {
  return (sockets || 1) * (cores || 1) * (threads || 1);
}

function memoryProblem(
  needed: string | number,
  spec: VMISpec,
  instancetype: VirtualMachineInstancetypeSpec | undefined,
): Cause | undefined {
  const given = instancetype?.memory.guest ?? spec.domain.memory?.guest ?? 0;
  if (parseQuantity(given).compare(parseQuantity(needed)) >= 0) return undefined;
  const giver = instancetype ? 'instance type' : 'VirtualMachine';
  return invalid(
    instancetype ? 'spec.instancetype' : `${TEMPLATE}.domain.memory`,
    `insufficient Memory resources of ${parseQuantity(given)} provided by ${giver}, preference requires ${parseQuantity(needed)}`,
  );
}

function architectureProblem(needed: string, { architecture = '' }: VMISpec): Cause | undefined {
  return architecture === needed
    ? undefined
    : invalid(
        `${TEMPLATE}.architecture`,
        `preference requires architecture ${needed} but ${architecture} is being requested`,
      );
}
