/** Small texts that tenants write into fields: quantities, schedules, paths of printer columns. */
import { isQuantity, parseQuantity, QuantityError } from '../../../packages/base/src/quantity.ts';
import { parseSchedule } from '../../../packages/base/src/cron/schedule.ts';
import { valuesAt } from '../../../packages/apiserver/src/crd/json-path.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';

export const quantity: FuzzTarget = {
  seeds: ['1', '-1.5Gi', '100m', '1e3', '12E', '0.000000001', '+5k', '9223372036854775807'].map(bytes),
  words: [
    'e',
    'E',
    'Ki',
    'Mi',
    'n',
    'u',
    'm',
    '.',
    '-',
    '+',
    '99999999',
    'e999999999',
    'e-999999999',
    '_',
    '0x',
  ],
  maxBytes: 64,
  refuses: (error) => error instanceof QuantityError,
  feed: (input) => {
    const value = text(input);
    expect(isQuantity(value) === isTaken(() => parseQuantity(value)), 'two ways to ask give one answer');
    parseQuantity(value).toString();
  },
};

function isTaken(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

export const schedule: FuzzTarget = {
  seeds: ['*/5 * * * *', '0 0 1-5,7 JAN,mar mon-fri', '@hourly', '@every 1h30m'].map(bytes),
  words: [
    '*',
    '/',
    '-',
    ',',
    '?',
    'L',
    '@every ',
    '@daily',
    'MON',
    'DEC',
    'CRON_TZ=',
    '0',
    '59',
    '99999999999',
    ' ',
  ],
  maxBytes: 128,
  refuses: (error) =>
    error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError),
  feed: (input) => {
    parseSchedule(text(input));
  },
};

const object = {
  a: { b: [{ c: 1 }, { c: 2 }] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

export const jsonPath: FuzzTarget = {
  seeds: ['.a.b[0].c', '.status.conditions[?(@.type=="Ready")].status', '.a.b[*].c', "['a']['b'][-1]"].map(
    bytes,
  ),
  words: ['.', '[', ']', '[*]', '[?(@.', '==', '"', "'", ')', '..', '__proto__', 'constructor', ':', '\\'],
  maxBytes: 512,
  // Paths are judged when a CustomResourceDefinition is written.
  refuses: (error) => error instanceof Error && error.message.startsWith('cannot read the path'),
  feed: (input) => {
    for (const value of valuesAt(object, text(input)))
      expect(typeof value !== 'function', 'a path leads to what the object has itself');
  },
};
