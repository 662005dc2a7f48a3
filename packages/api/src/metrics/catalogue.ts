/**
 * The metrics that the components serve, by KubeVirt's names. Dashboards and alerts know them, so a name
 * or a type never changes. Which component serves which is the key; what `all` and `queues` hold is served by several.
 */
import { define } from './define.ts';

/** Of every component: its version, and what it asks of the API server. */
export const ALL_METRICS = {
  info: define('gauge', 'kubevirt_info', 'Always 1; the version is in its labels.'),
  restClientRequestLatencySeconds: define(
    'histogram',
    'kubevirt_rest_client_request_latency_seconds',
    'Time until the API server answered, by verb and URL.',
  ),
  restClientRequestsTotal: define(
    'counter',
    'kubevirt_rest_client_requests_total',
    'Requests to the API server, by status code, method, host, resource and verb.',
  ),
} as const;

/** Of components with work queues, by queue name. */
export const QUEUE_METRICS = {
  workqueueAddsTotal: define('counter', 'kubevirt_workqueue_adds_total', 'Keys that a queue took in.'),
  workqueueDepth: define('gauge', 'kubevirt_workqueue_depth', 'Keys that wait in a queue.'),
  workqueueLongestRunningProcessorSeconds: define(
    'gauge',
    'kubevirt_workqueue_longest_running_processor_seconds',
    'How long the longest reconcile of a queue has run.',
  ),
  workqueueQueueDurationSeconds: define(
    'histogram',
    'kubevirt_workqueue_queue_duration_seconds',
    'Time that keys waited in a queue.',
  ),
  workqueueRetriesTotal: define(
    'counter',
    'kubevirt_workqueue_retries_total',
    'Keys that a queue took back after a failure.',
  ),
  workqueueUnfinishedWorkSeconds: define(
    'gauge',
    'kubevirt_workqueue_unfinished_work_seconds',
    'How long the reconciles of a queue that run now have run together.',
  ),
  workqueueWorkDurationSeconds: define(
    'histogram',
    'kubevirt_workqueue_work_duration_seconds',
    'Time that reconciles took.',
  ),
} as const;

/** Of virt-api. */
export const API_METRICS = {
  consoleActiveConnections: define(
    'gauge',
    'kubevirt_console_active_connections',
    'Open serial consoles, by namespace and VMI.',
  ),
  portforwardActiveTunnels: define(
    'gauge',
    'kubevirt_portforward_active_tunnels',
    'Open port-forward tunnels, by namespace and VMI.',
  ),
  usbredirActiveConnections: define(
    'gauge',
    'kubevirt_usbredir_active_connections',
    'Open USB redirections, by namespace and VMI.',
  ),
  virtApiReadyStatus: define('gauge', 'kubevirt_virt_api_ready_status', '1 when virt-api serves requests.'),
  vmiLastApiConnectionTimestampSeconds: define(
    'gauge',
    'kubevirt_vmi_last_api_connection_timestamp_seconds',
    'When a console, VNC, USB or port-forward connection to the VMI was last open.',
  ),
  vncActiveConnections: define(
    'gauge',
    'kubevirt_vnc_active_connections',
    'Open VNC connections, by namespace and VMI.',
  ),
} as const;

/** Of virt-controller. */
export const CONTROLLER_METRICS = {
  virtControllerLeadingStatus: define(
    'gauge',
    'kubevirt_virt_controller_leading_status',
    '1 when this process leads.',
  ),
  virtControllerReadyStatus: define(
    'gauge',
    'kubevirt_virt_controller_ready_status',
    '1 when this process leads or could take the lead: the API server answered its last request.',
  ),
  virtOperatorLeadingStatus: define(
    'gauge',
    'kubevirt_virt_operator_leading_status',
    '1 when this process leads. Without a virt-operator, virt-controller does its work and says so.',
  ),
  virtOperatorReadyStatus: define(
    'gauge',
    'kubevirt_virt_operator_ready_status',
    '1 when this process could take the lead. Without a virt-operator, virt-controller does its work and says so.',
  ),
  vmCreateDateTimestampSeconds: define(
    'gauge',
    'kubevirt_vm_create_date_timestamp_seconds',
    'When the VM was created.',
  ),
  vmCreatedByPodTotal: define(
    'counter',
    'kubevirt_vm_created_by_pod_total',
    'VMs created since this process leads, by namespace.',
  ),
  vmDiskAllocatedSizeBytes: define(
    'gauge',
    'kubevirt_vm_disk_allocated_size_bytes',
    'Size of each claim that is a disk of a VM.',
  ),
  vmErrorStatusLastTransitionTimestampSeconds: define(
    'gauge',
    'kubevirt_vm_error_status_last_transition_timestamp_seconds',
    'When the VM last came into a status of error; 0 when it is in none.',
  ),
  vmInfo: define(
    'gauge',
    'kubevirt_vm_info',
    'Always 1; what is declared of a VM, and its status, is in the labels.',
  ),
  vmLabels: define('gauge', 'kubevirt_vm_labels', 'Always 1; the labels of the VM, prefixed with label_.'),
  vmMigratingStatusLastTransitionTimestampSeconds: define(
    'gauge',
    'kubevirt_vm_migrating_status_last_transition_timestamp_seconds',
    'When the VM last began to migrate; 0 when it does not.',
  ),
  vmNonRunningStatusLastTransitionTimestampSeconds: define(
    'gauge',
    'kubevirt_vm_non_running_status_last_transition_timestamp_seconds',
    'When the VM last stopped or was paused; 0 otherwise.',
  ),
  vmResourceLimits: define('gauge', 'kubevirt_vm_resource_limits', 'CPU and memory limits of the VM.'),
  vmResourceRequests: define(
    'gauge',
    'kubevirt_vm_resource_requests',
    'CPU and memory that the VM asks for, by where it is declared.',
  ),
  vmRunningStatusLastTransitionTimestampSeconds: define(
    'gauge',
    'kubevirt_vm_running_status_last_transition_timestamp_seconds',
    'When the VM last came to run; 0 when it does not.',
  ),
  vmStartingStatusLastTransitionTimestampSeconds: define(
    'gauge',
    'kubevirt_vm_starting_status_last_transition_timestamp_seconds',
    'When the VM last began to start; 0 when it does not.',
  ),
  vmVnicInfo: define('gauge', 'kubevirt_vm_vnic_info', 'Always 1; one for each NIC that a VM declares.'),
  vmiGpuInfo: define('gauge', 'kubevirt_vmi_gpu_info', 'Always 1; one for each GPU that a VMI declares.'),
  vmiInfo: define('gauge', 'kubevirt_vmi_info', 'Always 1; what a VMI is, in the labels.'),
  vmiLauncherMemoryOverheadBytes: define(
    'gauge',
    'kubevirt_vmi_launcher_memory_overhead_bytes',
    'Memory that the launcher Pod asks for beyond its guest.',
  ),
  vmiMigrationEndTimeSeconds: define(
    'gauge',
    'kubevirt_vmi_migration_end_time_seconds',
    'When a migration ended.',
  ),
  vmiMigrationFailed: define('gauge', 'kubevirt_vmi_migration_failed', '1 for a migration that failed.'),
  vmiMigrationPhaseTransitionTimeFromCreationSeconds: define(
    'histogram',
    'kubevirt_vmi_migration_phase_transition_time_from_creation_seconds',
    'Time from the creation of a migration to each of its phases.',
  ),
  vmiMigrationStartTimeSeconds: define(
    'gauge',
    'kubevirt_vmi_migration_start_time_seconds',
    'When a migration began.',
  ),
  vmiMigrationSucceeded: define(
    'gauge',
    'kubevirt_vmi_migration_succeeded',
    '1 for a migration that succeeded.',
  ),
  vmiMigrationsInPendingPhase: define(
    'gauge',
    'kubevirt_vmi_migrations_in_pending_phase',
    'Migrations that wait for their turn.',
  ),
  vmiMigrationsInRunningPhase: define(
    'gauge',
    'kubevirt_vmi_migrations_in_running_phase',
    'Migrations that run.',
  ),
  vmiMigrationsInSchedulingPhase: define(
    'gauge',
    'kubevirt_vmi_migrations_in_scheduling_phase',
    'Migrations whose target Pod is being placed.',
  ),
  vmiMigrationsInUnsetPhase: define(
    'gauge',
    'kubevirt_vmi_migrations_in_unset_phase',
    'Migrations that nobody has looked at yet.',
  ),
  vmiNonEvictable: define(
    'gauge',
    'kubevirt_vmi_non_evictable',
    '1 for a VMI that wants to migrate on eviction and cannot.',
  ),
  vmiNumberOfOutdated: define(
    'gauge',
    'kubevirt_vmi_number_of_outdated',
    'VMIs whose launcher is of an older release.',
  ),
  vmiPhaseTransitionTimeFromCreationSeconds: define(
    'histogram',
    'kubevirt_vmi_phase_transition_time_from_creation_seconds',
    'Time from the creation of a VMI to each of its phases.',
  ),
  vmiPhaseTransitionTimeFromDeletionSeconds: define(
    'histogram',
    'kubevirt_vmi_phase_transition_time_from_deletion_seconds',
    'Time from the deletion of a VMI to its end.',
  ),
  vmiPhaseTransitionTimeSeconds: define(
    'histogram',
    'kubevirt_vmi_phase_transition_time_seconds',
    'Time that a VMI spent in the phase before.',
  ),
  vmiStatusAddresses: define(
    'gauge',
    'kubevirt_vmi_status_addresses',
    'Always 1; one for each address of a VMI.',
  ),
  vmSnapshotSucceededTimestampSeconds: define(
    'gauge',
    'kubevirt_vmsnapshot_succeeded_timestamp_seconds',
    'When a snapshot that succeeded was taken, by VM and snapshot.',
  ),
  vmiVnicInfo: define('gauge', 'kubevirt_vmi_vnic_info', 'Always 1; one for each NIC of a VMI.'),
} as const;

/** Of virt-handler; those of VMIs carry node, namespace and name. */
export const HANDLER_METRICS = {
  configurationEmulationEnabled: define(
    'gauge',
    'kubevirt_configuration_emulation_enabled',
    '1 when guests may run by software emulation.',
  ),
  nodeDeprecatedMachineTypes: define(
    'gauge',
    'kubevirt_node_deprecated_machine_types',
    'Machine types that QEMU on the node calls deprecated.',
  ),
  virtHandlerReadyStatus: define(
    'gauge',
    'kubevirt_virt_handler_ready_status',
    '1 when virt-handler follows the VMIs of its node.',
  ),
  vmiCpuSystemUsageSecondsTotal: define(
    'counter',
    'kubevirt_vmi_cpu_system_usage_seconds_total',
    'CPU time that QEMU spent in the kernel.',
  ),
  vmiCpuUsageSecondsTotal: define(
    'counter',
    'kubevirt_vmi_cpu_usage_seconds_total',
    'CPU time of the guest, all virtual CPUs and QEMU itself.',
  ),
  vmiCpuUserUsageSecondsTotal: define(
    'counter',
    'kubevirt_vmi_cpu_user_usage_seconds_total',
    'CPU time that QEMU spent in user mode.',
  ),
  vmiFilesystemCapacityBytes: define(
    'gauge',
    'kubevirt_vmi_filesystem_capacity_bytes',
    'Size of a file system of the guest, as its agent says.',
  ),
  vmiFilesystemUsedBytes: define(
    'gauge',
    'kubevirt_vmi_filesystem_used_bytes',
    'Used part of a file system of the guest, as its agent says.',
  ),
  vmiGuestLoad15m: define(
    'gauge',
    'kubevirt_vmi_guest_load_15m',
    "The guest's load average over 15 minutes.",
  ),
  vmiGuestLoad1m: define('gauge', 'kubevirt_vmi_guest_load_1m', "The guest's load average over one minute."),
  vmiGuestLoad5m: define('gauge', 'kubevirt_vmi_guest_load_5m', "The guest's load average over 5 minutes."),
  vmiGuestOsPanicTotal: define(
    'counter',
    'kubevirt_vmi_guest_os_panic_total',
    'Panics that guests reported through their panic device.',
  ),
  vmiMemoryActualBalloonBytes: define(
    'gauge',
    'kubevirt_vmi_memory_actual_balloon_bytes',
    'Memory that the balloon leaves to the guest.',
  ),
  vmiMemoryAvailableBytes: define(
    'gauge',
    'kubevirt_vmi_memory_available_bytes',
    'Memory that the guest sees as its own.',
  ),
  vmiMemoryCachedBytes: define(
    'gauge',
    'kubevirt_vmi_memory_cached_bytes',
    'Caches of the guest that it could give back.',
  ),
  vmiMemoryDomainBytes: define('gauge', 'kubevirt_vmi_memory_domain_bytes', 'Memory of the domain.'),
  vmiMemoryPgmajfaultTotal: define(
    'counter',
    'kubevirt_vmi_memory_pgmajfault_total',
    'Page faults of the guest that had to read from a disk.',
  ),
  vmiMemoryPgminfaultTotal: define(
    'counter',
    'kubevirt_vmi_memory_pgminfault_total',
    'Page faults of the guest that needed no disk.',
  ),
  vmiMemoryResidentBytes: define(
    'gauge',
    'kubevirt_vmi_memory_resident_bytes',
    'Resident memory of the QEMU process.',
  ),
  vmiMemorySwapInTrafficBytes: define(
    'gauge',
    'kubevirt_vmi_memory_swap_in_traffic_bytes',
    'What the guest read back from its swap.',
  ),
  vmiMemorySwapOutTrafficBytes: define(
    'gauge',
    'kubevirt_vmi_memory_swap_out_traffic_bytes',
    'What the guest wrote to its swap.',
  ),
  vmiMemoryUnusedBytes: define(
    'gauge',
    'kubevirt_vmi_memory_unused_bytes',
    'Memory that the guest uses for nothing at all.',
  ),
  vmiMemoryUsableBytes: define(
    'gauge',
    'kubevirt_vmi_memory_usable_bytes',
    'Memory that the guest could use without swapping.',
  ),
  vmiMigrationDataBytesTotal: define(
    'counter',
    'kubevirt_vmi_migration_data_bytes_total',
    'Memory and disks that a migration that runs is to copy, told by its source.',
  ),
  vmiMigrationDataProcessedBytes: define(
    'gauge',
    'kubevirt_vmi_migration_data_processed_bytes',
    'What a migration that runs has copied.',
  ),
  vmiMigrationDataRemainingBytes: define(
    'gauge',
    'kubevirt_vmi_migration_data_remaining_bytes',
    'What a migration that runs has still to copy.',
  ),
  vmiMigrationDirtyMemoryRateBytes: define(
    'gauge',
    'kubevirt_vmi_migration_dirty_memory_rate_bytes',
    'Memory that the guest changes while it is moved, a second.',
  ),
  vmiMigrationMemoryTransferRateBytes: define(
    'gauge',
    'kubevirt_vmi_migration_memory_transfer_rate_bytes',
    'What a migration that runs copies, a second.',
  ),
  vmiNetworkReceiveBytesTotal: define(
    'counter',
    'kubevirt_vmi_network_receive_bytes_total',
    'Bytes that the guest received, by interface.',
  ),
  vmiNetworkReceiveErrorsTotal: define(
    'counter',
    'kubevirt_vmi_network_receive_errors_total',
    'Errors while the guest received, by interface.',
  ),
  vmiNetworkReceivePacketsDroppedTotal: define(
    'counter',
    'kubevirt_vmi_network_receive_packets_dropped_total',
    'Packets for the guest that were dropped, by interface.',
  ),
  vmiNetworkReceivePacketsTotal: define(
    'counter',
    'kubevirt_vmi_network_receive_packets_total',
    'Packets that the guest received, by interface.',
  ),
  vmiNetworkTrafficBytesTotal: define(
    'counter',
    'kubevirt_vmi_network_traffic_bytes_total',
    'Bytes by interface and direction. Deprecated: use the receive and transmit metrics.',
  ),
  vmiNetworkTransmitBytesTotal: define(
    'counter',
    'kubevirt_vmi_network_transmit_bytes_total',
    'Bytes that the guest sent, by interface.',
  ),
  vmiNetworkTransmitErrorsTotal: define(
    'counter',
    'kubevirt_vmi_network_transmit_errors_total',
    'Errors while the guest sent, by interface.',
  ),
  vmiNetworkTransmitPacketsDroppedTotal: define(
    'counter',
    'kubevirt_vmi_network_transmit_packets_dropped_total',
    'Packets of the guest that were dropped, by interface.',
  ),
  vmiNetworkTransmitPacketsTotal: define(
    'counter',
    'kubevirt_vmi_network_transmit_packets_total',
    'Packets that the guest sent, by interface.',
  ),
  vmiNodeCpuAffinity: define(
    'gauge',
    'kubevirt_vmi_node_cpu_affinity',
    'How many CPUs of the node the virtual CPUs may run on, summed over them.',
  ),
  vmiStorageFlushRequestsTotal: define(
    'counter',
    'kubevirt_vmi_storage_flush_requests_total',
    'Flushes, by drive.',
  ),
  vmiStorageFlushTimesSecondsTotal: define(
    'counter',
    'kubevirt_vmi_storage_flush_times_seconds_total',
    'Time spent in flushes, by drive.',
  ),
  vmiStorageIopsReadTotal: define('counter', 'kubevirt_vmi_storage_iops_read_total', 'Reads, by drive.'),
  vmiStorageIopsWriteTotal: define('counter', 'kubevirt_vmi_storage_iops_write_total', 'Writes, by drive.'),
  vmiStorageReadTimesSecondsTotal: define(
    'counter',
    'kubevirt_vmi_storage_read_times_seconds_total',
    'Time spent in reads, by drive.',
  ),
  vmiStorageReadTrafficBytesTotal: define(
    'counter',
    'kubevirt_vmi_storage_read_traffic_bytes_total',
    'Bytes read, by drive.',
  ),
  vmiStorageWriteTimesSecondsTotal: define(
    'counter',
    'kubevirt_vmi_storage_write_times_seconds_total',
    'Time spent in writes, by drive.',
  ),
  vmiStorageWriteTrafficBytesTotal: define(
    'counter',
    'kubevirt_vmi_storage_write_traffic_bytes_total',
    'Bytes written, by drive.',
  ),
  vmiSyncTotal: define(
    'counter',
    'kubevirt_vmi_sync_total',
    'How often a VMI was reconciled on its node, by result.',
  ),
  vmiVcpuDelaySecondsTotal: define(
    'counter',
    'kubevirt_vmi_vcpu_delay_seconds_total',
    'Time that a virtual CPU wanted to run and the node had none free.',
  ),
  vmiVcpuSecondsTotal: define(
    'counter',
    'kubevirt_vmi_vcpu_seconds_total',
    'Time that a virtual CPU ran, by its state now.',
  ),
  vmiVcpuWaitSecondsTotal: define(
    'counter',
    'kubevirt_vmi_vcpu_wait_seconds_total',
    'Time that a virtual CPU waited for I/O.',
  ),
} as const;
