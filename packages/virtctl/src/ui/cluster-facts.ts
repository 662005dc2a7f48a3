/**
 * What the page cannot ask the API server for: until when certificates hold, and of an embedded home its doctor and the
 * alerts of its Prometheus. Each part that cannot be had says why, and the others are told.
 */
import { X509Certificate } from 'node:crypto';
import { messageOf } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { at, listOf, textOf } from '../plain.ts';
import { getJson } from '../requests.ts';

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
  readonly certificates: readonly CertificateFact[];
  readonly doctor?: readonly CheckFact[];
  readonly alerts?: readonly AlertFact[];
  /** Why a part is missing. */
  readonly problems: readonly string[];
}

export interface ClusterFactsOptions {
  readonly client: KubeClient;
  readonly now: () => number;
  readonly home?: EmbeddedFacts | undefined;
}

export async function clusterFacts({ client, now, home }: ClusterFactsOptions): Promise<ClusterFacts> {
  const problems: string[] = [];
  const part = <T>(what: string, work: Promise<T> | undefined): Promise<T | undefined> =>
    (work ?? Promise.resolve(undefined)).catch((error: unknown) => {
      problems.push(`${what}: ${messageOf(error)}`);
      return undefined;
    });
  const [certificates = [], doctor, alerts] = await Promise.all([
    part('certificates', webhookCertificates(client, now())),
    part('doctor', home?.doctor()),
    part('alerts', home?.alerts()),
  ]);
  return {
    certificates,
    ...(doctor === undefined ? {} : { doctor }),
    ...(alerts === undefined ? {} : { alerts }),
    problems,
  };
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
