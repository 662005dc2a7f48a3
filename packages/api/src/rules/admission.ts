/** The answer of a validating webhook. */
import type { Cause } from './rule.ts';

export interface Admission {
  readonly allowed: boolean;
  readonly causes: readonly Cause[];
  /** All causes in one line; empty when allowed. */
  readonly message: string;
  /** HTTP code; 200 when allowed. */
  readonly code: number;
  readonly warnings: readonly string[];
}

/** Allowed without causes, refused with 422 and all of them otherwise. */
export function admissionOf(causes: readonly Cause[], warnings: readonly string[] = []): Admission {
  if (causes.length === 0) return { allowed: true, causes, message: '', code: 200, warnings };
  return {
    allowed: false,
    causes,
    message: causes.map((cause) => cause.message).join(', '),
    code: 422,
    warnings: [],
  };
}

/** A refusal that blames no field. */
export function refusal(message: string, code: number): Admission {
  return { allowed: false, causes: [], message, code, warnings: [] };
}
