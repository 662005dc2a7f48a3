/** The rules of a Pod's spec that clients meet most, in Kubernetes' words. */
import { parseQuantity, memberOf } from '@podvisor/base';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFoundValue,
  notSupported,
  required,
} from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { labelProblems, subdomainProblems } from '../../../verbs/metadata.ts';
import { labelKeyProblems, labelValueProblems } from '../../../wire/label-selector.ts';
import { affinityErrors } from './affinity.ts';
import { envErrors, envFromErrors } from './env.ts';
import { portNameProblems, probeErrors } from './probes.ts';
import { tolerationErrors } from './tolerations.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RANGE_TEXT = 'must be between 1 and 65535, inclusive';

export function validatePodSpec(spec: JsonObject, path: string): FieldError[] {
  const volumes = arrayAt(spec, 'volumes');
  const errors: FieldError[] = [...validateVolumes(volumes, `${path}.volumes`)];
  // A volume that is wrong itself cannot be mounted either.
  const volumeNames = new Set(
    volumes
      .filter((_, i) => !errors.some(({ field }) => field.startsWith(`${path}.volumes[${i}].`)))
      .map((volume) => stringAt(volume, 'name')),
  );
  const containers = arrayAt(spec, 'containers');
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  const seen = new Set<string>();
  containers.forEach((container, i) =>
    errors.push(...validateContainer(container, `${path}.containers[${i}]`, spec, volumeNames, seen)),
  );
  arrayAt(spec, 'initContainers').forEach((container, i) =>
    errors.push(...validateContainer(container, `${path}.initContainers[${i}]`, spec, volumeNames, seen)),
  );
  const policy = stringAt(spec, 'restartPolicy');
  if (!['Always', 'OnFailure', 'Never'].includes(policy))
    errors.push(notSupported(`${path}.restartPolicy`, policy, ['Always', 'OnFailure', 'Never']));
  const dns = stringAt(spec, 'dnsPolicy');
  const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
  if (!dnsPolicies.includes(dns)) errors.push(notSupported(`${path}.dnsPolicy`, dns, dnsPolicies));
  for (const [key, value] of Object.entries(objectAt(spec, 'nodeSelector'))) {
    for (const problem of labelKeyProblems(key)) errors.push(invalid(`${path}.nodeSelector`, key, problem));
    for (const problem of labelValueProblems(asString(value)))
      errors.push(invalid(`${path}.nodeSelector`, value, problem));
  }
  errors.push(...hostErrors(spec, path));
  errors.push(...affinityErrors(spec, path), ...gateErrors(arrayAt(spec, 'schedulingGates'), path));
  errors.push(...tolerationErrors(arrayAt(spec, 'tolerations'), `${path}.tolerations`));
  const deadline = at(spec, 'activeDeadlineSeconds');
  if (typeof deadline === 'number' && (deadline < 1 || deadline > 2147483647)) {
    errors.push(
      invalid(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'),
    );
  }
  return errors;
}

/** What holds a Pod back from the scheduler; Kubernetes names the gate, not its field. */
function gateErrors(gates: readonly Json[], path: string): FieldError[] {
  const names = gates.map((gate) => stringAt(gate, 'name'));
  return names.flatMap((name, i) => {
    const where = `${path}.schedulingGates[${i}]`;
    return [
      ...labelKeyProblems(name).map((problem) => invalid(where, name, problem)),
      ...(names.indexOf(name) < i ? [duplicate(where, name)] : []),
    ];
  });
}

function hostErrors(spec: JsonObject, path: string): FieldError[] {
  const account = stringAt(spec, 'serviceAccountName');
  const names = (field: string, problems: readonly string[]): FieldError[] =>
    problems.map((text) => invalid(`${path}.${field}`, spec[field], text));
  return [
    ...(account === '' ? [] : names('serviceAccountName', subdomainProblems(account))),
    ...['hostname', 'subdomain'].flatMap((field) =>
      stringAt(spec, field) === '' ? [] : names(field, labelProblems(stringAt(spec, field))),
    ),
  ];
}

function validateVolumes(volumes: readonly Json[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  volumes.forEach((volume, i) => {
    const kinds = Object.keys(objectAt({ volume }, 'volume')).filter((key) => key !== 'name');
    const order = VOLUME_ORDER.filter((kind) => kinds.includes(kind));
    for (const kind of order.slice(1))
      errors.push(forbidden(`${path}[${i}].${kind}`, 'may not specify more than 1 volume type'));
    const name = stringAt(volume, 'name');
    if (name === '') errors.push(required(`${path}[${i}].name`));
    else for (const problem of labelProblems(name)) errors.push(invalid(`${path}[${i}].name`, name, problem));
    if (seen.has(name)) errors.push(duplicate(`${path}[${i}].name`, name));
    seen.add(name);
    if (order[0] === 'hostPath' && stringAt(volume, 'hostPath', 'path') === '')
      errors.push(required(`${path}[${i}].hostPath.path`));
    if (order[0] === 'secret' && stringAt(volume, 'secret', 'secretName') === '')
      errors.push(required(`${path}[${i}].secret.secretName`));
    if (order[0] === 'configMap' && stringAt(volume, 'configMap', 'name') === '')
      errors.push(required(`${path}[${i}].configMap.name`));
  });
  return errors;
}

const VOLUME_ORDER = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'azureFile',
  'configMap',
  'vsphereVolume',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'storageos',
  'projected',
  'csi',
  'ephemeral',
  'image',
];

function validateContainer(
  container: Json,
  path: string,
  spec: JsonObject,
  volumes: ReadonlySet<string>,
  seen: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = stringAt(container, 'name');
  if (name === '') errors.push(required(`${path}.name`));
  else if (seen.has(name)) errors.push(duplicate(`${path}.name`, name));
  else for (const problem of labelProblems(name)) errors.push(invalid(`${path}.name`, name, problem));
  seen.add(name);
  const image = stringAt(container, 'image');
  if (image === '') errors.push(required(`${path}.image`));
  else if (image !== image.trim())
    errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  const pull = stringAt(container, 'imagePullPolicy');
  if (!['Always', 'IfNotPresent', 'Never'].includes(pull))
    errors.push(notSupported(`${path}.imagePullPolicy`, pull, ['Always', 'IfNotPresent', 'Never']));
  arrayAt(container, 'ports').forEach((port, i) =>
    errors.push(...validatePort(port, `${path}.ports[${i}]`, spec)),
  );
  errors.push(...portNameErrors(arrayAt(container, 'ports'), `${path}.ports`));
  errors.push(...envErrors(arrayAt(container, 'env'), `${path}.env`));
  errors.push(...envFromErrors(arrayAt(container, 'envFrom'), `${path}.envFrom`));
  const paths = new Set<string>();
  arrayAt(container, 'volumeMounts').forEach((mount, i) => {
    const volume = stringAt(mount, 'name');
    if (volume === '') errors.push(required(`${path}.volumeMounts[${i}].name`));
    else if (!volumes.has(volume)) errors.push(notFoundValue(`${path}.volumeMounts[${i}].name`, volume));
    const target = stringAt(mount, 'mountPath');
    if (target === '') errors.push(required(`${path}.volumeMounts[${i}].mountPath`));
    else if (paths.has(target))
      errors.push(invalid(`${path}.volumeMounts[${i}].mountPath`, target, 'must be unique'));
    paths.add(target);
    const propagation = at(mount, 'mountPropagation');
    if (typeof propagation === 'string' && !PROPAGATIONS.includes(propagation))
      errors.push(notSupported(`${path}.volumeMounts.mountPropagation`, propagation, PROPAGATIONS));
    // Kubernetes does not number the mount here.
    const below = stringAt(mount, 'subPath');
    if (below.startsWith('/'))
      errors.push(invalid(`${path}.volumeMounts.subPath`, below, 'must be a relative path'));
    if (below.split('/').includes('..'))
      errors.push(invalid(`${path}.volumeMounts.subPath`, below, "must not contain '..'"));
  });
  errors.push(...probeErrors(container, path));
  errors.push(...validateResources(objectAt(container, 'resources'), `${path}.resources`));
  return errors;
}

function portNameErrors(ports: readonly Json[], path: string): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const name = stringAt(port, 'name');
    if (name === '') return [];
    const errors = portNameProblems(name).map((text) => invalid(`${path}[${i}].name`, name, text));
    if (seen.has(name)) errors.push(duplicate(`${path}[${i}].name`, name));
    seen.add(name);
    return errors;
  });
}

function validatePort(port: Json, path: string, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const number = at(port, 'containerPort');
  if (number === 0 || number === undefined) errors.push(required(`${path}.containerPort`));
  else if (typeof number === 'number' && (number < 1 || number > 65535))
    errors.push(invalid(`${path}.containerPort`, number, RANGE_TEXT));
  const host = at(port, 'hostPort');
  if (typeof host === 'number' && host !== 0) {
    if (host < 1 || host > 65535) errors.push(invalid(`${path}.hostPort`, host, RANGE_TEXT));
    else if (spec['hostNetwork'] === true && host !== number)
      errors.push(invalid(`${path}.hostPort`, host, 'must match `containerPort` when `hostNetwork` is true'));
  }
  const protocol = stringAt(port, 'protocol');
  if (!['TCP', 'UDP', 'SCTP'].includes(protocol))
    errors.push(notSupported(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
  return errors;
}

export function validateResources(resources: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = objectAt(resources, 'limits');
  for (const [name, value] of Object.entries(limits)) {
    if (parseQuantity(asString(value)).nano < 0n)
      errors.push(invalid(`${path}.limits[${name}]`, value, 'must be greater than or equal to 0'));
  }
  for (const [name, value] of Object.entries(objectAt(resources, 'requests'))) {
    const request = parseQuantity(asString(value));
    if (request.nano < 0n)
      errors.push(invalid(`${path}.requests[${name}]`, value, 'must be greater than or equal to 0'));
    const limit = memberOf(limits, name);
    if (limit !== undefined && request.compare(parseQuantity(asString(limit))) > 0) {
      errors.push(
        invalid(
          `${path}.requests`,
          value,
          `must be less than or equal to ${name} limit of ${asString(limit)}`,
        ),
      );
    }
  }
  return errors;
}
