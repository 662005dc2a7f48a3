/**
 * What virt-handler may write, as ValidatingAdmissionPolicies: they are checked inside the API server, on any
 * cluster, also while virt-api is down. The node comes from the credential (a token of a Pod on that node, or
 * a client certificate of the embedded home); a credential without a node may write nothing.
 *
 * A node that was taken over reaches the guests it runs, and no others: not their specs, not their place, not
 * other Nodes, not the Leases of others (CVE-2023-26484, CVE-2025-64436). docs/contracts.md, section 3.
 */
import { crdFor } from '../crds/crds.ts';
import { MIGRATION_REPORT_ANNOTATION } from '../contracts/migration-progress.ts';
import {
  annotations,
  HANDOFFS_ANNOTATION,
  labels,
  NODE_NAME_EXTRA,
  nodeLabelPrefixes,
  serviceAccounts,
  serviceAccountUser,
} from '../names.ts';
import type { KubernetesObject } from '../types/index.ts';

/** Facts of a migration that virt-controller writes, and nobody else. */
const PLACEMENT = [
  'abortRequested',
  'migrationConfiguration',
  'migrationNetworkType',
  'migrationPolicyName',
  'migrationUid',
  'sourceNode',
  'sourcePersistentStatePVCName',
  'sourcePod',
  'targetAttachmentPodUID',
  'targetMemoryOverhead',
  'targetNode',
  'targetPersistentStatePVCName',
  'targetPod',
];
/** What the virt-handler of a target tells before the guest is its own. */
const TARGET_FACTS = [
  'targetCPUSet',
  'targetDirectMigrationNodePorts',
  'targetNodeAddress',
  'targetNodeDomainDetected',
  'targetNodeDomainReadyTimestamp',
  'targetNodeTopology',
];

interface Validation {
  readonly expression: string;
  readonly message: string;
}

/** The policies and their bindings for an installation in `namespace`. */
export function handlerPolicies(namespace: string): KubernetesObject[] {
  const policies = [vmiPolicy(), nodePolicy(), leasePolicy(namespace)];
  return [
    ...policies.map(({ name, resources, variables, validations }) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name, labels: { 'kubevirt.io': '' } },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: resources.map(([apiGroup, names]) => ({
            apiGroups: [apiGroup],
            apiVersions: ['*'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
            resources: names,
          })),
        },
        matchConditions: [
          {
            name: 'from-virt-handler',
            expression: `request.userInfo.username == '${serviceAccountUser(namespace, serviceAccounts.handler)}'`,
          },
        ],
        variables: [
          {
            name: 'node',
            expression: `has(request.userInfo.extra) && '${NODE_NAME_EXTRA}' in request.userInfo.extra ? request.userInfo.extra['${NODE_NAME_EXTRA}'][0] : ''`,
          },
          ...variables,
        ],
        validations: [
          {
            expression: "variables.node != ''",
            message: 'virt-handler’s credential names no node',
          },
          ...validations,
        ].map((validation) => ({ ...validation, reason: 'Forbidden' })),
      },
    })),
    ...policies.map(({ name }) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name, labels: { 'kubevirt.io': '' } },
      spec: { policyName: name, validationActions: ['Deny'] },
    })),
  ];
}

interface Policy {
  readonly name: string;
  readonly resources: readonly (readonly [apiGroup: string, resources: readonly string[]])[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly Validation[];
}

function vmiPolicy(): Policy {
  const state = 'status.migrationState';
  const statusFields = Object.keys(
    crdFor('VirtualMachineInstance').spec.versions[0]?.schema.openAPIV3Schema?.properties?.['status']
      ?.properties ?? {},
  ).filter((field) => field !== 'migrationState');
  const stateFields = Object.keys(
    crdFor('VirtualMachineInstance').spec.versions[0]?.schema.openAPIV3Schema?.properties?.['status']
      ?.properties?.['migrationState']?.properties ?? {},
  );
  const sameIn = (parent: string, fields: readonly string[]): string =>
    fields.map((field) => same(`${parent}.${field}`)).join(' && ');
  const hasState = `has(object.${state}) && has(oldObject.${state})`;
  return {
    name: 'kubevirt-handler-vmis',
    resources: [
      ['kubevirt.io', ['virtualmachineinstances', 'virtualmachineinstancemigrations']],
      ['kubevirt.io', ['virtualmachineinstances/status', 'virtualmachineinstancemigrations/status']],
    ],
    variables: [
      {
        name: 'runs',
        expression:
          'has(oldObject.status) && has(oldObject.status.nodeName) && oldObject.status.nodeName == variables.node',
      },
      {
        name: 'receives',
        expression: `has(oldObject.status) && has(oldObject.${state}) && has(oldObject.${state}.targetNode) && oldObject.${state}.targetNode == variables.node`,
      },
      {
        name: 'takesOver',
        expression: `variables.receives && !variables.runs && has(oldObject.${state}.startTimestamp) && !(has(oldObject.${state}.failed) && oldObject.${state}.failed) && has(object.status.nodeName) && object.status.nodeName == variables.node`,
      },
      ...maps('labels'),
      ...maps('annotations'),
    ],
    validations: [
      {
        expression: "request.operation == 'UPDATE' && request.resource.resource == 'virtualmachineinstances'",
        message:
          'virt-handler changes VMIs, and neither creates nor deletes them; migrations are not its own',
      },
      {
        expression: "request.operation != 'UPDATE' || variables.runs || variables.receives",
        message: 'virt-handler changes only VMIs that run on its node or are moved there',
      },
      {
        expression: "request.operation != 'UPDATE' || object.spec == oldObject.spec",
        message: 'virt-handler does not change the spec of a VMI',
      },
      {
        expression: `request.operation != 'UPDATE' || ${same('status.nodeName')} || variables.takesOver`,
        message: 'virt-handler takes over a VMI only when its migration to this node has started',
      },
      {
        expression: `request.operation != 'UPDATE' || (${same('status.activePods')} && (!has(object.status.evacuationNodeName) || ${same('status.evacuationNodeName')}))`,
        message: 'virt-handler neither asks for evacuation nor says which Pods a VMI has',
      },
      {
        expression: `request.operation != 'UPDATE' || (!has(object.${state}) && !has(oldObject.${state})) || (${hasState} && ${sameIn(state, PLACEMENT)})`,
        message: 'virt-handler does not say from where and to where a VMI is moved',
      },
      {
        expression: `request.operation != 'UPDATE' || variables.runs || variables.takesOver || (${sameIn('status', statusFields)} && ${hasState} && ${sameIn(
          state,
          stateFields.filter((field) => !TARGET_FACTS.includes(field)),
        )})`,
        message: 'virt-handler of a target says only where it listens, until the guest is its own',
      },
      {
        expression: `request.operation != 'UPDATE' || (${onlyChanged('labels', [
          `(k == '${labels.nodeName}' && (!(k in variables.newLabels) || (variables.takesOver && variables.newLabels[k] == variables.node)))`,
          `(k in ['${labels.migrationTargetNodeName}', '${labels.outdatedLauncherImage}'] && !(k in variables.newLabels))`,
        ])})`,
        message: 'virt-handler changes only the labels of a migration to its node',
      },
      {
        expression: `request.operation != 'UPDATE' || (${onlyChanged('annotations', [
          `k in ['${HANDOFFS_ANNOTATION}', '${MIGRATION_REPORT_ANNOTATION}']`,
        ])})`,
        message: 'virt-handler changes only its own annotations',
      },
      {
        expression: `request.operation != 'UPDATE' || (${same('metadata.finalizers')} && ${same('metadata.ownerReferences')})`,
        message: 'virt-handler changes neither finalizers nor owners',
      },
    ],
  };
}

function nodePolicy(): Policy {
  const owned = Object.values(nodeLabelPrefixes)
    .map((prefix) => `k.startsWith('${prefix}')`)
    .join(' || ');
  return {
    name: 'kubevirt-handler-nodes',
    resources: [['', ['nodes', 'nodes/status']]],
    variables: [...maps('labels'), ...maps('annotations')],
    validations: [
      {
        expression: "request.operation == 'UPDATE' && request.name == variables.node",
        message: 'virt-handler changes only its own Node',
      },
      {
        expression: `request.operation != 'UPDATE' || (${same('spec')} && ${same('status')} && ${same('metadata.finalizers')} && ${same('metadata.ownerReferences')})`,
        message: 'virt-handler changes labels and annotations of its Node only',
      },
      {
        expression: `request.operation != 'UPDATE' || (${onlyChanged('labels', [`k in ['${labels.schedulable}', '${labels.ksmEnabled}'] || ${owned}`])})`,
        message: 'virt-handler changes only labels that say what guests its Node can run',
      },
      {
        expression: `request.operation != 'UPDATE' || (${onlyChanged('annotations', [`k in ['${annotations.heartbeat}', '${annotations.ksmHandlerManaged}']`])})`,
        message: 'virt-handler changes only its own annotations of its Node',
      },
    ],
  };
}

function leasePolicy(namespace: string): Policy {
  return {
    name: 'kubevirt-handler-leases',
    resources: [['coordination.k8s.io', ['leases']]],
    variables: [
      {
        name: 'name',
        expression: "request.operation == 'DELETE' ? oldObject.metadata.name : object.metadata.name",
      },
    ],
    validations: [
      {
        expression: `request.namespace == '${namespace}' && variables.name == 'virt-handler-' + variables.node`,
        message: 'virt-handler keeps only its own Lease',
      },
    ],
  };
}

/** A field is there in both or in neither, and the same. Its parent must be there. */
function same(path: string): string {
  return `(has(object.${path}) ? has(oldObject.${path}) && object.${path} == oldObject.${path} : !has(oldObject.${path}))`;
}

/** Variables `newLabels` and `oldLabels`, or the same of annotations: empty maps where there are none. */
function maps(field: 'labels' | 'annotations'): Policy['variables'] {
  const of = (object: string): string =>
    `has(${object}.metadata.${field}) ? ${object}.metadata.${field} : {}`;
  const title = titleOf(field);
  return [
    { name: `new${title}`, expression: of('object') },
    { name: `old${title}`, expression: of('oldObject') },
  ];
}

/** Every key `k` is as it was, or one of the conditions lets it change. */
function onlyChanged(field: 'labels' | 'annotations', conditions: readonly string[]): string {
  const [fresh, old] = [`variables.new${titleOf(field)}`, `variables.old${titleOf(field)}`];
  const allowed = conditions.map((condition) => `(${condition})`).join(' || ');
  return `${fresh}.all(k, (k in ${old} && ${old}[k] == ${fresh}[k]) || ${allowed}) && ${old}.all(k, k in ${fresh} || ${allowed})`;
}

function titleOf(field: string): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}
