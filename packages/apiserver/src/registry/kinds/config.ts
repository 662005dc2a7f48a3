/** ConfigMaps and Secrets: keys, sizes, immutability, the required keys of Secret types. */
import { deepEqual, memberOf, setMember } from '@podvisor/base';
import { jsonProblem } from '../../wire/go-json.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../wire/field-errors.ts';
import { asString, at, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';

const MAX_BYTES = 1024 * 1024;
const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What is wrong with a key of a ConfigMap or Secret. */
export function configKeyProblems(key: string): string[] {
  const problems: string[] = [];
  if (key.length > 253) problems.push('must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(KEY_TEXT);
  else if (key === '.') problems.push("must not be '.'");
  else if (key === '..') problems.push("must not be '..'");
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

function immutableErrors(object: KubeObject, old: KubeObject, fields: readonly string[]): FieldError[] {
  if (at(old, 'immutable') !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const errors: FieldError[] = [];
  if (at(object, 'immutable') !== true) errors.push(forbidden('immutable', detail));
  for (const field of fields)
    if (!deepEqual(object[field], old[field])) errors.push(forbidden(field, detail));
  return errors;
}

export const configMapRules: KindRules = {
  validate: (object) => {
    const errors: FieldError[] = [];
    let size = 0;
    const data = objectAt(object, 'data');
    const binary = objectAt(object, 'binaryData');
    for (const [key, value] of Object.entries(data)) {
      for (const problem of configKeyProblems(key)) errors.push(invalid(`data[${key}]`, key, problem));
      if (memberOf(binary, key) !== undefined)
        errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
      size += Buffer.byteLength(asString(value));
    }
    for (const [key, value] of Object.entries(binary)) {
      for (const problem of configKeyProblems(key)) errors.push(invalid(`binaryData[${key}]`, key, problem));
      size += Buffer.from(asString(value), 'base64').length;
    }
    if (size > MAX_BYTES) errors.push(tooLong('[]', MAX_BYTES));
    return errors;
  },
  validateUpdate: (object, old) => immutableErrors(object, old, ['data', 'binaryData']),
};

/** Keys that a Secret of a type must have. */
const TYPE_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

export const secretRules: KindRules = {
  selectable: ['type'],
  default: (object) => {
    if (stringAt(object, 'type') === '') object['type'] = 'Opaque';
    const strings = object['stringData'];
    if (strings === undefined) return;
    delete object['stringData'];
    const data = { ...objectAt(object, 'data') };
    for (const [key, value] of Object.entries(objectAt({ strings }, 'strings')))
      setMember(data, key, Buffer.from(asString(value)).toString('base64'));
    if (Object.keys(data).length > 0) object['data'] = data;
  },
  validate: (object) => validateSecret(object),
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    if (object['type'] !== old['type']) errors.push(invalid('type', object['type'], 'field is immutable'));
    return [...errors, ...immutableErrors(object, old, ['data'])];
  },
};

function validateSecret(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const data = objectAt(object, 'data');
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const problem of configKeyProblems(key)) errors.push(invalid(`data[${key}]`, key, problem));
    size += Buffer.from(asString(value), 'base64').length;
  }
  if (size > MAX_BYTES) errors.push(tooLong('data', MAX_BYTES));
  const type = stringAt(object, 'type');
  const needed = memberOf(TYPE_KEYS, type) ?? [];
  for (const key of needed) if (data[key] === undefined) errors.push(required(`data[${key}]`));
  for (const key of ['.dockercfg', '.dockerconfigjson']) {
    if (!needed.includes(key) || data[key] === undefined) continue;
    const problem = jsonProblem(Buffer.from(asString(data[key]), 'base64').toString());
    if (problem !== undefined) errors.push(invalid(`data[${key}]`, '<secret contents redacted>', problem));
  }
  if (
    type === 'kubernetes.io/basic-auth' &&
    data['username'] === undefined &&
    data['password'] === undefined
  ) {
    errors.push(required('data[username]'), required('data[password]'));
  }
  if (
    type === 'kubernetes.io/service-account-token' &&
    (object.metadata.annotations?.['kubernetes.io/service-account.name'] ?? '') === ''
  ) {
    errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
  }
  return errors;
}
