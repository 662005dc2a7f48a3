/** Rules of a Job's spec, of its own or in the template of a CronJob. */
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { domainPathErrors, notNegativeAt } from '../common-rules.ts';
import { validatePodSpec } from '../pod/validate.ts';
import { templateMetadataErrors } from '../template.ts';

const MODES = ['NonIndexed', 'Indexed'];

export function validateJobSpec(spec: JsonObject, path: string): FieldError[] {
  const errors = notNegativeAt(spec, path, [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ]);
  const mode = stringAt(spec, 'completionMode');
  if (mode !== '' && !MODES.includes(mode)) errors.push(notSupported(`${path}.completionMode`, mode, MODES));
  if (mode === 'Indexed' && at(spec, 'completions') === undefined)
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  errors.push(...indexErrors(spec, path), ...failurePolicyErrors(spec, path));
  errors.push(...templateMetadataErrors(objectAt(spec, 'template'), `${path}.template`));
  const pod = objectAt(spec, 'template', 'spec');
  const policy = stringAt(pod, 'restartPolicy');
  const where = `${path}.template.spec`;
  errors.push(...validatePodSpec({ ...pod, restartPolicy: 'Never' }, where));
  if (policy === '' || policy === 'Always')
    errors.push(required(`${where}.restartPolicy`, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never')
    errors.push(notSupported(`${where}.restartPolicy`, policy, ['OnFailure', 'Never']));
  return errors;
}

/** What only a Job that counts its Pods by index may say, and who else may look after it. */
function indexErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const indexed = stringAt(spec, 'completionMode') === 'Indexed';
  const refuse = (field: string, value: unknown, text: string): number =>
    errors.push(invalid(`${path}.${field}`, value, text));
  const [parallel, failed] = [at(spec, 'parallelism'), at(spec, 'maxFailedIndexes')];
  if (failed !== undefined && at(spec, 'backoffLimitPerIndex') === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  if (at(spec, 'managedBy') !== undefined)
    errors.push(...domainPathErrors(stringAt(spec, 'managedBy'), `${path}.managedBy`));
  if (!indexed) {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (at(spec, field) !== undefined) refuse(field, at(spec, field), 'requires indexed completion mode');
    if (at(spec, 'successPolicy') !== undefined)
      refuse(
        'successPolicy',
        { Rules: at(spec, 'successPolicy', 'rules') ?? null },
        'requires indexed completion mode',
      );
    return errors;
  }
  if (typeof parallel === 'number' && parallel > MAX_INDEXED)
    refuse(
      'parallelism',
      parallel,
      `must be less than or equal to ${MAX_INDEXED} when completion mode is Indexed`,
    );
  const completions = at(spec, 'completions');
  if (typeof failed === 'number' && typeof completions === 'number' && failed > completions)
    refuse('maxFailedIndexes', failed, 'must be less than or equal to completions');
  return errors;
}

const MAX_INDEXED = 100_000;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** When a failed Pod ends the Job, or does not count. */
function failurePolicyErrors(spec: JsonObject, path: string): FieldError[] {
  const replacement = stringAt(spec, 'podReplacementPolicy');
  const hasPolicy = at(spec, 'podFailurePolicy') !== undefined;
  const allowed = hasPolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  const errors: FieldError[] =
    replacement === '' || allowed.includes(replacement)
      ? []
      : [notSupported(`${path}.podReplacementPolicy`, replacement, allowed)];
  if (hasPolicy && stringAt(spec, 'template', 'spec', 'restartPolicy') !== 'Never')
    errors.push(
      invalid(
        `${path}.template.spec.restartPolicy`,
        stringAt(spec, 'template', 'spec', 'restartPolicy'),
        'only "Never" is supported when podFailurePolicy is specified',
      ),
    );
  arrayAt(spec, 'podFailurePolicy', 'rules').forEach((rule, i) =>
    errors.push(...failureRuleErrors(rule, `${path}.podFailurePolicy.rules[${i}]`, spec)),
  );
  return errors;
}

function failureRuleErrors(rule: Json, path: string, spec: JsonObject): FieldError[] {
  const action = stringAt(rule, 'action');
  const errors: FieldError[] = [];
  if (action === '') errors.push(required(`${path}.action`, `valid values: ${shownList(ACTIONS)}`));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(`${path}.action`, action, ACTIONS));
  else if (action === 'FailIndex' && at(spec, 'backoffLimitPerIndex') === undefined)
    errors.push(invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  const codes = at(rule, 'onExitCodes');
  const conditions = arrayAt(rule, 'onPodConditions');
  if (codes !== undefined) errors.push(...exitCodeErrors(codes, `${path}.onExitCodes`, spec));
  conditions.forEach((condition, i) => {
    const status = stringAt(condition, 'status');
    if (!STATES.includes(status))
      errors.push(notSupported(`${path}.onPodConditions[${i}].status`, status, STATES));
  });
  if (codes !== undefined && conditions.length > 0)
    errors.push(invalid(path, '', 'specifying both OnExitCodes and OnPodConditions is not supported'));
  else if (codes === undefined && conditions.length === 0)
    errors.push(invalid(path, '', 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

const STATES = ['False', 'True', 'Unknown'];

function exitCodeErrors(codes: Json, path: string, spec: JsonObject): FieldError[] {
  const operator = stringAt(codes, 'operator');
  const values = arrayAt(codes, 'values');
  const known = ['In', 'NotIn'];
  const errors: FieldError[] = [];
  const container = stringAt(codes, 'containerName');
  const containers = ['containers', 'initContainers'].flatMap((list) =>
    arrayAt(spec, 'template', 'spec', list).map((one) => stringAt(one, 'name')),
  );
  if (container !== '' && !containers.includes(container))
    errors.push(
      invalid(
        `${path}.containerName`,
        container,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  if (operator === '') errors.push(required(`${path}.operator`, `valid values: ${shownList(known)}`));
  else if (!known.includes(operator)) errors.push(notSupported(`${path}.operator`, operator, known));
  if (values.length === 0) errors.push(invalid(`${path}.values`, null, 'at least one value is required'));
  values.forEach((value, i) => {
    const where = `${path}.values[${i}]`;
    if (values.indexOf(value) < i) errors.push(duplicate(where, value));
    if (operator === 'In' && value === 0)
      errors.push(invalid(where, value, 'must not be 0 for the In operator'));
  });
  return errors;
}

const shownList = (values: readonly string[]): string => `[${values.map((value) => `"${value}"`).join(' ')}]`;
