/** Jobs and CronJobs: defaults and rules. */
import { duplicate, type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import {
  arrayAt,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { immutableAt, notNegativeAt } from './common-rules.ts';
import { parseSchedule, ScheduleError } from '@podvisor/base';
import { ensure, fill } from './fill.ts';
import { validatePodSpec } from './pod/validate.ts';
import { defaultTemplate } from './template.ts';

const MODES = ['NonIndexed', 'Indexed'];

function defaultJobSpec(spec: JsonObject): void {
  if (at(spec, 'completions') === undefined && at(spec, 'parallelism') === undefined)
    fill(spec, 'completions', 1);
  fill(spec, 'parallelism', 1);
  fill(spec, 'backoffLimit', 6);
  fill(spec, 'completionMode', 'NonIndexed');
  fill(spec, 'suspend', false);
  fill(
    spec,
    'podReplacementPolicy',
    at(spec, 'podFailurePolicy') === undefined ? 'TerminatingOrFailed' : 'Failed',
  );
  fill(spec, 'manualSelector', false);
}

function validateJobSpec(spec: JsonObject, path: string): FieldError[] {
  const errors = notNegativeAt(spec, path, [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ]);
  const mode = stringAt(spec, 'completionMode');
  if (mode !== '' && !MODES.includes(mode))
    errors.push(notSupported(`${path}.completionMode`, mode, MODES.toReversed()));
  if (mode === 'Indexed' && at(spec, 'completions') === undefined)
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  errors.push(...failurePolicyErrors(spec, path));
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
    errors.push(...failureRuleErrors(rule, `${path}.podFailurePolicy.rules[${i}]`)),
  );
  return errors;
}

function failureRuleErrors(rule: Json, path: string): FieldError[] {
  const action = stringAt(rule, 'action');
  const errors: FieldError[] = [];
  if (action === '') errors.push(required(`${path}.action`, `valid values: ${shownList(ACTIONS)}`));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(`${path}.action`, action, ACTIONS));
  const codes = at(rule, 'onExitCodes');
  const conditions = arrayAt(rule, 'onPodConditions');
  if (codes !== undefined) errors.push(...exitCodeErrors(codes, `${path}.onExitCodes`));
  if (codes !== undefined && conditions.length > 0)
    errors.push(invalid(path, '', 'specifying both OnExitCodes and OnPodConditions is not supported'));
  else if (codes === undefined && conditions.length === 0)
    errors.push(invalid(path, '', 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function exitCodeErrors(codes: Json, path: string): FieldError[] {
  const operator = stringAt(codes, 'operator');
  const values = arrayAt(codes, 'values');
  const known = ['In', 'NotIn'];
  const errors: FieldError[] = [];
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

export const jobRules: KindRules = {
  hasGeneration: true,
  selectable: ['status.successful'],
  select: (object) => String(at(object, 'status', 'succeeded') ?? 0),
  default: (object) => {
    const spec = ensure(object, 'spec');
    defaultJobSpec(spec);
    const given = stringAt(spec, 'template', 'spec', 'restartPolicy');
    defaultTemplate(spec);
    // A Job must say whether it restarts: the default of Pods would never end.
    if (given === '') delete ensure(ensure(spec, 'template'), 'spec')['restartPolicy'];
  },
  prepareCreate: (object) => {
    object['status'] = {};
    const spec = ensure(object, 'spec');
    if (spec['manualSelector'] === true) return;
    const uid = object.metadata.uid ?? '';
    if (Object.keys(object.metadata.labels ?? {}).length === 0)
      object.metadata.labels = { ...objectAt(spec, 'template', 'metadata', 'labels') } as Record<
        string,
        string
      >;
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': object.metadata.name ?? '',
      'controller-uid': uid,
      'job-name': object.metadata.name ?? '',
    };
    const metadata = ensure(ensure(spec, 'template'), 'metadata');
    metadata['labels'] = { ...objectAt(metadata, 'labels'), ...labels };
    object.metadata.labels = { ...object.metadata.labels, ...labels };
    spec['selector'] = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  },
  validate: (object) => validateJobSpec(objectAt(object, 'spec'), 'spec'),
  validateUpdate: (object, old) =>
    immutableAt(object, old, 'spec', ['completions', 'selector', 'completionMode', 'podFailurePolicy']),
};

const POLICIES = ['Allow', 'Forbid', 'Replace'];
const MAX_NAME = 52;

function validateCronJob(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors: FieldError[] = [];
  const schedule = stringAt(spec, 'schedule');
  if (schedule === '') errors.push(required('spec.schedule'));
  else if (schedule.includes('TZ'))
    errors.push(
      invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    );
  else errors.push(...scheduleErrors(schedule));
  errors.push(...timeZoneErrors(at(spec, 'timeZone')));
  errors.push(...notNegativeAt(spec, 'spec', ['startingDeadlineSeconds']));
  const policy = stringAt(spec, 'concurrencyPolicy');
  if (policy === '') errors.push(required('spec.concurrencyPolicy'));
  else if (!POLICIES.includes(policy)) errors.push(notSupported('spec.concurrencyPolicy', policy, POLICIES));
  errors.push(...validateJobSpec(objectAt(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec'));
  errors.push(...notNegativeAt(spec, 'spec', ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']));
  const name = object.metadata.name ?? '';
  if (name.length > MAX_NAME)
    errors.push(invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`));
  return errors;
}

function scheduleErrors(schedule: string): FieldError[] {
  try {
    parseSchedule(schedule);
    return [];
  } catch (error) {
    if (error instanceof ScheduleError) return [invalid('spec.schedule', schedule, error.message)];
    throw error;
  }
}

function timeZoneErrors(zone: unknown): FieldError[] {
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalid('spec.timeZone', zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    return [
      invalid(
        'spec.timeZone',
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ];
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return [];
  } catch {
    return [invalid('spec.timeZone', zone, `unknown time zone ${zone}`)];
  }
}

export const cronJobRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'concurrencyPolicy', 'Allow');
    fill(spec, 'suspend', false);
    fill(spec, 'successfulJobsHistoryLimit', 3);
    fill(spec, 'failedJobsHistoryLimit', 1);
    const job = ensure(spec, 'jobTemplate');
    ensure(job, 'metadata');
    const given = stringAt(job, 'spec', 'template', 'spec', 'restartPolicy');
    const jobSpec = ensure(job, 'spec');
    defaultTemplate(jobSpec);
    if (given === '') delete ensure(ensure(jobSpec, 'template'), 'spec')['restartPolicy'];
  },
  validate: validateCronJob,
};
