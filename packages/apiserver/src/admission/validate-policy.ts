/** The rules of ValidatingAdmissionPolicies and their bindings. */
import { label1035Problems, pathNameProblems, subdomainProblems } from '../verbs/metadata.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  isObject,
  type Json,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { labelKeyProblems } from '../wire/label-selector.ts';
import { labelSelectorErrors } from '../wire/selector-rules.ts';
import { type ExpressionScope, expressionErrors } from './expression-rules.ts';
import { matchConditionErrors, matchResourcesErrors } from './match-rules.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const FAILURE = ['Fail', 'Ignore'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];
const MOST_ANNOTATIONS = 20;
const LONGEST_VALUE = 5 * 1024;
/** Words of CEL that no variable may be called. */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

export function validatePolicy(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const policy = stringAt(spec, 'failurePolicy');
  const match = at(spec, 'matchConstraints');
  const hasParams = isObject(at(spec, 'paramKind'));
  const names = hasParams ? (['namespaceObject', 'params'] as const) : (['namespaceObject'] as const);
  const scope: ExpressionScope = { names, authorizer: true, variables: undefined };
  const variables = arrayAt(spec, 'variables');
  const declared = variables.map((variable) => stringAt(variable, 'name'));
  return [
    ...(policy === '' ? [required('spec.failurePolicy')] : []),
    ...(policy !== '' && !FAILURE.includes(policy)
      ? [notSupported('spec.failurePolicy', policy, FAILURE)]
      : []),
    ...paramKindErrors(at(spec, 'paramKind'), 'spec.paramKind'),
    ...(match === undefined || match === null
      ? [required('spec.matchConstraints')]
      : [
          ...matchResourcesErrors(match, 'spec.matchConstraints'),
          ...(arrayAt(match, 'resourceRules').length === 0
            ? [required('spec.matchConstraints.resourceRules')]
            : []),
        ]),
    ...matchConditionErrors(arrayAt(spec, 'matchConditions'), 'spec.matchConditions', scope),
    ...variables.flatMap((variable, i) =>
      variableErrors(variable, `spec.variables[${i}]`, { ...scope, variables: declared.slice(0, i) }),
    ),
    ...checkErrors(object, { ...scope, variables: declared }),
  ];
}

function checkErrors(object: KubeObject, scope: ExpressionScope): FieldError[] {
  const validations = arrayAt(object, 'spec', 'validations');
  const annotations = arrayAt(object, 'spec', 'auditAnnotations');
  if (validations.length === 0 && annotations.length === 0) {
    const reason = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', reason), required('spec.auditAnnotations', reason)];
  }
  return [
    ...validations.flatMap((validation, i) => validationErrors(validation, `spec.validations[${i}]`, scope)),
    ...annotationErrors(annotations, object.metadata.name ?? '', scope),
  ];
}

function paramKindErrors(kind: Json | undefined, path: string): FieldError[] {
  if (kind === undefined || kind === null) return [];
  const name = stringAt(kind, 'kind');
  const problems = label1035Problems(name.toLowerCase());
  return [
    ...apiVersionErrors(stringAt(kind, 'apiVersion'), `${path}.apiVersion`),
    ...(name === '' ? [required(`${path}.kind`)] : []),
    ...(name !== '' && problems.length > 0
      ? [
          invalid(
            `${path}.kind`,
            name,
            `may have mixed case, but should otherwise match: ${problems.join(',')}`,
          ),
        ]
      : []),
  ];
}

function apiVersionErrors(apiVersion: string, path: string): FieldError[] {
  if (apiVersion === '') return [required(path)];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const version = parts.at(-1) ?? '';
  const groupProblems = group === '' ? [] : subdomainProblems(group);
  const versionProblems = label1035Problems(version);
  return [
    ...(groupProblems.length > 0 ? [invalid(path, group, groupProblems.join(','))] : []),
    ...(version === '' ? [invalid(path, apiVersion, 'version must be specified')] : []),
    ...(version !== '' && versionProblems.length > 0
      ? [invalid(path, version, versionProblems.join(','))]
      : []),
  ];
}

function variableErrors(variable: Json, path: string, scope: ExpressionScope): FieldError[] {
  const name = stringAt(variable, 'name');
  const expression = stringAt(variable, 'expression');
  return [
    ...(name.trim() === '' ? [required(`${path}.name`, 'name is not specified')] : []),
    ...(name.trim() !== '' && (!/^[A-Za-z_]\w*$/.test(name) || RESERVED.has(name))
      ? [invalid(`${path}.name`, name, 'must be a valid CEL identifier')]
      : []),
    ...(expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(expression, `${path}.expression`, scope)),
  ];
}

function validationErrors(validation: Json, path: string, scope: ExpressionScope): FieldError[] {
  const expression = stringAt(validation, 'expression');
  const message = stringAt(validation, 'message');
  const messageExpression = stringAt(validation, 'messageExpression');
  const reason = at(validation, 'reason');
  const errors =
    expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(expression, `${path}.expression`, scope, ['bool']);
  if (messageExpression !== '')
    errors.push(
      ...(messageExpression.trim() === ''
        ? [invalid(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified')]
        : expressionErrors(messageExpression, `${path}.messageExpression`, { ...scope, authorizer: false }, [
            'string',
          ])),
    );
  if (message !== '' && message.trim() === '')
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(message.trim()))
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  if (typeof reason === 'string' && !REASONS.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  return errors;
}

function annotationErrors(
  annotations: readonly Json[],
  policy: string,
  scope: ExpressionScope,
): FieldError[] {
  const path = 'spec.auditAnnotations';
  const keys = annotations.map((annotation) => stringAt(annotation, 'key'));
  const errors: FieldError[] =
    annotations.length > MOST_ANNOTATIONS
      ? [invalid(path, annotations, `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`)]
      : [];
  annotations.forEach((annotation, i) => {
    const key = keys[i] ?? '';
    const expression = stringAt(annotation, 'valueExpression').trim();
    const where = `${path}[${i}]`;
    const whole = `${policy}/${key}`;
    errors.push(
      ...(policy === ''
        ? [invalid(`${where}.key`, key, 'requires metadata.name be non-empty')]
        : labelKeyProblems(whole).map((problem) => invalid(`${where}.key`, whole, problem))),
    );
    if (expression === '')
      errors.push(required(`${where}.valueExpression`, 'valueExpression is not specified'));
    else if (Buffer.byteLength(expression) > LONGEST_VALUE)
      errors.push(required(`${where}.valueExpression`, `must not exceed ${LONGEST_VALUE} bytes in length`));
    else errors.push(...expressionErrors(expression, `${where}.valueExpression`, scope, ['string', 'null']));
    if (keys.indexOf(key) < i) errors.push(duplicate(`${where}.key`, key));
  });
  return errors;
}

export function validateBinding(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const policy = stringAt(spec, 'policyName');
  return [
    ...(policy === ''
      ? [required('spec.policyName')]
      : subdomainProblems(policy).map((problem) => invalid('spec.policyName', policy, problem))),
    ...paramRefErrors(at(spec, 'paramRef'), 'spec.paramRef'),
    ...matchResourcesErrors(at(spec, 'matchResources'), 'spec.matchResources'),
    ...actionErrors(arrayAt(spec, 'validationActions').map(asString), 'spec.validationActions'),
  ];
}

function paramRefErrors(ref: Json | undefined, path: string): FieldError[] {
  if (ref === undefined || ref === null) return [];
  const name = stringAt(ref, 'name');
  const selector = at(ref, 'selector');
  const hasSelector = selector !== undefined && selector !== null;
  const action = stringAt(ref, 'parameterNotFoundAction');
  const exclusive = 'name and selector are mutually exclusive';
  return [
    ...pathNameProblems(name).map((problem) => invalid(`${path}.name`, name, problem)),
    ...(name !== '' && hasSelector
      ? [forbidden(`${path}.name`, exclusive), forbidden(`${path}.selector`, exclusive)]
      : []),
    ...labelSelectorErrors(selector, `${path}.selector`),
    ...(name === '' && !hasSelector ? [required(path, 'one of name or selector must be specified')] : []),
    ...(action === '' ? [required(`${path}.parameterNotFoundAction`)] : []),
    ...(action !== '' && action !== 'Deny' && action !== 'Allow'
      ? [notSupported(`${path}.parameterNotFoundAction`, action, ['Deny', 'Allow'])]
      : []),
  ];
}

function actionErrors(actions: readonly string[], path: string): FieldError[] {
  const errors = actions.flatMap((action, i) => [
    ...(ACTIONS.includes(action) ? [] : [notSupported(`${path}[${i}]`, action, ACTIONS)]),
    ...(actions.indexOf(action) < i ? [duplicate(`${path}[${i}]`, action)] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      invalid(
        path,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
