import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { exposition } from '@podvisor/base';
import { Transitions } from './transitions.ts';
import { vmFamilies } from './vm-metrics.ts';
import { migrationFamilies, vmiFamilies } from './vmi-metrics.ts';

const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: {
    name: 'a',
    namespace: 'n',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'app.kubernetes.io/name': 'web' },
  },
  spec: {
    instancetype: { name: 'u1.small' },
    template: {
      spec: {
        domain: {
          cpu: { cores: 2 },
          memory: { guest: '1Gi' },
          resources: { requests: { cpu: '500m' }, limits: { memory: '2Gi' } },
          devices: { interfaces: [{ name: 'default', masquerade: {} }] },
        },
        networks: [{ name: 'default', pod: {} }],
        volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'disk' } }],
      },
    },
  },
  status: {
    printableStatus: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' }],
  },
};
const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    name: 'a',
    namespace: 'n',
    uid: 'u',
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: { 'kubevirt.io/cluster-instancetype-name': 'u1.small', 'vm.kubevirt.io/os': 'debian12' },
  },
  spec: { evictionStrategy: 'LiveMigrate', domain: { devices: {} } },
  status: {
    phase: 'Running',
    nodeName: 'node-1',
    interfaces: [{ name: 'default', ipAddresses: ['10.0.0.2'] }],
    phaseTransitionTimestamps: [
      { phase: 'Scheduled', phaseTransitionTimestamp: '2026-01-01T00:00:03Z' },
      { phase: 'Running', phaseTransitionTimestamp: '2026-01-01T00:00:05Z' },
    ],
  },
};

const lines = (families: Parameters<typeof exposition>[0]): string[] =>
  exposition(families)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

test('a VM in numbers', () => {
  const text = lines(
    vmFamilies([vm], (namespace, name) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name },
      spec: { volumeMode: 'Block' },
      status: { capacity: { storage: '10Gi' } },
    })),
  );
  for (const line of [
    'kubevirt_vm_info{name="a",namespace="n",os="<none>",workload="<none>",flavor="<none>",machine_type="<none>",instance_type="u1.small",preference="<none>",status="running",status_group="running"} 1',
    'kubevirt_vm_create_date_timestamp_seconds{name="a",namespace="n"} 1767225600',
    'kubevirt_vm_running_status_last_transition_timestamp_seconds{name="a",namespace="n"} 1767225660',
    'kubevirt_vm_error_status_last_transition_timestamp_seconds{name="a",namespace="n"} 0',
    'kubevirt_vm_labels{name="a",namespace="n",label_app_kubernetes_io_name="web"} 1',
    'kubevirt_vm_resource_requests{name="a",namespace="n",resource="cpu",unit="cores",source="requests"} 0.5',
    'kubevirt_vm_resource_requests{name="a",namespace="n",resource="memory",unit="bytes",source="guest"} 1073741824',
    'kubevirt_vm_resource_requests{name="a",namespace="n",resource="cpu",unit="cores",source="domain"} 2',
    'kubevirt_vm_resource_limits{name="a",namespace="n",resource="memory",unit="bytes",source="domain"} 2147483648',
    'kubevirt_vm_vnic_info{name="a",namespace="n",vnic_name="default",binding_type="core",network="pod networking",binding_name="masquerade",model="<none>"} 1',
    'kubevirt_vm_disk_allocated_size_bytes{name="a",namespace="n",persistentvolumeclaim="disk",volume_mode="Block",device="root"} 10737418240',
  ])
    assert.ok(text.includes(line), `${line}\nnot in\n${text.join('\n')}`);
});

test('a VMI in numbers', () => {
  const text = lines(vmiFamilies([vmi], () => []));
  for (const line of [
    'kubevirt_vmi_info{node="node-1",namespace="n",name="a",phase="running",os="debian12",workload="<none>",flavor="<none>",instance_type="u1.small",preference="<none>",guest_os_kernel_release="",guest_os_machine="",guest_os_arch="",guest_os_name="",guest_os_version_id="",evictable="false",outdated="false",vmi_pod="<none>",status="running"} 1',
    'kubevirt_vmi_status_addresses{node="node-1",namespace="n",name="a",network_name="default",address="10.0.0.2",type="ExternalInterface"} 1',
    'kubevirt_vmi_non_evictable{node="node-1",namespace="n",name="a"} 1',
    'kubevirt_vmi_number_of_outdated 0',
  ])
    assert.ok(text.includes(line), `${line}\nnot in\n${text.join('\n')}`);
});

test('migrations by phase', () => {
  const text = lines(
    migrationFamilies([
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstanceMigration',
        metadata: { name: 'm', namespace: 'n' },
        spec: { vmiName: 'a' },
        status: { phase: 'Running', migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } },
      },
    ]),
  );
  assert.ok(text.includes('kubevirt_vmi_migrations_in_running_phase 1'));
  assert.ok(text.includes('kubevirt_vmi_migrations_in_pending_phase 0'));
  assert.ok(
    text.includes(
      'kubevirt_vmi_migration_start_time_seconds{vmi="a",vmim="m",namespace="n",source="",target=""} 1767225600',
    ),
  );
});

test('the time from phase to phase', () => {
  const transitions = new Transitions();
  transitions.onVmi(vmi, { ...vmi, status: { ...vmi.status, phase: 'Scheduled' } });
  transitions.onVmi(vmi, vmi);
  const text = lines(transitions.families());
  assert.ok(text.includes('kubevirt_vmi_phase_transition_time_from_creation_seconds_sum{phase="Running"} 5'));
  assert.ok(
    text.includes('kubevirt_vmi_phase_transition_time_seconds_sum{phase="Running",last_phase="Scheduled"} 2'),
  );
  assert.ok(
    text.includes(
      'kubevirt_vmi_phase_transition_time_seconds_count{phase="Running",last_phase="Scheduled"} 1',
    ),
  );
});
