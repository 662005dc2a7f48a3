/** Addresses that a Service is to be reachable at from outside: real ones, and no one's own business. */
import { isIP } from 'node:net';
import { isInPrefix } from '@podvisor/base';
import { type FieldError, invalid } from '../../wire/field-errors.ts';
import { arrayAt, asString, type JsonObject } from '../../wire/json.ts';

/** Addresses that mean something else on every machine. Texts are Kubernetes'. */
const SPECIAL: readonly (readonly [cidrs: readonly string[], text: string])[] = [
  [['0.0.0.0/32', '::/128'], 'may not be unspecified'],
  [['127.0.0.0/8', '::1/128'], 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [['169.254.0.0/16', 'fe80::/10'], 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [['224.0.0.0/24', 'ff02::/10'], 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

export function externalIpErrors(spec: JsonObject): FieldError[] {
  return arrayAt(spec, 'externalIPs').flatMap((value, i) => {
    const address = asString(value);
    const field = `spec.externalIPs[${i}]`;
    if (isIP(address) === 0 || address.includes('%'))
      return [invalid(field, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
    // ::ffff:127.0.0.1 is 127.0.0.1.
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
    return SPECIAL.filter(([cidrs]) => cidrs.some((cidr) => isInPrefix(plain, cidr))).map(([, text]) =>
      invalid(field, value, text),
    );
  });
}
