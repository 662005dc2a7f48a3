/** Certificates as Secrets and a ConfigMap, and back. Pure. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KubernetesObject } from '@podvisor/api';
import type { KeyPair } from '@podvisor/kube';
import type { Manifest } from '../install/manifest.ts';
import { CA_BUNDLE, SECRETS } from './names.ts';
import type { CertificatePlan, StoredCertificates } from './plan.ts';

type WithData = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };

export function storedCertificates(
  live: ReadonlyMap<string, KubernetesObject>,
  namespace: string,
): StoredCertificates {
  const dataOf = (name: string): Readonly<Record<string, string>> =>
    (live.get(name) as WithData | undefined)?.data ?? {};
  const secret = (name: string): Readonly<Record<string, string>> => dataOf(`Secret ${namespace}/${name}`);
  const authority = secret(SECRETS.ca);
  const ca = pairOf(authority['tls.crt'], authority['tls.key']);
  const next = pairOf(authority['next.crt'], authority['next.key']);
  const bundle = dataOf(`ConfigMap ${namespace}/${CA_BUNDLE.configMap}`)[CA_BUNDLE.key] ?? '';
  const { ca: _, ...ofLeaves } = SECRETS;
  const leaves = Object.values(ofLeaves).flatMap((name) => {
    const data = secret(name);
    const pair = pairOf(data['tls.crt'], data['tls.key']);
    return pair === undefined ? [] : [[name, pair] as const];
  });
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(next === undefined ? {} : { next }),
    bundle: certificatesIn(bundle),
    leaves: Object.fromEntries(leaves),
  };
}

/** Undefined when one is missing, or they are no pair. */
function pairOf(certificate: string | undefined, key: string | undefined): KeyPair | undefined {
  if (certificate === undefined || key === undefined) return undefined;
  const pair = { certificate: text(certificate), key: text(key) };
  try {
    return new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key))
      ? pair
      : undefined;
  } catch {
    return undefined;
  }
}

const text = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
const encoded = (plain: string): string => Buffer.from(plain, 'utf8').toString('base64');

function certificatesIn(bundle: string): string[] {
  const found = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return found.filter((certificate) => {
    try {
      return new X509Certificate(certificate).ca;
    } catch {
      return false;
    }
  });
}

/** The objects that hold a plan. */
export function certificateObjects(plan: CertificatePlan, namespace: string): Manifest[] {
  const secret = (name: string, data: Readonly<Record<string, string>>): Manifest => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'kubevirt.io': '' } },
    type: data['next.crt'] === undefined && name !== SECRETS.ca ? 'kubernetes.io/tls' : 'Opaque',
    data,
  });
  const pair = ({ certificate, key }: KeyPair): Record<string, string> => ({
    'tls.crt': encoded(certificate),
    'tls.key': encoded(key),
  });
  return [
    secret(SECRETS.ca, {
      ...pair(plan.ca),
      ...(plan.next === undefined
        ? {}
        : { 'next.crt': encoded(plan.next.certificate), 'next.key': encoded(plan.next.key) }),
    }),
    // Who trusts comes before who shows.
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CA_BUNDLE.configMap, namespace, labels: { 'kubevirt.io': '' } },
      data: { [CA_BUNDLE.key]: plan.bundle.join('') },
    },
    ...Object.entries(plan.leaves).map(([name, leaf]) => secret(name, pair(leaf))),
  ];
}
