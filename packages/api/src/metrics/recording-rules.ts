/** What Prometheus derives from the metrics, by KubeVirt's names; dashboards and alerts use them. */

export interface RecordingRule {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  /** PromQL. */
  readonly expression: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export const RECORDING_RULES: readonly RecordingRule[] = [
  {
    name: 'cluster:kubevirt_api_request_deprecated_total:sum',
    type: 'counter',
    expression: 'sum by (group, version, resource) (kubevirt_api_request_deprecated_total)',
  },
  {
    name: 'cluster:kubevirt_nodes_allocatable:count',
    type: 'gauge',
    expression: 'count(count by (node) (kube_node_status_allocatable))',
  },
  {
    name: 'cluster:kubevirt_nodes_with_kvm:count',
    type: 'gauge',
    expression: 'count(kube_node_status_allocatable{resource="devices_kubevirt_io_kvm"} != 0) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_non_schedulable_nodes:sum',
    type: 'gauge',
    expression: 'count(kube_node_labels{label_kubevirt_io_schedulable="false"}) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_api_pods_running:count',
    type: 'gauge',
    expression: 'count(kube_pod_status_phase{pod=~"virt-api-.*", phase="Running"} == 1) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_api_ready:sum',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_api_ready_status) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_api_up:sum',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-api-.*"}) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_controller_leading:sum',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_controller_leading_status) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_controller_pods_running:count',
    type: 'gauge',
    expression: 'count(kube_pod_status_phase{pod=~"virt-controller-.*", phase="Running"} == 1) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_controller_ready:sum',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_controller_ready_status) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_controller_up:sum',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-controller-.*"}) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_handler_pods_running:count',
    type: 'gauge',
    expression: 'count(kube_pod_status_phase{pod=~"virt-handler-.*", phase="Running"} == 1) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_handler_ready:sum',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_handler_ready_status) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_handler_up:sum',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-handler-.*"}) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_operator_leading:sum',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_operator_leading_status) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_operator_pods_running:count',
    type: 'gauge',
    expression: 'count(kube_pod_status_phase{pod=~"virt-operator-.*", phase="Running"} == 1) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_operator_ready:sum',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_operator_ready_status) or vector(0)',
  },
  {
    name: 'cluster:kubevirt_virt_operator_up:sum',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-operator-.*"}) or vector(0)',
  },
  {
    name: 'kubevirt_allocatable_nodes',
    type: 'gauge',
    expression: 'count(count by (node) (kube_node_status_allocatable))',
  },
  {
    name: 'kubevirt_api_request_deprecated_total',
    type: 'counter',
    expression:
      'group by (group, version, resource, subresource) (apiserver_requested_deprecated_apis{group="kubevirt.io"}) * on (group, version, resource, subresource) group_right() sum by (group, version, resource, subresource, verb) (apiserver_request_total{group="kubevirt.io"})',
  },
  {
    name: 'kubevirt_memory_delta_from_requested_bytes',
    type: 'gauge',
    expression:
      'sum by (pod, namespace) (container_memory_working_set_bytes{container="", pod=~"virt-.*"} - on (pod, namespace) group_left() sum by (pod, namespace) (kube_pod_container_resource_requests{resource="memory", pod=~"virt-.*"}))',
  },
  {
    name: 'kubevirt_nodes_with_kvm',
    type: 'gauge',
    expression: 'count(kube_node_status_allocatable{resource="devices_kubevirt_io_kvm"} != 0) or vector(0)',
  },
  {
    name: 'kubevirt_number_of_vms',
    type: 'gauge',
    expression: 'sum by (namespace) (count by (name, namespace) (kubevirt_vm_info))',
  },
  { name: 'kubevirt_virt_api_up', type: 'gauge', expression: 'sum(up{pod=~"virt-api-.*"}) or vector(0)' },
  {
    name: 'kubevirt_virt_controller_ready',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_controller_ready_status) or vector(0)',
  },
  {
    name: 'kubevirt_virt_controller_up',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-controller-.*"}) or vector(0)',
  },
  {
    name: 'kubevirt_virt_handler_up',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-handler-.*"}) or vector(0)',
  },
  {
    name: 'kubevirt_virt_operator_leading',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_operator_leading_status) or vector(0)',
  },
  {
    name: 'kubevirt_virt_operator_ready',
    type: 'gauge',
    expression: 'sum(kubevirt_virt_operator_ready_status) or vector(0)',
  },
  {
    name: 'kubevirt_virt_operator_up',
    type: 'gauge',
    expression: 'sum(up{pod=~"virt-operator-.*"}) or vector(0)',
  },
  {
    name: 'kubevirt_vm_container_memory_request_margin_based_on_rss_bytes',
    type: 'gauge',
    expression:
      'sum by (pod, container, namespace) (kube_pod_container_resource_requests{pod=~"virt-launcher-.*", container="compute", resource="memory"} - on (pod, container, namespace) container_memory_rss{pod=~"virt-launcher-.*", container="compute"})',
  },
  {
    name: 'kubevirt_vm_container_memory_request_margin_based_on_working_set_bytes',
    type: 'gauge',
    expression:
      'sum by (pod, container, namespace) (kube_pod_container_resource_requests{pod=~"virt-launcher-.*", container="compute", resource="memory"} - on (pod, container, namespace) container_memory_working_set_bytes{pod=~"virt-launcher-.*", container="compute"})',
  },
  {
    name: 'kubevirt_vm_created_total',
    type: 'counter',
    expression: 'sum by (namespace) (kubevirt_vm_created_by_pod_total)',
  },
  {
    name: 'kubevirt_vmi_guest_vcpu_queue',
    type: 'gauge',
    expression:
      'clamp_min(kubevirt_vmi_guest_load_1m - on (namespace, name) group_left() vmi:kubevirt_vmi_vcpu:count, 0)',
  },
  {
    name: 'kubevirt_vmi_memory_used_bytes',
    type: 'gauge',
    expression: 'kubevirt_vmi_memory_available_bytes - kubevirt_vmi_memory_usable_bytes',
  },
  {
    name: 'kubevirt_vmi_migration_data_total_bytes',
    type: 'counter',
    expression: 'kubevirt_vmi_migration_data_bytes_total',
  },
  {
    name: 'kubevirt_vmi_phase_count',
    type: 'gauge',
    expression:
      'sum by (node, phase, os, workload, flavor, instance_type, preference, guest_os_kernel_release, guest_os_machine, guest_os_arch, guest_os_name, guest_os_version_id) (kubevirt_vmi_info)',
  },
  {
    name: 'kubevirt_vmsnapshot_disks_restored_from_source',
    type: 'gauge',
    expression: 'sum by (vm_name, vm_namespace) (kubevirt_vmsnapshot_persistentvolumeclaim_labels)',
  },
  {
    name: 'kubevirt_vmsnapshot_disks_restored_from_source_bytes',
    type: 'gauge',
    expression:
      'sum by (vm_name, vm_namespace) (kube_persistentvolumeclaim_resource_requests_storage_bytes * on (persistentvolumeclaim, namespace) group_left (vm_name, vm_namespace) kubevirt_vmsnapshot_persistentvolumeclaim_labels)',
  },
  {
    name: 'kubevirt_vmsnapshot_persistentvolumeclaim_labels',
    type: 'gauge',
    expression:
      'label_replace(label_replace(kube_persistentvolumeclaim_labels{label_restore_kubevirt_io_source_vm_name!="", label_restore_kubevirt_io_source_vm_namespace!=""}, "vm_namespace", "$1", "label_restore_kubevirt_io_source_vm_namespace", "(.*)"), "vm_name", "$1", "label_restore_kubevirt_io_source_vm_name", "(.*)")',
  },
  {
    name: 'node:kubevirt_vmi_phase:sum',
    type: 'gauge',
    expression: 'sum by (node, phase) (kubevirt_vmi_info)',
  },
  {
    name: 'vmi:kubevirt_vmi_guest_queue_length:sum',
    type: 'gauge',
    expression: 'sum by (namespace, name) (kubevirt_vmi_guest_vcpu_queue)',
  },
  {
    name: 'vmi:kubevirt_vmi_memory_available_bytes:sum',
    type: 'gauge',
    expression: 'sum by (namespace, name) (kubevirt_vmi_memory_available_bytes)',
  },
  {
    name: 'vmi:kubevirt_vmi_memory_headroom_ratio:sum',
    type: 'gauge',
    expression:
      'sum by (namespace, name) (kubevirt_vmi_memory_usable_bytes) / sum by (namespace, name) (kubevirt_vmi_memory_available_bytes)',
  },
  {
    name: 'vmi:kubevirt_vmi_memory_used_bytes:sum',
    type: 'gauge',
    expression: 'sum by (namespace, name) (kubevirt_vmi_memory_used_bytes)',
  },
  {
    name: 'vmi:kubevirt_vmi_pgmajfaults:rate30m',
    type: 'gauge',
    expression: 'sum by (namespace, name) (rate(kubevirt_vmi_memory_pgmajfault_total[30m]))',
  },
  {
    name: 'vmi:kubevirt_vmi_pgmajfaults:rate5m',
    type: 'gauge',
    expression: 'sum by (namespace, name) (rate(kubevirt_vmi_memory_pgmajfault_total[5m]))',
  },
  {
    name: 'vmi:kubevirt_vmi_swap_traffic_bytes:rate30m',
    type: 'gauge',
    expression:
      'sum by (namespace, name) (rate(kubevirt_vmi_memory_swap_in_traffic_bytes[30m]) + rate(kubevirt_vmi_memory_swap_out_traffic_bytes[30m]))',
  },
  {
    name: 'vmi:kubevirt_vmi_swap_traffic_bytes:rate5m',
    type: 'gauge',
    expression:
      'sum by (namespace, name) (rate(kubevirt_vmi_memory_swap_in_traffic_bytes[5m]) + rate(kubevirt_vmi_memory_swap_out_traffic_bytes[5m]))',
  },
  {
    name: 'vmi:kubevirt_vmi_vcpu:count',
    type: 'gauge',
    expression:
      'count by (namespace, name) (count by (namespace, name, id) (kubevirt_vmi_vcpu_seconds_total))',
  },
];

const durations = (verbs: string): string =>
  `sum by (le) (rate(apiserver_request_duration_seconds_bucket{verb=~"${verbs}"}[5m]))`;

/** Ours, which the real system does not have. */
export const OWN_RECORDING_RULES: readonly RecordingRule[] = [
  {
    name: 'podvisor:apiserver_request_duration_seconds:p99',
    type: 'gauge',
    labels: { kind: 'mutating' },
    expression: `histogram_quantile(0.99, ${durations('CREATE|UPDATE|PATCH|DELETE|DELETECOLLECTION')})`,
  },
  {
    name: 'podvisor:apiserver_request_duration_seconds:p99',
    type: 'gauge',
    labels: { kind: 'read' },
    expression: `histogram_quantile(0.99, ${durations('GET|LIST')})`,
  },
  {
    name: 'podvisor:operation_duration_seconds:p99',
    type: 'gauge',
    expression:
      'histogram_quantile(0.99, sum by (operation, le) (rate(podvisor_operation_duration_seconds_bucket[1h])))',
  },
  {
    name: 'podvisor:handoff_duration_seconds:avg',
    type: 'gauge',
    expression:
      'sum by (operation, handoff) (rate(podvisor_handoff_duration_seconds_sum[1h])) / (sum by (operation, handoff) (rate(podvisor_handoff_duration_seconds_count[1h])) > 0)',
  },
];
