/** Ports that masquerade forwards to the guest. */
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { Port, PortRange, VMISpec } from '../../../types/index.ts';
import { isPortName } from '../../kubernetes-names.ts';
import { type Cause, duplicate, invalid, type Rule, required, when } from '../../rule.ts';
import { eachInterface, networkOf } from './interfaces.ts';

const MAX_RANGES = 10;

export const portRules: readonly Rule<VMISpec>[] = [
  {
    id: 'interfaces.ports',
    field: 'domain.devices.interfaces[].ports[]',
    summary: 'A forwarded port has a number from 1 to 65535, protocol TCP or UDP, and a unique port name.',
    check: eachInterface((nic, field, spec) =>
      nic.ports && networkOf(nic, spec)?.pod ? checkPorts(nic.ports, `${field}.ports`) : [],
    ),
  },
  {
    id: 'interfaces.portRanges',
    field: 'domain.devices.interfaces[].portRanges[]',
    summary:
      'Port ranges need the gate PortRangesSpec and masquerade, exclude ports, and do not overlap; at most 10.',
    check: eachInterface((nic, field, spec, { config }) => {
      if (!nic.portRanges) return [];
      if (!isGateEnabled(config, 'PortRangesSpec')) {
        return [
          invalid(
            `${field}.name`,
            'portRanges is specified on interface but the PortRangesSpec feature gate is not enabled',
          ),
        ];
      }
      if (!networkOf(nic, spec)?.pod) return [];
      return [
        ...when(nic.ports, () =>
          invalid(`${field}.name`, 'Cannot define both ports and portRanges on interface'),
        ),
        ...when(!nic.masquerade, () =>
          invalid(`${field}.name`, 'portRanges are only supported on masquerade interfaces'),
        ),
        ...checkRanges(nic.portRanges, `${field}.portRanges`),
      ];
    }),
  },
];

function checkPorts(ports: readonly Port[], field: string): Cause[] {
  const names = ports.flatMap(({ name }, index) => {
    if (!name) return [];
    const own = `${field}[${index}].name`;
    const isRepeated = ports.findIndex((other) => other.name === name) < index;
    return [
      ...when(isRepeated, () => duplicate(own, `Duplicate name of the port: ${name}`)),
      ...when(!isPortName(name), () => invalid(own, `Invalid name of the port: ${name}`)),
    ];
  });
  const numbers = ports.flatMap(({ port, protocol }, index) => {
    const own = `${field}[${index}]`;
    return [
      ...when(port === 0, () => required(`${own}.port`, 'Port field is mandatory.')),
      ...when(port < 0 || port >= 65_536, () =>
        invalid(`${own}.port`, 'Port field must be in range 0 < x < 65536.'),
      ),
      ...when(protocol && !isProtocol(protocol), () => unknownProtocol(`${own}.protocol`)),
    ];
  });
  return [...names, ...numbers];
}

function checkRanges(ranges: readonly PortRange[], field: string): readonly Cause[] {
  if (ranges.length > MAX_RANGES)
    return [invalid(field, `No more than ${MAX_RANGES} portRanges are allowed`)];
  const problems = ranges.map((range, index) => rangeProblem(range, `${field}[${index}]`));
  const sound = ranges.filter((_, index) => problems[index] === undefined);
  return [
    ...problems.filter((problem) => problem !== undefined),
    ...['TCP', 'UDP'].flatMap((protocol) => overlaps(sound, protocol, field)),
  ];
}

/** The first thing that is wrong with a range. */
function rangeProblem({ end, protocol, start }: PortRange, field: string): Cause | undefined {
  if (!isProtocol(protocol)) return unknownProtocol(`${field}.protocol`);
  if (!isPort(start)) return invalid(`${field}.start`, 'Start must be a valid port number, 0 < x < 65536');
  if (!isPort(end)) return invalid(`${field}.end`, 'End must be a valid port number, 0 < x < 65536');
  if (start > end) return invalid(`${field}.start`, 'Start must be less than or equal to end');
  return undefined;
}

/** Ranges of one protocol, in their order, of which one begins before its predecessor ends. */
function overlaps(ranges: readonly PortRange[], protocol: string, field: string): readonly Cause[] {
  const sorted = ranges
    .filter((range) => range.protocol === protocol)
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
  return sorted.flatMap((later, index) => {
    const earlier = sorted[index - 1];
    return when(earlier !== undefined && later.start <= earlier.end, () =>
      invalid(
        field,
        `${protocol} portRanges [${earlier?.start}-${earlier?.end}] and [${later.start}-${later.end}] overlap`,
      ),
    );
  });
}

function isPort(port: number): boolean {
  return port > 0 && port < 65_536;
}

function isProtocol(protocol: string): boolean {
  return protocol === 'TCP' || protocol === 'UDP';
}

function unknownProtocol(field: string): Cause {
  return invalid(field, 'Unknown protocol, only TCP or UDP allowed');
}
