/** Ingresses and their classes. */
import { isIP } from 'node:net';
import { label1035Problems, pathNameProblems, subdomainProblems } from '../../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, objectAt, stringAt } from '../../../wire/json.ts';
import type { KindRules } from '../../definition.ts';
import { domainPathErrors, immutableAt } from '../common-rules.ts';
import { fill, own } from '../fill.ts';
import { portNameProblems } from '../pod/probes.ts';

const NOT_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F'];
const NOT_AT_THE_END = ['/..', '/.'];
const WILDCARD =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

export const ingressRules: KindRules = {
  hasGeneration: true,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const rules = arrayAt(spec, 'rules');
    const errors: FieldError[] = [];
    if (rules.length === 0 && at(spec, 'defaultBackend') === undefined)
      errors.push(
        invalid('spec', at(spec, 'rules') ?? null, 'either `defaultBackend` or `rules` must be specified'),
      );
    if (at(spec, 'defaultBackend') !== undefined)
      errors.push(...backendErrors(at(spec, 'defaultBackend'), 'spec.defaultBackend'));
    rules.forEach((rule, i) => errors.push(...ruleErrors(rule, `spec.rules[${i}]`)));
    arrayAt(spec, 'tls').forEach((tls, i) => errors.push(...tlsErrors(tls, `spec.tls[${i}]`)));
    const name = stringAt(spec, 'ingressClassName');
    if (at(spec, 'ingressClassName') !== undefined)
      for (const text of subdomainProblems(name)) errors.push(invalid('spec.ingressClassName', name, text));
    return errors;
  },
};

function ruleErrors(rule: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const host = stringAt(rule, 'host');
  if (isIP(host) !== 0) errors.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
  if (host !== '')
    for (const problem of hostProblems(host)) errors.push(invalid(`${path}.host`, host, problem));
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
    if (type === 'Exact' || type === 'Prefix') errors.push(...pathErrors(text, `${where}.path`));
    errors.push(...backendErrors(at(item, 'backend'), `${where}.backend`));
  });
  return errors;
}

/** A path that a proxy would read differently than it is written. */
function pathErrors(path: string, field: string): FieldError[] {
  return [
    ...NOT_IN_PATHS.filter((part) => path.includes(part)).map((part) =>
      invalid(field, path, `must not contain '${part}'`),
    ),
    ...NOT_AT_THE_END.filter((part) => path.endsWith(part)).map((part) =>
      invalid(field, path, `cannot end with '${part}'`),
    ),
  ];
}

/** A name, or all names below one. */
function hostProblems(host: string): string[] {
  if (!host.includes('*')) return subdomainProblems(host);
  return host.startsWith('*.') && subdomainProblems(host.slice(2)).length === 0 ? [] : [WILDCARD];
}

function tlsErrors(tls: Json, path: string): FieldError[] {
  const secret = stringAt(tls, 'secretName');
  return [
    ...arrayAt(tls, 'hosts').flatMap((host, i) =>
      hostProblems(asString(host)).map((text) => invalid(`${path}.hosts[${i}]`, host, text)),
    ),
    ...(secret === '' ? [] : subdomainProblems(secret)).map((text) =>
      invalid(`${path}.secretName`, secret, text),
    ),
  ];
}

/** An object that is named by kind and name. */
function resourceErrors(reference: Json, path: string): FieldError[] {
  return ['kind', 'name'].flatMap((field) => {
    const text = stringAt(reference, field);
    if (text === '') return [required(`${path}.${field}`)];
    return pathNameProblems(text).map((problem) => invalid(`${path}.${field}`, text, problem));
  });
}

function backendErrors(backend: Json | undefined, path: string): FieldError[] {
  const service = at(backend, 'service');
  if (service !== undefined && at(backend, 'resource') !== undefined)
    return [invalid(path, '', 'cannot set both resource and service backends')];
  if (service === undefined)
    return at(backend, 'resource') === undefined
      ? [invalid(path, '', 'resource or service backend is required')]
      : resourceErrors(at(backend, 'resource') ?? {}, `${path}.resource`);
  const errors: FieldError[] = [];
  const host = stringAt(service, 'name');
  if (host === '') errors.push(required(`${path}.service.name`));
  else
    for (const problem of label1035Problems(host))
      errors.push(invalid(`${path}.service.name`, host, problem));
  const [name, number] = [stringAt(service, 'port', 'name'), Number(at(service, 'port', 'number') ?? 0)];
  if (name !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (name === '' && number === 0) errors.push(required(path, 'port name or number is required'));
  else if (name !== '')
    for (const problem of portNameProblems(name))
      errors.push(invalid(`${path}.service.port.name`, name, problem));
  else if (number < 1 || number > 65535)
    errors.push(invalid(`${path}.service.port.number`, number, 'must be between 1 and 65535, inclusive'));
  return errors;
}

/** Where the controller's own settings are: an object of the cluster, or of a namespace. */
function parameterErrors(reference: Json, path: string): FieldError[] {
  const errors = resourceErrors(reference, path);
  const [group, scope] = [stringAt(reference, 'apiGroup'), at(reference, 'scope')];
  if (group !== '')
    for (const text of subdomainProblems(group)) errors.push(invalid(`${path}.apiGroup`, group, text));
  const namespace = at(reference, 'namespace');
  if (scope === undefined) errors.push(required(`${path}.scope`));
  else if (scope !== 'Cluster' && scope !== 'Namespace')
    errors.push(notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace']));
  else if (scope === 'Namespace' && namespace === undefined)
    errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  else if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}

export const ingressClassRules: KindRules = {
  hasGeneration: true,
  default: (object) => fill(own(own(object, 'spec'), 'parameters'), 'scope', 'Cluster'),
  validate: (object) => {
    const controller = stringAt(object, 'spec', 'controller');
    if (controller === '') return [required('spec.controller')];
    const parameters = at(object, 'spec', 'parameters');
    return [
      ...domainPathErrors(controller, 'spec.controller'),
      ...(parameters === undefined ? [] : parameterErrors(parameters, 'spec.parameters')),
    ];
  },
  validateUpdate: (object, old) => immutableAt(object, old, 'spec', ['controller']),
};
