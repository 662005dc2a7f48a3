/** The answer of a validating webhook. */
import type { Cause } from './rule.ts';

export interface Admission {
  readonly allowed: boolean;
  readonly causes: readonly Cause[];
  /** The causes in one line; empty when allowed. */
  readonly message: string;
  /** HTTP code; 200 when allowed. */
  readonly code: number;
  readonly warnings: readonly string[];
}

/** Clients know no more than this many causes in one answer. */
const MOST_CAUSES = 10;

/** Allowed without causes, refused with 422 and the first of them otherwise. */
export function admissionOf(causes: readonly Cause[], warnings: readonly string[] = []): Admission {
  if (causes.length === 0) return { allowed: true, causes, message: '', code: 200, warnings };
  const told = distinct(causes.slice(0, MOST_CAUSES));
  const rest = distinct(causes).length - told.length;
  const words = told.map((cause) => cause.message);
  return {
    allowed: false,
    causes: told,
    message: (rest === 0 ? words : [...words, `and ${rest} more validation errors`]).join(', '),
    code: 422,
    warnings: [],
  };
}

/** Each once: what is counted twice is told once. */
function distinct(causes: readonly Cause[]): readonly Cause[] {
  return [...new Map(causes.map((cause) => [`${cause.field}\n${cause.message}`, cause])).values()];
}

/** A refusal that blames no field. */
export function refusal(message: string, code: number): Admission {
  return { allowed: false, causes: [], message, code, warnings: [] };
}
