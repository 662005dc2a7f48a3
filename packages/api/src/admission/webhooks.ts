/**
 * The admission webhooks of virt-api, as plain data: virt-api serves each path, the installer registers
 * each entry. One list, so that neither can know a webhook that the other does not.
 *
 * Deletion works while virt-api is down: the one webhook for DELETE may be ignored, updates by our own
 * components and by Kubernetes' controllers ask nobody, and neither does an update of a dying object that
 * leaves spec and status alone, whoever makes it. A user who changes the spec or status of a dying object is
 * still checked: otherwise deletion would be a way around admission.
 */

export type WebhookOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** Which requests are sent to a webhook. */
export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly WebhookOperation[];
  readonly resources: readonly string[];
}

export interface WebhookEntry {
  /** Name in the webhook configuration. */
  readonly name: string;
  readonly type: 'Mutating' | 'Validating';
  /** Path that virt-api serves. */
  readonly path: string;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  /**
   * Whose requests are let through without asking. `controlPlane`: our components that do not run on the
   * nodes of guests, and Kubernetes' own controllers; `all`: virt-handler too.
   */
  readonly skips?: 'controlPlane' | 'all';
  /** Asked about Pods that say they are ours, when they are made and when that changes; about no other Pod. */
  readonly asks?: 'podIdentity';
  /** Registered only where DataVolumes are ours: elsewhere CDI checks its own kinds. */
  readonly onlyWith?: 'dataVolumes';
  /** Objects that must carry these labels. */
  readonly matchLabels?: Readonly<Record<string, string>>;
}

const KUBEVIRT = { apiGroups: ['kubevirt.io'], apiVersions: ['v1', 'v1alpha3'] } as const;

type Rule = readonly [
  apiGroup: string,
  apiVersions: readonly string[],
  operations: readonly WebhookOperation[],
  resources: readonly string[],
];

function entry(
  type: 'Mutating' | 'Validating',
  name: string,
  path: string,
  rules: readonly Rule[],
  options: Partial<
    Pick<WebhookEntry, 'asks' | 'failurePolicy' | 'onlyWith' | 'sideEffects' | 'skips' | 'matchLabels'>
  > = {},
): WebhookEntry {
  return {
    name,
    type,
    path,
    rules: rules.map(([apiGroup, apiVersions, operations, resources]) => ({
      apiGroups: [apiGroup],
      apiVersions,
      operations,
      resources,
    })),
    failurePolicy: 'Fail',
    timeoutSeconds: 10,
    sideEffects: 'None',
    ...options,
  };
}

const V1 = KUBEVIRT.apiVersions;

const BOTH = ['CREATE', 'UPDATE'] as const;

const CREATE = ['CREATE'] as const;

const UPDATE = ['UPDATE'] as const;

const DELETE = ['DELETE'] as const;

const IGNORE = { failurePolicy: 'Ignore' } as const;

const OWN = { skips: 'all' } as const;

const CONTROL_PLANE = { skips: 'controlPlane' } as const;

const DATA_VOLUMES = { onlyWith: 'dataVolumes' } as const;

const BETA = ['v1alpha1', 'v1beta1'] as const;

/** Validators of create and update, one for each kind. */
function validators(
  rows: readonly (readonly [
    name: string,
    path: string,
    group: string,
    versions: readonly string[],
    resource: string,
  ])[],
): readonly WebhookEntry[] {
  return rows.map(([name, path, group, versions, resource]) =>
    entry('Validating', `${name}-validator.kubevirt.io`, path, [[group, versions, BOTH, [resource]]], OWN),
  );
}

/** Every webhook that virt-api serves. */
export const webhooks: readonly WebhookEntry[] = [
  // VirtualMachines that a pool makes are completed and checked like any other.
  entry('Mutating', 'virtualmachines-mutator.kubevirt.io', '/virtualmachines-mutate', [
    ['kubevirt.io', V1, CREATE, ['virtualmachines']],
  ]),
  entry(
    'Mutating',
    'virtualmachines-update-mutator.kubevirt.io',
    '/virtualmachines-mutate',
    [['kubevirt.io', V1, UPDATE, ['virtualmachines']]],
    OWN,
  ),
  entry('Mutating', 'virtualmachineinstances-mutator.kubevirt.io', '/virtualmachineinstances-mutate', [
    ['kubevirt.io', V1, CREATE, ['virtualmachineinstances']],
  ]),
  entry(
    'Mutating',
    'virtualmachineinstances-update-mutator.kubevirt.io',
    '/virtualmachineinstances-mutate',
    [['kubevirt.io', V1, UPDATE, ['virtualmachineinstances']]],
    OWN,
  ),
  entry('Mutating', 'migrations-mutator.kubevirt.io', '/migration-mutate-create', [
    ['kubevirt.io', V1, CREATE, ['virtualmachineinstancemigrations']],
  ]),
  entry('Mutating', 'virtualmachineclones-mutator.kubevirt.io', '/vm-clone-mutate-create', [
    ['clone.kubevirt.io', ['v1alpha1', 'v1beta1'], CREATE, ['virtualmachineclones']],
  ]),
  entry(
    'Validating',
    'virtualmachineinstances-create-validator.kubevirt.io',
    '/virtualmachineinstances-validate-create',
    [['kubevirt.io', V1, CREATE, ['virtualmachineinstances']]],
  ),
  entry(
    'Validating',
    'virtualmachineinstances-update-validator.kubevirt.io',
    '/virtualmachineinstances-validate-update',
    [
      ['kubevirt.io', V1, UPDATE, ['virtualmachineinstances']],
      // A node must not reach the guests of other nodes: what virt-handler writes is looked at.
    ],
    CONTROL_PLANE,
  ),
  entry('Validating', 'virtualmachine-validator.kubevirt.io', '/virtualmachines-validate', [
    ['kubevirt.io', V1, CREATE, ['virtualmachines']],
  ]),
  entry(
    'Validating',
    'virtualmachine-update-validator.kubevirt.io',
    '/virtualmachines-validate',
    [['kubevirt.io', V1, UPDATE, ['virtualmachines']]],
    OWN,
  ),
  entry('Validating', 'migration-create-validator.kubevirt.io', '/migration-validate-create', [
    ['kubevirt.io', V1, CREATE, ['virtualmachineinstancemigrations']],
  ]),
  entry(
    'Validating',
    'migration-update-validator.kubevirt.io',
    '/migration-validate-update',
    [['kubevirt.io', V1, UPDATE, ['virtualmachineinstancemigrations']]],
    OWN,
  ),
  entry('Validating', 'virt-launcher-eviction-interceptor.kubevirt.io', '/launcher-eviction-validate', [
    ['', ['v1'], CREATE, ['pods/eviction']],
  ]),
  // Who made a Pod is known here and nowhere else. virt-controller is not asked: its Pods need no virt-api.
  entry(
    'Validating',
    'virt-launcher-pods-validator.kubevirt.io',
    '/pods-validate',
    [['', ['v1'], BOTH, ['pods']]],
    { asks: 'podIdentity' },
  ),
  entry(
    'Validating',
    'kubevirt-crd-status-validator.kubevirt.io',
    '/status-validate',
    [['kubevirt.io', V1, BOTH, ['virtualmachines/status']]],
    OWN,
  ),
  ...validators([
    ['virtualmachinepreset', '/vmipreset-validate', 'kubevirt.io', V1, 'virtualmachineinstancepresets'],
    [
      'virtualmachinereplicaset',
      '/virtualmachinereplicaset-validate',
      'kubevirt.io',
      V1,
      'virtualmachineinstancereplicasets',
    ],
    ['virtualmachinepool', '/virtualmachinepool-validate', 'pool.kubevirt.io', BETA, 'virtualmachinepools'],
    [
      'virtualmachinesnapshot',
      '/virtualmachinesnapshots-validate',
      'snapshot.kubevirt.io',
      BETA,
      'virtualmachinesnapshots',
    ],
    [
      'virtualmachinerestore',
      '/virtualmachinerestores-validate',
      'snapshot.kubevirt.io',
      BETA,
      'virtualmachinerestores',
    ],
    [
      'virtualmachineexport',
      '/virtualmachineexports-validate',
      'export.kubevirt.io',
      ['v1beta1', 'v1'],
      'virtualmachineexports',
    ],
    [
      'virtualmachineinstancetype',
      '/virtualmachineinstancetypes-validate',
      'instancetype.kubevirt.io',
      ['v1beta1'],
      'virtualmachineinstancetypes',
    ],
    [
      'virtualmachineclusterinstancetype',
      '/virtualmachineclusterinstancetypes-validate',
      'instancetype.kubevirt.io',
      ['v1beta1'],
      'virtualmachineclusterinstancetypes',
    ],
    [
      'virtualmachinepreference',
      '/virtualmachinepreferences-validate',
      'instancetype.kubevirt.io',
      ['v1beta1'],
      'virtualmachinepreferences',
    ],
    [
      'virtualmachineclusterpreference',
      '/virtualmachineclusterpreferences-validate',
      'instancetype.kubevirt.io',
      ['v1beta1'],
      'virtualmachineclusterpreferences',
    ],
    [
      'migration-policy',
      '/migration-policy-validate-create',
      'migrations.kubevirt.io',
      ['v1alpha1'],
      'migrationpolicies',
    ],
    ['vm-clone', '/vm-clone-validate-create', 'clone.kubevirt.io', BETA, 'virtualmachineclones'],
    [
      'virtualmachinebackup',
      '/virtualmachinebackups-validate',
      'backup.kubevirt.io',
      ['v1alpha1'],
      'virtualmachinebackups',
    ],
    [
      'virtualmachinebackuptracker',
      '/virtualmachinebackuptrackers-validate',
      'backup.kubevirt.io',
      ['v1alpha1'],
      'virtualmachinebackuptrackers',
    ],
    ['plugin', '/plugins-validate', 'plugin.kubevirt.io', ['v1alpha1'], 'plugins'],
  ]),
  entry(
    'Mutating',
    'datavolume-create-mutator.kubevirt.io',
    '/datavolumes-mutate',
    [['cdi.kubevirt.io', ['v1beta1'], CREATE, ['datavolumes']]],
    DATA_VOLUMES,
  ),
  entry(
    'Validating',
    'datavolume-create-validator.kubevirt.io',
    '/datavolumes-validate',
    [['cdi.kubevirt.io', ['v1beta1'], CREATE, ['datavolumes']]],
    DATA_VOLUMES,
  ),
  entry(
    'Validating',
    'datavolume-update-validator.kubevirt.io',
    '/datavolumes-validate',
    [['cdi.kubevirt.io', ['v1beta1'], UPDATE, ['datavolumes']]],
    { ...OWN, ...DATA_VOLUMES },
  ),
  // An installer makes the KubeVirt object when virt-api may not run yet; a second one must not slip in later.
  entry(
    'Validating',
    'kubevirt-create-validator.kubevirt.io',
    '/kubevirt-validate-create',
    [['kubevirt.io', V1, CREATE, ['kubevirts']]],
    IGNORE,
  ),
  // While virt-api cannot start, a registry or flag that is wrong must be mended in this very object; virt-controller
  // says what is wrong with settings that nobody checked.
  entry(
    'Validating',
    'kubevirt-update-validator.kubevirt.io',
    '/kubevirt-validate-update',
    [['kubevirt.io', V1, UPDATE, ['kubevirts']]],
    IGNORE,
  ),
  entry(
    'Validating',
    'kubevirt-delete-validator.kubevirt.io',
    '/kubevirt-validate-delete',
    [['kubevirt.io', V1, DELETE, ['kubevirts']]],
    IGNORE,
  ),
];
