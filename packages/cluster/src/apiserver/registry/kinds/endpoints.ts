/** Addresses that may not be endpoints: they mean the machine that asks, or no single one. */
import { isIP } from 'node:net';
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, type Json, type KubeObject, stringAt } from '../../wire/json.ts';

const RANGES: readonly (readonly [RegExp, string])[] = [
  [/^(0\.0\.0\.0|::)$/, 'may not be unspecified (0.0.0.0 or ::)'],
  [/^127\.|^::1$/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^169\.254\.|^fe[89ab]/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^224\.0\.0\.|^ff02:/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

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
        if (isIP(ip) === 0)
          errors.push(invalid(where, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
        for (const [range, text] of RANGES) if (range.test(ip)) errors.push(invalid(where, ip, text));
      });
    arrayAt(subset, 'ports').forEach((port, j) => {
      const number = Number((port as { port?: number } | null)?.port ?? 0);
      if (number < 1 || number > 65535)
        errors.push(invalid(`${path}.ports[${j}].port`, number, 'must be between 1 and 65535, inclusive'));
    });
  });
  return errors;
}

/** The addresses of one endpoint of a slice. */
export function sliceAddressErrors(addresses: readonly Json[], type: string, path: string): FieldError[] {
  if (addresses.length === 0) return [required(path, 'must contain at least 1 address')];
  return addresses.flatMap((item, i) => {
    const address = asString(item);
    const where = `${path}[${i}]`;
    if (type === 'FQDN') return [];
    if (isIP(address) !== (type === 'IPv4' ? 4 : 6))
      return [invalid(where, address, `must be a valid ${type} address`)];
    return RANGES.filter(([range]) => range.test(address)).map(([, text]) => invalid(where, address, text));
  });
}
