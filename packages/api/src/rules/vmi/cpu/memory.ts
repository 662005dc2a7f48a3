/** Memory of the Pod and of the guest. */
import { isQuantity, parseQuantity } from '@podvisor/base';
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { Quantity, VMISpec } from '../../../types/index.ts';
import { type Cause, invalid, type Rule, required, when } from '../../rule.ts';

const REQUESTS = 'domain.resources.requests.memory';
const LIMITS = 'domain.resources.limits.memory';
const GUEST = 'domain.memory.guest';
const PAGE_SIZE = 'domain.memory.hugepages.pageSize';
const MINIMUM = parseQuantity('1M');

export const memoryRules: readonly Rule<VMISpec>[] = [
  {
    id: 'memory.requests.minimum',
    field: REQUESTS,
    summary: 'Requested memory is not negative, and at least 1M when it is given.',
    check: (spec, { path }) => {
      const requests = spec.domain.resources?.requests?.memory;
      if (requests === undefined || bytes(requests) === 0) return [];
      const field = `${path}.${REQUESTS}`;
      if (bytes(requests) < 0) return [negative(field, requests)];
      return when(parseQuantity(requests).compare(MINIMUM) < 0, () =>
        invalid(field, `${field} '${text(requests)}': must be greater than or equal to 1M.`),
      );
    },
  },
  {
    id: 'memory.limits.positive',
    field: LIMITS,
    summary: 'The memory limit is not negative.',
    check: (spec, { path }) => {
      const limits = spec.domain.resources?.limits?.memory ?? 0;
      return when(bytes(limits) < 0, () => negative(`${path}.${LIMITS}`, limits));
    },
  },
  {
    id: 'memory.requests.limit',
    field: REQUESTS,
    summary: 'Requested memory does not exceed the limit.',
    check: (spec, { path }) => {
      const requests = spec.domain.resources?.requests?.memory ?? 0;
      const limits = spec.domain.resources?.limits?.memory ?? 0;
      const field = `${path}.${REQUESTS}`;
      return when(bytes(limits) > 0 && bytes(requests) > bytes(limits), () =>
        invalid(field, `${field} '${text(requests)}' is greater than ${path}.${LIMITS} '${text(limits)}'`),
      );
    },
  },
  {
    id: 'memory.hugepages.size',
    field: PAGE_SIZE,
    summary:
      'The size of a huge page is a quantity; the requested memory is a multiple of it, at least one page.',
    check: (spec, { path }) => {
      const pageSize = spec.domain.memory?.hugepages?.pageSize;
      if (!spec.domain.memory?.hugepages) return [];
      const sizeField = `${path}.${PAGE_SIZE}`;
      if (!isQuantity(pageSize) || pageSize === undefined) {
        return [
          invalid(
            sizeField,
            `${sizeField} '${pageSize ?? ''}': quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
          ),
        ];
      }
      const requests = spec.domain.resources?.requests?.memory ?? 0;
      const memory =
        bytes(requests) ||
        bytes(spec.domain.memory.guest ?? 0) ||
        bytes(spec.domain.resources?.limits?.memory ?? 0);
      const page = bytes(pageSize);
      const field = `${path}.${REQUESTS}`;
      const subject = `${field} '${text(requests)}'`;
      const size = `${sizeField} '${pageSize}'`;
      if (memory !== 0 && memory < page)
        return [invalid(field, `${subject} must be equal to or larger than page size ${size}`)];
      return when(page !== 0 && memory % page !== 0, () =>
        invalid(field, `${subject} is not a multiple of the page size ${size}`),
      );
    },
  },
  {
    id: 'memory.guest.limit',
    field: GUEST,
    summary: 'Guest memory fits into the memory limit, unless it may be changed while the guest runs.',
    check: (spec, { config, path }) => {
      const guest = spec.domain.memory?.guest;
      const limits = spec.domain.resources?.limits?.memory ?? 0;
      if (guest === undefined || config.vmRolloutStrategy === 'LiveUpdate') return [];
      const field = `${path}.${GUEST}`;
      return when(bytes(limits) !== 0 && bytes(limits) < bytes(guest), () =>
        invalid(
          field,
          `${field} '${text(guest)}' must be equal to or less than the memory limit ${path}.${LIMITS} '${text(limits)}'`,
        ),
      );
    },
  },
];

export const reservedOverheadRules: readonly Rule<VMISpec>[] = [
  {
    id: 'memory.reservedOverhead.gate',
    field: 'domain.memory.reservedOverhead',
    summary: 'Reserved memory overhead needs the gate ReservedOverheadMemlock.',
    check: (spec, { config, path }) =>
      when(spec.domain.memory?.reservedOverhead && !isGateEnabled(config, 'ReservedOverheadMemlock'), () =>
        invalid(
          `${path}.domain.memory.reservedOverhead`,
          'Reserved overhead memlock feature gate is not enabled in kubevirt-config',
        ),
      ),
  },
];

/** Only for a VMI: inside a template the memory may still come from an instance type. */
export const memoryRequiredRule: Rule<VMISpec> = {
  id: 'memory.required',
  field: GUEST,
  summary: 'A VMI says how much memory it needs: guest memory, huge pages or a memory request.',
  check: (spec, { path }) => {
    const { memory, resources } = spec.domain;
    const isGiven =
      bytes(resources?.requests?.memory ?? 0) !== 0 || memory?.guest !== undefined || memory?.hugepages;
    return when(!isGiven, () =>
      // No single field is to blame.
      required(
        '',
        `no memory requested, at least one of '${path}.${GUEST}', '${path}.${PAGE_SIZE}' or '${path}.${REQUESTS}' must be set`,
      ),
    );
  },
};

function bytes(quantity: Quantity): number {
  return parseQuantity(quantity).value();
}

function text(quantity: Quantity): string {
  return parseQuantity(quantity).toString();
}

function negative(field: string, quantity: Quantity): Cause {
  return invalid(field, `${field} '${text(quantity)}': must be greater than or equal to 0.`);
}
