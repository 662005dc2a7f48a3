/**
 * The admission webhooks of virt-api (behaviour book 2.3 to 2.7).
 *
 * Deletion always works while they are down: no rule asks for DELETE, and the update of an object that is
 * being deleted is not sent to a webhook when it comes from one of our components, or touches neither spec
 * nor status (taking a finalizer away). A user who changes the spec or status of a dying object is still
 * checked: otherwise deletion would be a way around admission.
 */
import type { KubernetesObject } from '@podvisor/api';
import type { InstanceConfig } from '@podvisor/sys';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';
import { type BootstrapFacts, base64 } from './facts.ts';

type Operation = 'CREATE' | 'UPDATE';

interface Target {
  readonly group: string;
  readonly versions: readonly string[];
  readonly resources: readonly string[];
}

interface Hook {
  /** `<name>.kubevirt.io`. */
  readonly name: string;
  readonly path: string;
  readonly targets: readonly Target[];
  readonly operations: readonly Operation[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly objectSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}

const on = (group: string, versions: readonly string[], ...resources: readonly string[]): Target => ({
  group,
  versions,
  resources,
});

const V1 = ['v1alpha3', 'v1'];
const vm = on('kubevirt.io', V1, 'virtualmachines');
const vmi = on('kubevirt.io', V1, 'virtualmachineinstances');
const migration = on('kubevirt.io', V1, 'virtualmachineinstancemigrations');
const clone = on('clone.kubevirt.io', ['v1alpha1', 'v1beta1'], 'virtualmachineclones');
const BOTH: readonly Operation[] = ['CREATE', 'UPDATE'];

const MUTATING: readonly Hook[] = [
  { name: 'virtualmachines-mutator', path: '/virtualmachines-mutate', targets: [vm], operations: BOTH },
  {
    name: 'virtualmachineinstances-mutator',
    path: '/virtualmachineinstances-mutate',
    targets: [vmi],
    operations: BOTH,
  },
  {
    name: 'migrations-mutator',
    path: '/migration-mutate-create',
    targets: [migration],
    operations: ['CREATE'],
  },
  {
    name: 'virtualmachineclones-mutator',
    path: '/vm-clone-mutate-create',
    targets: [clone],
    operations: ['CREATE'],
  },
  {
    name: 'virt-launcher-pod-mutator',
    path: '/virt-launcher-pod-mutate',
    targets: [on('', ['v1'], 'pods')],
    operations: ['CREATE'],
    failurePolicy: 'Ignore',
    objectSelector: { matchLabels: { 'kubevirt.io': 'virt-launcher' } },
  },
];

const instancetype = (resource: string): Target => on('instancetype.kubevirt.io', ['v1beta1'], resource);
const SNAPSHOT = ['v1alpha1', 'v1beta1'];

const VALIDATING: readonly Hook[] = [
  {
    name: 'virt-launcher-eviction-interceptor',
    path: '/launcher-eviction-validate',
    targets: [on('', ['v1'], 'pods/eviction')],
    operations: ['CREATE'],
  },
  {
    name: 'virtualmachineinstances-create-validator',
    path: '/virtualmachineinstances-validate-create',
    targets: [vmi],
    operations: ['CREATE'],
  },
  {
    name: 'virtualmachineinstances-update-validator',
    path: '/virtualmachineinstances-validate-update',
    targets: [vmi],
    operations: ['UPDATE'],
  },
  { name: 'virtualmachine-validator', path: '/virtualmachines-validate', targets: [vm], operations: BOTH },
  {
    name: 'virtualmachinereplicaset-validator',
    path: '/virtualmachinereplicaset-validate',
    targets: [on('kubevirt.io', V1, 'virtualmachineinstancereplicasets')],
    operations: BOTH,
  },
  {
    name: 'virtualmachinepool-validator',
    path: '/virtualmachinepool-validate',
    targets: [on('pool.kubevirt.io', ['v1alpha1', 'v1beta1'], 'virtualmachinepools')],
    operations: BOTH,
  },
  {
    name: 'virtualmachinepreset-validator',
    path: '/vmipreset-validate',
    targets: [on('kubevirt.io', V1, 'virtualmachineinstancepresets')],
    operations: BOTH,
  },
  {
    name: 'migration-create-validator',
    path: '/migration-validate-create',
    targets: [migration],
    operations: ['CREATE'],
  },
  {
    name: 'migration-update-validator',
    path: '/migration-validate-update',
    targets: [migration],
    operations: ['UPDATE'],
  },
  {
    name: 'virtualmachinesnapshot-validator',
    path: '/virtualmachinesnapshots-validate',
    targets: [on('snapshot.kubevirt.io', SNAPSHOT, 'virtualmachinesnapshots')],
    operations: BOTH,
  },
  {
    name: 'virtualmachinerestore-validator',
    path: '/virtualmachinerestores-validate',
    targets: [on('snapshot.kubevirt.io', SNAPSHOT, 'virtualmachinerestores')],
    operations: BOTH,
  },
  {
    name: 'virtualmachineexport-validator',
    path: '/virtualmachineexports-validate',
    targets: [on('export.kubevirt.io', ['v1beta1', 'v1'], 'virtualmachineexports')],
    operations: BOTH,
  },
  {
    name: 'virtualmachineinstancetype-validator',
    path: '/virtualmachineinstancetypes-validate',
    targets: [instancetype('virtualmachineinstancetypes')],
    operations: BOTH,
  },
  {
    name: 'virtualmachineclusterinstancetype-validator',
    path: '/virtualmachineclusterinstancetypes-validate',
    targets: [instancetype('virtualmachineclusterinstancetypes')],
    operations: BOTH,
  },
  {
    name: 'virtualmachinepreference-validator',
    path: '/virtualmachinepreferences-validate',
    targets: [instancetype('virtualmachinepreferences')],
    operations: BOTH,
  },
  {
    name: 'virtualmachineclusterpreference-validator',
    path: '/virtualmachineclusterpreferences-validate',
    targets: [instancetype('virtualmachineclusterpreferences')],
    operations: BOTH,
  },
  {
    name: 'kubevirt-crd-status-validator',
    path: '/status-validate',
    targets: [
      on(
        'kubevirt.io',
        V1,
        'virtualmachines/status',
        'virtualmachineinstancereplicasets/status',
        'virtualmachineinstancemigrations/status',
      ),
    ],
    operations: BOTH,
  },
  {
    name: 'migration-policy-validator',
    path: '/migration-policy-validate-create',
    targets: [on('migrations.kubevirt.io', ['v1alpha1'], 'migrationpolicies')],
    operations: BOTH,
  },
  { name: 'vm-clone-validator', path: '/vm-clone-validate-create', targets: [clone], operations: BOTH },
  {
    name: 'virtualmachinebackup-validator',
    path: '/virtualmachinebackups-validate',
    targets: [on('backup.kubevirt.io', ['v1alpha1'], 'virtualmachinebackups')],
    operations: BOTH,
  },
];

/** True when the webhook must be asked; see the top of the file. */
export const ASK_WHILE_DELETING = [
  '!has(object.metadata.deletionTimestamp)',
  `(!request.userInfo.username.startsWith("system:serviceaccount:${NAMESPACE}:kubevirt-")`,
]
  .join(' || ')
  .concat(
    ' && (has(object.spec) != has(oldObject.spec) || (has(object.spec) && object.spec != oldObject.spec)',
    ' || has(object.status) != has(oldObject.status) || (has(object.status) && object.status != oldObject.status)))',
  );

/** Both configurations, pointing at virt-api on this machine. */
export function webhookObjects(config: InstanceConfig, facts: BootstrapFacts): KubernetesObject[] {
  const configuration = (
    kind: string,
    name: string,
    hooks: readonly Hook[],
  ): KubernetesObject & { webhooks: object[] } => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name, labels: { 'kubevirt.io': name } },
    webhooks: hooks.map((hook) => webhook(hook, config, facts)),
  });
  return [
    configuration('MutatingWebhookConfiguration', 'virt-api-mutator', MUTATING),
    configuration('ValidatingWebhookConfiguration', 'virt-api-validator', VALIDATING),
  ];
}

function webhook(hook: Hook, config: InstanceConfig, facts: BootstrapFacts): object {
  return {
    name: `${hook.name}.kubevirt.io`,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: {
      url: `https://127.0.0.1:${config.virtApiPort}${hook.path}`,
      caBundle: base64(facts.kubevirtCa),
    },
    rules: hook.targets.map(({ group, versions, resources }) => ({
      apiGroups: [group],
      apiVersions: versions,
      resources,
      operations: hook.operations,
      scope: '*',
    })),
    failurePolicy: hook.failurePolicy ?? 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: 10,
    ...(hook.objectSelector === undefined ? {} : { objectSelector: hook.objectSelector }),
    ...(hook.operations.includes('UPDATE')
      ? { matchConditions: [{ name: 'not-needed-for-deletion', expression: ASK_WHILE_DELETING }] }
      : {}),
  };
}
