/** The rules of ValidatingAdmissionPolicies and their bindings. */
import { ruleProblem } from '../crd/cel-rules.ts';
import { type FieldError, invalid, notSupported, required } from '../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { labelKeyProblems } from '../wire/label-selector.ts';
import { validateRule } from './validate-configuration.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const FAILURE = ['Fail', 'Ignore'];

export function validatePolicy(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors: FieldError[] = [];
  const policy = stringAt(spec, 'failurePolicy');
  if (policy !== '' && !FAILURE.includes(policy))
    errors.push(notSupported('spec.failurePolicy', policy, FAILURE));
  const kind = at(spec, 'paramKind');
  if (kind !== undefined)
    for (const key of ['apiVersion', 'kind'])
      if (stringAt(kind, key) === '') errors.push(required(`spec.paramKind.${key}`));
  const rules = arrayAt(spec, 'matchConstraints', 'resourceRules');
  if (at(spec, 'matchConstraints') === undefined) errors.push(required('spec.matchConstraints'));
  else if (rules.length === 0) errors.push(required('spec.matchConstraints.resourceRules'));
  rules.forEach((rule, i) => errors.push(...validateRule(rule, `spec.matchConstraints.resourceRules[${i}]`)));
  arrayAt(spec, 'variables').forEach((variable, i) => {
    const path = `spec.variables[${i}]`;
    const name = stringAt(variable, 'name');
    if (name === '') errors.push(required(`${path}.name`, 'name is not specified'));
    else if (!/^[A-Za-z_]\w*$/.test(name))
      errors.push(invalid(`${path}.name`, name, 'name is not a valid CEL identifier'));
    errors.push(...expressionErrors(variable, path));
  });
  arrayAt(spec, 'matchConditions').forEach((condition, i) => {
    const path = `spec.matchConditions[${i}]`;
    const name = stringAt(condition, 'name');
    for (const problem of labelKeyProblems(name)) errors.push(invalid(`${path}.name`, name, problem));
    errors.push(...expressionErrors(condition, path));
  });
  const validations = arrayAt(spec, 'validations');
  if (validations.length === 0 && arrayAt(spec, 'auditAnnotations').length === 0)
    errors.push(
      required('spec.validations', 'validations or auditAnnotations must contain at least one item'),
    );
  validations.forEach((validation, i) =>
    errors.push(...expressionErrors(validation, `spec.validations[${i}]`)),
  );
  return errors;
}

function expressionErrors(holder: Json, path: string): FieldError[] {
  const expression = stringAt(holder, 'expression');
  if (expression.trim() === '') return [required(`${path}.expression`, 'expression is not specified')];
  const problem = ruleProblem(expression);
  return problem === undefined
    ? []
    : [invalid(`${path}.expression`, expression, `compilation failed: ${problem}`)];
}

export function validateBinding(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors: FieldError[] = [];
  if (stringAt(spec, 'policyName') === '') errors.push(required('spec.policyName'));
  const ref = at(spec, 'paramRef');
  if (ref !== undefined) {
    const named = stringAt(ref, 'name') !== '';
    if (named === (at(ref, 'selector') !== undefined))
      errors.push(
        named
          ? invalid('spec.paramRef.name', stringAt(ref, 'name'), 'name and selector are mutually exclusive')
          : required('spec.paramRef', 'one of name or selector must be specified'),
      );
    if (stringAt(ref, 'parameterNotFoundAction') === '')
      errors.push(required('spec.paramRef.parameterNotFoundAction'));
  }
  const actions = arrayAt(spec, 'validationActions').map(asString);
  if (actions.length === 0) errors.push(required('spec.validationActions'));
  actions.forEach((action, i) => {
    if (!ACTIONS.includes(action)) errors.push(notSupported(`spec.validationActions[${i}]`, action, ACTIONS));
  });
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      invalid(
        'spec.validationActions',
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  return errors;
}
