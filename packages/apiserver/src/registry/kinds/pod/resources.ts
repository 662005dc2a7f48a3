/** Rules of what a container asks for and may use. */
import { memberOf, parseQuantity } from '@podvisor/base';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFoundValue,
  required,
} from '../../../wire/field-errors.ts';
import { arrayAt, asString, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { labelKeyProblems } from '../../../wire/label-selector.ts';

const OF_CONTAINERS = ['cpu', 'memory', 'ephemeral-storage'];
/** Names without a domain that mean something somewhere: of containers, of nodes, of quotas. */
const STANDARD = new Set([
  ...OF_CONTAINERS,
  ...['requests.cpu', 'requests.memory', 'requests.ephemeral-storage'],
  ...['limits.cpu', 'limits.memory', 'limits.ephemeral-storage'],
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...[
    'persistentvolumeclaims',
    'storage',
    'requests.storage',
    'services.nodeports',
    'services.loadbalancers',
  ],
]);
const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
/** A name that a quota can carry with its own prefix. */
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && labelKeyProblems(`requests.${name}`).length === 0;
/** What a node has only whole pieces of cannot be promised twice. */
const overcommits = (name: string): boolean => isNative(name) && !isHugePages(name);

export interface ResourceContext {
  /** Names of the Pod's `resourceClaims`. */
  readonly claims?: readonly string[];
}

export function validateResources(
  resources: JsonObject,
  path: string,
  { claims = [] }: ResourceContext = {},
): FieldError[] {
  const limits = objectAt(resources, 'limits');
  const requests = objectAt(resources, 'requests');
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const errors = Object.entries(limits).flatMap(([name, value]) =>
    amountErrors(name, asString(value), `${path}.limits[${name}]`),
  );
  for (const [name, value] of Object.entries(requests)) {
    errors.push(...amountErrors(name, asString(value), `${path}.requests[${name}]`));
    errors.push(...againstLimit(name, asString(value), memberOf(limits, name), path));
  }
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  return [...errors, ...claimErrors(resources, claims, `${path}.claims`)];
}

function amountErrors(name: string, text: string, path: string): FieldError[] {
  const { nano } = parseQuantity(text);
  const errors = nameErrors(name, path);
  if (nano < 0n) errors.push(invalid(path, text, 'must be greater than or equal to 0'));
  if (isExtended(name) && nano % 1_000_000_000n !== 0n)
    errors.push(invalid(path, text, 'must be an integer'));
  if (isHugePages(name)) {
    const page = pageSize(name);
    if (page !== undefined && page > 0n && nano % page !== 0n)
      errors.push(invalid(path, text, `${text} is not positive integer multiple of ${name}`));
  }
  return errors;
}

function pageSize(name: string): bigint | undefined {
  try {
    return parseQuantity(name.slice('hugepages-'.length)).nano;
  } catch {
    // A size that is no number has no multiples; the node will not offer it.
    return undefined;
  }
}

function nameErrors(name: string, path: string): FieldError[] {
  const errors = labelKeyProblems(name).map((text) => invalid(path, name, text));
  if (name.includes('/'))
    return isNative(name) || isExtended(name)
      ? errors
      : [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
  if (OF_CONTAINERS.includes(name) || isHugePages(name)) return errors;
  if (errors.length === 0 && !STANDARD.has(name))
    errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
  return [...errors, invalid(path, name, 'must be a standard resource for containers')];
}

function againstLimit(name: string, text: string, limit: unknown, path: string): FieldError[] {
  if (limit === undefined)
    return overcommits(name)
      ? []
      : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const most = asString(limit);
  const compared = parseQuantity(text).compare(parseQuantity(most));
  if (compared !== 0 && !overcommits(name))
    return [invalid(`${path}.requests`, text, `must be equal to ${name} limit of ${most}`)];
  return compared > 0
    ? [invalid(`${path}.requests`, text, `must be less than or equal to ${name} limit of ${most}`)]
    : [];
}

/** Names of claims that an error lists. */
const MAX_TOLD = 64;

function claimErrors(resources: JsonObject, known: readonly string[], path: string): FieldError[] {
  const seen = new Set<string>();
  const names = new Set(known);
  // Said once for each that is missing, so it has an end.
  const told = known.toSorted().slice(0, MAX_TOLD).join(', ');
  const which = known.length === 0 ? ' which is empty' : `: ${told}${known.length > MAX_TOLD ? ', …' : ''}`;
  return arrayAt(resources, 'claims').flatMap((claim, i) => {
    const where = `${path}[${i}]`;
    const [name, request] = [stringAt(claim, 'name'), stringAt(claim, 'request')];
    if (name === '') return [required(where)];
    const key = request === '' ? name : `${name}/${request}`;
    const errors: FieldError[] = seen.has(key) || seen.has(name) ? [duplicate(where, key)] : [];
    seen.add(key);
    if (names.has(name)) return errors;
    const missing = notFoundValue(where, name);
    const text = `${missing.message}: must be one of the names in pod.spec.resourceClaims${which}`;
    return [...errors, { ...missing, message: text }];
  });
}
