/** CronJobs: defaults and rules. */
import { parseSchedule, ScheduleError } from '@podvisor/base';
import { type FieldError, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { at, type KubeObject, objectAt, stringAt } from '../../../wire/json.ts';
import type { KindRules } from '../../definition.ts';
import { notNegativeAt } from '../common-rules.ts';
import { ensure, fill } from '../fill.ts';
import { defaultTemplate } from '../template.ts';
import { validateJobSpec } from './job-spec.ts';

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
  const job = objectAt(spec, 'jobTemplate', 'spec');
  if (job['selector'] !== undefined)
    errors.push(
      invalid('spec.jobTemplate.spec.selector', job['selector'], '`selector` will be auto-generated'),
    );
  if (job['manualSelector'] === true)
    errors.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
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
