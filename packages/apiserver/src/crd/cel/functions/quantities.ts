/** Quantities of resources: `quantity("500m")`. */
import { Amount, isQuantity, parseQuantity } from '@podvisor/base';
import type { Environment } from '@marcbachmann/cel-js';
import { declaring } from './declare.ts';

class Quantity {
  readonly amount: Amount;
  constructor(amount: Amount) {
    this.amount = amount;
  }
}

const ONE = 1_000_000_000n;
const whole = (value: bigint): Amount => new Amount(value * ONE);
const negative = ({ amount }: Quantity): Amount => new Amount(-amount.nano, amount.format);

export function declareQuantities(env: Environment): void {
  const type = 'kubernetes.Quantity';
  env.registerType(type, Quantity);
  env.registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.amount.nano === b.amount.nano);
  const f = declaring(env);
  f(`quantity(string): ${type}`, (text: string) => new Quantity(parseQuantity(text)));
  f('isQuantity(string): bool', (text: string) => isQuantity(text));
  f(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.amount.compare(b.amount) > 0);
  f(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.amount.compare(b.amount) < 0);
  f(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => BigInt(a.amount.compare(b.amount)));
  f(`${type}.sign(): int`, ({ amount }: Quantity) => (amount.nano > 0n ? 1n : amount.nano < 0n ? -1n : 0n));
  f(`${type}.isInteger(): bool`, ({ amount }: Quantity) => amount.nano % ONE === 0n);
  f(`${type}.asInteger(): int`, ({ amount }: Quantity) => {
    if (amount.nano % ONE !== 0n) throw new Error('cannot convert value to integer');
    return amount.nano / ONE;
  });
  f(`${type}.asApproximateFloat(): double`, ({ amount }: Quantity) => Number(amount.nano) / Number(ONE));
  f(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.amount.plus(b.amount)));
  f(`${type}.add(int): ${type}`, (a: Quantity, b: bigint) => new Quantity(a.amount.plus(whole(b))));
  f(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.amount.plus(negative(b))));
  f(`${type}.sub(int): ${type}`, (a: Quantity, b: bigint) => new Quantity(a.amount.plus(whole(-b))));
}
