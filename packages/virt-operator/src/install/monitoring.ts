/** Metrics for the Prometheus operator, where its kinds exist: a Service, who may read, a ServiceMonitor, rules. Pure. */
import { prometheusRule } from '@podvisor/api';
import { FOLLOW, rule } from './component-rights.ts';
import type { Manifest } from './manifest.ts';
import { RBAC_GROUP } from './rbac.ts';
import type { Monitoring, PodComponents } from './settings.ts';

const NAME = 'kubevirt-prometheus-metrics';
const LABELS = { 'prometheus.kubevirt.io': 'true' };

export function monitoringObjects(namespace: string, { monitoring }: PodComponents): Manifest[] {
  if (monitoring === undefined) return [];
  const all: Manifest[] = [
    serviceMonitor(namespace, monitoring),
    { ...prometheusRule(namespace, monitoring.runbooks) },
  ];
  const kinds: readonly string[] = monitoring.kinds;
  return [
    metricsService(namespace),
    ...readerRole(namespace, monitoring),
    ...all.filter(({ kind = '' }) => kinds.includes(kind)),
  ];
}

function metricsService(namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, namespace, labels: { ...LABELS, 'kubevirt.io': '' } },
    spec: {
      clusterIP: 'None',
      selector: LABELS,
      ports: [{ name: 'metrics', port: 443, targetPort: 'metrics', protocol: 'TCP' }],
    },
  };
}

/** Prometheus finds the Pods; whether it may read their metrics it is asked by them. */
function readerRole(namespace: string, { account }: Monitoring): Manifest[] {
  const metadata = { name: 'kubevirt-monitoring', namespace, labels: { 'kubevirt.io': '' } };
  return [
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'Role',
      metadata,
      rules: [rule('', ['services', 'endpoints', 'pods'], ['get', ...FOLLOW])],
    },
    {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ];
}

function serviceMonitor(namespace: string, monitoring: Monitoring): Manifest {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: NAME, namespace: monitoring.namespace, labels: { ...LABELS, 'kubevirt.io': '' } },
    spec: {
      selector: { matchLabels: LABELS },
      namespaceSelector: { matchNames: [namespace] },
      endpoints: [
        {
          port: 'metrics',
          scheme: 'https',
          honorLabels: true,
          bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
          // Components prove who they are to each other by names that are no host names.
          tlsConfig: { insecureSkipVerify: true },
        },
      ],
    },
  };
}
