/** NetworkPolicies. */
import { isIP } from 'node:net';
import { isInPrefix } from '@podvisor/base';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, objectAt, stringAt } from '../../../wire/json.ts';
import { labelSelectorErrors } from '../../../wire/selector-rules.ts';
import type { KindRules } from '../../definition.ts';
import { ensure, fill, ownItems } from '../fill.ts';
import { portNameProblems } from '../pod/probes.ts';

export const CIDR_TEXT = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const PORT_TEXT = 'must be between 1 and 65535, inclusive';
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

export const networkPolicyRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'podSelector', {});
    const egress = arrayAt(spec, 'egress').length > 0;
    if (arrayAt(spec, 'policyTypes').length === 0)
      spec['policyTypes'] = egress ? ['Ingress', 'Egress'] : ['Ingress'];
    for (const direction of ['ingress', 'egress']) {
      for (const rule of ownItems(spec, direction))
        for (const port of ownItems(rule, 'ports')) fill(port, 'protocol', 'TCP');
    }
  },
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const errors: FieldError[] = labelSelectorErrors(spec['podSelector'], 'spec.podSelector');
    for (const [direction, side] of [
      ['ingress', 'from'],
      ['egress', 'to'],
    ] as const)
      arrayAt(spec, direction).forEach((rule, i) => {
        const path = `spec.${direction}[${i}]`;
        arrayAt(rule, 'ports').forEach((port, j) => errors.push(...portErrors(port, `${path}.ports[${j}]`)));
        arrayAt(rule, side).forEach((peer, j) => errors.push(...peerErrors(peer, `${path}.${side}[${j}]`)));
      });
    const types = arrayAt(spec, 'policyTypes');
    if (types.length > 2)
      return [...errors, invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')];
    types.forEach((type, i) => {
      if (type !== 'Ingress' && type !== 'Egress')
        errors.push(notSupported(`spec.policyTypes[${i}]`, type, ['Egress', 'Ingress']));
    });
    return errors;
  },
};

function portErrors(entry: Json, path: string): FieldError[] {
  const [protocol, port, end] = [stringAt(entry, 'protocol'), at(entry, 'port'), at(entry, 'endPort')];
  const errors: FieldError[] = [];
  if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
  if (typeof port === 'number' && (port < 1 || port > 65535))
    errors.push(invalid(`${path}.port`, port, PORT_TEXT));
  if (typeof port === 'string')
    errors.push(...portNameProblems(port).map((problem) => invalid(`${path}.port`, port, problem)));
  if (typeof end !== 'number') return errors;
  const refuse = (why: string): FieldError[] => [...errors, invalid(`${path}.endPort`, end, why)];
  if (port === undefined) return refuse('may not be specified when `port` is not specified');
  if (typeof port !== 'number') return refuse('may not be specified when `port` is non-numeric');
  if (end < port) return refuse('must be greater than or equal to `port`');
  return end > 65535 ? refuse(PORT_TEXT) : errors;
}

function peerErrors(peer: Json, path: string): FieldError[] {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => at(peer, key) !== undefined);
  if (given.length === 0) return [required(path, 'must specify a peer')];
  if (given.length > 1 && given.includes('ipBlock'))
    return [forbidden(path, 'may not specify both ipBlock and another peer')];
  if (!given.includes('ipBlock'))
    return given.flatMap((key) => labelSelectorErrors(at(peer, key), `${path}.${key}`));
  const cidr = stringAt(peer, 'ipBlock', 'cidr');
  if (cidr === '') return [required(`${path}.ipBlock.cidr`)];
  if (!isCidr(cidr)) return [invalid(`${path}.ipBlock.cidr`, cidr, CIDR_TEXT)];
  return arrayAt(peer, 'ipBlock', 'except').flatMap((item, i) => {
    const except = asString(item);
    const where = `${path}.ipBlock.except[${i}]`;
    if (!isCidr(except)) return [invalid(where, except, CIDR_TEXT)];
    const isInside =
      isInPrefix(except.split('/')[0] ?? '', cidr) &&
      Number(except.split('/')[1]) > Number(cidr.split('/')[1]);
    return isInside ? [] : [invalid(where, except, 'must be a strict subset of `cidr`')];
  });
}

/** An address and the length of its network. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    // Kubernetes knows no zones in prefixes.
    !address.includes('%') &&
    rest.length === 0 &&
    bits !== undefined &&
    /^\d+$/.test(bits) &&
    Number(bits) <= (family === 4 ? 32 : 128)
  );
}
