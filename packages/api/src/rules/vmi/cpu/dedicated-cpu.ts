/** CPUs that belong to the guest alone: pinning, NUMA, isolated emulator thread, realtime. */
import { parseQuantity } from '@podvisor/base';
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { CPU, Quantity, VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, type Rule, type RuleContext, required, when } from '../../rule.ts';

const PLACEMENT = 'domain.cpu.dedicatedCpuPlacement';
const NUMA = 'domain.cpu.numa.guestMappingPassthrough';
const REALTIME = 'domain.cpu.realtime';
const REQUESTS = 'domain.resources.requests.cpu';
const LIMITS = 'domain.resources.limits.cpu';
const CORES = 'domain.cpu.cores';

interface Amounts {
  readonly requests: number;
  readonly limits: number;
  readonly vcpus: number;
}

/** A rule that only speaks when CPUs are pinned. */
function pinned(
  rule: Omit<Rule<VMISpec>, 'check'> & {
    readonly check: (spec: VMISpec, context: RuleContext, cpu: Amounts) => readonly Cause[];
  },
): Rule<VMISpec> {
  return {
    ...rule,
    check: (spec, context) =>
      spec.domain.cpu?.dedicatedCpuPlacement ? rule.check(spec, context, amountsOf(spec)) : [],
  };
}

export const dedicatedCpuRules: readonly Rule<VMISpec>[] = [
  pinned({
    id: 'cpu.dedicated.memory',
    field: 'domain.resources.limits.memory',
    summary: 'Pinned CPUs need known memory: requests, limits, huge pages or guest memory.',
    check: (spec, { path }) => {
      const { memory, resources } = spec.domain;
      const isKnown =
        whole(resources?.limits?.memory) !== 0 ||
        whole(resources?.requests?.memory) !== 0 ||
        memory?.hugepages !== undefined ||
        whole(memory?.guest) !== 0;
      return when(!isKnown, () =>
        invalid(
          `${path}.domain.resources.limits.memory`,
          `${path}.domain.resources.requests.memory, ${path}.domain.resources.limits.memory, ${path}.domain.memory.hugepages or ${path}.domain.memory.guest should be provided`,
        ),
      );
    },
  }),
  pinned({
    id: 'cpu.dedicated.requests.integer',
    field: REQUESTS,
    summary: 'With pinned CPUs the request is a whole number.',
    check: (spec, { path }) =>
      when(isFraction(spec.domain.resources?.requests?.cpu), () =>
        invalid(`${path}.${REQUESTS}`, 'provided resources CPU requests must be an interger'),
      ),
  }),
  pinned({
    id: 'cpu.dedicated.limits.integer',
    field: LIMITS,
    summary: 'With pinned CPUs the limit is a whole number.',
    check: (spec, { path }) =>
      when(isFraction(spec.domain.resources?.limits?.cpu), () =>
        invalid(`${path}.${LIMITS}`, 'provided resources CPU limits must be an interger'),
      ),
  }),
  pinned({
    id: 'cpu.dedicated.memory.equal',
    field: 'domain.resources.requests.memory',
    summary: 'With pinned CPUs the memory request equals its limit.',
    check: (spec, { path }) => {
      const requests = whole(spec.domain.resources?.requests?.memory);
      const limits = whole(spec.domain.resources?.limits?.memory);
      const field = `${path}.domain.resources.requests.memory`;
      return when(requests > 0 && limits > 0 && requests !== limits, () =>
        invalid(field, `${field} must be equal to ${path}.domain.resources.limits.memory`),
      );
    },
  }),
  pinned({
    id: 'cpu.dedicated.count',
    field: PLACEMENT,
    summary: 'Pinned CPUs are counted by a topology or by CPU requests or limits.',
    check: (_spec, { path }, { limits, requests, vcpus }) =>
      when(requests === 0 && limits === 0 && vcpus === 0, () =>
        invalid(
          `${path}.${PLACEMENT}`,
          `either ${path}.${REQUESTS} or ${path}.${LIMITS} or ${path}.${CORES} must be provided when DedicatedCPUPlacement is true `,
        ),
      ),
  }),
  pinned({
    id: 'cpu.dedicated.equal',
    field: PLACEMENT,
    summary: 'With pinned CPUs the CPU request equals its limit.',
    check: (_spec, { path }, { limits, requests }) =>
      when(requests > 0 && limits > 0 && requests !== limits, () =>
        invalid(
          `${path}.${PLACEMENT}`,
          `${path}.${REQUESTS} or ${path}.${LIMITS} must be equal when DedicatedCPUPlacement is true `,
        ),
      ),
  }),
  pinned({
    id: 'cpu.dedicated.topology',
    field: PLACEMENT,
    summary: 'With pinned CPUs, requests or limits count as many CPUs as the topology.',
    check: (_spec, { path }, { limits, requests, vcpus }) =>
      when((requests > 0 || limits > 0) && vcpus > 0 && requests !== vcpus && limits !== vcpus, () =>
        invalid(
          `${path}.${PLACEMENT}`,
          `${path}.${REQUESTS} or ${path}.${LIMITS} must not be provided at the same time with ${path}.${CORES} when DedicatedCPUPlacement is true `,
        ),
      ),
  }),
  pinned({
    id: 'cpu.dedicated.threads.arm64',
    field: 'architecture',
    summary: 'Pinned CPUs on arm64 have one thread a core.',
    check: (spec, { config, path }) => {
      const threads = spec.domain.cpu?.threads ?? 0;
      return when(threads > 1 && (spec.architecture || config.defaultArchitecture) === 'arm64', () =>
        invalid(
          `${path}.architecture`,
          `threads must not be greater than 1 at ${path}.domain.cpu.threads (got ${threads}) when ${path}.architecture is arm64`,
        ),
      );
    },
  }),
  pinned({
    id: 'cpu.dedicated.threads',
    field: PLACEMENT,
    summary: 'Pinned CPUs have at most two threads a core.',
    check: (spec, { path }) => {
      const threads = spec.domain.cpu?.threads ?? 0;
      return when(threads > 2, () =>
        invalid(
          `${path}.${PLACEMENT}`,
          `Not more than two threads must be provided at ${path}.domain.cpu.threads (got ${threads}) when DedicatedCPUPlacement is true`,
        ),
      );
    },
  }),
  {
    id: 'cpu.numa',
    field: NUMA,
    summary: 'NUMA passthrough needs pinned CPUs and huge pages.',
    check: (spec, { config, path }) => {
      if (!spec.domain.cpu?.numa?.guestMappingPassthrough) return [];
      const field = `${path}.${NUMA}`;
      return [
        ...when(!isGateEnabled(config, 'NUMA'), () =>
          invalid(field, `NUMA feature gate is not enabled in kubevirt-config, invalid entry ${field}`),
        ),
        ...when(!spec.domain.cpu.dedicatedCpuPlacement, () =>
          invalid(
            field,
            `${path}.${PLACEMENT} must be set to true when NUMA topology strategy is set in ${field}`,
          ),
        ),
        ...when(!spec.domain.memory?.hugepages, () =>
          invalid(
            field,
            `${path}.domain.memory.hugepages must be requested when NUMA topology strategy is set in ${field}`,
          ),
        ),
      ];
    },
  },
  {
    id: 'cpu.isolateEmulatorThread',
    field: 'domain.cpu.isolateEmulatorThread',
    summary: 'An isolated emulator thread needs pinned CPUs.',
    check: (spec, { path }) =>
      when(spec.domain.cpu?.isolateEmulatorThread && !spec.domain.cpu.dedicatedCpuPlacement, () =>
        invalid(
          `${path}.domain.cpu.isolateEmulatorThread`,
          'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement',
        ),
      ),
  },
];

export const realtimeRules: readonly Rule<VMISpec>[] = [
  {
    id: 'cpu.realtime',
    field: REALTIME,
    summary: 'Realtime needs pinned CPUs and NUMA passthrough.',
    check: (spec, { path }) => {
      const { cpu } = spec.domain;
      if (!cpu?.realtime) return [];
      return [
        ...when(!cpu.dedicatedCpuPlacement, () =>
          required(
            `${path}.${PLACEMENT}`,
            `${path}.${PLACEMENT} must be set to true when ${path}.${REALTIME} is used`,
          ),
        ),
        ...when(!cpu.numa?.guestMappingPassthrough, () =>
          required(`${path}.${NUMA}`, `${path}.${NUMA} must be defined when ${path}.${REALTIME} is used`),
        ),
      ];
    },
  },
];

function amountsOf(spec: VMISpec): Amounts {
  return {
    requests: whole(spec.domain.resources?.requests?.cpu),
    limits: whole(spec.domain.resources?.limits?.cpu),
    vcpus: vcpuCount(spec.domain.cpu),
  };
}

/** vCPUs of a topology: an unset part counts as one, a topology without any part as none. */
export function vcpuCount(cpu: CPU | undefined): number {
  const parts = [cpu?.sockets, cpu?.cores, cpu?.threads].map((part) => part ?? 0);
  return parts.some((part) => part > 0) ? parts.reduce((product, part) => product * (part || 1), 1) : 0;
}

function whole(quantity: Quantity = 0): number {
  return parseQuantity(quantity).value();
}

function isFraction(quantity: Quantity = 0): boolean {
  return whole(quantity) > 0 && whole(quantity) * 1000 !== parseQuantity(quantity).milliValue();
}
