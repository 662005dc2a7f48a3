/**
 * For each alert, series with which it fires and series with which it does not: `promtool test rules` tries both. A
 * series has one value a minute, in promtool's notation (`0x30` is thirty-one times 0, `0+1x30` counts up).
 */

export interface AlertExample {
  readonly alert: string;
  /** Where two alerts share a name. */
  readonly severity?: string;
  /** Looked at after so much time. */
  readonly minutes: number;
  readonly fires: Readonly<Record<string, string>>;
  /** Labels of the alert that fires, beside those that each has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly silent: Readonly<Record<string, string>>;
}

const VM = { namespace: 'n', name: 'a' };
const RUNNING = 'kubevirt_vmi_info{namespace="n", name="a", node="node-1", phase="running", vmi_pod="p"}';
const FILE_SYSTEM = 'namespace="n", name="a", disk_name="vda1", mount_point="/", file_system_type="ext4"';
const FILE_SYSTEM_LABELS = { ...VM, disk_name: 'vda1', mount_point: '/', file_system_type: 'ext4' };

const COMPONENTS: readonly AlertExample[] = (
  [
    ['VirtAPI', 'VirtApi', 'virt-api', 'virt_api', 'LowReadyVirtAPICount'],
    [
      'VirtController',
      'VirtController',
      'virt-controller',
      'virt_controller',
      'LowReadyVirtControllersCount',
    ],
    ['VirtHandler', 'VirtHandler', 'virt-handler', 'virt_handler', 'LowReadyVirtHandlerCount'],
    ['VirtOperator', 'VirtOperator', 'virt-operator', 'virt_operator', 'LowReadyVirtOperatorsCount'],
  ] as const
).flatMap(([title, restTitle, process, rule, low]): readonly AlertExample[] => {
  const up = (number: number): string => `up{job="podvisor", pod="${process}-${number}"}`;
  const ready = (number: number): string => `kubevirt_${rule}_ready_status{pod="${process}-${number}"}`;
  const requests = (code: number): string =>
    `kubevirt_rest_client_requests_total{pod="${process}-1", code="${code}"}`;
  return [
    { alert: `${title}Down`, minutes: 15, fires: { [up(1)]: '0x30' }, silent: { [up(1)]: '1x30' } },
    {
      alert: `NoReady${title}`,
      minutes: 15,
      fires: { [up(1)]: '1x30', [ready(1)]: '0x30' },
      silent: { [up(1)]: '1x30', [ready(1)]: '1x30' },
    },
    {
      alert: low,
      minutes: 15,
      fires: { [up(1)]: '1x30', [up(2)]: '1x30', [ready(1)]: '1x30', [ready(2)]: '0x30' },
      silent: { [up(1)]: '1x30', [up(2)]: '1x30', [ready(1)]: '1x30', [ready(2)]: '1x30' },
    },
    {
      alert: `${restTitle}RESTErrorsBurst`,
      minutes: 15,
      fires: { [requests(200)]: '0+1x30', [requests(503)]: '0+9x30' },
      silent: { [requests(200)]: '0+9x30', [requests(503)]: '0+1x30' },
    },
  ];
});

export const ALERT_EXAMPLES: readonly AlertExample[] = [
  ...COMPONENTS,
  {
    alert: 'NoLeadingVirtController',
    minutes: 15,
    fires: { kubevirt_virt_controller_leading_status: '0x30' },
    silent: { kubevirt_virt_controller_leading_status: '1x30' },
  },
  {
    alert: 'VirtOperatorDown',
    minutes: 15,
    fires: {},
    // An embedded home: no virt-operator, and somebody else who says how its work is done.
    silent: { 'kubevirt_virt_operator_ready_status{pod="virt-controller-home"}': '1x30' },
  },
  {
    alert: 'NoLeadingVirtOperator',
    minutes: 15,
    fires: { 'kubevirt_virt_operator_leading_status{pod="virt-operator-1"}': '0x30' },
    silent: { 'kubevirt_virt_operator_leading_status{pod="virt-operator-1"}': '1x30' },
  },
  {
    alert: 'LowVirtOperatorCount',
    minutes: 90,
    fires: {
      'kube_node_status_allocatable{node="a", resource="cpu"}': '8x120',
      'kube_node_status_allocatable{node="b", resource="cpu"}': '8x120',
      'up{job="podvisor", pod="virt-operator-1"}': '1x120',
    },
    silent: {
      'kube_node_status_allocatable{node="a", resource="cpu"}': '8x120',
      'kube_node_status_allocatable{node="b", resource="cpu"}': '8x120',
      'up{job="podvisor", pod="virt-operator-1"}': '1x120',
      'up{job="podvisor", pod="virt-operator-2"}': '1x120',
    },
  },
  {
    alert: 'LowKVMNodesCount',
    minutes: 10,
    fires: {
      'kube_node_status_allocatable{node="a", resource="devices_kubevirt_io_kvm"}': '1000x30',
      'kube_node_status_allocatable{node="b", resource="devices_kubevirt_io_kvm"}': '0x30',
    },
    silent: {
      'kube_node_status_allocatable{node="a", resource="devices_kubevirt_io_kvm"}': '1000x30',
      'kube_node_status_allocatable{node="b", resource="devices_kubevirt_io_kvm"}': '1000x30',
    },
  },
  {
    alert: 'KubeVirtDeprecatedAPIRequested',
    minutes: 20,
    fires: {
      'apiserver_requested_deprecated_apis{group="kubevirt.io", version="v1alpha3", resource="virtualmachines", subresource=""}':
        '1x60',
      'apiserver_request_total{group="kubevirt.io", version="v1alpha3", resource="virtualmachines", subresource="", verb="GET"}':
        '0+5x60',
    },
    labels: { group: 'kubevirt.io', version: 'v1alpha3', resource: 'virtualmachines' },
    silent: {
      'apiserver_request_total{group="kubevirt.io", version="v1", resource="virtualmachines", subresource="", verb="GET"}':
        '0+5x60',
    },
  },
  {
    alert: 'OrphanedVirtualMachineInstances',
    minutes: 15,
    fires: { [RUNNING]: '1x30' },
    labels: { node: 'node-1' },
    silent: { [RUNNING]: '1x30', 'kubevirt_vmi_sync_total{node="node-1", namespace="n", name="a"}': '1x30' },
  },
  {
    alert: 'PodvisorLeaseNearExpiry',
    minutes: 10,
    fires: { 'podvisor_lease_expiration_timestamp_seconds{lease="virt-controller"}': '120x30' },
    labels: { lease: 'virt-controller' },
    silent: { 'podvisor_lease_expiration_timestamp_seconds{lease="virt-controller"}': '15+60x30' },
  },
  {
    alert: 'PodvisorCertificateNearExpiry',
    minutes: 90,
    fires: { 'podvisor_certificate_expiration_timestamp_seconds{certificate="virt-api"}': '864000x120' },
    labels: { certificate: 'virt-api' },
    silent: { 'podvisor_certificate_expiration_timestamp_seconds{certificate="virt-api"}': '8640000x120' },
  },
  {
    alert: 'PodvisorStoreDiskFilling',
    minutes: 10,
    fires: { podvisor_store_disk_free_bytes: '5x30', podvisor_store_disk_size_bytes: '100x30' },
    silent: { podvisor_store_disk_free_bytes: '50x30', podvisor_store_disk_size_bytes: '100x30' },
  },
  {
    alert: 'PodvisorApiLatencyHigh',
    minutes: 20,
    fires: {
      'apiserver_request_duration_seconds_bucket{verb="CREATE", le="1"}': '0+5x60',
      'apiserver_request_duration_seconds_bucket{verb="CREATE", le="2.5"}': '0+10x60',
      'apiserver_request_duration_seconds_bucket{verb="CREATE", le="+Inf"}': '0+10x60',
    },
    labels: { kind: 'mutating' },
    silent: {
      'apiserver_request_duration_seconds_bucket{verb="CREATE", le="0.1"}': '0+10x60',
      'apiserver_request_duration_seconds_bucket{verb="CREATE", le="1"}': '0+10x60',
      'apiserver_request_duration_seconds_bucket{verb="CREATE", le="+Inf"}': '0+10x60',
    },
  },
  {
    alert: 'PodvisorLostWrites',
    minutes: 10,
    fires: { podvisor_store_revision: '100+10x5 90+10x20' },
    silent: { podvisor_store_revision: '100+10x30' },
  },
  {
    alert: 'PodvisorTargetDown',
    minutes: 10,
    fires: { 'up{job="podvisor", instance="127.0.0.1:6444", pod="virt-api-home"}': '0x30' },
    labels: { job: 'podvisor', instance: '127.0.0.1:6444', pod: 'virt-api-home' },
    silent: { 'up{job="podvisor", instance="127.0.0.1:6444", pod="virt-api-home"}': '1x30' },
  },
  {
    alert: 'VMCannotBeEvicted',
    minutes: 5,
    fires: {
      [RUNNING]: '1x30',
      'kubevirt_vmi_non_evictable{namespace="n", name="a", node="node-1"}': '1x30',
    },
    labels: { ...VM, node: 'node-1' },
    silent: {
      [RUNNING]: '1x30',
      'kubevirt_vmi_non_evictable{namespace="n", name="a", node="node-1"}': '0x30',
    },
  },
  {
    alert: 'PodvisorVmBoundToNode',
    minutes: 70,
    fires: {
      'podvisor_vmi_bound_to_node{namespace="n", name="a", node="node-1", reason="DisksNotLiveMigratable"}':
        '1x90',
    },
    labels: { ...VM, node: 'node-1', reason: 'DisksNotLiveMigratable' },
    silent: {
      'podvisor_vmi_bound_to_node{namespace="n", name="a", node="node-1", reason="DisksNotLiveMigratable"}':
        '1x30',
    },
  },
  {
    alert: 'PodvisorVmLostWithNode',
    minutes: 5,
    fires: {
      'podvisor_vmi_lost_with_node{namespace="n", name="a", node="node-1", reason="DiskIsLocal"}': '1x10',
    },
    labels: { ...VM, node: 'node-1', reason: 'DiskIsLocal' },
    silent: {
      'podvisor_vmi_lost_with_node{namespace="n", name="a", node="node-1", reason="DiskIsLocal"}':
        '1x1 stale',
    },
  },
  {
    alert: 'KubeVirtVMIExcessiveMigrations',
    minutes: 10,
    fires: Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `kubevirt_vmi_migration_succeeded{namespace="n", vmi="a", vmim="m${i}", source="x", target="y"}`,
        '1x30',
      ]),
    ),
    labels: { namespace: 'n', vmi: 'a' },
    silent: {
      'kubevirt_vmi_migration_succeeded{namespace="n", vmi="a", vmim="m", source="x", target="y"}': '1x30',
    },
  },
  {
    alert: 'OutdatedVirtualMachineInstanceWorkloads',
    minutes: 1500,
    fires: { kubevirt_vmi_number_of_outdated: '1x1600' },
    silent: { kubevirt_vmi_number_of_outdated: '1x600 0x1000' },
  },
  ...(
    [
      ['GuestVCPUQueueHighWarning', 16],
      ['GuestVCPUQueueHighCritical', 40],
    ] as const
  ).map(([alert, load]) => ({
    alert,
    minutes: 5,
    fires: {
      'kubevirt_vmi_guest_load_1m{namespace="n", name="a"}': `${load}x30`,
      'kubevirt_vmi_vcpu_seconds_total{namespace="n", name="a", id="0", state="running"}': '1x30',
    },
    labels: VM,
    silent: {
      'kubevirt_vmi_guest_load_1m{namespace="n", name="a"}': '1x30',
      'kubevirt_vmi_vcpu_seconds_total{namespace="n", name="a", id="0", state="running"}': '1x30',
    },
  })),
  {
    alert: 'VirtualMachineStuckInUnhealthyState',
    minutes: 15,
    fires: {
      'kubevirt_vm_info{namespace="n", name="a", status="provisioning", status_group="starting"}': '1x30',
    },
    labels: { ...VM, status: 'provisioning' },
    silent: {
      'kubevirt_vm_info{namespace="n", name="a", status="stopped", status_group="non_running"}': '1x30',
    },
  },
  {
    alert: 'VirtualMachineStuckOnNode',
    minutes: 10,
    fires: {
      'kubevirt_vm_info{namespace="n", name="a", status="starting", status_group="starting"}': '1x30',
      'kubevirt_vmi_info{namespace="n", name="a", node="node-1", phase="scheduled"}': '1x30',
    },
    labels: { ...VM, node: 'node-1', status: 'starting' },
    silent: {
      'kubevirt_vm_info{namespace="n", name="a", status="running", status_group="running"}': '1x30',
      [RUNNING]: '1x30',
    },
  },
  {
    alert: 'KubeVirtVMGuestMemoryPressure',
    minutes: 20,
    fires: {
      'kubevirt_vmi_memory_usable_bytes{namespace="n", name="a"}': '1x60',
      'kubevirt_vmi_memory_available_bytes{namespace="n", name="a"}': '100x60',
      'kubevirt_vmi_memory_pgmajfault_total{namespace="n", name="a"}': '0+600x60',
    },
    labels: VM,
    silent: {
      'kubevirt_vmi_memory_usable_bytes{namespace="n", name="a"}': '50x60',
      'kubevirt_vmi_memory_available_bytes{namespace="n", name="a"}': '100x60',
      'kubevirt_vmi_memory_pgmajfault_total{namespace="n", name="a"}': '0+600x60',
    },
  },
  {
    alert: 'KubeVirtVMGuestMemoryAvailableLow',
    minutes: 70,
    fires: {
      'kubevirt_vmi_memory_usable_bytes{namespace="n", name="a"}': '1x90',
      'kubevirt_vmi_memory_available_bytes{namespace="n", name="a"}': '100x90',
      'kubevirt_vmi_memory_pgmajfault_total{namespace="n", name="a"}': '5x90',
      'kubevirt_vmi_memory_swap_in_traffic_bytes{namespace="n", name="a"}': '0x90',
      'kubevirt_vmi_memory_swap_out_traffic_bytes{namespace="n", name="a"}': '0x90',
    },
    labels: VM,
    silent: {
      'kubevirt_vmi_memory_usable_bytes{namespace="n", name="a"}': '50x90',
      'kubevirt_vmi_memory_available_bytes{namespace="n", name="a"}': '100x90',
      'kubevirt_vmi_memory_pgmajfault_total{namespace="n", name="a"}': '5x90',
      'kubevirt_vmi_memory_swap_in_traffic_bytes{namespace="n", name="a"}': '0x90',
      'kubevirt_vmi_memory_swap_out_traffic_bytes{namespace="n", name="a"}': '0x90',
    },
  },
  ...(
    [
      ['warning', 90],
      ['critical', 97],
    ] as const
  ).map(([severity, used]) => ({
    alert: 'GuestFilesystemAlmostOutOfSpace',
    severity,
    minutes: 15,
    fires: {
      [`kubevirt_vmi_filesystem_used_bytes{${FILE_SYSTEM}}`]: `${used}x30`,
      [`kubevirt_vmi_filesystem_capacity_bytes{${FILE_SYSTEM}}`]: '100x30',
    },
    labels: FILE_SYSTEM_LABELS,
    silent: {
      [`kubevirt_vmi_filesystem_used_bytes{${FILE_SYSTEM}}`]: '50x30',
      [`kubevirt_vmi_filesystem_capacity_bytes{${FILE_SYSTEM}}`]: '100x30',
    },
  })),
  {
    alert: 'VMNonRecoverableOSPanic',
    minutes: 30,
    fires: { 'kubevirt_vmi_guest_os_panic_total{namespace="n", name="a", node="node-1"}': '0+1x60' },
    labels: VM,
    silent: { 'kubevirt_vmi_guest_os_panic_total{namespace="n", name="a", node="node-1"}': '1x60' },
  },
  {
    alert: 'PodvisorGuestPausedByIOError',
    minutes: 5,
    fires: { 'podvisor_vmi_paused_io_error{namespace="n", name="a", node="node-1"}': '1x30' },
    labels: { ...VM, node: 'node-1' },
    silent: { 'podvisor_vmi_paused_io_error{namespace="n", name="b", node="node-1"}': '0x30' },
  },
  {
    alert: 'PodvisorHandoffStuck',
    minutes: 10,
    fires: {
      'podvisor_handoff_waiting_since_timestamp_seconds{namespace="n", name="a", operation="start", handoff="pod-running"}':
        '60x30',
    },
    labels: { ...VM, operation: 'start', handoff: 'pod-running' },
    silent: {
      'podvisor_handoff_waiting_since_timestamp_seconds{namespace="n", name="a", operation="start", handoff="pod-running"}':
        '500x30',
    },
  },
  ...(
    [
      ['PodvisorMigrationsFailing', 'migration'],
      ['PodvisorStartsFailing', 'start'],
    ] as const
  ).map(([alert, operation]) => ({
    alert,
    minutes: 14,
    fires: { [`podvisor_operations_total{operation="${operation}", result="failed"}`]: '0+1x30' },
    silent: {
      [`podvisor_operations_total{operation="${operation}", result="failed"}`]: '1x30',
      [`podvisor_operations_total{operation="${operation}", result="succeeded"}`]: '0+1x30',
    },
  })),
  {
    alert: 'PodvisorConsoleFailing',
    minutes: 20,
    fires: {
      'podvisor_stream_requests_total{subresource="console", result="failed"}': '0+1x30',
      'podvisor_stream_requests_total{subresource="console", result="opened"}': '0+1x30',
    },
    silent: {
      'podvisor_stream_requests_total{subresource="console", result="refused"}': '0+1x30',
      'podvisor_stream_requests_total{subresource="console", result="opened"}': '0+1x30',
    },
  },
];
