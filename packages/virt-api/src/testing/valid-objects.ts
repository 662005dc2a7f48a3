/** One valid object of every kind that has a webhook, with many of its fields set. */
import type { KubernetesObject } from '@podvisor/api';

const vmiSpec = {
  architecture: 'amd64',
  hostname: 'guest',
  evictionStrategy: 'LiveMigrate',
  terminationGracePeriodSeconds: 30,
  nodeSelector: { zone: 'a' },
  tolerations: [{ key: 'k', operator: 'Exists' }],
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
        },
      ],
    },
  },
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['1.1.1.1'], searches: ['a.b'], options: [{ name: 'ndots', value: '2' }] },
  readinessProbe: { tcpSocket: { port: 22 } },
  livenessProbe: { exec: { command: ['true'] } },
  accessCredentials: [
    { sshPublicKey: { source: { secret: { secretName: 's' } }, propagationMethod: { noCloud: {} } } },
  ],
  domain: {
    cpu: { sockets: 2, cores: 1, threads: 1, features: [{ name: 'vmx', policy: 'require' }] },
    memory: { guest: '1Gi' },
    resources: { requests: { memory: '1Gi', cpu: '1' }, limits: { memory: '2Gi', cpu: '2' } },
    machine: { type: 'q35' },
    features: { acpi: {}, smm: {}, hyperv: { vpindex: {}, synic: {} } },
    firmware: { bootloader: { efi: { secureBoot: true } } },
    ioThreadsPolicy: 'auto',
    devices: {
      disks: [
        {
          name: 'root',
          disk: { bus: 'virtio' },
          bootOrder: 1,
          serial: 'abc',
          cache: 'none',
          blockSize: { custom: { logical: 512, physical: 512 } },
        },
        { name: 'init', cdrom: { bus: 'sata' } },
        { name: 'data', lun: { bus: 'scsi' } },
      ],
      interfaces: [
        {
          name: 'default',
          masquerade: {},
          ports: [{ name: 'ssh', port: 22, protocol: 'TCP' }],
          macAddress: '02:00:00:00:00:01',
        },
        {
          name: 'other',
          bridge: {},
          model: 'virtio',
          dhcpOptions: { ntpServers: ['1.1.1.1'], privateOptions: [{ option: 240, value: 'x' }] },
        },
      ],
      inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
      watchdog: { name: 'dog', i6300esb: { action: 'reset' } },
      rng: {},
      tpm: {},
      video: { type: 'vga' },
    },
  },
  networks: [
    { name: 'default', pod: {} },
    { name: 'other', multus: { networkName: 'net' } },
  ],
  volumes: [
    { name: 'root', containerDisk: { image: 'guest:1', path: '/disk/a.img' } },
    { name: 'init', cloudInitNoCloud: { userData: '#cloud-config' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
  ],
};
const labels = { app: 'x' };
const template = { metadata: { labels }, spec: vmiSpec };
const vmSpec = {
  runStrategy: 'Always',
  template,
  dataVolumeTemplates: [
    {
      metadata: { name: 'c' },
      spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
    },
  ],
};
const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'x' };

function object(
  kind: string,
  apiVersion: string,
  spec: object,
): KubernetesObject & { readonly spec: object } {
  return { apiVersion, kind, metadata: { name: 'x', namespace: 'default', labels }, spec };
}

export const validObjects: Readonly<Record<string, KubernetesObject & { readonly spec: object }>> = {
  VirtualMachineInstance: object('VirtualMachineInstance', 'kubevirt.io/v1', vmiSpec),
  VirtualMachine: object('VirtualMachine', 'kubevirt.io/v1', vmSpec),
  VirtualMachineInstanceReplicaSet: object('VirtualMachineInstanceReplicaSet', 'kubevirt.io/v1', {
    replicas: 2,
    selector: { matchLabels: labels },
    template,
  }),
  VirtualMachinePool: object('VirtualMachinePool', 'pool.kubevirt.io/v1beta1', {
    replicas: 2,
    selector: { matchLabels: labels },
    maxUnavailable: '50%',
    virtualMachineTemplate: { metadata: { labels }, spec: vmSpec },
    updateStrategy: { proactive: { selectionPolicy: { sortPolicy: 'Oldest' } } },
    scaleInStrategy: { proactive: { statePreservation: 'Offline' } },
  }),
  VirtualMachineInstancePreset: object('VirtualMachineInstancePreset', 'kubevirt.io/v1', {
    selector: { matchLabels: labels },
    domain: vmiSpec.domain,
  }),
  VirtualMachineInstanceMigration: object('VirtualMachineInstanceMigration', 'kubevirt.io/v1', {
    vmiName: 'x',
  }),
  VirtualMachineSnapshot: object('VirtualMachineSnapshot', 'snapshot.kubevirt.io/v1beta1', {
    source,
    failureDeadline: '5m',
  }),
  VirtualMachineRestore: object('VirtualMachineRestore', 'snapshot.kubevirt.io/v1beta1', {
    target: source,
    virtualMachineSnapshotName: 's',
    volumeRestorePolicy: 'InPlace',
    volumeRestoreOverrides: [{ volumeName: 'a', restoreName: 'b' }],
    patches: ['{"op": "replace", "path": "/spec/running", "value": "false"}'],
  }),
  VirtualMachineExport: object('VirtualMachineExport', 'export.kubevirt.io/v1', {
    source,
    tokenSecretRef: 't',
  }),
  VirtualMachineClone: object('VirtualMachineClone', 'clone.kubevirt.io/v1beta1', {
    source,
    target: { ...source, name: 'y' },
    labelFilters: ['*', '!a/*'],
    newMacAddresses: { a: '02:00:00:00:00:01' },
  }),
  VirtualMachineInstancetype: object('VirtualMachineInstancetype', 'instancetype.kubevirt.io/v1beta1', {
    cpu: { guest: 1 },
    memory: { guest: '1Gi' },
  }),
  VirtualMachinePreference: object('VirtualMachinePreference', 'instancetype.kubevirt.io/v1beta1', {
    cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'CoresThreads', ratio: 2 } },
  }),
  MigrationPolicy: object('MigrationPolicy', 'migrations.kubevirt.io/v1alpha1', {
    selectors: { namespaceSelector: labels },
    bandwidthPerMigration: '1Gi',
    completionTimeoutPerGiB: 1,
  }),
  VirtualMachineBackup: object('VirtualMachineBackup', 'backup.kubevirt.io/v1alpha1', {
    source,
    pvcName: 'c',
  }),
  Plugin: object('Plugin', 'plugin.kubevirt.io/v1alpha1', {
    condition: 'vmi.spec.hostname == "a"',
    domainHooks: [{ cel: { expression: 'Domain{Title: "x"}' } }],
  }),
  KubeVirt: object('KubeVirt', 'kubevirt.io/v1', {
    configuration: {
      cpuRequest: '100m',
      evictionStrategy: 'None',
      additionalGuestMemoryOverheadRatio: '1.5',
      developerConfiguration: { featureGates: ['HostDisk'], logVerbosity: { virtAPI: 3 } },
      tlsConfiguration: { minTLSVersion: 'VersionTLS12', ciphers: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] },
    },
    certificateRotateStrategy: { selfSigned: { ca: { duration: '24h', renewBefore: '1h' } } },
  }),
};
