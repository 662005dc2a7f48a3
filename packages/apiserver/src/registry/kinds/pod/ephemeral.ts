/** Rules of ephemeral containers: somebody looks into a running Pod, and nothing of the Pod may rest on it. */
import { deepEqual } from '@podvisor/base';
import { type FieldError, forbidden, notFoundValue } from '../../../wire/field-errors.ts';
import {
  arrayAt,
  at,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../../wire/json.ts';
import { commonErrors, type ContainerContext } from './container.ts';

const NOT_HERE = 'cannot be set for an Ephemeral Container';
const NOT_ALLOWED = [
  ...['ports', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'],
  ...['resizePolicy', 'restartPolicy', 'restartPolicyRules'],
];

export function ephemeralErrors(spec: JsonObject, path: string, context: ContainerContext): FieldError[] {
  const others = new Set(
    ['containers', 'initContainers'].flatMap((list) =>
      arrayAt(spec, list).map((container) => stringAt(container, 'name')),
    ),
  );
  return arrayAt(spec, 'ephemeralContainers').flatMap((container, i) => {
    const where = `${path}[${i}]`;
    const target = stringAt(container, 'targetContainerName');
    return [
      ...commonErrors(container, where, context),
      ...(target === '' || others.has(target) ? [] : [notFoundValue(`${where}.targetContainerName`, target)]),
      ...NOT_ALLOWED.filter((field) => isSet(at(container, field))).map((field) =>
        forbidden(`${where}.${field}`, NOT_HERE),
      ),
      ...arrayAt(container, 'volumeMounts').flatMap((mount, j) =>
        ['subPath', 'subPathExpr']
          .filter((field) => stringAt(mount, field) !== '')
          .map((field) => forbidden(`${where}.volumeMounts[${j}].${field}`, NOT_HERE)),
      ),
    ];
  });
}

const isSet = (value: Json | undefined): boolean =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);

/** Whoever looked in stays as it was: containers are added only. */
export function ephemeralUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const now = arrayAt(object, 'spec', 'ephemeralContainers');
  return arrayAt(old, 'spec', 'ephemeralContainers').flatMap((before) => {
    const name = stringAt(before, 'name');
    const same = now.find((container) => stringAt(container, 'name') === name);
    if (same !== undefined && deepEqual(objectAt({ same }, 'same'), objectAt({ before }, 'before')))
      return [];
    const what = same === undefined ? 'removed' : 'changed';
    return [
      forbidden('spec.ephemeralContainers', `existing ephemeral containers "${name}" may not be ${what}\n`),
    ];
  });
}
