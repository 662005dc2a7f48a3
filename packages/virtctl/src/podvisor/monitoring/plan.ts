/** Prometheus and Alertmanager of an embedded home: what they read, as whom, and where they are. Pure. */
import { plainYaml, ruleGroups } from '@podvisor/api';
import { urlHost } from '@podvisor/base';
import type { InstanceConfig, InstancePaths } from '@podvisor/sys';

/** Its user in the API: it may read metrics and nothing else. */
export const READER = { namespace: 'kubevirt', name: 'podvisor-monitoring' } as const;
/** Name of people for their own pages. */
export const VIEWER = 'podvisor';
/** Name of Prometheus at Alertmanager. */
export const SENDER = 'prometheus';

export interface Target {
  /** As a Pod would be called; rules tell components apart by it. */
  readonly pod: string;
  readonly address: string;
  readonly ca: 'ca' | 'kubevirt-ca';
}

/** Far from the ports of the components: the last node's virt-handler has the ninth. */
export function monitoringPort({ apiPort }: Pick<InstanceConfig, 'apiPort'>): number {
  return apiPort + 10;
}

export function alertmanagerPort({ apiPort }: Pick<InstanceConfig, 'apiPort'>): number {
  return apiPort + 11;
}

/** Every process of the home that serves metrics. */
export function targetsOf(config: InstanceConfig): readonly Target[] {
  const local = (port: number): string => `127.0.0.1:${port}`;
  return [
    { pod: 'kube-apiserver-home', address: local(config.apiPort), ca: 'ca' },
    { pod: 'virt-api-home', address: local(config.virtApiPort), ca: 'kubevirt-ca' },
    { pod: 'virt-controller-home', address: local(config.apiPort + 3), ca: 'kubevirt-ca' },
    ...config.nodes.map(({ name, address, handlerPort }): Target => {
      const host = config.nodeNetwork === undefined ? '127.0.0.1' : urlHost(address);
      return { pod: `virt-handler-${name}`, address: `${host}:${handlerPort}`, ca: 'kubevirt-ca' };
    }),
  ];
}

/** prometheus.yml: every process over its own TLS, by a token of the reader. */
export function prometheusConfig(config: InstanceConfig, paths: InstancePaths, intervalSeconds = 15): string {
  const job = (ca: Target['ca'], name: string): unknown => ({
    job_name: name,
    scheme: 'https',
    authorization: { credentials_file: `${paths.monitoring}/token` },
    tls_config: { ca_file: `${paths.pki}/${ca}.crt` },
    static_configs: targetsOf(config)
      .filter((target) => target.ca === ca)
      .map(({ address, pod }) => ({ targets: [address], labels: { pod } })),
  });
  const interval = `${intervalSeconds}s`;
  return plainYaml({
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: [`${paths.monitoring}/rules.yaml`],
    alerting: {
      alertmanagers: [
        {
          basic_auth: { username: SENDER, password_file: `${paths.monitoring}/sender-password` },
          static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort(config)}`] }],
        },
      ],
    },
    scrape_configs: [job('ca', 'podvisor-control-plane'), job('kubevirt-ca', 'podvisor')],
  });
}

export function ruleFile(runbooks: string): string {
  return plainYaml({ groups: ruleGroups(runbooks) });
}

/** What Alertmanager does with alerts until somebody says more: it groups them and shows them on its page. */
export function alertmanagerConfig(): string {
  return plainYaml({
    route: { receiver: 'page', group_by: ['alertname', 'namespace', 'name'] },
    receivers: [{ name: 'page' }],
  });
}

/** Who may ask: names with the bcrypt hashes of their passwords. */
export function webConfig(users: Readonly<Record<string, string>>): string {
  return plainYaml({ basic_auth_users: users });
}

export function prometheusArgs(config: InstanceConfig, paths: InstancePaths): readonly string[] {
  return [
    `--config.file=${paths.monitoring}/prometheus.yml`,
    `--web.config.file=${paths.monitoring}/web.yml`,
    `--web.listen-address=127.0.0.1:${monitoringPort(config)}`,
    `--storage.tsdb.path=${paths.monitoring}/data`,
    '--storage.tsdb.retention.time=8d',
    '--storage.tsdb.retention.size=1GB',
    // Pages of our own beside its own: the runbooks that alerts point to.
    `--web.console.templates=${paths.monitoring}/runbooks`,
    `--web.console.libraries=${paths.monitoring}/runbooks`,
    '--log.format=json',
  ];
}

export function alertmanagerArgs(config: InstanceConfig, paths: InstancePaths): readonly string[] {
  return [
    `--config.file=${paths.monitoring}/alertmanager.yml`,
    `--web.config.file=${paths.monitoring}/alertmanager-web.yml`,
    `--web.listen-address=127.0.0.1:${alertmanagerPort(config)}`,
    `--storage.path=${paths.monitoring}/alerts`,
    // One of its kind: nobody to talk to, and no listener for it.
    '--cluster.listen-address=',
    '--log.format=json',
  ];
}
