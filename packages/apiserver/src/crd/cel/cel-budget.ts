/**
 * What the evaluation of an expression may cost, by what is counted while it runs: passes of macros, lengths of lists
 * and texts that are looked through. Who writes a rule or a policy is trusted, whose objects it is held against is not:
 * `l.all(a, l.exists(b, …))` of a hundred thousand entries would keep the server busy for hours. Limits and words are
 * those of the real server; its units are about these.
 */

/** Of one expression. */
const CALL_LIMIT = 1_000_000;
/** Of all rules of a schema for one object. */
const OBJECT_LIMIT = 10_000_000;
const PER_ENTRY = 0.1;

const CALL_EXCEEDED = 'operation cancelled: actual cost limit exceeded';
export const OBJECT_EXCEEDED =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** One for all, without a stack: quantifiers of the CEL library go on after an error, and meet it for each entry. */
const exceeded = new Error(CALL_EXCEEDED);
exceeded.stack = CALL_EXCEEDED;

let left = Number.POSITIVE_INFINITY;
let leftOfObject = Number.POSITIVE_INFINITY;

/** Counts work of the expression that is being evaluated. @throws when it has no more to spend */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw exceeded;
}

/** Counts entries of a list or characters of a text that are looked through. */
export function spendSize(value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value)) spend(value.length * PER_ENTRY);
}

/** Evaluates an expression within its limit. An error that the expression made up for still counts. */
export function withinCallLimit<T>(evaluation: () => T): T {
  const outer = left;
  left = CALL_LIMIT;
  try {
    const result = evaluation();
    if (left < 0) throw exceeded;
    return result;
  } finally {
    leftOfObject -= CALL_LIMIT - left;
    left = outer;
  }
}

/** Runs all rules of an object. */
export function withinObjectLimit(validation: () => void): void {
  leftOfObject = OBJECT_LIMIT;
  try {
    validation();
  } finally {
    leftOfObject = Number.POSITIVE_INFINITY;
  }
}

/** Whether the rules of this object have cost more than they may. */
export function isObjectLimitExceeded(): boolean {
  return leftOfObject < 0;
}
