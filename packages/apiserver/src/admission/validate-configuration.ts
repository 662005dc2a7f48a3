/** The rules of webhook configurations. */
import { subdomainProblems } from '../verbs/metadata.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, type KubeObject, stringAt } from '../wire/json.ts';
import { labelSelectorErrors } from '../wire/selector-rules.ts';
import { WEBHOOK_SCOPE } from './expression-rules.ts';
import { matchConditionErrors, resourceRuleErrors } from './match-rules.ts';
import { reviewVersionErrors, webhookServiceErrors, webhookUrlErrors } from './webhook-client-rules.ts';

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
  const value = at(hook, key);
  return value === undefined || (typeof value === 'string' && allowed.includes(value))
    ? []
    : [notSupported(`${path}.${key}`, value, allowed)];
}

function validateHook(hook: Json, path: string): FieldError[] {
  const timeout = at(hook, 'timeoutSeconds');
  return [
    ...domainNameErrors(stringAt(hook, 'name'), `${path}.name`),
    ...arrayAt(hook, 'rules').flatMap((rule, i) => resourceRuleErrors(rule, `${path}.rules[${i}]`)),
    ...oneOf(hook, path, 'failurePolicy', ['Fail', 'Ignore']),
    ...oneOf(hook, path, 'matchPolicy', ['Equivalent', 'Exact']),
    ...oneOf(hook, path, 'reinvocationPolicy', ['IfNeeded', 'Never']),
    ...(stringAt(hook, 'sideEffects') === ''
      ? [required(`${path}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
      : oneOf(hook, path, 'sideEffects', ['None', 'NoneOnDryRun'])),
    ...(typeof timeout === 'number' && (timeout < 1 || timeout > 30)
      ? [invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...['namespaceSelector', 'objectSelector'].flatMap((key) =>
      labelSelectorErrors(at(hook, key), `${path}.${key}`),
    ),
    ...clientErrors(hook, `${path}.clientConfig`),
    ...reviewVersionErrors(
      arrayAt(hook, 'admissionReviewVersions').map(asString),
      `${path}.admissionReviewVersions`,
      'must specify one of v1, v1beta1',
    ),
    ...matchConditionErrors(arrayAt(hook, 'matchConditions'), `${path}.matchConditions`, WEBHOOK_SCOPE),
  ];
}

/** A name with at least three parts, as `hook.example.com`. */
function domainNameErrors(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const problems = subdomainProblems(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(','))];
  return name.split('.').length < 3
    ? [invalid(path, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

function clientErrors(hook: Json, path: string): FieldError[] {
  const url = at(hook, 'clientConfig', 'url');
  const service = at(hook, 'clientConfig', 'service');
  const hasUrl = typeof url === 'string';
  const hasService = service !== undefined && service !== null;
  if (hasUrl === hasService) return [required(path, 'exactly one of url or service is required')];
  return hasUrl
    ? webhookUrlErrors(url, `${path}.url`)
    : webhookServiceErrors(service ?? null, `${path}.service`);
}
