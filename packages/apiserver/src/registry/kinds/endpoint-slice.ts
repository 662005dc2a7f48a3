/** What an EndpointSlice may hold. Numbers and texts are Kubernetes'. */
import { labelProblems } from '../../verbs/metadata.ts';
import { duplicate, type FieldError, invalid, notSupported, tooMany } from '../../wire/field-errors.ts';
import { arrayAt, at, type Json, type KubeObject, stringAt } from '../../wire/json.ts';
import { repeats } from '../../wire/repeats.ts';
import { sliceAddressErrors } from './endpoints.ts';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const RANGE = 'must be between 1 and 65535, inclusive';

export function sliceErrors(object: KubeObject, type: string): FieldError[] {
  const [endpoints, ports] = [arrayAt(object, 'endpoints'), arrayAt(object, 'ports')];
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany('endpoints', endpoints.length, MAX_ENDPOINTS)];
  if (ports.length > MAX_PORTS) return [tooMany('ports', ports.length, MAX_PORTS)];
  const again = repeats(ports.map((port) => stringAt(port, 'name')));
  return [
    ...endpoints.flatMap((endpoint, i) => endpointErrors(endpoint, type, `endpoints[${i}]`)),
    ...ports.flatMap((port, i) => portErrors(port, again.has(i), `ports[${i}]`)),
  ];
}

function endpointErrors(endpoint: Json, type: string, path: string): FieldError[] {
  const addresses = arrayAt(endpoint, 'addresses');
  if (addresses.length > MAX_ADDRESSES)
    return [tooMany(`${path}.addresses`, addresses.length, MAX_ADDRESSES)];
  const hostname = at(endpoint, 'hostname');
  const problems = typeof hostname === 'string' ? labelProblems(hostname) : [];
  return [
    ...sliceAddressErrors(addresses, type, `${path}.addresses`),
    ...problems.map((problem) => invalid(`${path}.hostname`, hostname, problem)),
  ];
}

function portErrors(entry: Json, isRepeated: boolean, path: string): FieldError[] {
  const [name, port, protocol] = [stringAt(entry, 'name'), at(entry, 'port'), stringAt(entry, 'protocol')];
  return [
    ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
    ...(name === '' ? [] : labelProblems(name).map((problem) => invalid(`${path}.name`, name, problem))),
    ...(typeof port === 'number' && (port < 1 || port > 65535) ? [invalid(`${path}.port`, port, RANGE)] : []),
    ...(protocol === '' || PROTOCOLS.includes(protocol)
      ? []
      : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
  ];
}
