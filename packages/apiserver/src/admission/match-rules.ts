/** The rules of what an admission webhook or policy is about: resources, operations, selectors and conditions. */
import { pathNameProblems } from '../verbs/metadata.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, stringAt } from '../wire/json.ts';
import { labelKeyProblems } from '../wire/label-selector.ts';
import { labelSelectorErrors } from '../wire/selector-rules.ts';
import { type ExpressionScope, expressionErrors } from './expression-rules.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const MOST_CONDITIONS = 64;

/** Problems of one rule about resources and operations. */
export function resourceRuleErrors(rule: Json, path: string): FieldError[] {
  const operations = arrayAt(rule, 'operations').map(asString);
  const scope = at(rule, 'scope');
  return [
    ...listErrors(operations, `${path}.operations`, 'operations'),
    ...operations.flatMap((operation, i) =>
      OPERATIONS.includes(operation) ? [] : [notSupported(`${path}.operations[${i}]`, operation, OPERATIONS)],
    ),
    ...listErrors(arrayAt(rule, 'apiGroups').map(asString), `${path}.apiGroups`, 'API groups'),
    ...listErrors(arrayAt(rule, 'apiVersions').map(asString), `${path}.apiVersions`, 'API versions'),
    ...arrayAt(rule, 'apiVersions').flatMap((version, i) =>
      version === '' ? [required(`${path}.apiVersions[${i}]`)] : [],
    ),
    ...resourceErrors(arrayAt(rule, 'resources').map(asString), `${path}.resources`),
    ...(typeof scope === 'string' && !SCOPES.includes(scope)
      ? [notSupported(`${path}.scope`, scope, SCOPES)]
      : []),
  ];
}

/** At least one, and a `*` stands alone. */
function listErrors(values: readonly string[], path: string, what: string): FieldError[] {
  if (values.length === 0) return [required(path)];
  return values.length > 1 && values.includes('*')
    ? [invalid(path, values, `if '*' is present, must not specify other ${what}`)]
    : [];
}

function resourceErrors(resources: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(path)] : [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let plainResource = false;
  resources.forEach((resource, i) => {
    if (resource === '') {
      errors.push(required(`${path}[${i}]`));
      return;
    }
    const slash = resource.indexOf('/');
    if (slash < 0) {
      // Only the last resource without a subresource counts, as in Kubernetes.
      plainResource = resource !== '*';
      return;
    }
    const [name, sub] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (wholeResources.has(name))
      errors.push(
        invalid(`${path}[${i}]`, resource, `if '${name}/*' is present, must not specify ${resource}`),
      );
    if (wholeSubresources.has(sub))
      errors.push(
        invalid(`${path}[${i}]`, resource, `if '*/${sub}' is present, must not specify ${resource}`),
      );
    if (sub === '*') wholeResources.add(name);
    if (name === '*') wholeSubresources.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && plainResource)
    errors.push(
      invalid(path, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  return errors;
}

/** Problems of the conditions under which something is asked. */
export function matchConditionErrors(
  conditions: readonly Json[],
  path: string,
  scope: ExpressionScope,
): FieldError[] {
  const errors: FieldError[] =
    conditions.length > MOST_CONDITIONS ? [tooMany(path, conditions.length, MOST_CONDITIONS)] : [];
  const seen = new Set<string>();
  conditions.forEach((condition, i) => {
    const where = `${path}[${i}]`;
    const expression = stringAt(condition, 'expression').trim();
    const name = stringAt(condition, 'name');
    errors.push(
      ...(expression === ''
        ? [required(`${where}.expression`)]
        : expressionErrors(expression, `${where}.expression`, scope, ['bool'])),
      ...(name === ''
        ? [required(`${where}.name`)]
        : labelKeyProblems(name).map((problem) => invalid(`${where}.name`, name, problem))),
    );
    if (name !== '' && seen.has(name)) errors.push(duplicate(`${where}.name`, name));
    seen.add(name);
  });
  return errors;
}

/** Problems of a policy's or binding's match; none when there is no match. */
export function matchResourcesErrors(match: Json | undefined, path: string): FieldError[] {
  if (match === undefined || match === null) return [];
  const policy = stringAt(match, 'matchPolicy');
  return [
    ...(policy === ''
      ? [required(`${path}.matchPolicy`)]
      : MATCH_POLICIES.includes(policy)
        ? []
        : [notSupported(`${path}.matchPolicy`, policy, MATCH_POLICIES)]),
    ...['namespaceSelector', 'objectSelector'].flatMap((key) =>
      at(match, key) === undefined
        ? [required(`${path}.${key}`)]
        : labelSelectorErrors(at(match, key), `${path}.${key}`),
    ),
    ...['resourceRules', 'excludeResourceRules'].flatMap((key) =>
      arrayAt(match, key).flatMap((rule, i) => namedRuleErrors(rule, `${path}.${key}[${i}]`)),
    ),
  ];
}

function namedRuleErrors(rule: Json, path: string): FieldError[] {
  const names = arrayAt(rule, 'resourceNames').map(asString);
  return [
    ...names.flatMap((name, i) => [
      ...pathNameProblems(name).map((problem) => invalid(`${path}.resourceNames[${i}]`, name, problem)),
      ...(names.indexOf(name) < i ? [duplicate(`${path}.resourceNames[${i}]`, name)] : []),
    ]),
    ...resourceRuleErrors(rule, path),
  ];
}
