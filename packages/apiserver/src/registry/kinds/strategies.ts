/** How workloads replace their Pods: the rules of update strategies. */
import { deepEqual } from '@podvisor/base';
import { labelProblems } from '../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, at, type JsonObject, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { atMostAll, intOrPercentErrors, isNone, notNegativeAt } from './common-rules.ts';
import { validateClaim } from './volume.ts';

/** The internal form of a strategy, as messages show it. */
function shown(strategy: JsonObject): JsonObject {
  return { Type: strategy['type'] ?? '', RollingUpdate: null };
}

export function deploymentStrategyErrors(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, 'strategy');
  const type = stringAt(strategy, 'type');
  const path = 'spec.strategy';
  if (type === 'Recreate')
    return at(strategy, 'rollingUpdate') === undefined
      ? []
      : [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  if (type !== 'RollingUpdate') return [notSupported(path, shown(strategy), ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable, maxSurge } = objectAt(strategy, 'rollingUpdate');
  const below = `${path}.rollingUpdate`;
  return [
    ...intOrPercentErrors(`${below}.maxUnavailable`, maxUnavailable),
    ...intOrPercentErrors(`${below}.maxSurge`, maxSurge),
    ...(isNone(maxUnavailable) && isNone(maxSurge)
      ? [invalid(`${below}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll(`${below}.maxUnavailable`, maxUnavailable),
  ];
}

export function daemonStrategyErrors(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, 'updateStrategy');
  const type = stringAt(strategy, 'type');
  const path = 'spec.updateStrategy';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupported(path, shown(strategy), ['RollingUpdate', 'OnDelete'])];
  const { maxUnavailable, maxSurge } = objectAt(strategy, 'rollingUpdate');
  const below = `${path}.rollingUpdate`;
  const errors = [
    ...intOrPercentErrors(`${below}.maxUnavailable`, maxUnavailable),
    ...intOrPercentErrors(`${below}.maxSurge`, maxSurge),
  ];
  if (!isNone(maxUnavailable) && !isNone(maxSurge))
    errors.push(invalid(`${below}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (isNone(maxUnavailable) && isNone(maxSurge))
    errors.push(required(`${below}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

/** What is particular to StatefulSets. */
export function statefulErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const policy = stringAt(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  const strategy = objectAt(spec, 'updateStrategy');
  const type = stringAt(strategy, 'type');
  if (type === 'OnDelete' && at(strategy, 'rollingUpdate') !== undefined)
    errors.push(
      invalid(
        'spec.updateStrategy.rollingUpdate',
        strategy['rollingUpdate'],
        "only allowed for updateStrategy 'RollingUpdate'",
      ),
    );
  else if (type === 'RollingUpdate')
    errors.push(
      ...notNegativeAt(objectAt(strategy, 'rollingUpdate'), 'spec.updateStrategy.rollingUpdate', [
        'partition',
      ]),
    );
  else if (type !== 'OnDelete')
    errors.push(invalid('spec.updateStrategy', shown(strategy), "must be 'RollingUpdate' or 'OnDelete'"));
  if (at(spec, 'template', 'spec', 'activeDeadlineSeconds') !== undefined)
    errors.push(
      forbidden(
        'spec.template.spec.activeDeadlineSeconds',
        'activeDeadlineSeconds in StatefulSet is not Supported',
      ),
    );
  errors.push(...notNegativeAt(objectAt(spec, 'ordinals'), 'spec.ordinals', ['start']));
  for (const when of ['whenDeleted', 'whenScaled']) {
    const value = stringAt(spec, 'persistentVolumeClaimRetentionPolicy', when);
    if (value !== 'Retain' && value !== 'Delete')
      errors.push(
        notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, value, ['Delete', 'Retain']),
      );
  }
  const service = stringAt(spec, 'serviceName');
  if (service !== '')
    for (const problem of labelProblems(service)) errors.push(invalid('spec.serviceName', service, problem));
  arrayAt(spec, 'volumeClaimTemplates').forEach((claim, i) =>
    errors.push(...validateClaim(objectAt(claim, 'spec'), `spec.volumeClaimTemplates[${i}].spec`)),
  );
  return errors;
}

/** The template with a volume for each claim template, which comes before a volume of the same name. */
export function statefulPodSpec(spec: JsonObject): JsonObject {
  const pod = objectAt(spec, 'template', 'spec');
  const claims = arrayAt(spec, 'volumeClaimTemplates').map((claim) => stringAt(claim, 'metadata', 'name'));
  const volumes = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...arrayAt(pod, 'volumes').filter((volume) => !claims.includes(stringAt(volume, 'name'))),
  ];
  return volumes.length === 0 ? pod : { ...pod, volumes };
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function statefulUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const fixed = (of: KubeObject): JsonObject =>
    Object.fromEntries(Object.entries(objectAt(of, 'spec')).filter(([key]) => !CHANGEABLE.includes(key)));
  if (deepEqual(fixed(object), fixed(old))) return [];
  const names = CHANGEABLE.map((name) => `'${name}'`);
  return [
    forbidden(
      'spec',
      `updates to statefulset spec for fields other than ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are forbidden`,
    ),
  ];
}
