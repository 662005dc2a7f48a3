/**
 * What a rule is. Rules are data: each guards one field, says so in one sentence, and has one small pure
 * function that returns the causes against an object. `docs/rules.md` is printed from them.
 */
import type { ClusterConfig } from '../config/cluster-config.ts';

/** Kubernetes' machine-readable kinds of a broken rule. */
export type CauseReason =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden';

/** One broken rule. */
export interface Cause {
  readonly reason: CauseReason;
  /** Where in the object; empty when no single field is to blame. */
  readonly field: string;
  readonly message: string;
}

export interface RuleContext {
  readonly config: ClusterConfig;
  /** Where the checked part stands in the object: `spec`, or `spec.template.spec` inside a VM. */
  readonly path: string;
}

export interface Rule<Subject, Context extends RuleContext = RuleContext> {
  /** Unique, dotted: area, then what is checked. */
  readonly id: string;
  /** The field that the rule guards, below the context's path. */
  readonly field: string;
  /** The rule in one sentence, for people. */
  readonly summary: string;
  readonly check: (subject: Subject, context: Context) => readonly Cause[];
}

/** All causes, in the order of the rules. */
export function runRules<Subject, Context extends RuleContext>(
  rules: readonly Rule<Subject, Context>[],
  subject: Subject,
  context: Context,
): Cause[] {
  const causes: Cause[] = [];
  // Nearly every rule of nearly every object has nothing to say.
  for (const { check } of rules) for (const cause of check(subject, context)) causes.push(cause);
  return causes;
}

/** A cause when the condition holds, else nothing. Keeps a rule's condition and sentence side by side. */
export function when(condition: unknown, cause: () => Cause): readonly Cause[] {
  return condition ? [cause()] : [];
}

export function invalid(field: string, message: string): Cause {
  return { reason: 'FieldValueInvalid', field, message };
}

export function required(field: string, message: string): Cause {
  return { reason: 'FieldValueRequired', field, message };
}

export function notFound(field: string, message: string): Cause {
  return { reason: 'FieldValueNotFound', field, message };
}

export function notSupported(field: string, message: string): Cause {
  return { reason: 'FieldValueNotSupported', field, message };
}

export function duplicate(field: string, message: string): Cause {
  return { reason: 'FieldValueDuplicate', field, message };
}

export function forbidden(field: string, message: string): Cause {
  return { reason: 'FieldValueForbidden', field, message };
}
