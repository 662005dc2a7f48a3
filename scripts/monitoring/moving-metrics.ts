/**
 * Families that grow by themselves on any home where guests run, move, stop and are plugged: the end-to-end test of
 * migrations holds each to having had more than one value, as a real Prometheus read it. All others follow their
 * figure or their object in the unit tests of their component.
 */
export const MOVING = [
  'apiserver_request_duration_seconds',
  'apiserver_request_total',
  'kubevirt_rest_client_request_latency_seconds',
  'kubevirt_rest_client_requests_total',
  'kubevirt_vmi_cpu_system_usage_seconds_total',
  'kubevirt_vmi_cpu_usage_seconds_total',
  'kubevirt_vmi_cpu_user_usage_seconds_total',
  'kubevirt_vmi_memory_pgminfault_total',
  'kubevirt_vmi_migration_phase_transition_time_from_creation_seconds',
  'kubevirt_vmi_network_receive_bytes_total',
  'kubevirt_vmi_network_receive_packets_total',
  'kubevirt_vmi_network_traffic_bytes_total',
  'kubevirt_vmi_network_transmit_bytes_total',
  'kubevirt_vmi_network_transmit_packets_total',
  'kubevirt_vmi_phase_transition_time_from_creation_seconds',
  'kubevirt_vmi_phase_transition_time_seconds',
  'kubevirt_vmi_storage_iops_read_total',
  'kubevirt_vmi_storage_read_traffic_bytes_total',
  'kubevirt_vmi_sync_total',
  'kubevirt_vmi_vcpu_seconds_total',
  'kubevirt_workqueue_adds_total',
  'kubevirt_workqueue_queue_duration_seconds',
  'kubevirt_workqueue_work_duration_seconds',
  'podvisor_handoff_duration_seconds',
  'podvisor_launcher_ask_duration_seconds',
  'podvisor_operation_duration_seconds',
  'podvisor_operations_total',
  'podvisor_store_revision',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
] as const;
