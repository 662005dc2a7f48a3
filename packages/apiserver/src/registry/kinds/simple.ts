/** Kinds with a few rules each. */
import { deepEqual } from '@podvisor/base';
import { immutableAt } from './common-rules.ts';
import { endpointsErrors } from './endpoints.ts';
import { sliceErrors } from './endpoint-slice.ts';
import { label1035Text } from '../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, at, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { ensure, fill, own, ownItems } from './fill.ts';

export const componentStatusRules: KindRules = { deprecation: 'v1 ComponentStatus is deprecated in v1.19+' };

export const controllerRevisionRules: KindRules = {
  validate: (object) => [
    ...(at(object, 'data') === undefined ? [required('data', 'data is mandatory')] : []),
    ...(Number(at(object, 'revision') ?? 0) < 0
      ? [invalid('revision', at(object, 'revision'), 'must be greater than or equal to 0')]
      : []),
  ],
  validateUpdate: (object, old) => immutableAt(object, old, '', ['data']),
};

export const endpointsRules: KindRules = {
  createOnUpdate: true,
  default: (object) => {
    for (const subset of ownItems(object, 'subsets'))
      for (const port of ownItems(subset, 'ports')) fill(port, 'protocol', 'TCP');
  },
  validate: (object) => endpointsErrors(object),
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

export const endpointSliceRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    for (const port of ownItems(object, 'ports')) {
      fill(port, 'protocol', 'TCP');
      fill(port, 'name', '');
    }
  },
  validate: (object) => {
    const type = stringAt(object, 'addressType');
    if (type === '') return [required('addressType')];
    if (!ADDRESS_TYPES.includes(type)) return [notSupported('addressType', type, ADDRESS_TYPES)];
    return sliceErrors(object, type);
  },
  validateUpdate: (object, old) =>
    object['addressType'] === old['addressType']
      ? []
      : [invalid('addressType', object['addressType'], 'field is immutable')],
};

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];

const PREEMPTION = ['Never', 'PreemptLowerPriority'];

export const priorityClassRules: KindRules = {
  hasGeneration: true,
  fixedGeneration: true,
  default: (object) => fill(object, 'preemptionPolicy', 'PreemptLowerPriority'),
  validate: (object) => {
    const value = at(object, 'value');
    const name = object.metadata.name ?? '';
    if (name.startsWith('system-') && !['system-cluster-critical', 'system-node-critical'].includes(name)) {
      return [
        forbidden(
          'metadata.name',
          "priority class names with 'system-' prefix are reserved for system use only. error: " +
            `${name} is not a known system priority class`,
        ),
      ];
    }
    if (typeof value === 'number' && value > 1_000_000_000 && !name.startsWith('system-')) {
      return [forbidden('value', 'maximum allowed value of a user defined priority is 1000000000')];
    }
    const policy = stringAt(object, 'preemptionPolicy');
    return PREEMPTION.includes(policy) ? [] : [notSupported('preemptionPolicy', policy, PREEMPTION)];
  },
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    if (object['value'] !== old['value']) errors.push(forbidden('value', 'may not be changed in an update.'));
    if (object['preemptionPolicy'] !== old['preemptionPolicy'])
      errors.push(invalid('preemptionPolicy', object['preemptionPolicy'], 'field is immutable'));
    return errors;
  },
};

export const csiDriverRules: KindRules = {
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'attachRequired', true);
    fill(spec, 'podInfoOnMount', false);
    fill(spec, 'storageCapacity', false);
    fill(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
    fill(spec, 'volumeLifecycleModes', ['Persistent']);
    fill(spec, 'requiresRepublish', false);
    fill(spec, 'seLinuxMount', false);
  },
};

export const runtimeClassRules: KindRules = {
  validate: (object) => (stringAt(object, 'handler') === '' ? [required('handler')] : []),
  validateUpdate: (object, old) =>
    deepEqual(object['handler'], old['handler'])
      ? []
      : [invalid('handler', object['handler'], 'field is immutable')],
};

export const apiServiceRules: KindRules = {
  // That of the core group ends in a dot: `v1.`.
  nameRule: 'path',
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const errors: FieldError[] = [];
    const expected = `${stringAt(spec, 'version')}.${stringAt(spec, 'group')}`;
    if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(stringAt(spec, 'version')))
      errors.push(invalid('spec.version', stringAt(spec, 'version'), label1035Text));
    if (object.metadata.name !== expected)
      errors.push(
        invalid(
          'metadata.name',
          object.metadata.name ?? '',
          `must be \`spec.version+"."+spec.group\`: "${expected}"`,
        ),
      );
    const [group, version] = [
      Number(at(spec, 'groupPriorityMinimum') ?? 0),
      Number(at(spec, 'versionPriority') ?? 0),
    ];
    if (group <= 0 || group > 20000)
      errors.push(invalid('spec.groupPriorityMinimum', group, 'must be positive and less than 20000'));
    if (version <= 0 || version > 1000)
      errors.push(invalid('spec.versionPriority', version, 'must be positive and less than 1000'));
    const service = at(spec, 'service');
    const insecure = at(spec, 'insecureSkipTLSVerify') === true;
    if (service === undefined || service === null) {
      if (stringAt(spec, 'caBundle') !== '')
        errors.push(
          invalid('spec.caBundle', stringAt(spec, 'caBundle'), 'local APIServices may not have a caBundle'),
        );
      if (insecure)
        errors.push(
          invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'),
        );
      return errors;
    }
    if (stringAt(service, 'namespace') === '') errors.push(required('spec.service.namespace'));
    if (stringAt(service, 'name') === '') errors.push(required('spec.service.name'));
    const port = Number(at(service, 'port') ?? 443);
    if (port < 1 || port > 65535)
      errors.push(
        invalid('spec.service.port', port, 'port is not valid: must be between 1 and 65535, inclusive'),
      );
    if (insecure && stringAt(spec, 'caBundle') !== '')
      errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
    return errors;
  },
  default: (object) => {
    const service = own(own(object, 'spec'), 'service');
    fill(service, 'port', 443);
  },
};

export const csrRules: KindRules = {
  validate: (object) => {
    const errors: FieldError[] = [];
    const request = stringAt(object, 'spec', 'request');
    if (!Buffer.from(request, 'base64').toString().includes('-----BEGIN CERTIFICATE REQUEST-----')) {
      errors.push(
        invalid(
          'spec.request',
          request === '' ? null : request,
          'PEM block type must be CERTIFICATE REQUEST',
        ),
      );
    }
    if (arrayAt(object, 'spec', 'usages').length === 0) errors.push(required('spec.usages'));
    if (stringAt(object, 'spec', 'signerName') === '') errors.push(required('spec.signerName'));
    return errors;
  },
};
