/**
 * Events, in their core form and in that of events.k8s.io. New events, which have an `eventTime`, are judged
 * more strictly, and those written through events.k8s.io most strictly. Messages name the core fields.
 */
import { deepEqual } from '@podvisor/base';
import { subdomainProblems } from '../../verbs/metadata.ts';
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { at, type Json, type KubeObject, stringAt } from '../../wire/json.ts';
import { labelKeyProblems } from '../../wire/label-selector.ts';
import { eventConversion } from '../event-conversion.ts';
import type { KindRules } from '../definition.ts';

const LONGEST = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

const selection: Pick<KindRules, 'selectable' | 'select'> = {
  selectable: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  select: (object, field) => {
    if (field === 'source')
      return stringAt(object, 'source', 'component') || stringAt(object, 'reportingComponent');
    return stringAt(object, ...field.split('.'));
  },
};

export const eventRules: KindRules = {
  ...selection,
  nameRule: 'path',
  createOnUpdate: true,
  validate: (object) => commonErrors(object, 'reportingComponent'),
};

/** The kind as events.k8s.io serves it. */
export const eventsGroupRules: KindRules = {
  ...selection,
  nameRule: 'path',
  createOnUpdate: true,
  validate: (object, { lookup }) => {
    const event = eventConversion.toStorage(object);
    const { name = '', namespace = '' } = object.metadata;
    // An update is judged against what was there: see validateUpdate.
    const isNew = lookup('/events', namespace, name) === undefined;
    return [...commonErrors(event, 'reportingController'), ...(isNew ? createErrors(event) : [])];
  },
  validateUpdate: (object, old) =>
    updateErrors(eventConversion.toStorage(object), eventConversion.toStorage(old)),
};

function commonErrors(event: KubeObject, reporter: string): FieldError[] {
  const errors: FieldError[] = [];
  const about = stringAt(event, 'involvedObject', 'namespace');
  const own = event.metadata.namespace ?? '';
  const isTimed = stringAt(event, 'eventTime') !== '';
  const fits = isTimed
    ? about !== '' || own === 'default' || own === 'kube-system'
    : about === own || (about === '' && own === 'default');
  if (!fits) errors.push(invalid('involvedObject.namespace', about, 'does not match event.namespace'));
  if (!isTimed) return errors;
  const controller = stringAt(event, 'reportingComponent');
  if (controller === '') errors.push(required(reporter));
  for (const problem of labelKeyProblems(controller)) errors.push(invalid(reporter, controller, problem));
  for (const [field, most] of Object.entries(LONGEST)) {
    const text = stringAt(event, field);
    if (text === '' && field !== 'message') errors.push(required(field));
    if (Buffer.byteLength(text) > most)
      errors.push(invalid(field, '', `can have at most ${most} characters`));
  }
  return errors;
}

function createErrors(event: KubeObject): FieldError[] {
  const { name = '' } = event.metadata;
  const type = stringAt(event, 'type');
  const unset = (field: string, isSet: boolean): FieldError[] =>
    isSet ? [invalid(field, '', 'needs to be unset')] : [];
  return [
    ...(name === '' ? [] : subdomainProblems(name)).map((problem) => invalid('metadata.name', name, problem)),
    ...seriesErrors(at(event, 'series')),
    ...(stringAt(event, 'eventTime') === '' ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', stringAt(event, 'firstTimestamp') !== ''),
    ...unset('lastTimestamp', stringAt(event, 'lastTimestamp') !== ''),
    ...unset('count', Number(at(event, 'count') ?? 0) !== 0),
    ...unset(
      'source',
      stringAt(event, 'source', 'component') !== '' || stringAt(event, 'source', 'host') !== '',
    ),
  ];
}

function seriesErrors(series: Json | undefined): FieldError[] {
  if (series === undefined || series === null) return [];
  return [
    ...(Number(at(series, 'count') ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(stringAt(series, 'lastObservedTime') === '' ? [required('series.lastObservedTime')] : []),
  ];
}

const FIXED: readonly (readonly [string, string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

function updateErrors(event: KubeObject, old: KubeObject): FieldError[] {
  return [
    ...(deepEqual(event['series'], old['series']) ? [] : seriesErrors(event['series'])),
    ...FIXED.flatMap(([key, name]) =>
      deepEqual(event[key] ?? null, old[key] ?? null)
        ? []
        : [invalid(name, event[key] ?? null, 'field is immutable')],
    ),
  ];
}
