/** What a preference needs at least, against what an instance type or the VM itself gives. */
import { memberOf, parseQuantity } from '@podvisor/base';
import type { Cause } from '../rules/rule.ts';
import { invalid, notFound } from '../rules/rule.ts';
import type {
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
  VMISpec,
} from '../types/index.ts';
import { prefersSpread, SPREAD_FIELD, spreadOptions, spreadProblem } from './topology.ts';

const TEMPLATE = 'spec.template.spec';

type Part = 'cores' | 'sockets' | 'threads';

/** Where a topology counts its vCPUs, in the order of their fields, and what that is called. */
const COUNTED: Readonly<Record<string, readonly [parts: readonly Part[], name: string]>> = {
  sockets: [['sockets'], 'sockets'],
  preferSockets: [['sockets'], 'sockets'],
  cores: [['cores'], 'cores'],
  preferCores: [['cores'], 'cores'],
  threads: [['threads'], 'threads'],
  preferThreads: [['threads'], 'threads'],
  any: [['cores', 'sockets', 'threads'], 'cores, sockets and threads'],
  preferAny: [['cores', 'sockets', 'threads'], 'cores, sockets and threads'],
};

/** The same for vCPUs that are spread. */
const SPREAD: Readonly<Record<string, readonly Part[]>> = {
  SocketsCores: ['sockets', 'cores'],
  CoresThreads: ['cores', 'threads'],
  SocketsCoresThreads: ['sockets', 'cores', 'threads'],
};

/** The first cause against a VM that gives less than its preference requires. Expects the spec with its defaults. */
export function requirementCauses(
  spec: VMISpec,
  preference: VirtualMachinePreferenceSpec,
  instancetype: VirtualMachineInstancetypeSpec | undefined,
): Cause[] {
  const { requirements } = preference;
  if (!requirements) return [];
  const cause =
    (requirements.cpu && cpuProblem(requirements.cpu.guest, spec, preference, instancetype)) ??
    (requirements.memory && memoryProblem(requirements.memory.guest, spec, instancetype)) ??
    (requirements.architecture ? architectureProblem(requirements.architecture, spec) : undefined);
  return cause === undefined ? [] : [cause];
}

/** The cause against an instance type whose vCPUs the preference cannot spread evenly. */
export function spreadCauses(
  instancetype: VirtualMachineInstancetypeSpec | undefined,
  preference: VirtualMachinePreferenceSpec | undefined,
): Cause[] {
  const problem = instancetype && spreadProblem(instancetype.cpu.guest, preference);
  return problem === undefined ? [] : [invalid(SPREAD_FIELD, problem)];
}

/** Causes for the fields of a VM that its instance type owns. */
export function conflictCauses(paths: readonly string[]): Cause[] {
  return paths.map((path) => invalid(path, `VM field(s) ${path} conflicts with selected instance type`));
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
      ? notFound(
          'spec.instancetype',
          `insufficient CPU resources of ${given} vCPU provided by instance type, preference requires ${needed} vCPU`,
        )
      : undefined;
  }
  const field = `${TEMPLATE}.domain.cpu`;
  const { cpu } = spec.domain;
  if (!cpu)
    return notFound(field, `no CPU resources provided by VirtualMachine, preference requires ${needed} vCPU`);
  const [parts, name] = countedIn(preference);
  // A topology that nobody knows counts nowhere.
  if (parts.length === 0) return undefined;
  const given = parts.reduce((product, part) => product * (cpu[part] ?? 0), 1);
  if (given >= needed) return undefined;
  return notFound(
    parts.map((part) => `${field}.${part}`).join(', '),
    `insufficient CPU resources of ${given} vCPU provided by VirtualMachine, preference requires ${needed} vCPU provided as ${name}`,
  );
}

function countedIn(
  preference: VirtualMachinePreferenceSpec,
): readonly [parts: readonly Part[], name: string] {
  if (prefersSpread(preference)) {
    const { across } = spreadOptions(preference);
    return [memberOf(SPREAD, across) ?? [], across];
  }
  return memberOf(COUNTED, preference.cpu?.preferredCPUTopology ?? 'sockets') ?? [[], ''];
}

function memoryProblem(
  needed: string | number,
  spec: VMISpec,
  instancetype: VirtualMachineInstancetypeSpec | undefined,
): Cause | undefined {
  const given = spec.domain.memory?.guest ?? instancetype?.memory.guest ?? 0;
  if (parseQuantity(given).compare(parseQuantity(needed)) >= 0) return undefined;
  const giver = instancetype ? 'instance type' : 'VirtualMachine';
  return notFound(
    instancetype ? 'spec.instancetype' : `${TEMPLATE}.domain.memory`,
    `insufficient Memory resources of ${parseQuantity(given)} provided by ${giver}, preference requires ${parseQuantity(needed)}`,
  );
}

function architectureProblem(needed: string, { architecture = '' }: VMISpec): Cause | undefined {
  return architecture === needed
    ? undefined
    : notFound(
        `${TEMPLATE}.architecture`,
        `preference requires architecture ${needed} but ${architecture} is being requested`,
      );
}
