/** Ingresses and their classes. */
import { isIP } from 'node:net';
import { label1035Problems, subdomainProblems } from '../../../verbs/metadata.ts';
import { type FieldError, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, objectAt, stringAt } from '../../../wire/json.ts';
import type { KindRules } from '../../definition.ts';
import { immutableAt } from '../common-rules.ts';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

export const ingressRules: KindRules = {
  hasGeneration: true,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const rules = arrayAt(spec, 'rules');
    const errors: FieldError[] = [];
    if (rules.length === 0 && at(spec, 'defaultBackend') === undefined)
      errors.push(invalid('spec', null, 'either `defaultBackend` or `rules` must be specified'));
    if (at(spec, 'defaultBackend') !== undefined)
      errors.push(...backendErrors(at(spec, 'defaultBackend'), 'spec.defaultBackend'));
    rules.forEach((rule, i) => errors.push(...ruleErrors(rule, `spec.rules[${i}]`)));
    return errors;
  },
};

function ruleErrors(rule: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const host = stringAt(rule, 'host');
  if (isIP(host) !== 0) errors.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
  if (host !== '')
    for (const problem of subdomainProblems(host.replace(/^\*\./, '')))
      errors.push(invalid(`${path}.host`, host, problem));
  if (at(rule, 'http') === undefined) return errors;
  const paths = arrayAt(rule, 'http', 'paths');
  if (paths.length === 0) errors.push(required(`${path}.http.paths`));
  paths.forEach((item, i) => {
    const where = `${path}.http.paths[${i}]`;
    const type = at(item, 'pathType');
    const text = stringAt(item, 'path');
    if (type === undefined || type === '')
      errors.push(required(`${where}.pathType`, 'pathType must be specified'));
    else if (!PATH_TYPES.includes(asString(type)))
      errors.push(notSupported(`${where}.pathType`, type, PATH_TYPES));
    else if (!text.startsWith('/') && (type !== 'ImplementationSpecific' || text !== ''))
      errors.push(invalid(`${where}.path`, text, 'must be an absolute path'));
    errors.push(...backendErrors(at(item, 'backend'), `${where}.backend`));
  });
  return errors;
}

function backendErrors(backend: Json | undefined, path: string): FieldError[] {
  const service = at(backend, 'service');
  if (service !== undefined && at(backend, 'resource') !== undefined)
    return [invalid(path, '', 'cannot set both resource and service backends')];
  if (service === undefined)
    return at(backend, 'resource') === undefined
      ? [invalid(path, '', 'resource or service backend is required')]
      : [];
  const errors: FieldError[] = [];
  const host = stringAt(service, 'name');
  if (host === '') errors.push(required(`${path}.service.name`));
  else
    for (const problem of label1035Problems(host))
      errors.push(invalid(`${path}.service.name`, host, problem));
  const [name, number] = [stringAt(service, 'port', 'name'), Number(at(service, 'port', 'number') ?? 0)];
  if (name !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (name === '' && number === 0) errors.push(required(path, 'port name or number is required'));
  else if (name === '' && (number < 1 || number > 65535))
    errors.push(invalid(`${path}.service.port.number`, number, 'must be between 1 and 65535, inclusive'));
  return errors;
}

export const ingressClassRules: KindRules = {
  hasGeneration: true,
  validate: (object) => {
    const controller = stringAt(object, 'spec', 'controller');
    if (controller === '') return [required('spec.controller')];
    return controller.includes('/')
      ? []
      : [invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  },
  validateUpdate: (object, old) => immutableAt(object, old, 'spec', ['controller']),
};
