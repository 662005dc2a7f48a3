/** Nodes. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../wire/field-errors.ts';
import { arrayAt, asString, at, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { labelKeyProblems, labelValueProblems } from '../../wire/label-selector.ts';
import type { KindRules } from '../definition.ts';
import { own } from './fill.ts';
import { CIDR_TEXT, isCidr } from './network/policy.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const nodeRules: KindRules = {
  selectable: ['spec.unschedulable'],
  select: (object) => String(at(object, 'spec', 'unschedulable') === true),
  statusOnCreate: true,
  default: (object) => {
    defaultCidrs(object);
    const status = own(object, 'status');
    if (status !== undefined && status['allocatable'] === undefined && status['capacity'] !== undefined)
      status['allocatable'] = status['capacity'];
  },
  validate: (object) => [...taintErrors(object), ...resourceErrors(object), ...cidrErrors(object)],
  validateUpdate: (object, old) => updateErrors(object, old),
  validateStatusUpdate: (object) => [...resourceErrors(object), ...addressErrors(object)],
};

/** The older field and the first of the newer ones are one; where they differ the older is meant. */
function defaultCidrs(object: KubeObject): void {
  const spec = own(object, 'spec');
  if (spec === undefined) return;
  const [one, first] = [stringAt(spec, 'podCIDR'), arrayAt(spec, 'podCIDRs')[0]];
  if (one !== '' && first !== one) spec['podCIDRs'] = [one];
  else if (one === '' && first !== undefined) spec['podCIDR'] = first;
}

function cidrErrors(object: KubeObject): FieldError[] {
  const cidrs = arrayAt(object, 'spec', 'podCIDRs').map(asString);
  const errors = cidrs.flatMap((cidr, i) =>
    isCidr(cidr) ? [] : [invalid(`spec.podCIDRs[${i}]`, cidr, CIDR_TEXT)],
  );
  const families = new Set(cidrs.map((cidr) => cidr.includes(':')));
  if (families.size < cidrs.length)
    errors.push(invalid('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family'));
  return errors;
}

const CIDRS = 'node updates may not change podCIDR except from "" to valid';

/** What is set once stays: the network of the node's Pods and the machine that it is. */
function updateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const cidrs = arrayAt(old, 'spec', 'podCIDRs');
  const [id, oldId] = [stringAt(object, 'spec', 'providerID'), stringAt(old, 'spec', 'providerID')];
  return [
    ...addressErrors(object),
    ...(cidrs.length > 0 && !deepEqual(cidrs, arrayAt(object, 'spec', 'podCIDRs'))
      ? [forbidden('spec.podCIDRs', CIDRS)]
      : []),
    ...(oldId === '' || id === oldId
      ? []
      : [invalid('spec.providerID', null, `field cannot be ${id === '' ? 'cleared' : 'modified'} once set`)]),
  ];
}

function addressErrors(object: KubeObject): FieldError[] {
  const addresses = arrayAt(object, 'status', 'addresses');
  return addresses.flatMap((address, i) =>
    addresses.findIndex((other) => deepEqual(other, address)) < i
      ? [
          duplicate(`status.addresses[${i}]`, {
            Type: stringAt(address, 'type'),
            Address: stringAt(address, 'address'),
          }),
        ]
      : [],
  );
}

/** Extended resources are counted in whole numbers; nothing is negative. */
function resourceErrors(object: KubeObject): FieldError[] {
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectAt(object, 'status', list)).flatMap(([name, value]) => {
      const path = `status.${list}.${name}`;
      if (typeof value !== 'string' || value === '') return [];
      const quantity = parseQuantity(value);
      if (quantity.nano < 0n) return [invalid(path, value, 'must be greater than or equal to 0')];
      const isWhole = quantity.nano % 1_000_000_000n === 0n;
      return name.includes('/') && !name.startsWith('kubernetes.io/') && !isWhole
        ? [invalid(path, value, 'must be an integer')]
        : [];
    }),
  );
}

function taintErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  arrayAt(object, 'spec', 'taints').forEach((taint, i) => {
    // Kubernetes names the taints below metadata.
    const path = `metadata.taints[${i}]`;
    const [key, value, effect] = [
      stringAt(taint, 'key'),
      stringAt(taint, 'value'),
      stringAt(taint, 'effect'),
    ];
    for (const problem of labelKeyProblems(key)) errors.push(invalid(`${path}.key`, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(`${path}.value`, value, problem));
    if (effect === '') errors.push(required(`${path}.effect`));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
    if (seen.has(`${key} ${effect}`)) {
      const error = duplicate(path, { Key: key, Value: value, Effect: effect, TimeAdded: null });
      errors.push({ ...error, message: `${error.message}: taints must be unique by key and effect pair` });
    }
    seen.add(`${key} ${effect}`);
  });
  return errors;
}
