/** IP families of a Service: which it gets, and what it may not ask for. Pure but for the spec that it is given. */
import { deepEqual, ipFamily } from '@podvisor/base';
import { duplicate, type FieldError, invalid, notSupported } from '../../wire/field-errors.ts';
import { arrayAt, asString, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import { fill } from './fill.ts';

export type FamilyName = 'IPv4' | 'IPv6';

const FAMILIES: readonly string[] = ['IPv4', 'IPv6'];
const POLICIES: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Addresses that the spec names, `None` among them; each once. */
export function givenAddresses(spec: JsonObject): readonly string[] {
  return [stringAt(spec, 'clusterIP'), ...arrayAt(spec, 'clusterIPs').map(asString)].filter(
    (address, i, all) => address !== '' && all.indexOf(address) === i,
  );
}

function isHeadless(spec: JsonObject): boolean {
  return givenAddresses(spec)[0] === 'None';
}

/** A headless Service without a selector may stand for addresses of both families, wherever they are. */
function isOpen(spec: JsonObject): boolean {
  return isHeadless(spec) && Object.keys(objectAt(spec, 'selector')).length === 0;
}

/**
 * Fills in policy and families. Without a word a Service has one family, the cluster's first; `cluster` are the
 * families that the cluster has, the default one first.
 */
export function fillFamilies(spec: JsonObject, cluster: readonly FamilyName[]): readonly string[] {
  fill(spec, 'ipFamilyPolicy', isOpen(spec) ? 'RequireDualStack' : 'SingleStack');
  const named = arrayAt(spec, 'ipFamilies').map(asString);
  const ofAddresses = givenAddresses(spec).flatMap((address) => nameOf(address));
  const known = [...named, ...ofAddresses.slice(named.length)];
  if (known.length === 0) known.push(cluster[0] ?? 'IPv4');
  const wantsBoth = stringAt(spec, 'ipFamilyPolicy') !== 'SingleStack';
  const canHaveBoth = cluster.length > 1 || isOpen(spec);
  if (known.length === 1 && wantsBoth && canHaveBoth) known.push(known[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  spec['ipFamilies'] = known;
  return known;
}

/** A Service that becomes SingleStack lets go of its second address, when nothing else was said about addresses. */
export function releaseSecond(spec: JsonObject, before: JsonObject): void {
  if (stringAt(spec, 'ipFamilyPolicy') !== 'SingleStack') return;
  for (const key of ['clusterIPs', 'ipFamilies'])
    if (deepEqual(spec[key], before[key])) spec[key] = arrayAt(spec, key).slice(0, 1);
}

/** A Service has two families and two addresses at most; each error repeats its value, so nothing else is said then. */
export function tooManyErrors(spec: JsonObject): FieldError[] {
  return ['clusterIPs', 'ipFamilies'].flatMap((key) => {
    const list = arrayAt(spec, key);
    return list.length > 2 ? [invalid(`spec.${key}`, [...list], 'may only hold up to 2 values')] : [];
  });
}

/** What does not fit together, or not this cluster. `spec`: without tooManyErrors. */
export function familyErrors(spec: JsonObject, cluster: readonly FamilyName[]): FieldError[] {
  const policy = stringAt(spec, 'ipFamilyPolicy');
  if (!POLICIES.includes(policy)) return [notSupported('spec.ipFamilyPolicy', policy, POLICIES)];
  const families = arrayAt(spec, 'ipFamilies').map(asString);
  const addresses = arrayAt(spec, 'clusterIPs').map(asString);
  return [
    ...listErrors(families),
    ...addressErrors(addresses, families),
    ...(policy === 'SingleStack' ? singleErrors(policy, addresses, families) : []),
    ...(isOpen(spec) ? [] : clusterErrors(policy, families, cluster)),
  ];
}

function listErrors(families: readonly string[]): FieldError[] {
  const path = (i: number): string => `spec.ipFamilies[${i}]`;
  return [
    ...families.flatMap((family, i): FieldError[] => {
      if (!FAMILIES.includes(family)) return [notSupported(path(i), family, FAMILIES)];
      return families.indexOf(family) < i ? [duplicate(path(i), family)] : [];
    }),
  ];
}

function addressErrors(addresses: readonly string[], families: readonly string[]): FieldError[] {
  return addresses.flatMap((address, i) => {
    const [name] = nameOf(address);
    const wanted = families[i];
    if (name === undefined || wanted === undefined || name === wanted) return [];
    const text = `expected an ${wanted} value as indicated by \`ipFamilies[${i}]\``;
    return [invalid(`spec.clusterIPs[${i}]`, address, text)];
  });
}

function singleErrors(
  policy: string,
  addresses: readonly string[],
  families: readonly string[],
): FieldError[] {
  const several = (what: string): FieldError =>
    invalid(
      'spec.ipFamilyPolicy',
      policy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(addresses.length > 1 ? [several('cluster IPs')] : []),
    ...(families.length > 1 ? [several('IP families')] : []),
  ];
}

function clusterErrors(
  policy: string,
  families: readonly string[],
  cluster: readonly FamilyName[],
): FieldError[] {
  const missing = families.flatMap((family, i) =>
    cluster.some((known) => known === family) || !FAMILIES.includes(family)
      ? []
      : [invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster')],
  );
  return policy === 'RequireDualStack' && cluster.length < 2
    ? [
        invalid('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services'),
        ...missing,
      ]
    : missing;
}

/** Name of an address' family; none: it is not an address. */
function nameOf(address: string): readonly FamilyName[] {
  const family = ipFamily(address);
  return family === undefined ? [] : [`IPv${family}`];
}
