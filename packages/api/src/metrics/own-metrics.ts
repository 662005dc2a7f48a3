/**
 * The metrics that the real system does not have, or that another of its components serves: of the embedded control
 * plane by Kubernetes' names, and ours, `podvisor_…`. As in the catalogue, a name or a type never changes.
 */
import { define } from './define.ts';

/** Of every process: what it uses of the machine, and how long its certificates last. */
export const PROCESS_METRICS = {
  processCpuSecondsTotal: define('counter', 'process_cpu_seconds_total', 'CPU time of the process.'),
  processResidentMemoryBytes: define(
    'gauge',
    'process_resident_memory_bytes',
    'Resident memory of the process.',
  ),
  processStartTimeSeconds: define(
    'gauge',
    'process_start_time_seconds',
    'When the process began, in seconds since the epoch.',
  ),
  certificateExpirationTimestampSeconds: define(
    'gauge',
    'podvisor_certificate_expiration_timestamp_seconds',
    'When a certificate that this process serves with ends, by certificate.',
  ),
} as const;

/** Of the control plane of the embedded home. */
export const CONTROL_PLANE_METRICS = {
  apiserverRequestTotal: define(
    'counter',
    'apiserver_request_total',
    'Requests that the API server answered, by verb, resource and status code.',
  ),
  apiserverRequestDurationSeconds: define(
    'histogram',
    'apiserver_request_duration_seconds',
    'Time until a request was answered, by verb and resource; watches and streams are not in it.',
  ),
  apiserverStorageSizeBytes: define(
    'gauge',
    'apiserver_storage_size_bytes',
    'Size of the file of the store.',
  ),
  storeRevision: define(
    'gauge',
    'podvisor_store_revision',
    'Revision of the last write that the store acknowledged. It only ever grows, also over restarts: a reset is a lost write.',
  ),
  storeDiskFreeBytes: define(
    'gauge',
    'podvisor_store_disk_free_bytes',
    'Room that is left on the disk of the store.',
  ),
  storeDiskSizeBytes: define('gauge', 'podvisor_store_disk_size_bytes', 'Size of the disk of the store.'),
} as const;

/** Of virt-controller. */
export const HANDOFF_METRICS = {
  handoffDurationSeconds: define(
    'histogram',
    'podvisor_handoff_duration_seconds',
    'Time from the handoff before to this one, by operation (start, stop, migration, plug, snapshot) and handoff.',
  ),
  handoffWaitingSinceTimestampSeconds: define(
    'gauge',
    'podvisor_handoff_waiting_since_timestamp_seconds',
    'When the last handoff of an operation that is under way happened; the label handoff names the one that is waited for.',
  ),
  operationDurationSeconds: define(
    'histogram',
    'podvisor_operation_duration_seconds',
    'Time from the beginning of an operation that succeeded to its end, by operation.',
  ),
  operationsTotal: define(
    'counter',
    'podvisor_operations_total',
    'Operations that came to an end, by operation and result (succeeded, failed).',
  ),
  leaseExpirationTimestampSeconds: define(
    'gauge',
    'podvisor_lease_expiration_timestamp_seconds',
    'When a lease of the installation ends unless it is renewed, by lease.',
  ),
  vmiPausedIoError: define(
    'gauge',
    'podvisor_vmi_paused_io_error',
    '1 for a VMI whose guest is paused because its disk failed or is full.',
  ),
  vmiBoundToNode: define(
    'gauge',
    'podvisor_vmi_bound_to_node',
    '1 for a VMI that cannot leave its node alive; the label reason says why.',
  ),
  vmiLostWithNode: define(
    'gauge',
    'podvisor_vmi_lost_with_node',
    '1 for a VMI whose node is not heard of and whose run is not proven over; the label reason says why.',
  ),
} as const;

/** Of virt-handler. */
export const NODE_METRICS = {
  virtHandlerAdoptionSeconds: define(
    'gauge',
    'podvisor_virt_handler_adoption_seconds',
    'Time from the start of virt-handler until it had the launcher of every VMI that ran on its node; absent when none did.',
  ),
  launcherAskDurationSeconds: define(
    'histogram',
    'podvisor_launcher_ask_duration_seconds',
    'Time that it took to read the numbers of a guest, from its QEMU or through its launcher.',
  ),
} as const;

/** Of virt-api. */
export const STREAM_METRICS = {
  streamRequestsTotal: define(
    'counter',
    'podvisor_stream_requests_total',
    'Requests for a console, VNC, USB, vsock or port-forward stream, by subresource and result (opened, refused, failed).',
  ),
} as const;
