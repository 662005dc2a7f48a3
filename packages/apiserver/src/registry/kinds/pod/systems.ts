/** A Pod that names its operating system may set only what that system has. */
import { type FieldError, forbidden } from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, type JsonObject, stringAt } from '../../../wire/json.ts';

const NOT_ON_WINDOWS = {
  pod: ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'],
  podContext: [
    'appArmorProfile',
    'seLinuxOptions',
    'seccompProfile',
    'fsGroup',
    'fsGroupChangePolicy',
    'sysctls',
    'runAsUser',
    'runAsGroup',
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'seLinuxChangePolicy',
  ],
  context: [
    'appArmorProfile',
    'seLinuxOptions',
    'seccompProfile',
    'capabilities',
    'readOnlyRootFilesystem',
    'privileged',
    'allowPrivilegeEscalation',
    'procMount',
    'runAsUser',
    'runAsGroup',
  ],
} as const;

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

export function systemErrors(spec: JsonObject, path: string): FieldError[] {
  const system = stringAt(spec, 'os', 'name');
  const contexts = LISTS.flatMap((list) =>
    arrayAt(spec, list).map(
      (container, i) => [at(container, 'securityContext'), `${path}.${list}[${i}].securityContext`] as const,
    ),
  );
  const podContext = [at(spec, 'securityContext'), `${path}.securityContext`] as const;
  if (system === 'linux')
    return [podContext, ...contexts].flatMap(([context, where]) =>
      refuse(context, where, ['windowsOptions'], 'windows options cannot be set for a linux pod'),
    );
  if (system !== 'windows') return [];
  const text = 'cannot be set for a windows pod';
  return [
    ...refuse(podContext[0], podContext[1], NOT_ON_WINDOWS.podContext, text),
    ...refuse(spec, path, NOT_ON_WINDOWS.pod, text),
    ...contexts.flatMap(([context, where]) => refuse(context, where, NOT_ON_WINDOWS.context, text)),
  ];
}

/** A namespace of the node that is not shared, and an empty list, count as not set. */
function refuse(
  holder: Json | undefined,
  path: string,
  fields: readonly string[],
  text: string,
): FieldError[] {
  return fields.flatMap((field) => {
    const value = at(holder, field) ?? undefined;
    const isSet =
      value !== undefined &&
      !(value === false && field.startsWith('host') && field !== 'hostUsers') &&
      !(field === 'sysctls' && Array.isArray(value) && value.length === 0);
    return isSet ? [forbidden(`${path}.${field}`, text)] : [];
  });
}
