/**
 * Kubernetes quantities (`100m`, `1.5Gi`, `2e3`): exact arithmetic on a BigInt of nano-units, so that no
 * comparison or sum ever meets a rounding error. Values keep the suffix family they were written in.
 */

/** How a quantity was written, which decides how it is printed. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

const NANO = 1_000_000_000n;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const DECIMAL: readonly (readonly [string, bigint])[] = [
  ['E', 10n ** 18n * NANO],
  ['P', 10n ** 15n * NANO],
  ['T', 10n ** 12n * NANO],
  ['G', 10n ** 9n * NANO],
  ['M', 10n ** 6n * NANO],
  ['k', 10n ** 3n * NANO],
  ['', NANO],
  ['m', 10n ** 6n],
  ['u', 10n ** 3n],
  ['n', 1n],
];
const PATTERN = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Beyond this power of ten every amount is at its limit. */
const MAX_EXPONENT = 40;
/** The largest amount, as a number of nanos. */
const MAX_NANO = (2n ** 63n - 1n) * NANO;

/** The text is not a quantity. */
export class QuantityError extends Error {
  constructor(text: string) {
    super(
      `"${text}" is not a quantity: expected a number with an optional suffix such as m, k, M, Ki, Mi, Gi`,
    );
    this.name = 'QuantityError';
  }
}

/** An exact amount. Immutable. */
export class Amount {
  /** The value in units of 10^-9. */
  readonly nano: bigint;
  readonly format: QuantityFormat;

  constructor(nano: bigint, format: QuantityFormat = 'DecimalSI') {
    this.nano = nano;
    this.format = format;
  }

  static ofBytes(bytes: number | bigint): Amount {
    return new Amount(BigInt(bytes) * NANO, 'BinarySI');
  }

  static ofMilli(milli: number): Amount {
    return new Amount(BigInt(Math.round(milli)) * 1_000_000n, 'DecimalSI');
  }

  plus(other: Amount): Amount {
    return new Amount(this.nano + other.nano, this.nano === 0n ? other.format : this.format);
  }

  compare(other: Amount): number {
    return this.nano < other.nano ? -1 : this.nano > other.nano ? 1 : 0;
  }

  /** Whole units, rounded up, as Kubernetes' `Value()`. */
  value(): number {
    return Number(divideUp(this.nano, NANO));
  }

  /** Thousandths, rounded up, as Kubernetes' `MilliValue()`. */
  milliValue(): number {
    return Number(divideUp(this.nano, 1_000_000n));
  }

  /** Canonical text, as Kubernetes prints it. */
  toString(): string {
    if (this.nano === 0n) return '0';
    // Less than one Ki is written without a suffix family.
    const isSmall = this.nano > -1024n * NANO && this.nano < 1024n * NANO;
    if (this.format === 'BinarySI' && !isSmall && this.nano % NANO === 0n)
      return binaryText(this.nano / NANO);
    return decimalText(this.nano, this.format === 'DecimalExponent');
  }
}

function divideUp(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b > 0n ? q + 1n : q;
}

function binaryText(value: bigint): string {
  let v = value;
  let power = 0;
  while (power < BINARY.length - 1 && v !== 0n && v % 1024n === 0n) {
    v /= 1024n;
    power += 1;
  }
  return `${v}${BINARY[power]}`;
}

function decimalText(nano: bigint, exponent: boolean): string {
  for (const [suffix, unit] of DECIMAL) {
    if (nano % unit !== 0n) continue;
    if (!exponent || suffix === '') return `${nano / unit}${suffix}`;
    return `${nano / unit}e${unit >= NANO ? String(unit / NANO).length - 1 : -(String(NANO / unit).length - 1)}`;
  }
  return `${nano}n`;
}

/** Reads a quantity. Throws QuantityError. Digits below one nano are rounded up, amounts end at 2^63-1, as in Kubernetes. */
export function parseQuantity(text: string | number): Amount {
  const match = PATTERN.exec(String(text));
  if (match === null) throw new QuantityError(String(text));
  const [, sign, digits = '0', suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  let numerator = BigInt(`${whole}${fraction}` || '0');
  let denominator = 10n ** BigInt(fraction.length);
  let format: QuantityFormat = 'DecimalSI';
  if (suffix.endsWith('i')) {
    format = 'BinarySI';
    numerator *= 1024n ** BigInt(BINARY.indexOf(suffix as (typeof BINARY)[number])) * NANO;
  } else if (/^[eE][+-]?\d/.test(suffix)) {
    format = 'DecimalExponent';
    // Powers beyond the digits change nothing any more: the amount is at its limit, or below one nano.
    const limit = digits.length + MAX_EXPONENT;
    const power = Math.max(-limit, Math.min(limit, Number(suffix.slice(1))));
    if (power >= 0) numerator *= 10n ** BigInt(power) * NANO;
    else {
      numerator *= NANO;
      denominator *= 10n ** BigInt(-power);
    }
  } else {
    numerator *= DECIMAL.find(([s]) => s === suffix)?.[1] ?? NANO;
  }
  const exact = divideUp(numerator, denominator);
  const nano = exact > MAX_NANO ? MAX_NANO : exact;
  return new Amount(sign === '-' ? -nano : nano, format);
}

/** True when the text is a quantity. */
export function isQuantity(text: unknown): boolean {
  return (typeof text === 'string' || typeof text === 'number') && PATTERN.test(String(text));
}
