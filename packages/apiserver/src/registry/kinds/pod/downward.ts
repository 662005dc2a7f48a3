/** What a container may read of its own Pod, as a variable or as a file. */
import { parseQuantity } from '@podvisor/base';
import { type FieldError, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { at, asString, type Json, stringAt } from '../../../wire/json.ts';
import { labelKeyProblems } from '../../../wire/label-selector.ts';

const OF_VARIABLES = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const OF_FILES = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** Fields that have a name in the downward API, whether or not this place may read them. */
const KNOWN = new Set([
  ...OF_VARIABLES,
  ...OF_FILES,
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.host',
  'status.phase',
]);

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const HUGE_PAGES = /^(requests|limits)\.hugepages-/;
const CPU_DIVISORS = ['1m', '1'];
const BYTE_DIVISORS = [
  ...['1', '1k', '1M', '1G', '1T', '1P', '1E'],
  ...['1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
];

/** A field of the Pod. */
export function fieldRefErrors(reference: Json, path: string, place: 'variable' | 'file'): FieldError[] {
  const version = stringAt(reference, 'apiVersion');
  const given = stringAt(reference, 'fieldPath');
  const where = `${path}.fieldPath`;
  if (given === '') return [required(where)];
  const refused = (why: string): FieldError[] => [
    invalid(where, given, `error converting fieldPath: ${why}`),
  ];
  if (version !== 'v1') return refused(`unsupported pod version: ${version}`);
  const subscript = given.endsWith("']") ? given.indexOf("['") : -1;
  if (subscript > 0) {
    const [map, key] = [given.slice(0, subscript), given.slice(subscript + 2, -2)];
    if (map === 'metadata.labels') return labelKeyProblems(key).map((text) => invalid(path, key, text));
    if (map !== 'metadata.annotations') return refused(`field label does not support subscript: ${given}`);
    const lower = key.toLowerCase();
    return labelKeyProblems(lower).map((text) => invalid(path, lower, text));
  }
  if (!KNOWN.has(given)) return refused(`field label not supported: ${given}`);
  const supported = place === 'variable' ? OF_VARIABLES : OF_FILES;
  const internal = given === 'spec.host' ? 'spec.nodeName' : given;
  return supported.includes(internal) ? [] : [notSupported(where, internal, supported)];
}

/** A request or limit of a container; a file has to say of which. */
export function resourceRefErrors(reference: Json, path: string, place: 'variable' | 'file'): FieldError[] {
  const resource = stringAt(reference, 'resource');
  const errors: FieldError[] = [];
  if (place === 'file' && stringAt(reference, 'containerName') === '')
    errors.push(required(`${path}.containerName`));
  else if (resource === '') errors.push(required(`${path}.resource`));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource))
    errors.push(notSupported(`${path}.resource`, resource, RESOURCES));
  return [...errors, ...divisorErrors(resource, at(reference, 'divisor'), `${path}.divisor`)];
}

function divisorErrors(resource: string, divisor: Json | undefined, path: string): FieldError[] {
  if (divisor === undefined || parseQuantity(asString(divisor)).nano === 0n) return [];
  const kind = resource.replace(/^(limits|requests)\./, '');
  const text = parseQuantity(asString(divisor)).toString();
  if (kind === 'cpu')
    return CPU_DIVISORS.includes(text)
      ? []
      : [invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  const name = BYTE_RESOURCES.find(([prefix]) => kind.startsWith(prefix))?.[1];
  if (name === undefined || BYTE_DIVISORS.includes(text)) return [];
  return [
    invalid(
      path,
      resource,
      `only divisor's values ${BYTE_DIVISORS.join(', ')} are supported with the ${name} resource`,
    ),
  ];
}

const BYTE_RESOURCES = [
  ['memory', 'memory'],
  ['ephemeral-storage', 'local ephemeral storage'],
  ['hugepages-', 'hugepages'],
] as const;
