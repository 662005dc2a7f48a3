/**
 * Checks the CEL rules of a schema when the CRD is written: they must parse, fit the schema's types, end in a bool and
 * cost no more than Kubernetes allows.
 */
import { type FieldError, invalid } from '../../wire/field-errors.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import type { Expression } from './cel.ts';
import { expressionCost } from './cost/estimate.ts';
import { costProblem, type RuleCost, timesOf, totalProblems } from './cost/limits.ts';
import { type SizedType, sizedType } from './cost/sized-type.ts';
import { type Check, checker, isDescribed, withRoot } from './rule-types.ts';
import { expressionProblem, ruleForm, shownRule } from './rule-form.ts';

/**
 * Problems of all rules in the schema at `path`. A schema that was accepted before and is `unchanged` keeps its dear
 * rules: only what all of them cost together is judged again, as Kubernetes does.
 */
export function celErrors(schema: JsonObject, path: string, unchanged = false): FieldError[] {
  const costs: RuleCost[] = [];
  const root = { path, uncorrelated: undefined, times: 1, isRoot: true };
  const { form, expressions } = visit(withRoot(schema), root, unchanged, costs);
  return [...form, ...expressions, ...totalProblems(costs, path)];
}

/** Where a part of the schema is. */
interface Place {
  readonly path: string;
  /** Path of the list above whose items cannot be found again in the old object. */
  readonly uncorrelated: string | undefined;
  /** How often it may be there in one object by the limits around it; undefined when one of them is not given. */
  readonly times: number | undefined;
  readonly isRoot: boolean;
}

/** Where the form of a rule is wrong, expressions there and above are not looked at. */
interface Found {
  readonly form: readonly FieldError[];
  readonly expressions: readonly FieldError[];
}

function visit(node: JsonObject, place: Place, unchanged: boolean, costs: RuleCost[]): Found {
  const inside = childPlaces(node, place).map(([child, at]) => visit(child, at, unchanged, costs));
  const rules = arrayAt(node, 'x-kubernetes-validations');
  const at = (i: number): string => `${place.path}.x-kubernetes-validations[${i}]`;
  const form = [
    ...inside.flatMap((found) => found.form),
    ...rules.flatMap((rule, i) => (isObject(rule) ? ruleForm(rule, node, at(i)) : [])),
  ];
  const expressions = inside.flatMap((found) => found.expressions);
  if (rules.length === 0 || form.length > 0) return { form, expressions };
  if (!isDescribed(node))
    return { form, expressions: [...expressions, withoutType(`${place.path}.x-kubernetes-validations`)] };
  const check = checker(node);
  const self = sizedType(node, place.isRoot || node['x-kubernetes-embedded-resource'] === true);
  const problems = rules.flatMap((rule, i) => {
    if (!isObject(rule)) return [];
    const known = { self, unchanged, costs, times: self === undefined ? 0 : timesOf(place.times, self) };
    return ruleErrors(rule, at(i), check, place.uncorrelated, known);
  });
  return { form, expressions: [...expressions, ...problems] };
}

/** Kubernetes takes it for a fault of its own. */
function withoutType(field: string): FieldError {
  const why = 'failed to construct type information for x-kubernetes-validations rules';
  const what = 'unable to convert structural schema to CEL declarations';
  return { field, reason: 'InternalError', message: `Internal error: internal error: ${why}: ${what}` };
}

function childPlaces(node: JsonObject, place: Place): (readonly [JsonObject, Place])[] {
  const { path, uncorrelated } = place;
  const { items, additionalProperties } = node;
  const times = timesInside(node, place.times);
  const keyed = node['x-kubernetes-list-type'] === 'map';
  const below = (more: string, itsUncorrelated = uncorrelated): Place => ({
    path: `${path}.${more}`,
    uncorrelated: itsUncorrelated,
    times,
    isRoot: false,
  });
  return [
    ...(isObject(additionalProperties)
      ? [[additionalProperties, below('additionalProperties')] as const]
      : []),
    ...Object.entries(objectAt(node, 'properties')).flatMap(([name, child]) =>
      isObject(child) ? [[child, below(`properties[${name}]`)] as const] : [],
    ),
    ...(isObject(items)
      ? [[items, below('items', uncorrelated ?? (keyed ? undefined : path))] as const]
      : []),
  ];
}

/** How often what is inside may be there. */
function timesInside(node: JsonObject, times: number | undefined): number | undefined {
  const type = stringAt(node, 'type');
  const isMap = type === 'object' && node['additionalProperties'] !== undefined;
  if (!isMap && type !== 'array') return times;
  const limit = node[isMap ? 'maxProperties' : 'maxItems'];
  return times === undefined || typeof limit !== 'number' ? undefined : times * Math.max(0, limit);
}

/** What is needed to judge the cost of a rule. */
interface Costs {
  readonly self: SizedType | undefined;
  readonly times: number;
  readonly unchanged: boolean;
  readonly costs: RuleCost[];
}

function ruleErrors(
  rule: JsonObject,
  path: string,
  check: Check,
  uncorrelated: string | undefined,
  known: Costs,
): FieldError[] {
  const text = stringAt(rule, 'rule');
  const message = stringAt(rule, 'messageExpression');
  const isOptional = rule['optionalOldSelf'] === true;
  const errors: FieldError[] = [];
  const judge = (
    what: 'rule' | 'messageExpression',
    expression: string,
    wanted: 'bool' | 'string',
    times: number,
  ): void => {
    const checked = check(expression, isOptional);
    const problem = expressionProblem(checked.result, wanted, expression);
    const cost = {
      path: `${path}.${what}`,
      cost: problem === undefined ? costOf(checked, known) * times : 0,
    };
    known.costs.push(cost);
    const tooMuch = known.unchanged ? undefined : costProblem(what, cost);
    if (tooMuch !== undefined) errors.push(tooMuch);
    if (problem !== undefined) errors.push(invalid(cost.path, shownRule(rule), problem));
  };
  judge('rule', text, 'bool', known.times);
  if (message !== '') judge('messageExpression', message, 'string', 1);
  return [...errors, ...oldSelfErrors(rule, path, uncorrelated)];
}

/** Nothing where the library could not find a type for every part. */
function costOf({ ast, result }: Expression, { self }: Costs): number {
  return ast === undefined || self === undefined || !result.valid ? 0 : expressionCost(ast, self);
}

function oldSelfErrors(rule: JsonObject, path: string, uncorrelated: string | undefined): FieldError[] {
  const text = stringAt(rule, 'rule');
  const isUsed = /\boldSelf\b/.test(text);
  if (isUsed && uncorrelated !== undefined)
    return [
      invalid(
        `${path}.rule`,
        text,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
      ),
    ];
  if (isUsed || rule['optionalOldSelf'] === undefined) return [];
  return [
    invalid(
      `${path}.optionalOldSelf`,
      rule['optionalOldSelf'],
      'may not be set if oldSelf is not used in rule',
    ),
  ];
}
