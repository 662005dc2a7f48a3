/** How much CEL rules may cost, and what is said of those that cost more. Pure. */
import { type FieldError, forbidden } from '../../../wire/field-errors.ts';
import { bounded } from './size.ts';
import { REQUEST_BYTES, type SizedType } from './sized-type.ts';

const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;
/** How many of the dearest rules are named when all together cost too much; those under a hundredth never. */
const NAMED = 4;
const LEAST_NAMED = TOTAL_LIMIT / 100;

const HELP =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

export interface RuleCost {
  readonly path: string;
  readonly cost: number;
}

/**
 * How often a rule may run in one object: the product of the limits of all lists and maps around it. Where one has no
 * limit (`bounds` undefined), as often as the smallest value fits into a request.
 */
export function timesOf(bounds: number | undefined, self: SizedType): number {
  return bounds ?? Math.floor(REQUEST_BYTES / (self.leastBytes + 1));
}

/** Undefined when the expression is within its limit. */
export function costProblem(
  what: 'rule' | 'messageExpression',
  { path, cost }: RuleCost,
): FieldError | undefined {
  if (cost <= RULE_LIMIT) return undefined;
  return forbidden(path, beyond(`estimated ${what} cost`, cost, RULE_LIMIT));
}

/** What is said when all expressions of a schema together cost too much. */
export function totalProblems(costs: readonly RuleCost[], path: string): FieldError[] {
  const sum = bounded(costs.reduce((total, { cost }) => total + cost, 0));
  if (sum <= TOTAL_LIMIT) return [];
  const dearest = costs.filter(({ cost }) => cost >= LEAST_NAMED).toSorted((a, b) => b.cost - a.cost);
  return [
    ...dearest
      .slice(0, NAMED)
      .map((rule) =>
        forbidden(
          rule.path,
          'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        ),
      ),
    forbidden(
      path,
      beyond(
        'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
        sum,
        TOTAL_LIMIT,
      ),
    ),
  ];
}

function beyond(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown =
    factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} ${HELP}`;
}
