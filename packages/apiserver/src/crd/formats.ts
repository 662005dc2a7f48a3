/** The formats that structural schemas check. Unknown formats are ignored. */
import { memberOf } from '@podvisor/base';
import { isIP, isIPv4, isIPv6 } from 'node:net';

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  duration: (text) =>
    /^[+-]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text) ||
    text === '0' ||
    /^\d+ ?(w|d|weeks?|days?|hours?|minutes?|seconds?)$/.test(text),
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => isIPv4(text),
  ipv6: (text) => isIPv6(text),
  ip: (text) => isIP(text) !== 0,
  cidr: (text) => isIP(text.split('/')[0] ?? '') !== 0 && /\/\d+$/.test(text),
  mac: (text) => /^([0-9a-f]{2}[:-]){5}([0-9a-f]{2}[:-]?)([0-9a-f]{2}[:-]?)*$/i.test(text),
  uri: (text) => URL.canParse(text) || text.startsWith('/'),
  hostname: (text) =>
    /^[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*$/.test(
      text,
    ),
  byte: (text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0,
  password: () => true,
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  isbn: (text) => /^[0-9-]{9,16}[0-9X]$/.test(text),
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  creditcard: (text) => /^\d{13,19}$/.test(text.replace(/[- ]/g, '')),
};

/** A problem, or undefined when the text fits or the format is not known. */
export function formatProblem(format: string, text: string): string | undefined {
  const check = memberOf(FORMATS, format);
  return check === undefined || check(text) ? undefined : format;
}
