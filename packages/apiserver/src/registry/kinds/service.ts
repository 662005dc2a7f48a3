/** Services: ports, cluster IPs and node ports, and the defaults that depend on the type. */
import { isIP } from 'node:net';
import { addressIn, deepEqual, ipFamily, isInPrefix } from '@podvisor/base';
import { labelProblems } from '../../verbs/metadata.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../wire/json.ts';
import { repeats } from '../../wire/repeats.ts';
import { labelKeyProblems, labelValueProblems } from '../../wire/label-selector.ts';
import { internal } from '../../wire/status.ts';
import type { KindRules, RuleContext } from '../definition.ts';
import { ensure, fill, ownItems } from './fill.ts';
import { portNameProblems } from './pod/probes.ts';
import { externalIpErrors } from './service-external-ips.ts';
import {
  type FamilyName,
  familyErrors,
  fillFamilies,
  givenAddresses,
  releaseSecond,
  tooManyErrors,
} from './service-families.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PORT_TEXT = 'must be between 1 and 65535, inclusive';
const FIRST_NODE_PORT = 30000;
const LAST_NODE_PORT = 32767;

/** The ranges that ClusterIPs come from, by family, the default one first; set once at start. */
const ranges = new Map<FamilyName, string>([['IPv4', '10.96.0.0/16']]);

/** Sets the ranges from CIDRs such as 10.96.0.0/16; at most one a family. */
export function setServiceCidrs(cidrs: readonly string[]): void {
  ranges.clear();
  for (const cidr of cidrs) ranges.set(`IPv${ipFamily(cidr) ?? 4}`, cidr);
}

export const serviceRules: KindRules = {
  nameRule: 'label',
  createOnUpdate: true,
  selectable: ['spec.clusterIP', 'spec.type'],
  default: (object) => defaultService(ensure(object, 'spec')),
  prepareCreate: (object, context) => {
    const spec = ensure(object, 'spec');
    allocate(spec, context);
    object['status'] = { loadBalancer: {} };
  },
  prepareUpdate: (object, old, context) => {
    const spec = ensure(object, 'spec');
    const before = objectAt(old, 'spec');
    if (before['type'] === 'ExternalName' && spec['type'] !== 'ExternalName')
      forget(spec, before, ['externalName']);
    if (stringAt(spec, 'type') === 'ExternalName') {
      forgetAddresses(spec, before);
      return;
    }
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      const kept = before[key];
      if (spec[key] === undefined && kept !== undefined) spec[key] = kept;
    }
    releaseSecond(spec, before);
    keepNodePorts(spec, before);
    allocate(spec, context);
  },
  validate: (object, context) => {
    const errors = validateService(object);
    return errors.length > 0 ? errors : takenErrors(object, context);
  },
  validateUpdate: (object, old) => {
    const [now, before] = [stringAt(object, 'spec', 'clusterIP'), stringAt(old, 'spec', 'clusterIP')];
    if (
      before === '' ||
      now === before ||
      stringAt(old, 'spec', 'type') === 'ExternalName' ||
      stringAt(object, 'spec', 'type') === 'ExternalName'
    )
      return [];
    return [invalid('spec.clusterIPs[0]', arrayAt(object, 'spec', 'clusterIPs'), 'may not change once set')];
  },
};

function defaultService(spec: JsonObject): void {
  fill(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'ClientIP')
    fill(ensure(ensure(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', 10800);
  fill(spec, 'type', 'ClusterIP');
  for (const port of ownItems(spec, 'ports')) {
    fill(port, 'protocol', 'TCP');
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '')
      port['targetPort'] = port['port'] ?? 0;
  }
  const type = spec['type'];
  if (type === 'NodePort' || type === 'LoadBalancer') fill(spec, 'externalTrafficPolicy', 'Cluster');
  if (type !== 'ExternalName') fill(spec, 'internalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') fill(spec, 'allocateLoadBalancerNodePorts', true);
}

/** A name elsewhere has no addresses here: what was given for the old type goes, unless it was set anew. */
function forgetAddresses(spec: JsonObject, before: JsonObject): void {
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

function forget(spec: JsonObject, before: JsonObject, keys: readonly string[]): void {
  for (const key of keys) if (deepEqual(spec[key], before[key])) delete spec[key];
}

function keepNodePorts(spec: JsonObject, before: JsonObject): void {
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

function allocate(spec: JsonObject, context: RuleContext): void {
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
function takenErrors(object: KubeObject, context: RuleContext): FieldError[] {
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

function validateService(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors: FieldError[] = [];
  const type = stringAt(spec, 'type');
  const ports = arrayAt(spec, 'ports');
  const headless = stringAt(spec, 'clusterIP') === 'None';
  if (ports.length === 0 && !headless && type !== 'ExternalName') errors.push(required('spec.ports'));
  if (type === 'ExternalName' && stringAt(spec, 'externalName') === '')
    errors.push(required('spec.externalName'));
  ports.forEach((port, i) => errors.push(...validatePort(port, `spec.ports[${i}]`, ports.length > 1)));
  errors.push(...duplicatePorts(ports));
  for (const [key, value] of Object.entries(objectAt(spec, 'selector'))) {
    for (const problem of labelKeyProblems(key)) errors.push(invalid('spec.selector', key, problem));
    for (const problem of labelValueProblems(asString(value)))
      errors.push(invalid('spec.selector', value, problem));
  }
  const affinity = stringAt(spec, 'sessionAffinity');
  if (!['None', 'ClientIP'].includes(affinity))
    errors.push(notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None']));
  if (!TYPES.includes(type)) errors.push(notSupported('spec.type', type, TYPES));
  errors.push(...validateAddress(spec, type), ...externalIpErrors(spec));
  return errors;
}

function validateAddress(spec: JsonObject, type: string): FieldError[] {
  if (type === 'ExternalName') return [];
  const tooMany = tooManyErrors(spec);
  if (tooMany.length > 0) return tooMany;
  const addresses = arrayAt(spec, 'clusterIPs').map(asString);
  if (addresses[0] === 'None') return familyErrors(spec, [...ranges.keys()]);
  const errors = addresses.flatMap((address, i): FieldError[] => {
    if (isIP(address) === 0)
      return [
        invalid(
          `spec.clusterIPs[${i}]`,
          address,
          'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ),
      ];
    const cidr = ranges.get(`IPv${ipFamily(address) ?? 4}`);
    if (cidr === undefined || isInPrefix(address, cidr)) return [];
    const text = `failed to allocate IP ${address}: the provided network does not match the current range`;
    return [invalid('spec.clusterIPs', [...addresses], text)];
  });
  return errors.length > 0 ? errors : familyErrors(spec, [...ranges.keys()]);
}

function validatePort(port: Json, path: string, named: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const name = stringAt(port, 'name');
  if (named && name === '') errors.push(required(`${path}.name`));
  if (name !== '')
    for (const problem of labelProblems(name)) errors.push(invalid(`${path}.name`, name, problem));
  const number = at(port, 'port');
  if (typeof number !== 'number' || number < 1 || number > 65535)
    errors.push(invalid(`${path}.port`, number ?? 0, PORT_TEXT));
  const protocol = stringAt(port, 'protocol');
  if (!['TCP', 'UDP', 'SCTP'].includes(protocol))
    errors.push(notSupported(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
  const target = at(port, 'targetPort');
  if (typeof target === 'number' && (target < 1 || target > 65535))
    errors.push(invalid(`${path}.targetPort`, target, PORT_TEXT));
  if (typeof target === 'string')
    for (const problem of portNameProblems(target))
      errors.push(invalid(`${path}.targetPort`, target, problem));
  const application = stringAt(port, 'appProtocol');
  if (application !== '')
    for (const problem of labelKeyProblems(application))
      errors.push(invalid(`${path}.appProtocol`, application, problem));
  const node = at(port, 'nodePort');
  if (typeof node === 'number' && node !== 0 && (node < FIRST_NODE_PORT || node > LAST_NODE_PORT)) {
    errors.push(
      invalid(
        `${path}.nodePort`,
        node,
        `provided port is not in the valid range. The range of valid ports is ${FIRST_NODE_PORT}-${LAST_NODE_PORT}`,
      ),
    );
  }
  return errors;
}

function duplicatePorts(ports: readonly Json[]): FieldError[] {
  const names = ports.map((port) => stringAt(port, 'name'));
  const again = repeats(names);
  const repeated = names.flatMap((name, i) =>
    name !== '' && again.has(i) ? [duplicate(`spec.ports[${i}].name`, name)] : [],
  );
  const seen = new Set<string>();
  const same = ports.flatMap((port, i) => {
    const key = `${stringAt(port, 'protocol')}/${String(at(port, 'port'))}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [
      duplicate(`spec.ports[${i}]`, {
        Name: '',
        Protocol: stringAt(port, 'protocol'),
        AppProtocol: null,
        Port: at(port, 'port') ?? 0,
        TargetPort: 0,
        NodePort: 0,
      }),
    ];
  });
  return [...repeated, ...same];
}
