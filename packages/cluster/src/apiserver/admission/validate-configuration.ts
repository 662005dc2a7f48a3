/** The rules of webhook configurations. */
import { ruleProblem } from '../crd/cel-rules.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, type KubeObject, stringAt } from '../wire/json.ts';
import { webhookServiceErrors, webhookUrlErrors } from './webhook-client-rules.ts';
import { labelKeyProblems } from '../wire/label-selector.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function validateWebhooks(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return arrayAt(object, 'webhooks').flatMap((hook, i) => {
    const name = stringAt(hook, 'name');
    const repeated = seen.has(name) ? [duplicate(`webhooks[${i}].name`, name)] : [];
    seen.add(name);
    return [...validateHook(hook, `webhooks[${i}]`), ...repeated];
  });
}

function oneOf(hook: Json, path: string, key: string, allowed: readonly string[]): FieldError[] {
  const value = stringAt(hook, key);
  return value === '' || allowed.includes(value) ? [] : [notSupported(`${path}.${key}`, value, allowed)];
}

function validateHook(hook: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = stringAt(hook, 'name');
  if (name.split('.').filter((part) => part !== '').length < 3)
    errors.push(
      invalid(`${path}.name`, name, 'should be a domain with at least three segments separated by dots'),
    );
  arrayAt(hook, 'rules').forEach((rule, i) => errors.push(...validateRule(rule, `${path}.rules[${i}]`)));
  errors.push(
    ...oneOf(hook, path, 'failurePolicy', ['Fail', 'Ignore']),
    ...oneOf(hook, path, 'matchPolicy', ['Equivalent', 'Exact']),
  );
  if (stringAt(hook, 'sideEffects') === '')
    errors.push(required(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else errors.push(...oneOf(hook, path, 'sideEffects', ['None', 'NoneOnDryRun']));
  const timeout = at(hook, 'timeoutSeconds');
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30))
    errors.push(
      invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'),
    );
  for (const key of ['namespaceSelector', 'objectSelector'])
    errors.push(...validateSelector(at(hook, key), `${path}.${key}`));
  errors.push(...validateClient(hook, `${path}.clientConfig`));
  const versions = arrayAt(hook, 'admissionReviewVersions').map(asString);
  if (versions.length === 0)
    errors.push(required(`${path}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
  else if (!versions.some((v) => v === 'v1' || v === 'v1beta1'))
    errors.push(
      invalid(`${path}.admissionReviewVersions`, versions, 'must include at least one of v1, v1beta1'),
    );
  arrayAt(hook, 'matchConditions').forEach((condition, i) => {
    const conditionName = stringAt(condition, 'name');
    const expression = stringAt(condition, 'expression');
    for (const problem of labelKeyProblems(conditionName))
      errors.push(invalid(`${path}.matchConditions[${i}].name`, conditionName, problem));
    const problem = ruleProblem(expression);
    if (problem !== undefined)
      errors.push(
        invalid(`${path}.matchConditions[${i}].expression`, expression, `compilation failed: ${problem}`),
      );
  });
  return errors;
}

/** A rule of what resources and operations something is about. */
export function validateRule(rule: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['operations', 'apiGroups', 'apiVersions', 'resources'])
    if (arrayAt(rule, key).length === 0) errors.push(required(`${path}.${key}`));
  arrayAt(rule, 'operations').forEach((operation, i) => {
    if (!OPERATIONS.includes(asString(operation)))
      errors.push(notSupported(`${path}.operations[${i}]`, operation, OPERATIONS));
  });
  const resources = arrayAt(rule, 'resources').map(asString);
  if (resources.includes('*/*') && resources.length > 1)
    errors.push(
      invalid(`${path}.resources`, resources, "if '*/*' is present, must not specify other resources"),
    );
  else if (resources.includes('*') && resources.some((r) => r !== '*' && !r.includes('/')))
    errors.push(
      invalid(
        `${path}.resources`,
        resources,
        "if '*' is present, must not specify other resources without subresources",
      ),
    );
  return errors;
}

function validateSelector(selector: Json | undefined, path: string): FieldError[] {
  return arrayAt(selector, 'matchExpressions').flatMap((expression, i) => {
    const operator = stringAt(expression, 'operator');
    return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)
      ? []
      : [invalid(`${path}.matchExpressions[${i}].operator`, operator, 'not a valid selector operator')];
  });
}

function validateClient(hook: Json, path: string): FieldError[] {
  const given = stringAt(hook, 'clientConfig', 'url');
  const service = at(hook, 'clientConfig', 'service');
  if ((given === '') === (service === undefined || service === null))
    return [required(path, 'exactly one of url or service is required')];
  return given === ''
    ? webhookServiceErrors(service ?? null, `${path}.service`)
    : webhookUrlErrors(given, `${path}.url`);
}
