/** Alerts about single VMs, by KubeVirt's names where it has them. */
import type { Alert } from './alert.ts';

/** File systems that are full by nature, or no place of the guest's data. */
const NOT_COUNTED =
  'CDFS|iso9660|udf|squashfs|cramfs|tmpfs|devtmpfs|proc|sysfs|overlay|ramfs|rootfs|cgroup.*|fuse\\\\..*';
const USED = `100 * kubevirt_vmi_filesystem_used_bytes{file_system_type!~"${NOT_COUNTED}"} / kubevirt_vmi_filesystem_capacity_bytes{file_system_type!~"${NOT_COUNTED}"}`;
const WHY = 'virtctl why vm/NAME -n NAMESPACE';
const VM = 'VM {{ $labels.name }} in namespace {{ $labels.namespace }}';

export const VM_ALERTS: readonly Alert[] = [
  {
    name: 'VMCannotBeEvicted',
    expression:
      'kubevirt_vmi_non_evictable * on (name, namespace) group_left () topk by (name, namespace) (1, kubevirt_vmi_info{phase="running"}) == 1',
    holds: '1m',
    severity: 'warning',
    impact: 'none',
    summary: `${VM} is to be moved when its node is drained, and cannot be.`,
    meaning: 'A drain of its node waits for this VM for ever.',
    confirm: [WHY, 'kubectl get vmi NAME -o jsonpath={.status.conditions}'],
    remedy: [
      'The condition LiveMigratable has the reason, often a disk that only one node reaches.',
      'Change the disk or the eviction strategy (docs/migration.md).',
    ],
  },
  {
    name: 'PodvisorVmBoundToNode',
    expression: 'podvisor_vmi_bound_to_node == 1',
    holds: '1h',
    severity: 'info',
    impact: 'none',
    summary: `${VM} would not survive the end of node {{ $labels.node }}: {{ $labels.reason }}.`,
    meaning:
      'It cannot be moved alive. When its node ends, it ends; whether it starts elsewhere depends on where its disks lie.',
    confirm: [WHY, 'podvisor_vmi_bound_to_node'],
    remedy: [
      'If the VM matters, give it disks that other nodes reach (docs/storage.md), and a run strategy that starts it again.',
      'If it does not, silence the alert for it.',
    ],
  },
  {
    name: 'PodvisorVmLostWithNode',
    expression: 'podvisor_vmi_lost_with_node == 1',
    holds: '2m',
    severity: 'critical',
    impact: 'none',
    summary: `${VM} is on node {{ $labels.node }}, which is not heard of, and is not started elsewhere: {{ $labels.reason }}.`,
    meaning:
      'Nobody can prove that its run there is over. LeaseNotOver: it still runs, only its network is cut. WatchingLease for long: no other node can read its claim. All other reasons: it keeps no lease on shared storage.',
    confirm: [WHY, 'virtctl get-ha -A', 'kubectl get pods -A -l kubevirt.io=lease-watch'],
    remedy: [
      'Bring the node back, or mend its network.',
      'If its machine is off for sure: virtctl fence NODE --confirmed-off (docs/node-loss.md). The VM then starts elsewhere.',
    ],
  },
  {
    name: 'KubeVirtVMIExcessiveMigrations',
    expression:
      'sum by (vmi, namespace) (max by (vmi, namespace, vmim) (max_over_time(kubevirt_vmi_migration_succeeded[1d]))) >= 12',
    severity: 'warning',
    impact: 'none',
    summary:
      'VMI {{ $labels.vmi }} in namespace {{ $labels.namespace }} was moved twelve times or more within a day.',
    meaning:
      'Something moves it again and again: a node under pressure, or an automation that does not find its end.',
    confirm: [
      'kubectl get vmim -n NAMESPACE --sort-by .metadata.creationTimestamp',
      'kubectl get events -n NAMESPACE',
    ],
    remedy: [
      'See who made the migrations (their name and labels tell) and stop that first.',
      'Look at the nodes that it left: pressure, taints, drains.',
    ],
  },
  {
    name: 'OutdatedVirtualMachineInstanceWorkloads',
    expression: 'sum(kubevirt_vmi_number_of_outdated) != 0',
    holds: '24h',
    severity: 'warning',
    impact: 'none',
    summary: 'Some VMIs still run in launchers of an older release, a day after the update.',
    meaning: 'They miss fixes, also of security, until they are moved or started anew.',
    confirm: ['kubectl get vmi -A -l kubevirt.io/outdatedLauncherImage'],
    remedy: [
      'Let the update move them (workloadUpdateStrategy of the KubeVirt object), or move or restart them by hand.',
    ],
  },
  {
    name: 'GuestVCPUQueueHighWarning',
    expression:
      'vmi:kubevirt_vmi_guest_queue_length:sum > 10 and vmi:kubevirt_vmi_guest_queue_length:sum <= 20',
    severity: 'warning',
    impact: 'none',
    summary: `More than ten tasks wait for a CPU in ${VM}.`,
    meaning: 'The guest has more to do than its virtual CPUs can.',
    confirm: ['kubevirt_vmi_guest_load_1m', 'virtctl top'],
    remedy: ['Give it more virtual CPUs, or find out in the guest what runs wild.'],
  },
  {
    name: 'GuestVCPUQueueHighCritical',
    expression: 'vmi:kubevirt_vmi_guest_queue_length:sum > 20',
    severity: 'critical',
    impact: 'none',
    summary: `More than twenty tasks wait for a CPU in ${VM}.`,
    meaning: 'The guest has far more to do than its virtual CPUs can.',
    confirm: ['kubevirt_vmi_guest_load_1m', 'virtctl top'],
    remedy: ['As GuestVCPUQueueHighWarning, with more haste.'],
  },
  {
    name: 'VirtualMachineStuckInUnhealthyState',
    expression:
      'sum by (name, namespace, status) (kubevirt_vm_info{status=~"provisioning|starting|terminating"} == 1 or kubevirt_vm_info{status_group="error"} == 1) unless on (name, namespace) kubevirt_vmi_info',
    holds: '10m',
    severity: 'warning',
    impact: 'none',
    summary: `${VM} has been {{ $labels.status }} for more than ten minutes, without a VMI.`,
    meaning:
      'It does not come as far as its VMI: a volume that is not filled, an instance type or a claim that is missing, a rule that refuses it.',
    confirm: [WHY, 'kubectl describe vm NAME -n NAMESPACE'],
    remedy: ['`virtctl why` names the first handoff that did not happen and what to do about it.'],
  },
  {
    name: 'VirtualMachineStuckOnNode',
    expression:
      'sum by (name, namespace, status, node) ((kubevirt_vm_info{status=~"starting|stopping|terminating"} == 1 or kubevirt_vm_info{status_group="error"} == 1) * on (name, namespace) group_left (node) topk by (name, namespace) (1, kubevirt_vmi_info{phase=~"scheduled|running"}))',
    holds: '5m',
    severity: 'warning',
    impact: 'none',
    summary: `${VM} has been {{ $labels.status }} on node {{ $labels.node }} for more than five minutes.`,
    meaning: 'Its Pod is there, and what should follow on the node does not happen.',
    confirm: [WHY, 'podvisor logs --vm NAME --since 15m'],
    remedy: ['`virtctl why` names the handoff; the log of the VM across all processes has the reason.'],
  },
  {
    name: 'KubeVirtVMGuestMemoryPressure',
    expression:
      '(vmi:kubevirt_vmi_memory_headroom_ratio:sum < 0.05) and (vmi:kubevirt_vmi_pgmajfaults:rate5m > 5 or vmi:kubevirt_vmi_swap_traffic_bytes:rate5m > 1048576) and (vmi:kubevirt_vmi_memory_available_bytes:sum > 0)',
    holds: '5m',
    severity: 'warning',
    impact: 'none',
    summary: `${VM} is short of memory and reads pages back from its disk.`,
    meaning: 'The guest has less than 5% of its memory left and swaps: everything in it is slow.',
    confirm: ['virtctl top', 'vmi:kubevirt_vmi_memory_headroom_ratio:sum'],
    remedy: ['Give it more memory, or end what takes it.'],
  },
  {
    name: 'KubeVirtVMGuestMemoryAvailableLow',
    expression:
      '(vmi:kubevirt_vmi_memory_headroom_ratio:sum < 0.03) and (vmi:kubevirt_vmi_swap_traffic_bytes:rate30m < 2048) and (vmi:kubevirt_vmi_pgmajfaults:rate30m < 1) and (vmi:kubevirt_vmi_memory_available_bytes:sum > 0)',
    holds: '30m',
    severity: 'info',
    impact: 'none',
    summary: `${VM} has had less than 3% of its memory left for half an hour, and does not swap.`,
    meaning: 'The next program that asks for memory may be killed by the guest.',
    confirm: ['virtctl top', 'vmi:kubevirt_vmi_memory_headroom_ratio:sum'],
    remedy: ['Give it more memory, or a swap if it is to survive peaks.'],
  },
  {
    name: 'GuestFilesystemAlmostOutOfSpace',
    expression: `${USED} >= 85 < 95`,
    holds: '10m',
    severity: 'warning',
    impact: 'none',
    summary: `${VM}: its file system {{ $labels.mount_point }} is more than 85% full.`,
    meaning: 'The guest will soon fail to write.',
    confirm: [
      'virtctl fslist NAME',
      'kubevirt_vmi_filesystem_used_bytes / kubevirt_vmi_filesystem_capacity_bytes',
    ],
    remedy: ['Remove files in the guest, or enlarge the claim; the guest grows its file system then.'],
  },
  {
    name: 'GuestFilesystemAlmostOutOfSpace',
    expression: `${USED} >= 95`,
    holds: '5m',
    severity: 'critical',
    impact: 'none',
    summary: `${VM}: its file system {{ $labels.mount_point }} is more than 95% full.`,
    meaning: 'The guest fails to write now or within minutes.',
    confirm: ['virtctl fslist NAME'],
    remedy: ['As for the warning, at once.'],
  },
  {
    name: 'VMNonRecoverableOSPanic',
    expression: 'sum by (namespace, name) (increase(kubevirt_vmi_guest_os_panic_total[24h])) > 5',
    holds: '1m',
    severity: 'critical',
    impact: 'none',
    summary: `The system of ${VM} panicked more than five times within a day.`,
    meaning: 'The guest crashes again and again; its run strategy starts it each time.',
    confirm: [
      'kubectl get events -n NAMESPACE --field-selector reason=GuestPanicked',
      'virtctl console NAME',
    ],
    remedy: ['Read the last words on its console; boot an older kernel or a rescue disk.'],
  },
  {
    name: 'PodvisorGuestPausedByIOError',
    expression: 'podvisor_vmi_paused_io_error == 1',
    holds: '1m',
    severity: 'critical',
    impact: 'none',
    summary: `${VM} stands still: its disk on node {{ $labels.node }} failed or is full.`,
    meaning:
      'QEMU paused the guest because a write failed. Nothing is lost; the guest goes on by itself when the disk takes writes again.',
    confirm: [WHY, 'kubectl get vmi NAME -o jsonpath={.status.conditions}'],
    remedy: [
      'The condition Paused names the volume and whether it is full.',
      'Make room below the claim, or bring the storage back; the guest then goes on.',
    ],
  },
  {
    name: 'PodvisorHandoffStuck',
    expression: 'time() - podvisor_handoff_waiting_since_timestamp_seconds{operation!="migration"} > 300',
    severity: 'warning',
    impact: 'none',
    summary:
      'The {{ $labels.operation }} of {{ $labels.name }} in namespace {{ $labels.namespace }} has waited for {{ $labels.handoff }} for more than five minutes.',
    meaning:
      'One handoff of the operation does not happen (docs/metrics.md lists them). Downloads of large images count to pod-running and may take so long.',
    confirm: [WHY, 'podvisor logs --vm NAME --since 30m', 'podvisor_handoff_waiting_since_timestamp_seconds'],
    remedy: [
      '`virtctl why` knows most reasons with their fix.',
      'pod-created: virt-controller; pod-running: scheduler, images, claims; scheduled to running: virt-handler and launcher of the node.',
    ],
  },
  {
    name: 'PodvisorMigrationsFailing',
    expression: 'sum(increase(podvisor_operations_total{operation="migration", result="failed"}[1h])) > 2',
    severity: 'warning',
    impact: 'warning',
    summary: 'More than two migrations failed within an hour.',
    meaning:
      'VMs that should move do not, though they go on where they are. Drains and updates do not come to an end.',
    confirm: [
      'kubectl get vmim -A',
      'kubevirt_vmi_migration_failed',
      'podvisor logs virt-handler --since 1h',
    ],
    remedy: [
      'The condition and the events of a failed migration have its reason (docs/migration.md).',
      'A guest that writes faster than the network carries: allow post-copy or auto-converge in a migration policy.',
    ],
  },
  {
    name: 'PodvisorStartsFailing',
    expression: 'sum(increase(podvisor_operations_total{operation="start", result="failed"}[15m])) > 2',
    severity: 'warning',
    impact: 'warning',
    summary: 'More than two starts of VMs failed within 15 minutes.',
    meaning: 'VMs come as far as their VMI and end as Failed; run strategies try again.',
    confirm: ['kubectl get vmi -A --field-selector status.phase=Failed', WHY],
    remedy: [
      '`virtctl why` on one of them. The same reason for all points to the node, its storage or its network.',
    ],
  },
  {
    name: 'PodvisorConsoleFailing',
    expression:
      'sum(increase(podvisor_stream_requests_total{result="failed"}[15m])) > 2 and sum(increase(podvisor_stream_requests_total{result="failed"}[15m])) / sum(increase(podvisor_stream_requests_total{result=~"opened|failed"}[15m])) > 0.05',
    severity: 'warning',
    impact: 'warning',
    summary: 'More than one in twenty consoles, VNC and port-forward connections cannot be opened.',
    meaning:
      'virt-api does not reach virt-handler, or that not the launcher. Refusals, as of a guest that does not run, are not counted.',
    confirm: [
      'sum by (subresource, result) (increase(podvisor_stream_requests_total[15m]))',
      'podvisor logs virt-api --since 15m',
    ],
    remedy: [
      'See whether virt-handler of the node is up and its certificate is good.',
      'The message that the client got names the step.',
    ],
  },
];
