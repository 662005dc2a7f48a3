/** Jobs: defaults, and the selector that a Job makes for itself. */
import { deepEqual, memberOf } from '@podvisor/base';
import { type FieldError, invalid, required } from '../../../wire/field-errors.ts';
import {
  asObject,
  at,
  cloneJson,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../../wire/json.ts';
import { matcherOf } from '../../../wire/label-selector.ts';
import type { KindRules } from '../../definition.ts';
import { immutableAt } from '../common-rules.ts';
import { ensure, fill } from '../fill.ts';
import { defaultTemplate } from '../template.ts';
import { validateJobSpec } from './job-spec.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';

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

/** A selector is made by the server, or brought by somebody who says so; either way it finds the Job's Pods. */
function selectorErrors(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const selector = asObject(at(spec, 'selector'));
  const labels = objectAt(spec, 'template', 'metadata', 'labels') as Record<string, string>;
  const errors: FieldError[] = [];
  if (selector === undefined) errors.push(required('spec.selector'));
  if (spec['manualSelector'] !== true) {
    const [uid, name] = [object.metadata.uid ?? '', object.metadata.name ?? ''];
    for (const [key, value] of Object.entries({ 'controller-uid': uid, 'job-name': name }))
      if (memberOf(labels, key) !== value)
        errors.push(invalid(`spec.template.metadata.labels[${key}]`, labels, `must be '${value}'`));
    if (!deepEqual(selector, { matchLabels: { [UID_LABEL]: uid } }))
      errors.push(invalid('spec.selector', selector, '`selector` not auto-generated'));
  }
  return [...errors, ...matchErrors(object)];
}

function matchErrors(object: KubeObject): FieldError[] {
  const labels = objectAt(object, 'spec', 'template', 'metadata', 'labels') as Record<string, string>;
  return matcherOf(at(object, 'spec', 'selector'))(labels)
    ? []
    : [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

const FIXED = [
  ...['completions', 'selector', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex'],
  ...['managedBy', 'successPolicy'],
];

/** Pods of one Job are of one template. Where they may run can change while none has been made. */
function jobUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const template = objectAt(object, 'spec', 'template');
  const neverRan = at(old, 'spec', 'suspend') === true && at(old, 'status', 'startTime') === undefined;
  const before = cloneJson(objectAt(old, 'spec', 'template'));
  if (neverRan) takePlacement(before, template);
  const changed = deepEqual(template, before)
    ? []
    : [invalid('spec.template', template, 'field is immutable')];
  return [...immutableAt(object, old, 'spec', FIXED), ...changed, ...matchErrors(object)];
}

/** Takes from `template` what says where Pods run. */
function takePlacement(before: JsonObject, template: JsonObject): void {
  const take = (to: JsonObject, from: JsonObject, field: string): void => {
    if (from[field] === undefined) delete to[field];
    else to[field] = from[field];
  };
  const [spec, wanted] = [ensure(before, 'spec'), objectAt(template, 'spec')];
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates']) take(spec, wanted, field);
  for (const field of ['labels', 'annotations'])
    take(ensure(before, 'metadata'), objectAt(template, 'metadata'), field);
  const affinity = { ...objectAt(spec, 'affinity') };
  take(affinity, objectAt(wanted, 'affinity'), 'nodeAffinity');
  if (Object.keys(affinity).length === 0 && wanted['affinity'] === undefined) delete spec['affinity'];
  else spec['affinity'] = affinity;
}

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
      [UID_LABEL]: uid,
      [NAME_LABEL]: object.metadata.name ?? '',
      'controller-uid': uid,
      'job-name': object.metadata.name ?? '',
    };
    const metadata = ensure(ensure(spec, 'template'), 'metadata');
    // Labels by their old names that somebody set are not overwritten but refused.
    metadata['labels'] = {
      'controller-uid': uid,
      'job-name': object.metadata.name ?? '',
      ...objectAt(metadata, 'labels'),
      [UID_LABEL]: uid,
      [NAME_LABEL]: object.metadata.name ?? '',
    };
    object.metadata.labels = { ...object.metadata.labels, ...labels };
    spec['selector'] = {
      ...objectAt(spec, 'selector'),
      matchLabels: { ...objectAt(spec, 'selector', 'matchLabels'), [UID_LABEL]: uid },
    };
  },
  validate: (object) => validateJobSpec(objectAt(object, 'spec'), 'spec'),
  validateCreate: selectorErrors,
  validateUpdate: jobUpdateErrors,
};
