/** Which Services are refused, and why. */
import { isIP } from 'node:net';
import { ipFamily, isInPrefix } from '@podvisor/base';
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
import { labelKeyProblems, labelValueProblems } from '../../wire/label-selector.ts';
import { repeats } from '../../wire/repeats.ts';
import { portNameProblems } from './pod/probes.ts';
import { FIRST_NODE_PORT, LAST_NODE_PORT, ranges } from './service-addresses.ts';
import { externalIpErrors } from './service-external-ips.ts';
import { familyErrors, tooManyErrors } from './service-families.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

const PORT_TEXT = 'must be between 1 and 65535, inclusive';

export function validateService(object: KubeObject): FieldError[] {
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
