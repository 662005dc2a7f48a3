/** Deployments, ReplicaSets, StatefulSets and DaemonSets: defaults and the rules of selectors. */
import { deepEqual, memberOf } from '@podvisor/base';
import { type FieldError, invalid, notSupported, required } from '../../wire/field-errors.ts';
import { at, type JsonObject, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { matcherOf, selectsEverything } from '../../wire/label-selector.ts';
import { labelSelectorErrors } from '../../wire/selector-rules.ts';
import type { KindRules } from '../definition.ts';
import { notNegativeAt } from './common-rules.ts';
import { ensure, fill, own, ownItems } from './fill.ts';
import { validatePodSpec } from './pod/validate.ts';
import {
  deploymentStrategyErrors,
  daemonStrategyErrors,
  statefulErrors,
  statefulPodSpec,
  statefulUpdateErrors,
} from './strategies.ts';
import { deadlineErrors as ownDeadlineErrors, defaultTemplate, templateMetadataErrors } from './template.ts';

/** Selector and template must belong together. */
function validateSelector(object: KubeObject): FieldError[] {
  const selector = at(object, 'spec', 'selector');
  const isGiven = selector !== undefined && selector !== null;
  const errors: FieldError[] = labelSelectorErrors(selector, 'spec.selector');
  if (errors.length > 0) return errors;
  // Kubernetes asks a DaemonSet for its labels only.
  if (!isGiven && object.kind !== 'DaemonSet') errors.push(required('spec.selector'));
  if (isGiven && selectsEverything(selector))
    errors.push(
      invalid('spec.selector', selector, `empty selector is invalid for ${lowerFirst(object.kind)}`),
    );
  const labels = objectAt(object, 'spec', 'template', 'metadata', 'labels') as Record<string, string>;
  if (!isGiven || !matcherOf(selector)(labels)) {
    errors.push(
      invalid(
        'spec.template.metadata.labels',
        at(object, 'spec', 'template', 'metadata', 'labels') === undefined ? null : labels,
        '`selector` does not match template `labels`',
      ),
    );
  }
  return errors;
}

function lowerFirst(kind: string): string {
  return kind === 'StatefulSet' ? 'statefulset' : kind === 'DaemonSet' ? 'daemonset' : kind.toLowerCase();
}

function validateTemplate(
  object: KubeObject,
  policies: readonly string[],
  spec = objectAt(object, 'spec', 'template', 'spec'),
): FieldError[] {
  const errors = validatePodSpec(spec, 'spec.template.spec');
  const policy = stringAt(spec, 'restartPolicy');
  if (errors.every((e) => e.field !== 'spec.template.spec.restartPolicy') && !policies.includes(policy)) {
    errors.push(notSupported('spec.template.spec.restartPolicy', policy, policies));
  }
  const template = objectAt(object, 'spec', 'template');
  // A Deployment's Pods are those of its ReplicaSets.
  const kind = object.kind === 'Deployment' ? 'ReplicaSet' : object.kind;
  return [
    ...templateMetadataErrors(template, 'spec.template'),
    ...errors,
    ...ownDeadlineErrors(template, 'spec.template', kind),
  ];
}

function immutableSelector(object: KubeObject, old: KubeObject): FieldError[] {
  const selector = at(object, 'spec', 'selector');
  return deepEqual(selector, at(old, 'spec', 'selector'))
    ? []
    : [invalid('spec.selector', selector, 'field is immutable')];
}

function notNegative(object: KubeObject, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => {
    const value = at(object, 'spec', field);
    return typeof value === 'number' && value < 0
      ? [invalid(`spec.${field}`, value, 'must be greater than or equal to 0')]
      : [];
  });
}

/** A rollout that must finish before its Pods could count can never succeed. */
function deadlineErrors(spec: JsonObject): FieldError[] {
  const [deadline, ready] = [spec['progressDeadlineSeconds'], Number(spec['minReadySeconds'] ?? 0)];
  return typeof deadline === 'number' && deadline <= ready
    ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
    : [];
}

const ALWAYS = ['Always'];

export const deploymentRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'replicas', 1);
    const strategy = ensure(spec, 'strategy');
    fill(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensure(strategy, 'rollingUpdate');
      fill(rolling, 'maxUnavailable', '25%');
      fill(rolling, 'maxSurge', '25%');
    }
    fill(spec, 'revisionHistoryLimit', 10);
    fill(spec, 'progressDeadlineSeconds', 600);
    defaultTemplate(spec);
  },
  validate: (object) => [
    ...notNegative(object, ['replicas']),
    ...validateSelector(object),
    ...validateTemplate(object, ALWAYS),
    ...deploymentStrategyErrors(objectAt(object, 'spec')),
    ...notNegative(object, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds']),
    ...deadlineErrors(objectAt(object, 'spec')),
  ],
  validateUpdate: immutableSelector,
};

export const replicaSetRules: KindRules = {
  hasGeneration: true,
  selectable: ['status.replicas'],
  select: (object) => String(at(object, 'status', 'replicas') ?? 0),
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'replicas', 1);
    defaultTemplate(spec);
  },
  prepareCreate: (object) => {
    object['status'] = { replicas: 0 };
  },
  validate: (object) => [
    ...notNegative(object, ['replicas', 'minReadySeconds']),
    ...validateSelector(object),
    ...validateTemplate(object, ALWAYS),
  ],
  validateUpdate: immutableSelector,
};

export const replicationControllerRules: KindRules = {
  ...replicaSetRules,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'replicas', 1);
    const labels = objectAt(spec, 'template', 'metadata', 'labels');
    if (Object.keys(labels).length > 0) fill(spec, 'selector', { ...labels });
    if (at(spec, 'template') !== undefined) defaultTemplate(spec);
  },
  validate: (object) => validateTemplate(object, ALWAYS),
  validateUpdate: () => [],
};

export const statefulSetRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'replicas', 1);
    fill(spec, 'podManagementPolicy', 'OrderedReady');
    const strategy = ensure(spec, 'updateStrategy');
    fill(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') fill(ensure(strategy, 'rollingUpdate'), 'partition', 0);
    fill(spec, 'revisionHistoryLimit', 10);
    const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy');
    fill(retention, 'whenDeleted', 'Retain');
    fill(retention, 'whenScaled', 'Retain');
    defaultTemplate(spec);
    for (const claim of ownItems(spec, 'volumeClaimTemplates')) {
      fill(claim, 'kind', 'PersistentVolumeClaim');
      fill(claim, 'apiVersion', 'v1');
      fill(own(claim, 'spec'), 'volumeMode', 'Filesystem');
      claim['status'] = { phase: 'Pending' };
    }
  },
  prepareCreate: (object) => {
    object['status'] = { replicas: 0, availableReplicas: 0 };
  },
  validate: (object) => [
    ...statefulErrors(objectAt(object, 'spec')),
    ...notNegative(object, ['replicas', 'minReadySeconds']),
    ...validateSelector(object),
    ...validateTemplate(object, ALWAYS, statefulPodSpec(objectAt(object, 'spec'))),
  ],
  validateUpdate: statefulUpdateErrors,
};

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const daemonSetRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    object.metadata.annotations = {
      [TEMPLATE_GENERATION]: '1',
      ...object.metadata.annotations,
    };
    const strategy = ensure(spec, 'updateStrategy');
    fill(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = ensure(strategy, 'rollingUpdate');
      fill(rolling, 'maxUnavailable', 1);
      fill(rolling, 'maxSurge', 0);
    }
    fill(spec, 'revisionHistoryLimit', 10);
    defaultTemplate(spec);
  },
  prepareUpdate: (object, old) => {
    // Kubernetes' older clients read from here which template a Pod was made of.
    const before = Number(memberOf(old.metadata.annotations, TEMPLATE_GENERATION) ?? 0);
    const changed = !deepEqual(at(object, 'spec', 'template'), at(old, 'spec', 'template'));
    object.metadata.annotations = {
      ...object.metadata.annotations,
      [TEMPLATE_GENERATION]: String(before + (changed ? 1 : 0)),
    };
  },
  validateStatusUpdate: (object) =>
    notNegativeAt(at(object, 'status'), 'status', [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ]),
  prepareCreate: (object) => {
    object['status'] = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
  },
  validate: (object) => [
    ...validateSelector(object),
    ...validateTemplate(object, ALWAYS),
    ...notNegative(object, ['minReadySeconds']),
    ...daemonStrategyErrors(objectAt(object, 'spec')),
    ...notNegative(object, ['revisionHistoryLimit']),
  ],
  validateUpdate: immutableSelector,
};

export const podTemplateRules: KindRules = {
  hasGeneration: true,
  default: (object) => defaultTemplate(object),
};
