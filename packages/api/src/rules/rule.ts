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

/**
 * Rules about the items of one list. What they say is told item by item: an answer has room for a few causes only, and
 * clients know all that is wrong with the first items.
 */
export interface ItemRules<Subject, Context extends RuleContext = RuleContext> {
  readonly itemByItem: readonly Rule<Subject, Context>[];
}

export type Rules<Subject, Context extends RuleContext = RuleContext> = readonly (
  | Rule<Subject, Context>
  | ItemRules<Subject, Context>
)[];

/** All causes, in the order of the rules. */
export function runRules<Subject, Context extends RuleContext>(
  rules: Rules<Subject, Context>,
  subject: Subject,
  context: Context,
): Cause[] {
  const causes: Cause[] = [];
  for (const entry of rules) {
    const own =
      'itemByItem' in entry
        ? runRules(entry.itemByItem, subject, context).toSorted((a, b) => itemOf(a) - itemOf(b))
        : entry.check(subject, context);
    // Nearly every rule of nearly every object has nothing to say.
    for (const cause of own) causes.push(cause);
  }
  return causes;
}

/** The rules one by one. */
export function flatRules<Subject, Context extends RuleContext>(
  rules: Rules<Subject, Context>,
): readonly Rule<Subject, Context>[] {
  return rules.flatMap((entry) => ('itemByItem' in entry ? entry.itemByItem : [entry]));
}

/** Which item of its list a cause is about. */
function itemOf({ field }: Cause): number {
  return Number(/\[(\d+)\]/.exec(field)?.[1] ?? 0);
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
