/** Addresses and node ports of Services: which are free, which are taken, when they are given back. */
import { isIP } from 'node:net';
import { addressIn, deepEqual, ipFamily } from '@podvisor/base';
import { type FieldError, invalid } from '../../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  stringAt,
} from '../../wire/json.ts';
import { internal } from '../../wire/status.ts';
import type { RuleContext } from '../definition.ts';
import { ownItems } from './fill.ts';
import { type FamilyName, fillFamilies, givenAddresses, tooManyErrors } from './service-families.ts';

export const FIRST_NODE_PORT = 30000;

export const LAST_NODE_PORT = 32767;

/** The ranges that ClusterIPs come from, by family, the default one first; set once at start. */
export const ranges = new Map<FamilyName, string>([['IPv4', '10.96.0.0/16']]);

/** Sets the ranges from CIDRs such as 10.96.0.0/16; at most one a family. */
export function setServiceCidrs(cidrs: readonly string[]): void {
  ranges.clear();
  for (const cidr of cidrs) ranges.set(`IPv${ipFamily(cidr) ?? 4}`, cidr);
}

/** A name elsewhere has no addresses here: what was given for the old type goes, unless it was set anew. */
export function forgetAddresses(spec: JsonObject, before: JsonObject): void {
  if (before['type'] === 'ExternalName') return;
  forget(spec, before, [
    'clusterIP',
    'clusterIPs',
    'ipFamilies',
    'ipFamilyPolicy',
    'externalTrafficPolicy',
    'internalTrafficPolicy',
    'allocateLoadBalancerNodePorts',
    'healthCheckNodePort',
  ]);
  for (const port of ownItems(spec, 'ports')) delete port['nodePort'];
}

export function forget(spec: JsonObject, before: JsonObject, keys: readonly string[]): void {
  for (const key of keys) if (deepEqual(spec[key], before[key])) delete spec[key];
}

export function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  if (spec['type'] !== 'NodePort' && spec['type'] !== 'LoadBalancer') {
    for (const port of ownItems(spec, 'ports')) delete port['nodePort'];
    forget(spec, before, ['externalTrafficPolicy', 'allocateLoadBalancerNodePorts']);
    return;
  }
  const portOf = (port: Json): string => `${String(at(port, 'port'))} ${stringAt(port, 'protocol')}`;
  const old = new Map(
    arrayAt(before, 'ports').map((port): [string, Json | undefined] => [portOf(port), at(port, 'nodePort')]),
  );
  for (const port of ownItems(spec, 'ports')) {
    const number = old.get(portOf(port));
    if (port['nodePort'] === undefined && typeof number === 'number') port['nodePort'] = number;
  }
}

export function allocate(spec: JsonObject, context: RuleContext): void {
  const type = spec['type'];
  // What no Service can have is not worked on: validation names it.
  if (type === 'ExternalName' || tooManyErrors(spec).length > 0) return;
  const services = context.list('/services');
  allocateAddresses(spec, services);
  if (type !== 'NodePort' && (type !== 'LoadBalancer' || spec['allocateLoadBalancerNodePorts'] === false))
    return;
  const taken = new Set(
    services.flatMap((service) => arrayAt(service, 'spec', 'ports').map((port) => at(port, 'nodePort'))),
  );
  for (const port of ownItems(spec, 'ports')) {
    if (typeof port['nodePort'] === 'number' && port['nodePort'] !== 0) continue;
    const number = freeNodePort(taken);
    taken.add(number);
    port['nodePort'] = number;
  }
}

/** Any of those that are free. Throws when none is: tenants may take all of them. */
function freeNodePort(taken: ReadonlySet<Json | undefined>): number {
  const count = LAST_NODE_PORT - FIRST_NODE_PORT + 1;
  const first = Math.floor(Math.random() * count);
  for (let i = 0; i < count; i += 1) {
    const number = FIRST_NODE_PORT + ((first + i) % count);
    if (!taken.has(number)) return number;
  }
  throw internal('failed to allocate a nodePort: range is full');
}

/** Addresses of every family that the Service has; given ones stay. */
function allocateAddresses(spec: JsonObject, services: readonly KubeObject[]): void {
  const families = fillFamilies(spec, [...ranges.keys()]);
  const given = givenAddresses(spec);
  const addresses =
    given[0] === 'None'
      ? ['None']
      : families.map(
          (family, i) =>
            given.find((address) => `IPv${ipFamily(address)}` === family) ??
            (i === 0 ? given[0] : undefined) ??
            freeAddress(services, family === 'IPv6' ? 'IPv6' : 'IPv4'),
        );
  spec['clusterIP'] = addresses[0] ?? '';
  spec['clusterIPs'] = addresses;
}

/** Addresses and ports that another Service has. */
export function takenErrors(object: KubeObject, context: RuleContext): FieldError[] {
  const others = context.list('/services').filter(({ metadata }) => metadata.uid !== object.metadata.uid);
  const errors: FieldError[] = [];
  const used = new Set(others.flatMap((other) => arrayAt(other, 'spec', 'clusterIPs').map(asString)));
  const address =
    arrayAt(object, 'spec', 'clusterIPs')
      .map(asString)
      .find((own) => used.has(own)) ?? '';
  if (isIP(address) !== 0)
    errors.push(
      invalid(
        'spec.clusterIPs',
        arrayAt(object, 'spec', 'clusterIPs'),
        `failed to allocate IP ${address}: provided IP is already allocated`,
      ),
    );
  const portOf = (port: Json): string => `${stringAt(port, 'protocol')} ${String(at(port, 'nodePort') ?? 0)}`;
  const taken = new Set(others.flatMap((other) => arrayAt(other, 'spec', 'ports').map(portOf)));
  arrayAt(object, 'spec', 'ports').forEach((port, i) => {
    const number = at(port, 'nodePort');
    if (typeof number === 'number' && number !== 0 && taken.has(portOf(port)))
      errors.push(invalid(`spec.ports[${i}].nodePort`, number, 'provided port is already allocated'));
  });
  return errors;
}

function freeAddress(services: readonly KubeObject[], family: FamilyName): string {
  const cidr = ranges.get(family) ?? [...ranges.values()][0] ?? '';
  const taken = new Set(services.flatMap((service) => arrayAt(service, 'spec', 'clusterIPs').map(asString)));
  const size = 2 ** ((ipFamily(cidr) === 6 ? 128 : 32) - Number(cidr.split('/')[1]));
  for (let tries = 0; tries < 1000; tries += 1) {
    const { address } = addressIn(cidr, 10 + Math.floor(Math.random() * (size - 12)));
    if (!taken.has(address)) return address;
  }
  throw new Error('no ClusterIP is free');
}
