/** Ports that masquerade forwards to the guest. */
import { isGateEnabled } from '../../config/cluster-config.ts';
import type { Port, PortRange, VMISpec } from '../../types/index.ts';
import { isPortName } from '../kubernetes-names.ts';
import { type Cause, duplicate, invalid, type Rule, required, when } from '../rule.ts';
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
    check: eachInterface((nic, field, _spec, { config }) => {
      if (!nic.portRanges) return [];
      if (!isGateEnabled(config, 'PortRangesSpec')) {
        return [
          invalid(
            `${field}.name`,
            'portRanges is specified on interface but the PortRangesSpec feature gate is not enabled',
          ),
        ];
      }
      return [
        ...when(nic.ports && nic.ports.length > 0, () =>
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
      ...when(port === 0, () => required(own, 'Port field is mandatory.')),
      // 65536 itself has always passed; the Service that uses it will not.
      ...when(port < 0 || port > 65_536, () => invalid(own, 'Port field must be in range 0 < x < 65536.')),
      ...when(protocol && !isProtocol(protocol), () => unknownProtocol(`${own}.protocol`)),
    ];
  });
  return [...names, ...numbers];
}

function checkRanges(ranges: readonly PortRange[], field: string): Cause[] {
  const each = ranges.flatMap(({ end, protocol, start }, index) => {
    const own = `${field}[${index}]`;
    const isInRange = isPort(start) && isPort(end);
    return [
      ...when(protocol && !isProtocol(protocol), () => unknownProtocol(`${own}.protocol`)),
      ...when(!isPort(start), () =>
        invalid(`${own}.start`, 'Start must be a valid port number, 0 < x < 65536'),
      ),
      ...when(!isPort(end), () => invalid(`${own}.end`, 'End must be a valid port number, 0 < x < 65536')),
      ...when(isInRange && start > end, () =>
        invalid(`${own}.start`, 'Start must be less than or equal to end'),
      ),
    ];
  });
  return [
    ...when(ranges.length > MAX_RANGES, () =>
      invalid(field, `must not have more than ${MAX_RANGES} portRanges`),
    ),
    ...each,
    ...overlaps(ranges, field),
  ];
}

function overlaps(ranges: readonly PortRange[], field: string): Cause[] {
  return ranges.flatMap((later, index) =>
    ranges.slice(0, index).flatMap((earlier) => {
      const protocol = later.protocol || 'TCP';
      const isSame = protocol === (earlier.protocol || 'TCP');
      return when(isSame && earlier.start <= later.end && later.start <= earlier.end, () =>
        invalid(
          field,
          `${protocol} portRanges [${earlier.start}-${earlier.end}] and [${later.start}-${later.end}] overlap`,
        ),
      );
    }),
  );
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
