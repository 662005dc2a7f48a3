/** LimitRanges and ResourceQuotas. */
import { parseQuantity, memberOf, setMember } from '@podvisor/base';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { own, ownItems } from './fill.ts';

export const limitRangeRules: KindRules = {
  default: (object) => {
    for (const limit of ownItems(own(object, 'spec'), 'limits')) {
      if (limit['type'] !== 'Container') continue;
      const [max, min] = [objectAt(limit, 'max'), objectAt(limit, 'min')];
      const defaults = { ...max, ...objectAt(limit, 'default') };
      const requests = { ...min, ...defaults, ...objectAt(limit, 'defaultRequest') };
      for (const [key, value] of Object.entries(min))
        if (at(limit, 'default', key) === undefined && memberOf(max, key) === undefined)
          setMember(requests, key, value);
      if (Object.keys(defaults).length > 0) limit['default'] = defaults;
      if (Object.keys(requests).length > 0) limit['defaultRequest'] = requests;
    }
  },
  validate: (object) => {
    const seen = new Set<string>();
    return arrayAt(object, 'spec', 'limits').flatMap((limit, i) => {
      const path = `spec.limits[${i}]`;
      const type = stringAt(limit, 'type');
      if (seen.has(type)) return [duplicate(`${path}.type`, type)];
      seen.add(type);
      return limitErrors(limit, type, path);
    });
  },
};

function limitErrors(limit: Json, type: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type === 'Pod')
    for (const key of ['default', 'defaultRequest'])
      if (Object.keys(objectAt(limit, key)).length > 0)
        errors.push(forbidden(`${path}.${key}`, "may not be specified when `type` is 'Pod'"));
  const lists = {
    min: objectAt(limit, 'min'),
    max: objectAt(limit, 'max'),
    default: objectAt(limit, 'default'),
    defaultRequest: objectAt(limit, 'defaultRequest'),
  };
  if (
    type === 'PersistentVolumeClaim' &&
    lists.min['storage'] === undefined &&
    lists.max['storage'] === undefined
  )
    errors.push(
      required(
        `${path}.limits`,
        'either minimum or maximum storage value is required, but neither was provided',
      ),
    );
  const names = new Set(Object.values(lists).flatMap((list) => Object.keys(list)));
  for (const name of names) {
    const at = (list: keyof typeof lists): string => asString(memberOf(lists[list], name));
    const exceeds = (a: keyof typeof lists, b: keyof typeof lists): boolean =>
      at(a) !== '' && at(b) !== '' && parseQuantity(at(a)).compare(parseQuantity(at(b))) > 0;
    const say = (list: string, value: string, text: string): unknown =>
      errors.push(invalid(`${path}.${list}[${name}]`, value, text));
    if (exceeds('min', 'max'))
      say('min', at('min'), `min value ${at('min')} is greater than max value ${at('max')}`);
    if (type === 'Pod') continue;
    if (exceeds('min', 'defaultRequest'))
      say(
        'defaultRequest',
        at('defaultRequest'),
        `min value ${at('min')} is greater than default request value ${at('defaultRequest')}`,
      );
    if (exceeds('defaultRequest', 'max'))
      say(
        'defaultRequest',
        at('defaultRequest'),
        `default request value ${at('defaultRequest')} is greater than max value ${at('max')}`,
      );
    if (exceeds('defaultRequest', 'default'))
      say(
        'defaultRequest',
        at('defaultRequest'),
        `default request value ${at('defaultRequest')} is greater than default limit value ${at('default')}`,
      );
    if (exceeds('min', 'default'))
      say('default', at('min'), `min value ${at('min')} is greater than default value ${at('default')}`);
    if (exceeds('default', 'max'))
      say('default', at('max'), `default value ${at('default')} is greater than max value ${at('max')}`);
  }
  return errors;
}

const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

const STANDARD = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'storage',
  ...['cpu', 'memory', 'ephemeral-storage', 'storage'].map((name) => `requests.${name}`),
  ...['cpu', 'memory', 'ephemeral-storage'].map((name) => `limits.${name}`),
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
]);

/** Counted in whole numbers. */
const COUNTED =
  /^(pods|resourcequotas|services|replicationcontrollers|secrets|configmaps|persistentvolumeclaims|services\..*|count\/.*)$/;

export const quotaRules: KindRules = {
  prepareCreate: (object) => {
    object['status'] = {};
  },
  validate: (object) => {
    const errors: FieldError[] = [];
    for (const [name, value] of Object.entries(objectAt(object, 'spec', 'hard'))) {
      const path = `spec.hard[${name}]`;
      const known = STANDARD.has(name) || name.includes('/') || /^(requests\.)?hugepages-/.test(name);
      if (!known) {
        errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
        errors.push(invalid(path, name, 'must be a standard resource for quota'));
      }
      const amount = parseQuantity(asString(value));
      if (amount.nano < 0n) errors.push(invalid(path, asString(value), 'must be greater than or equal to 0'));
      if (COUNTED.test(name) && amount.nano % 1_000_000_000n !== 0n)
        errors.push(invalid(path, asString(value), 'must be an integer'));
    }
    const scopes = arrayAt(object, 'spec', 'scopes');
    if (scopes.some((scope) => !SCOPES.has(asString(scope))))
      errors.push(invalid('spec.scopes', scopes, 'unsupported scope'));
    return errors;
  },
};
