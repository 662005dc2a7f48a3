/**
 * What the page does not ask the API server for itself: until when certificates hold, what a doctor finds, and which
 * alerts fire. An embedded home knows the last two of itself; a cluster is asked with the user's rights. Each part that
 * cannot be had says why, and the others are told.
 */
import { X509Certificate } from 'node:crypto';
import { isStatus, messageOf } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { at, listOf, textOf } from '../plain.ts';
import { getJson } from '../requests.ts';
import { clusterChecks } from './cluster-doctor.ts';

export interface CertificateFact {
  readonly name: string;
  readonly days: number;
}

/** As `podvisor doctor` tells it. */
export interface CheckFact {
  readonly level: 'PASS' | 'WARN' | 'FAIL';
  readonly what: string;
  readonly found: string;
  readonly fix?: string;
}

export interface AlertFact {
  readonly name: string;
  readonly severity: string;
  readonly summary: string;
}

/** What an embedded home knows of itself. */
export interface EmbeddedFacts {
  doctor(): Promise<readonly CheckFact[]>;
  /** Undefined where no Prometheus runs. */
  alerts(): Promise<readonly AlertFact[] | undefined>;
}

export interface ClusterFacts {
  readonly isHome: boolean;
  readonly certificates: readonly CertificateFact[];
  readonly doctor?: readonly CheckFact[];
  readonly alerts?: readonly AlertFact[];
  /** Why nobody can tell which alerts fire: no Prometheus was found, and where it was looked for. */
  readonly unwatched?: string;
  /** Parts that this user may not look at. */
  readonly unseen: readonly string[];
  /** Why a part is missing otherwise. */
  readonly problems: readonly string[];
}

export interface ClusterFactsOptions {
  readonly client: KubeClient;
  readonly now: () => number;
  /** Absent: a cluster, which is asked with the rights of the user. */
  readonly home?: EmbeddedFacts | undefined;
}

export async function clusterFacts({ client, now, home }: ClusterFactsOptions): Promise<ClusterFacts> {
  const problems: string[] = [];
  const unseen: string[] = [];
  const part: Part = (what, work) =>
    work.catch((error: unknown) => {
      if (isStatus(error, 'Forbidden')) unseen.push(what);
      else problems.push(`${what}: ${messageOf(error)}`);
      return undefined;
    });
  const [certificates = [], doctor, watch] = await Promise.all([
    part('certificates', webhookCertificates(client, now())),
    home === undefined ? clusterDoctor(client, part) : part('doctor', home.doctor()),
    part('alerts', home === undefined ? clusterAlerts(client) : homeAlerts(home)),
  ]);
  return {
    isHome: home !== undefined,
    certificates,
    ...(doctor === undefined ? {} : { doctor }),
    ...watch,
    unseen: unseen.toSorted(),
    problems,
  };
}

type Part = <T>(what: string, work: Promise<T>) => Promise<T | undefined>;

const INSTALLATIONS = '/apis/kubevirt.io/v1/kubevirts';

async function itemsAt(client: KubeClient, path: string): Promise<readonly unknown[]> {
  return listOf(at(await getJson(client, path), 'items'));
}

async function clusterDoctor(client: KubeClient, part: Part): Promise<readonly CheckFact[]> {
  const installations = await part('the installation', itemsAt(client, INSTALLATIONS));
  const kubevirt = installations?.[0];
  const namespace = encodeURIComponent(textOf(at(kubevirt, 'metadata', 'namespace')) ?? 'kubevirt');
  const ours = async (resource: string): Promise<readonly unknown[]> =>
    (await itemsAt(client, `/apis/apps/v1/namespaces/${namespace}/${resource}`)).filter((one) =>
      /^virt-/.test(textOf(at(one, 'metadata', 'name')) ?? ''),
    );
  const [deployments, daemonSets, apiService, nodes, storageClasses] = await Promise.all([
    part('Deployments of the installation', ours('deployments')),
    part('DaemonSets of the installation', ours('daemonsets')),
    part(
      'API services',
      getJson(client, '/apis/apiregistration.k8s.io/v1/apiservices/v1.subresources.kubevirt.io'),
    ),
    part('nodes', itemsAt(client, '/api/v1/nodes')),
    part('storage classes', itemsAt(client, '/apis/storage.k8s.io/v1/storageclasses')),
  ]);
  return clusterChecks({ kubevirt, deployments, daemonSets, apiService, nodes, storageClasses });
}

type Watch = Pick<ClusterFacts, 'alerts' | 'unwatched'>;

async function homeAlerts(home: EmbeddedFacts): Promise<Watch> {
  const alerts = await home.alerts();
  return alerts === undefined
    ? { unwatched: 'no Prometheus runs in this home; ./podvisor up --monitoring starts one' }
    : { alerts };
}

/** Where KubeVirt's own manifests look for monitoring unless its object says otherwise. */
const MONITORING = 'monitoring';

/**
 * Of the Prometheus that its operator runs in the namespace that the KubeVirt object names, through the API server.
 * A Service of any other namespace is somebody's word.
 */
async function clusterAlerts(client: KubeClient): Promise<Watch> {
  const [kubevirt] = await itemsAt(client, INSTALLATIONS);
  const namespace = textOf(at(kubevirt, 'spec', 'monitorNamespace')) ?? MONITORING;
  const services = `/api/v1/namespaces/${encodeURIComponent(namespace)}/services`;
  const [service] = await itemsAt(client, `${services}?labelSelector=operated-prometheus%3Dtrue`);
  const name = textOf(at(service, 'metadata', 'name'));
  if (name === undefined)
    return {
      unwatched: `no Prometheus of its operator in namespace ${namespace} (spec.monitorNamespace of the KubeVirt object, otherwise ${MONITORING})`,
    };
  const [port] = listOf(at(service, 'spec', 'ports'));
  const path = `${services}/${encodeURIComponent(name)}:${Number(at(port, 'port'))}/proxy/api/v1/alerts`;
  return { alerts: firingAlerts(await getJson(client, path)) };
}

/** As Prometheus' HTTP API tells them. */
export function firingAlerts(answer: unknown): readonly AlertFact[] {
  return listOf(at(answer, 'data', 'alerts'))
    .filter((alert) => at(alert, 'state') === 'firing')
    .map((alert) => ({
      name: textOf(at(alert, 'labels', 'alertname')) ?? '',
      severity: textOf(at(alert, 'labels', 'severity')) ?? '',
      summary:
        textOf(at(alert, 'annotations', 'summary')) ?? textOf(at(alert, 'annotations', 'description')) ?? '',
    }));
}

/** The CAs by which the API server knows virt-api: when they end, nothing of ours can be written. */
async function webhookCertificates(client: KubeClient, nowMs: number): Promise<readonly CertificateFact[]> {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const bundles = new Map<string, string>();
  for (const item of listOf(at(await getJson(client, path), 'items')))
    for (const webhook of listOf(at(item, 'webhooks'))) {
      const bundle = textOf(at(webhook, 'clientConfig', 'caBundle'));
      if (bundle !== undefined) bundles.set(bundle, textOf(at(item, 'metadata', 'name')) ?? '');
    }
  return [...bundles].flatMap(([bundle, name]) =>
    certificatesIn(Buffer.from(bundle, 'base64').toString(), name, nowMs),
  );
}

/** Each certificate of a PEM bundle with the days that are left; what cannot be read is left out. */
export function certificatesIn(pem: string, name: string, nowMs: number): readonly CertificateFact[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).flatMap((text) => {
    try {
      const { validTo, subject } = new X509Certificate(text);
      const owner = /CN=(.*)/.exec(subject)?.[1] ?? subject;
      return [{ name: `${owner} (${name})`, days: Math.floor((Date.parse(validTo) - nowMs) / 86_400_000) }];
    } catch {
      return []; // somebody else's webhook
    }
  });
}
