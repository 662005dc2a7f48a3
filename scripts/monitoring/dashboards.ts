/** The dashboards as data: what each shows, in which unit, by which query. `dashboard-json.ts` makes Grafana's form of it. */

export interface Panel {
  readonly title: string;
  /** Grafana's name of it: `s`, `bytes`, `Bps`, `short`, `percentunit`, `reqps`, `dateTimeFromNow`. */
  readonly unit: string;
  readonly kind?: 'timeseries' | 'stat' | 'table';
  /** Legend → PromQL. `$namespace`, `$name` and `$node` are variables of the dashboard. */
  readonly queries: Readonly<Record<string, string>>;
}

export interface Dashboard {
  /** File name, and uid in Grafana. */
  readonly id: string;
  readonly title: string;
  /** Variable → the query that lists its values. */
  readonly variables: Readonly<Record<string, string>>;
  /** Heading → panels below it. */
  readonly rows: Readonly<Record<string, readonly Panel[]>>;
}

const VM = 'namespace=~"$namespace", name=~"$name"';
const NODE = 'node=~"$node"';
const p99 = (metric: string, by: string, select = ''): string =>
  `histogram_quantile(0.99, sum by (${by}, le) (rate(${metric}_bucket${select}[$__rate_interval])))`;

export const DASHBOARDS: readonly Dashboard[] = [
  {
    id: 'podvisor-fleet',
    title: 'Podvisor: fleet',
    variables: { namespace: 'label_values(kubevirt_vm_info, namespace)' },
    rows: {
      'What runs': [
        {
          title: 'VMs by status',
          unit: 'short',
          queries: { '{{status}}': 'sum by (status) (kubevirt_vm_info{namespace=~"$namespace"})' },
        },
        {
          title: 'VMIs by phase',
          unit: 'short',
          queries: { '{{phase}}': 'sum by (phase) (kubevirt_vmi_info{namespace=~"$namespace"})' },
        },
        {
          title: 'VMIs by node',
          unit: 'short',
          queries: {
            '{{node}}': 'sum by (node) (kubevirt_vmi_info{namespace=~"$namespace", phase="running"})',
          },
        },
        {
          title: 'In need of somebody',
          unit: 'short',
          kind: 'table',
          queries: {
            'paused by an I/O error': 'podvisor_vmi_paused_io_error{namespace=~"$namespace"}',
            'cannot be evicted': 'kubevirt_vmi_non_evictable{namespace=~"$namespace"} == 1',
            'bound to its node': 'podvisor_vmi_bound_to_node{namespace=~"$namespace"}',
          },
        },
      ],
      'Where the time goes': [
        {
          title: 'Operations, 99th percentile',
          unit: 's',
          queries: { '{{operation}}': 'podvisor:operation_duration_seconds:p99' },
        },
        {
          title: 'Start, by handoff (mean)',
          unit: 's',
          queries: { '{{handoff}}': 'podvisor:handoff_duration_seconds:avg{operation="start"}' },
        },
        {
          title: 'Stop, plug and snapshot, by handoff (mean)',
          unit: 's',
          queries: {
            '{{operation}} {{handoff}}':
              'podvisor:handoff_duration_seconds:avg{operation=~"stop|plug|snapshot"}',
          },
        },
        {
          title: 'Ended, by result',
          unit: 'short',
          queries: {
            '{{operation}} {{result}}':
              'sum by (operation, result) (increase(podvisor_operations_total[$__rate_interval]))',
          },
        },
        {
          title: 'Waits for',
          unit: 's',
          kind: 'table',
          queries: {
            '{{operation}} {{namespace}}/{{name}}: {{handoff}}':
              'time() - podvisor_handoff_waiting_since_timestamp_seconds{namespace=~"$namespace"}',
          },
        },
      ],
      'What they use': [
        {
          title: 'CPU of guests',
          unit: 'short',
          queries: {
            '{{namespace}}':
              'sum by (namespace) (rate(kubevirt_vmi_cpu_usage_seconds_total{namespace=~"$namespace"}[$__rate_interval]))',
          },
        },
        {
          title: 'Memory of guests',
          unit: 'bytes',
          queries: {
            '{{namespace}}':
              'sum by (namespace) (kubevirt_vmi_memory_resident_bytes{namespace=~"$namespace"})',
          },
        },
        {
          title: 'Busiest guests (CPU)',
          unit: 'short',
          queries: {
            '{{namespace}}/{{name}}':
              'topk(10, sum by (namespace, name) (rate(kubevirt_vmi_cpu_usage_seconds_total{namespace=~"$namespace"}[$__rate_interval])))',
          },
        },
      ],
    },
  },
  {
    id: 'podvisor-node',
    title: 'Podvisor: node',
    variables: { node: 'label_values(kubevirt_vmi_info, node)' },
    rows: {
      Guests: [
        {
          title: 'VMIs',
          unit: 'short',
          queries: { '{{phase}}': `sum by (phase) (kubevirt_vmi_info{${NODE}})` },
        },
        {
          title: 'CPU',
          unit: 'short',
          queries: {
            '{{namespace}}/{{name}}': `sum by (namespace, name) (rate(kubevirt_vmi_cpu_usage_seconds_total{${NODE}}[$__rate_interval]))`,
          },
        },
        {
          title: 'Memory',
          unit: 'bytes',
          queries: { '{{namespace}}/{{name}}': `kubevirt_vmi_memory_resident_bytes{${NODE}}` },
        },
        {
          title: 'Waiting for a CPU of the node',
          unit: 'percentunit',
          queries: {
            '{{namespace}}/{{name}}': `sum by (namespace, name) (rate(kubevirt_vmi_vcpu_delay_seconds_total{${NODE}}[$__rate_interval]))`,
          },
        },
        {
          title: 'Network',
          unit: 'Bps',
          queries: {
            received: `sum(rate(kubevirt_vmi_network_receive_bytes_total{${NODE}}[$__rate_interval]))`,
            sent: `sum(rate(kubevirt_vmi_network_transmit_bytes_total{${NODE}}[$__rate_interval]))`,
          },
        },
        {
          title: 'Disks',
          unit: 'Bps',
          queries: {
            read: `sum(rate(kubevirt_vmi_storage_read_traffic_bytes_total{${NODE}}[$__rate_interval]))`,
            written: `sum(rate(kubevirt_vmi_storage_write_traffic_bytes_total{${NODE}}[$__rate_interval]))`,
          },
        },
      ],
      'virt-handler': [
        {
          title: 'Reconciles of VMIs',
          unit: 'short',
          queries: { '{{node}}': `sum by (node) (rate(kubevirt_vmi_sync_total{${NODE}}[$__rate_interval]))` },
        },
        {
          title: 'Time to take up its guests after a start',
          unit: 's',
          kind: 'stat',
          queries: { '{{node}}': `podvisor_virt_handler_adoption_seconds{${NODE}}` },
        },
        {
          title: 'Launchers, time to answer (99th percentile)',
          unit: 's',
          queries: { '{{instance}}': p99('podvisor_launcher_ask_duration_seconds', 'instance') },
        },
        {
          title: 'Deprecated machine types',
          unit: 'short',
          kind: 'table',
          queries: { '{{machine_type}}': `kubevirt_node_deprecated_machine_types{${NODE}}` },
        },
      ],
    },
  },
  {
    id: 'podvisor-vm',
    title: 'Podvisor: VM',
    variables: {
      namespace: 'label_values(kubevirt_vmi_info, namespace)',
      name: 'label_values(kubevirt_vmi_info{namespace=~"$namespace"}, name)',
    },
    rows: {
      State: [
        {
          title: 'What it is',
          unit: 'short',
          kind: 'table',
          queries: { '{{name}}': `kubevirt_vmi_info{${VM}}` },
        },
        {
          title: 'Addresses',
          unit: 'short',
          kind: 'table',
          queries: { '{{address}}': `kubevirt_vmi_status_addresses{${VM}}` },
        },
        {
          title: 'Open connections',
          unit: 'short',
          queries: {
            console: 'kubevirt_console_active_connections{namespace=~"$namespace", vmi=~"$name"}',
            VNC: 'kubevirt_vnc_active_connections{namespace=~"$namespace", vmi=~"$name"}',
          },
        },
      ],
      CPU: [
        {
          title: 'Used',
          unit: 'short',
          queries: { '{{name}}': `rate(kubevirt_vmi_cpu_usage_seconds_total{${VM}}[$__rate_interval])` },
        },
        {
          title: 'By virtual CPU',
          unit: 'percentunit',
          queries: {
            'vCPU {{id}}': `sum by (id) (rate(kubevirt_vmi_vcpu_seconds_total{${VM}}[$__rate_interval]))`,
          },
        },
        {
          title: 'Wait and delay',
          unit: 'percentunit',
          queries: {
            'waits for I/O {{id}}': `rate(kubevirt_vmi_vcpu_wait_seconds_total{${VM}}[$__rate_interval])`,
            'wants to run {{id}}': `rate(kubevirt_vmi_vcpu_delay_seconds_total{${VM}}[$__rate_interval])`,
          },
        },
        {
          title: 'Load of the guest',
          unit: 'short',
          queries: {
            '1 minute': `kubevirt_vmi_guest_load_1m{${VM}}`,
            '15 minutes': `kubevirt_vmi_guest_load_15m{${VM}}`,
          },
        },
      ],
      Memory: [
        {
          title: 'Memory',
          unit: 'bytes',
          queries: {
            'of the domain': `kubevirt_vmi_memory_domain_bytes{${VM}}`,
            resident: `kubevirt_vmi_memory_resident_bytes{${VM}}`,
            'used by the guest': `kubevirt_vmi_memory_used_bytes{${VM}}`,
            usable: `kubevirt_vmi_memory_usable_bytes{${VM}}`,
          },
        },
        {
          title: 'Swap',
          unit: 'Bps',
          queries: {
            in: `rate(kubevirt_vmi_memory_swap_in_traffic_bytes{${VM}}[$__rate_interval])`,
            out: `rate(kubevirt_vmi_memory_swap_out_traffic_bytes{${VM}}[$__rate_interval])`,
          },
        },
        {
          title: 'Page faults',
          unit: 'short',
          queries: {
            'with a disk': `rate(kubevirt_vmi_memory_pgmajfault_total{${VM}}[$__rate_interval])`,
            without: `rate(kubevirt_vmi_memory_pgminfault_total{${VM}}[$__rate_interval])`,
          },
        },
      ],
      'Disks and network': [
        {
          title: 'Disks',
          unit: 'Bps',
          queries: {
            '{{drive}} read': `rate(kubevirt_vmi_storage_read_traffic_bytes_total{${VM}}[$__rate_interval])`,
            '{{drive}} written': `rate(kubevirt_vmi_storage_write_traffic_bytes_total{${VM}}[$__rate_interval])`,
          },
        },
        {
          title: 'Time of a write',
          unit: 's',
          queries: {
            '{{drive}}': `rate(kubevirt_vmi_storage_write_times_seconds_total{${VM}}[$__rate_interval]) / rate(kubevirt_vmi_storage_iops_write_total{${VM}}[$__rate_interval])`,
          },
        },
        {
          title: 'Network',
          unit: 'Bps',
          queries: {
            '{{interface}} received': `rate(kubevirt_vmi_network_receive_bytes_total{${VM}}[$__rate_interval])`,
            '{{interface}} sent': `rate(kubevirt_vmi_network_transmit_bytes_total{${VM}}[$__rate_interval])`,
          },
        },
        {
          title: 'Packets that were dropped',
          unit: 'short',
          queries: {
            '{{interface}} received': `rate(kubevirt_vmi_network_receive_packets_dropped_total{${VM}}[$__rate_interval])`,
            '{{interface}} sent': `rate(kubevirt_vmi_network_transmit_packets_dropped_total{${VM}}[$__rate_interval])`,
          },
        },
        {
          title: 'File systems of the guest',
          unit: 'percentunit',
          queries: {
            '{{mount_point}}': `kubevirt_vmi_filesystem_used_bytes{${VM}} / kubevirt_vmi_filesystem_capacity_bytes{${VM}}`,
          },
        },
      ],
    },
  },
  {
    id: 'podvisor-migrations',
    title: 'Podvisor: migrations',
    variables: {},
    rows: {
      Migrations: [
        {
          title: 'Under way',
          unit: 'short',
          queries: {
            'not looked at': 'kubevirt_vmi_migrations_in_unset_phase',
            pending: 'kubevirt_vmi_migrations_in_pending_phase',
            scheduling: 'kubevirt_vmi_migrations_in_scheduling_phase',
            running: 'kubevirt_vmi_migrations_in_running_phase',
          },
        },
        {
          title: 'Ended',
          unit: 'short',
          queries: {
            '{{result}}':
              'sum by (result) (increase(podvisor_operations_total{operation="migration"}[$__rate_interval]))',
          },
        },
        {
          title: 'By phase (mean)',
          unit: 's',
          queries: { '{{handoff}}': 'podvisor:handoff_duration_seconds:avg{operation="migration"}' },
        },
        {
          title: 'From creation to each phase (99th percentile)',
          unit: 's',
          queries: {
            '{{phase}}': p99('kubevirt_vmi_migration_phase_transition_time_from_creation_seconds', 'phase'),
          },
        },
        {
          title: 'Still to copy',
          unit: 'bytes',
          queries: { '{{namespace}}/{{name}}': 'kubevirt_vmi_migration_data_remaining_bytes' },
        },
        {
          title: 'Copied and changed, a second',
          unit: 'Bps',
          queries: {
            '{{namespace}}/{{name}} copied': 'kubevirt_vmi_migration_memory_transfer_rate_bytes',
            '{{namespace}}/{{name}} changed': 'kubevirt_vmi_migration_dirty_memory_rate_bytes',
          },
        },
        {
          title: 'Failed',
          unit: 'short',
          kind: 'table',
          queries: { '{{namespace}}/{{vmi}}': 'kubevirt_vmi_migration_failed == 1' },
        },
        {
          title: 'Cannot be moved',
          unit: 'short',
          kind: 'table',
          queries: { '{{namespace}}/{{name}}: {{reason}}': 'podvisor_vmi_bound_to_node' },
        },
      ],
    },
  },
  {
    id: 'podvisor-control-plane',
    title: 'Podvisor: control plane',
    variables: {},
    rows: {
      Processes: [
        { title: 'Answer Prometheus', unit: 'short', queries: { '{{pod}}': 'up{job=~"podvisor.*"}' } },
        {
          title: 'CPU',
          unit: 'short',
          queries: { '{{pod}}': 'rate(process_cpu_seconds_total{job=~"podvisor.*"}[$__rate_interval])' },
        },
        {
          title: 'Memory',
          unit: 'bytes',
          queries: { '{{pod}}': 'process_resident_memory_bytes{job=~"podvisor.*"}' },
        },
        {
          title: 'Certificates end',
          unit: 's',
          queries: {
            '{{certificate}} {{instance}}': 'podvisor_certificate_expiration_timestamp_seconds - time()',
          },
        },
        {
          title: 'Leases end',
          unit: 's',
          queries: { '{{lease}}': 'podvisor_lease_expiration_timestamp_seconds - time()' },
        },
      ],
      'API server': [
        {
          title: '99th percentile',
          unit: 's',
          queries: { '{{kind}}': 'podvisor:apiserver_request_duration_seconds:p99' },
        },
        {
          title: 'Requests',
          unit: 'reqps',
          queries: { '{{verb}}': 'sum by (verb) (rate(apiserver_request_total[$__rate_interval]))' },
        },
        {
          title: 'Errors',
          unit: 'reqps',
          queries: {
            '{{code}} {{resource}}':
              'sum by (code, resource) (rate(apiserver_request_total{code=~"5.."}[$__rate_interval]))',
          },
        },
        {
          title: 'Writes',
          unit: 'short',
          queries: { 'a second': 'rate(podvisor_store_revision[$__rate_interval])' },
        },
        {
          title: 'Disk of the store',
          unit: 'bytes',
          queries: { store: 'apiserver_storage_size_bytes', free: 'podvisor_store_disk_free_bytes' },
        },
      ],
      Controllers: [
        {
          title: 'Depth of queues',
          unit: 'short',
          queries: { '{{name}}': 'sum by (name) (kubevirt_workqueue_depth)' },
        },
        {
          title: 'Retries',
          unit: 'short',
          queries: { '{{name}}': 'sum by (name) (rate(kubevirt_workqueue_retries_total[$__rate_interval]))' },
        },
        {
          title: 'Reconcile, 99th percentile',
          unit: 's',
          queries: { '{{name}}': p99('kubevirt_workqueue_work_duration_seconds', 'name') },
        },
        {
          title: 'Requests to the API server',
          unit: 'reqps',
          queries: {
            '{{pod}} {{code}}':
              'sum by (pod, code) (rate(kubevirt_rest_client_requests_total[$__rate_interval]))',
          },
        },
        {
          title: 'Streams to guests',
          unit: 'short',
          queries: {
            '{{subresource}} {{result}}':
              'sum by (subresource, result) (increase(podvisor_stream_requests_total[$__rate_interval]))',
          },
        },
      ],
    },
  },
];
