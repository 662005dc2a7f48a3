/**
 * What the recordings do not hold and we take to have been so: state of other objects, stubs of the recorded tests,
 * failures that were injected. Nothing here is read out of an expected answer by code; each entry says in words what
 * is assumed and where that comes from. Cases that pass only with an entry are counted apart.
 */
import type {
  KubernetesObject,
  PersistentVolumeClaim,
  VirtualMachineInstancePreset,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
} from '@podvisor/api';
import type { Assumption } from './assumed.ts';

function preference(kind: string, name: string, spec: VirtualMachinePreferenceSpec): KubernetesObject {
  return Object.assign({ kind, metadata: { name } }, { spec });
}

function instancetype(kind: string, name: string): KubernetesObject {
  const spec: VirtualMachineInstancetypeSpec = { cpu: { guest: 2 }, memory: { guest: '128Mi' } };
  return Object.assign({ kind, metadata: { name } }, { spec });
}

function dumpClaim(accessMode: string, storage: string): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'testPVC' },
    spec: { accessModes: [accessMode], volumeMode: 'Filesystem', resources: { requests: { storage } } },
  };
}

const preset: VirtualMachineInstancePreset = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstancePreset',
  metadata: { name: 'test-preset' },
  spec: { domain: { cpu: { cores: 4 }, devices: {} }, selector: { matchLabels: { test: 'test' } } },
};

const OTHER = 'admission-other.jsonl';
const MUTATION = 'mutation.jsonl';
const SUBRESOURCES = 'subresources.jsonl';
const PODS = 'launcher-pod/cases.jsonl';

export const assumptions: readonly Assumption[] = [
  {
    file: OTHER,
    cases: [
      'vmi-update-admitter/feature-gate-enabled-and-nodename-set-should-deny-request-if-handler-is-on-different-node',
    ],
    words: "virt-handler's token names another node than the VMI's, as the name of the test says",
    adds: { tokenNode: 'different' },
  },
  {
    file: OTHER,
    cases: [
      'vmi-update-admitter/on-feature-gate-enabled-and-targetnode-set-should-allow-request-if-handler-is-on-same-node',
    ],
    words: "virt-handler's token names the target node of the migration, as the name of the test says",
    adds: { tokenNode: 'git' },
  },
  {
    file: OTHER,
    cases: [
      'vmi-update-admitter/estriction-feature-gate-disabled-should-allow-different-handler-when-targetnode-is-not-set',
      'vmi-update-admitter/de-restriction-feature-gate-disabled-should-allow-different-handler-when-targetnode-is-set',
    ],
    words: "virt-handler's token names neither node of the VMI, as the names of the tests say",
    adds: { tokenNode: 'different' },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/pod-eviction-admitter-should-allow-the-request-when-it-refers-to-a-non-virt-launcher-pod',
    ],
    words: 'the Pod is not a launcher, as the name of the test says',
    adds: { evicted: { app: 'other' } },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/admitter-should-allow-the-request-when-it-refers-to-a-virt-launcher-pod-in-succeeded-phase',
    ],
    words: 'the launcher Pod has ended, as the name of the test says; its guest would move',
    adds: { evicted: { app: 'virt-launcher', phase: 'Succeeded', evictionStrategy: 'LiveMigrate' } },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/e-eviction-strategy-is-missing-vmi-eviction-strategy-is-external-and-vmi-is-not-migratable',
    ],
    words: 'strategy External on a VMI that cannot migrate, as the name of the test says',
    adds: { evicted: { app: 'virt-launcher', evictionStrategy: 'External' } },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/wide-eviction-strategy-is-missing-vmi-eviction-strategy-is-external-and-vmi-is-migratable',
    ],
    words: 'strategy External on a VMI that can migrate, as the name of the test says',
    adds: { evicted: { app: 'virt-launcher', evictionStrategy: 'External', migratable: true } },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/de-eviction-strategy-is-livemigrate-vmi-eviction-strategy-is-missing-and-vmi-is-migratable',
      'pod-eviction-admitter/n-strategy-is-livemigrateifpossible-vmi-eviction-strategy-is-missing-and-vmi-is-migratable',
      'pod-eviction-admitter/r-wide-eviction-strategy-is-missing-vmi-eviction-strategy-is-missing-and-vmi-is-migratable',
      'pod-eviction-admitter/hould-set-the-eviction-source-annotation-when-the-eviction-is-requested-by-the-descheduler',
    ],
    words: 'a VMI without a strategy of its own that can migrate, as the names of the tests say',
    adds: { evicted: { app: 'virt-launcher', migratable: true } },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/e-eviction-strategy-is-external-vmi-eviction-strategy-is-missing-and-vmi-is-not-migratable',
      'pod-eviction-admitter/wide-eviction-strategy-is-none-vmi-eviction-strategy-is-missing-and-vmi-is-not-migratable',
    ],
    words: 'a VMI without a strategy of its own that cannot migrate, as the names of the tests say',
    adds: { evicted: { app: 'virt-launcher' } },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/deny-the-request-and-not-mark-the-vmi-again-when-the-vmi-is-already-marked-for-evacuation',
    ],
    words: 'the VMI would migrate and is marked for it already, as the name of the test says',
    adds: {
      evicted: { app: 'virt-launcher', evictionStrategy: 'LiveMigrate', migratable: true, marked: true },
    },
  },
  {
    file: OTHER,
    cases: [
      'pod-eviction-admitter/eviction-admitter-hotplug-pod-eviction-should-deny-the-request-for-a-hotplug-pod-of-a-vmi',
    ],
    words: 'the Pod holds plugged disks for the launcher whose name it carries, as the name of the test says',
    adds: { evicted: { app: 'hotplug-disk', evictionStrategy: 'LiveMigrate', migratable: true } },
  },
  {
    file: OTHER,
    cases: [
      'backup/up-admitter-single-backup-validation-should-reject-if-backup-with-same-name-already-exists',
    ],
    words: 'a backup vm-backup of another VM exists, as the name of the test says',
    adds: { objects: [backupOf('vm-backup', 'other-vm')] },
  },
  {
    file: OTHER,
    cases: [
      'backup/kup-validation-should-allow-creating-backup-for-the-same-source-if-existing-backup-is-done',
    ],
    words: 'another backup of test-vm exists and is done, as the name of the test says',
    adds: { objects: [backupOf('other-backup', 'test-vm', 'Complete')] },
  },
  {
    file: OTHER,
    cases: [
      'vmexport/alidating-virtualmachineexport-admitter-vmexport-should-reject-invalid-vmtemplate-apigroup',
    ],
    words: 'the gates of templates and their export are on: what they are for is asked before the API group',
    adds: { configuration: { developerConfiguration: { featureGates: ['OCIExport', 'Template'] } } },
  },
  {
    file: OTHER,
    cases: [
      'vmrestore/idating-virtualmachinerestore-admitter-with-a-disabled-feature-gate-should-reject-anything',
    ],
    words: 'the gate Snapshot is off, as the name of the test says; the recorded configuration is null',
    adds: { configuration: { developerConfiguration: { disabledFeatureGates: ['Snapshot'] } } },
  },
  {
    file: OTHER,
    cases: [
      'vmrestore/ould-reject-restore-when-using-backend-storage-and-restoring-to-different-vm-target-exists',
    ],
    words:
      'the snapshot is of another VM than the target, and that one keeps a TPM, as the name of the test says',
    adds: {
      objects: [
        Object.assign(
          { kind: 'VirtualMachineSnapshot', metadata: { name: 'snapshot' } },
          { status: { sourceUID: 'vm-uid', virtualMachineSnapshotContentName: 'content' } },
        ),
        Object.assign(
          { kind: 'VirtualMachineSnapshotContent', metadata: { name: 'content' } },
          {
            spec: {
              source: {
                virtualMachine: {
                  spec: { template: { spec: { domain: { devices: { tpm: { persistent: true } } } } } },
                },
              },
            },
          },
        ),
        { kind: 'VirtualMachine', metadata: { name: 'new-test-vm', uid: 'other-uid' } },
      ],
    },
  },
  {
    file: MUTATION,
    cases: 'all',
    words: 'two preferences stand in the cluster of the recorded tests, one of them cluster-wide',
    adds: {
      objects: [
        preference('VirtualMachinePreference', 'machineTypePreference', {
          machine: { preferredMachineType: 'pc-q35-4.0' },
        }),
        preference('VirtualMachineClusterPreference', 'machineTypeClusterPreference', {
          machine: { preferredMachineType: 'pc-q35-5.0' },
        }),
      ],
    },
  },
  {
    file: MUTATION,
    cases: [
      'vm-mutator/setpreferencestorageclassname-test-id-10328-should-apply-preferredstorageclassname-to-pvc',
      'vm-mutator/preferencestorageclassname-test-id-10329-should-apply-preferredstorageclassname-to-storage',
      'vm-mutator/geclassname-should-not-overwrite-storageclass-already-defined-in-pvc-of-datavolumetemplate',
    ],
    words: 'in these tests the cluster-wide preference prefers the storage class ceph, and nothing else',
    adds: {
      objects: [
        preference('VirtualMachineClusterPreference', 'machineTypeClusterPreference', {
          volumes: { preferredStorageClassName: 'ceph' },
        }),
      ],
    },
  },
  {
    file: MUTATION,
    cases: ['vmi-mutator/virtualmachineinstance-mutator-with-presets-should-apply-presets-on-vmi-create'],
    words: 'a preset of four cores selects the label test, as the name of the test says',
    adds: { objects: [preset] },
  },
  {
    file: MUTATION,
    cases: [
      'vmi-mutator/stance-mutator-cpu-topology-should-not-overwrite-existing-currentcputopology-within-status',
    ],
    words:
      'virt-controller makes this VMI: no user was recorded, and a status that a tenant writes is dropped',
    adds: { user: 'system:serviceaccount:kubevirt:kubevirt-controller' },
  },
  {
    file: SUBRESOURCES,
    cases: 'all',
    words: 'instancetypes and preferences of these names stand in the cluster of the recorded tests',
    adds: {
      objects: [
        instancetype('VirtualMachineClusterInstancetype', 'test-cluster-instancetype'),
        instancetype('VirtualMachineInstancetype', 'test-instancetype'),
        preference('VirtualMachineClusterPreference', 'test-cluster-preference', {}),
        preference('VirtualMachinePreference', 'test-preference', {}),
      ],
    },
  },
  {
    file: SUBRESOURCES,
    cases: [
      'memorydump/api-with-memory-dump-request-vm-with-a-memory-dump-request-pvc-read-only-mode-should-fail',
    ],
    words: 'the claim is large enough and can only be read, as the name of the test says',
    adds: { objects: [dumpClaim('ReadOnlyMany', '2Gi')] },
  },
  {
    file: SUBRESOURCES,
    cases: [
      'memorydump/api-with-memory-dump-request-vm-with-a-memory-dump-request-pvc-size-too-small-should-fail',
    ],
    words:
      'the claim is as large as the memory of the guest, which is too small, as the name of the test says',
    adds: { objects: [dumpClaim('ReadWriteOnce', '1Gi')] },
  },
  {
    file: SUBRESOURCES,
    cases: [
      'subresource/estart-should-return-error-when-vmi-terminationgraceperiod-patch-fails-during-forcerestart',
    ],
    words: 'the recorder let the patch of the VMI fail, with the words that it noted beside the patch',
    adds: { failingWrites: { VirtualMachineInstance: 'optimistic locking conflict' } },
  },
  {
    file: SUBRESOURCES,
    cases: [
      'subresource/d-rollback-vmi-terminationgraceperiod-when-vm-patchstatus-fails-after-successful-vmi-patch',
    ],
    words:
      "the recorder let the patch of the VM's status fail, with the words that it noted beside the patch",
    adds: { failingWrites: { 'VirtualMachine/status': 'status patch conflict' } },
  },
  {
    file: SUBRESOURCES,
    cases: [
      'subresource/evmrequesthandler-should-fail-if-migration-is-not-posted-according-to-options-with-default',
    ],
    words: 'the migration cannot be created, as the name of the test says',
    adds: { failingWrites: { VirtualMachineInstanceMigration: 'error creating object' } },
  },
  {
    file: 'converter/cases.jsonl',
    cases: 'all',
    words: 'the recorded converter was given an SMBIOS brand without any words; its context does not show it',
    adds: { smbios: {} },
  },
  {
    file: PODS,
    cases: [
      'template/h-template-with-correct-parameters-should-have-a-stable-label-to-select-virt-launcher-pods',
    ],
    words:
      'the default architecture of the cluster was arm64: the overhead is that of arm64, nothing else tells',
    adds: { defaultArchitecture: 'arm64' },
  },
  {
    file: PODS,
    cases: ['template/template-rendering-with-file-mode-pvc-source-should-add-volume-to-template'],
    words: 'the claim pvcFile exists and holds a file system, as the name of the test says',
    adds: { claims: { pvcFile: { block: false } } },
  },
  {
    file: PODS,
    cases: ['template/template-rendering-with-backend-storage-should-add-the-pvc-to-pod-of-a-new-vmi'],
    words: 'the state of the guest is on a claim whose name ends with five characters of chance',
    adds: { stateClaim: 'persistent-state-for-testvmi12345' },
  },
  {
    file: PODS,
    cases: [
      'template/ing-with-shared-filesystem-disks-should-pick-up-shared-filesystems-correctly-1-rwx-dv-disk',
      'template/ng-with-shared-filesystem-disks-should-pick-up-shared-filesystems-correctly-1-rwx-pvc-disk',
    ],
    words: 'the claim dv-disk0 is shared (RWX), as the names of the tests say',
    adds: { claims: { 'dv-disk0': { block: false, shared: true } } },
  },
  {
    file: PODS,
    cases: [
      'template/d-filesystem-disks-should-pick-up-shared-filesystems-correctly-mixture-of-rwx-rwo-dv-disks',
    ],
    words:
      'both claims are shared (RWX): the name of the test speaks of a mixture, the recorded Pod of two paths',
    adds: {
      claims: { 'dv-disk0': { block: false, shared: true }, 'dv-disk1': { block: false, shared: true } },
    },
  },
  {
    file: PODS,
    cases: [
      'template/ing-with-shared-filesystem-disks-should-pick-up-shared-filesystems-correctly-1-rwo-dv-disk',
    ],
    words: 'the claim dv-disk0 belongs to one node (RWO), as the name of the test says',
    adds: { claims: { 'dv-disk0': { block: false, shared: false } } },
  },
  {
    file: PODS,
    cases: [
      'template/template-custom-annotations-generation-should-call-all-registered-annotation-generators',
    ],
    words: 'two extensions annotate the Pod; their keys and values are known from the recorded Pod only',
    adds: {
      podAnnotations: {
        generator1Key1: 'generator1Value1',
        generator1Key2: 'generator1Value2',
        generator2Key1: 'generator2Value1',
        generator2Key2: 'generator2Value2',
      },
    },
  },
  {
    file: PODS,
    cases: [
      'template/ustom-annotations-generation-last-generator-overrides-previously-generated-key-value-pairs',
    ],
    words: 'two extensions write one annotation, and the last one wins; known from the recorded Pod only',
    adds: { podAnnotations: { sharedKey: 'val2' } },
  },
];

function backupOf(name: string, vm: string, condition?: string): KubernetesObject {
  return Object.assign(
    { kind: 'VirtualMachineBackup', metadata: { name } },
    {
      spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: vm } },
      ...(condition !== undefined && { status: { conditions: [{ type: condition, status: 'True' }] } }),
    },
  );
}
