/** Alerts of the components themselves, by KubeVirt's names where it has them. */
import type { Alert } from './alert.ts';

interface Component {
  /** In names of alerts. */
  readonly title: string;
  /** In names of alerts about requests, which KubeVirt writes in another way. */
  readonly restTitle: string;
  readonly process: string;
  /** In names of recording rules. */
  readonly rule: string;
  /** What nobody does while it is away. */
  readonly loss: string;
  /** Series of who does its work under another name; where they exist, it is not missed. */
  readonly deputy?: string;
}

/** An embedded home has no virt-operator: its virt-controller says how that work is done. */
const OPERATOR_DEPUTY = 'kubevirt_virt_operator_ready_status{pod!~"virt-operator-.*"}';

const COMPONENTS: readonly Component[] = [
  {
    title: 'VirtAPI',
    restTitle: 'VirtApi',
    process: 'virt-api',
    rule: 'virt_api',
    loss: 'VMs cannot be created or changed, consoles do not open; running guests go on.',
  },
  {
    title: 'VirtController',
    restTitle: 'VirtController',
    process: 'virt-controller',
    rule: 'virt_controller',
    loss: 'VMs are not started, moved or cleaned up; running guests go on.',
  },
  {
    title: 'VirtHandler',
    restTitle: 'VirtHandler',
    process: 'virt-handler',
    rule: 'virt_handler',
    loss: 'VMs on its node are not started or stopped and their status stands still; running guests go on.',
  },
  {
    title: 'VirtOperator',
    restTitle: 'VirtOperator',
    process: 'virt-operator',
    rule: 'virt_operator',
    loss: 'The installation is not kept as it should be, not updated, and its certificates are not renewed; VMs and the other components go on.',
    deputy: OPERATOR_DEPUTY,
  },
];

const READY_NAMES: Readonly<Record<string, string>> = {
  VirtAPI: 'LowReadyVirtAPICount',
  VirtController: 'LowReadyVirtControllersCount',
  VirtHandler: 'LowReadyVirtHandlerCount',
  VirtOperator: 'LowReadyVirtOperatorsCount',
};

function alertsOf({ title, restTitle, process, rule, loss, deputy }: Component): readonly Alert[] {
  const requests = (code: string): string =>
    `sum(rate(kubevirt_rest_client_requests_total{pod=~"${process}-.*"${code}}[5m]))`;
  const isOnClustersOnly = deputy !== undefined;
  const logs = isOnClustersOnly
    ? `kubectl -n kubevirt logs deployment/${process}`
    : `podvisor logs ${process}`;
  const look = [
    isOnClustersOnly ? 'podvisor cluster status' : 'podvisor status',
    `kubectl -n kubevirt get pods -o wide`,
    `${logs} --since 15m`,
  ];
  return [
    {
      name: `${title}Down`,
      expression: `cluster:kubevirt_${rule}_up:sum == 0${deputy === undefined ? '' : ` unless on () ${deputy}`}`,
      holds: '10m',
      severity: 'critical',
      impact: 'critical',
      summary: `No ${process} answers Prometheus.`,
      meaning: `Every ${process} is down, or none can be reached. ${loss}`,
      confirm: look,
      remedy: [
        `Read why it ended: the last lines of \`${logs}\` or \`kubectl logs --previous\`.`,
        'In an embedded home `podvisor up` starts what is missing; on a cluster the Pod is started again by its owner.',
        'If it runs and is not reached, look at the certificate and the token of the scrape: docs/metrics.md.',
      ],
    },
    {
      name: `NoReady${title}`,
      expression: `cluster:kubevirt_${rule}_ready:sum == 0`,
      holds: '10m',
      severity: 'critical',
      impact: 'critical',
      summary: `No ${process} is ready.`,
      meaning: `${process} runs, if at all, without being ready: mostly it cannot reach the API server. ${loss}`,
      confirm: [...look, `kubevirt_${rule}_ready_status`],
      remedy: [
        'See whether the API server answers: `kubectl get --raw /readyz`.',
        `Read the warnings of ${process}; they name what it waits for.`,
      ],
    },
    {
      name: READY_NAMES[title] ?? '',
      expression: `cluster:kubevirt_${rule}_ready:sum < cluster:kubevirt_${rule}_up:sum`,
      holds: '10m',
      severity: 'warning',
      impact: 'warning',
      summary: `Some ${process} runs and is not ready.`,
      meaning: `One of several is left out; the others do its work, except on its own node where it is a virt-handler.`,
      confirm: [`kubevirt_${rule}_ready_status == 0`, ...look],
      remedy: [`Read the log of the one that is not ready and restart it if it does not heal.`],
    },
    {
      name: `${restTitle}RESTErrorsBurst`,
      expression: `${requests(', code=~"(4|5)[0-9][0-9]"')} / ${requests('')} >= 0.8`,
      holds: '5m',
      severity: 'critical',
      impact: 'critical',
      summary: `More than 80% of the requests of ${process} to the API server failed for five minutes.`,
      meaning: `${process} is refused or answered with errors by the API server. ${loss}`,
      confirm: [
        `sum by (code, verb, resource) (rate(kubevirt_rest_client_requests_total{pod=~"${process}-.*"}[5m]))`,
        ...look,
      ],
      remedy: [
        '403: its role was changed; apply the installation again.',
        '401: its credentials ended or were revoked; `podvisor up` hands out new ones.',
        '5xx: the API server or a webhook is in trouble; see PodvisorApiLatencyHigh and the log of the control plane.',
      ],
    },
  ];
}

export const COMPONENT_ALERTS: readonly Alert[] = [
  ...COMPONENTS.flatMap(alertsOf),
  {
    name: 'NoLeadingVirtController',
    expression: 'cluster:kubevirt_virt_controller_leading:sum == 0',
    holds: '10m',
    severity: 'critical',
    impact: 'critical',
    summary: 'No virt-controller leads.',
    meaning: 'Nobody holds the lease of virt-controller: VMs are not started, moved or cleaned up.',
    confirm: [
      'kubectl -n kubevirt get lease virt-controller -o yaml',
      'podvisor logs virt-controller --since 15m',
    ],
    remedy: [
      'A holder that is gone keeps the lease for 15 s at most; if it stays, nobody can write it: see whether the API server takes writes.',
      'A virt-controller that cannot renew says so in its log, with the reason.',
    ],
  },
  {
    name: 'NoLeadingVirtOperator',
    expression: 'cluster:kubevirt_virt_operator_leading:sum == 0',
    holds: '10m',
    severity: 'critical',
    impact: 'critical',
    summary: 'No virt-operator leads.',
    meaning:
      'Nobody holds the lease of virt-operator: the installation is not kept as it should be, not updated, and its certificates are not renewed. VMs and the other components go on. In an embedded home virt-controller does this work, and the alert means that it does not lead.',
    confirm: [
      'kubectl -n kubevirt get lease virt-operator -o yaml',
      'kubectl -n kubevirt logs deployment/virt-operator --since 15m',
    ],
    remedy: [
      'A holder that is gone keeps the lease for 15 s at most; if it stays, nobody can write it: see whether the API server takes writes.',
      'A virt-operator that may not write its lease says so in its log: `podvisor cluster install` gives it its rights again.',
    ],
  },
  {
    name: 'LowVirtOperatorCount',
    expression: `(kubevirt_allocatable_nodes > 1) and (kubevirt_virt_operator_up < 2) unless on () ${OPERATOR_DEPUTY}`,
    holds: '1h',
    severity: 'warning',
    impact: 'warning',
    summary: 'A cluster of several nodes has fewer than two virt-operators.',
    meaning:
      'When the node of the only virt-operator goes away, nobody keeps the installation until another was started. Needs kube-state-metrics.',
    confirm: [
      'kubectl -n kubevirt get pods -l kubevirt.io=virt-operator -o wide',
      'kubevirt_virt_operator_up',
    ],
    remedy: [
      'See why the second Pod does not run: `kubectl -n kubevirt describe pods -l kubevirt.io=virt-operator`.',
      'If its Deployment was scaled down, scale it up: `kubectl -n kubevirt scale deployment virt-operator --replicas 2`.',
    ],
  },
  {
    name: 'LowKVMNodesCount',
    expression:
      '(cluster:kubevirt_nodes_allocatable:count > 1) and (cluster:kubevirt_nodes_with_kvm:count < 2)',
    holds: '5m',
    severity: 'warning',
    impact: 'warning',
    summary: 'Fewer than two nodes of the cluster can run VMs with KVM.',
    meaning:
      'With one node that has KVM no VM can be moved away from it and none starts elsewhere. Needs kube-state-metrics; an embedded home without it stays silent.',
    confirm: [
      'kubectl get nodes -o custom-columns=NAME:.metadata.name,KVM:.status.allocatable.devices\\.kubevirt\\.io/kvm',
    ],
    remedy: [
      'Enable virtualization in the firmware of the nodes, or add nodes that have it.',
      '`podvisor doctor` names what a machine lacks.',
    ],
  },
  {
    name: 'KubeVirtDeprecatedAPIRequested',
    expression:
      'sum by (resource, group, version) (round(increase(cluster:kubevirt_api_request_deprecated_total:sum[10m]))) > 0',
    severity: 'info',
    impact: 'none',
    summary:
      'Somebody uses {{ $labels.resource }} of {{ $labels.group }}/{{ $labels.version }}, which is deprecated.',
    meaning: 'A client uses a version of the API that will go away.',
    confirm: ['cluster:kubevirt_api_request_deprecated_total:sum', 'the audit log, by user agent'],
    remedy: ['Find the client in the audit log and update it.'],
  },
  {
    name: 'OrphanedVirtualMachineInstances',
    expression:
      '(sum by (node) (kubevirt_vmi_info{phase="running", node!=""}) unless on (node) sum by (node) (kubevirt_vmi_sync_total)) > 0',
    holds: '10m',
    severity: 'warning',
    impact: 'warning',
    summary: 'VMIs run on node {{ $labels.node }}, and no virt-handler is there.',
    meaning: 'Guests of that node go on, and nobody can stop them, move them or say how they are.',
    confirm: ['kubectl get vmi -A -o wide', 'podvisor node list', 'podvisor logs virt-handler --since 15m'],
    remedy: [
      'Bring virt-handler back on the node; it takes the guests up again without touching them.',
      'A node that is lost for good: see docs/nodes.md before anything is started elsewhere.',
    ],
  },
  {
    name: 'PodvisorLeaseNearExpiry',
    // As old as the number is: leases are shorter than the time between two scrapes may be.
    expression:
      'podvisor_lease_expiration_timestamp_seconds - timestamp(podvisor_lease_expiration_timestamp_seconds) < 5',
    holds: '1m',
    severity: 'warning',
    impact: 'critical',
    summary: 'The lease {{ $labels.lease }} is hardly renewed in time.',
    meaning:
      'Its holder renews it late or not at all. When it ends, virt-controller gives up its lead, or a node counts as silent and its VMs as unknown.',
    confirm: [
      'kubectl -n kubevirt get leases',
      'podvisor_lease_expiration_timestamp_seconds - time()',
      'PodvisorApiLatencyHigh',
    ],
    remedy: [
      'Look at the load of the machine and at the latency of the API server: a slow disk below the store is the usual reason.',
      'If the holder is gone, its own alert says so: bring it back.',
    ],
  },
  {
    name: 'PodvisorCertificateNearExpiry',
    expression: 'podvisor_certificate_expiration_timestamp_seconds - time() < 14 * 86400',
    holds: '1h',
    severity: 'warning',
    impact: 'critical',
    summary: 'The certificate {{ $labels.certificate }} ends within two weeks.',
    meaning:
      'Certificates are renewed when a fifth of their year is left. One that is nearer to its end was not renewed, or its process did not read it again.',
    confirm: [
      'podvisor_certificate_expiration_timestamp_seconds - time()',
      'openssl s_client -connect HOST:PORT </dev/null | openssl x509 -noout -enddate',
    ],
    remedy: [
      'In an embedded home: `podvisor up` renews what is near its end and tells the processes.',
      'With cert-manager: look at the Certificate and its CertificateRequest.',
    ],
  },
  {
    name: 'PodvisorStoreDiskFilling',
    expression: 'podvisor_store_disk_free_bytes / podvisor_store_disk_size_bytes < 0.1',
    holds: '5m',
    severity: 'critical',
    impact: 'critical',
    summary: 'Less than a tenth of the disk of the store is free.',
    meaning:
      'When the disk is full, writes to the API are refused: nothing starts, stops or changes. Running guests go on unless their own disks lie on it.',
    confirm: [
      'podvisor_store_disk_free_bytes',
      'df -h $PODVISOR_HOME',
      'du -xh --max-depth 2 $PODVISOR_HOME | sort -h | tail',
    ],
    remedy: [
      'Remove claims, images and snapshots that nobody needs.',
      'Give the file system more room. The store keeps 32 MiB for itself, so that deleting works in any case.',
    ],
  },
  {
    name: 'PodvisorApiLatencyHigh',
    expression: 'podvisor:apiserver_request_duration_seconds:p99 > 1',
    holds: '10m',
    severity: 'warning',
    impact: 'warning',
    summary: 'One request in a hundred ({{ $labels.kind }}) takes longer than a second.',
    meaning:
      'The API server misses its objective (SPECIFICATION.md). Starts, stops and consoles are slow with it.',
    confirm: [
      'podvisor:apiserver_request_duration_seconds:p99',
      'topk(5, sum by (verb, resource) (rate(apiserver_request_duration_seconds_sum[5m])))',
    ],
    remedy: [
      'Find the resource and verb with the second query; a webhook of somebody else shows as slow CREATE and UPDATE of its kinds.',
      'See whether the disk of the store is slow (`iostat -x`), and whether the machine has CPU left.',
    ],
  },
  {
    name: 'PodvisorLostWrites',
    expression: 'resets(podvisor_store_revision[1h]) > 0',
    severity: 'critical',
    impact: 'critical',
    summary: 'The store went back to an older revision: acknowledged writes are missing.',
    meaning:
      'The revision of the store only ever grows. It went back: an old copy was restored, or the disk lost what it had acknowledged.',
    confirm: ['podvisor_store_revision', 'podvisor logs control-plane --since 2h'],
    remedy: [
      'If a backup was restored on purpose, restart all components, so that nobody goes on from what was.',
      'If not, look at the disk and its controller (a write cache without a battery); take a copy of the store before anything else.',
    ],
  },
  {
    name: 'PodvisorTargetDown',
    expression: 'up{job=~"podvisor.*"} == 0',
    holds: '5m',
    severity: 'warning',
    impact: 'warning',
    summary: 'Prometheus cannot read {{ $labels.instance }} ({{ $labels.pod }}).',
    meaning:
      'One process does not answer, answers with an error, or refuses the token of Prometheus. What it would have told is missing from all other alerts.',
    confirm: ['the page Status, Targets of Prometheus: it shows the error', 'podvisor status'],
    remedy: [
      'Connection refused: the process is down. 401 or 403: docs/metrics.md says which rights a reader needs. A certificate error: the CA of the scrape is not that of the installation.',
    ],
  },
];
