/** Addresses that may not be endpoints: they mean the machine that asks, or no single one. */
import { isInPrefix, parseAddress } from '@podvisor/base';
import { isIP } from 'node:net';
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, type Json, type KubeObject, stringAt } from '../../wire/json.ts';

const RANGES: readonly (readonly [readonly string[], string])[] = [
  [['0.0.0.0/32', '::/128'], 'may not be unspecified (0.0.0.0 or ::)'],
  [['127.0.0.0/8', '::1/128'], 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [['169.254.0.0/16', 'fe80::/10'], 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [['224.0.0.0/24', 'ff02::/16'], 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Why an address may not be an endpoint; the value counts, however it is written. */
function problemsOf(text: string): readonly string[] {
  const value = parseAddress(text)?.text ?? '';
  return RANGES.flatMap(([prefixes, problem]) =>
    prefixes.some((prefix) => isInPrefix(value, prefix)) ? [problem] : [],
  );
}

export function endpointsErrors(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  arrayAt(object, 'subsets').forEach((subset, i) => {
    const path = `subsets[${i}]`;
    if (arrayAt(subset, 'addresses').length + arrayAt(subset, 'notReadyAddresses').length === 0)
      errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    for (const key of ['addresses', 'notReadyAddresses'])
      arrayAt(subset, key).forEach((address, j) => {
        const ip = stringAt(address, 'ip');
        const where = `${path}.${key}[${j}].ip`;
        if (isIP(ip) === 0 || ip.includes('%'))
          errors.push(invalid(where, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
        for (const problem of problemsOf(ip)) errors.push(invalid(where, ip, problem));
      });
    arrayAt(subset, 'ports').forEach((port, j) => {
      const number = Number((port as { port?: number } | null)?.port ?? 0);
      if (number < 1 || number > 65535)
        errors.push(invalid(`${path}.ports[${j}].port`, number, 'must be between 1 and 65535, inclusive'));
    });
  });
  return errors;
}

/** The addresses of one endpoint of a slice. No more are looked at than it may have. */
export function sliceAddressErrors(addresses: readonly Json[], type: string, path: string): FieldError[] {
  if (addresses.length === 0) return [required(path, 'must contain at least 1 address')];
  return addresses.flatMap((item, i) => {
    const address = asString(item);
    const where = `${path}[${i}]`;
    if (type === 'FQDN') return [];
    if (isIP(address) !== (type === 'IPv4' ? 4 : 6) || address.includes('%'))
      return [invalid(where, address, `must be a valid ${type} address`)];
    return problemsOf(address).map((problem) => invalid(where, address, problem));
  });
}
