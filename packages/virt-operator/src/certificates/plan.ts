/**
 * Which CAs and leaves there should be now. A pure decision over what is there; only fresh keys are random.
 *
 * A CA has a successor before it ends. The successor is published at once and signs only after `PUBLISHED_MS`, when
 * everybody has read the bundle; leaves of the old CA are then replaced, and the old CA stays in the bundle until it
 * ends. So no moment comes in which somebody shows a certificate that another does not know yet, or no more.
 */
import { X509Certificate } from 'node:crypto';
import { certificateNames } from '@podvisor/api';
import { createCa, issueCertificate, type KeyPair, validityOf } from '@podvisor/kube';
import { SECRETS } from './names.ts';

export interface Lifetime {
  readonly durationMs: number;
  readonly renewBeforeMs: number;
}

export interface CertificateSettings {
  readonly namespace: string;
  readonly ca: Lifetime;
  readonly leaf: Lifetime;
  /** The web page is installed, and shows one. */
  readonly webPage: boolean;
}

/** What is stored. Anything that cannot be read is left out. */
export interface StoredCertificates {
  readonly ca?: KeyPair;
  readonly next?: KeyPair;
  /** CAs that were ever published, newest first or in whatever order. */
  readonly bundle: readonly string[];
  /** Leaves by the name of their Secret. */
  readonly leaves: Readonly<Record<string, KeyPair>>;
}

export interface CertificatePlan {
  readonly ca: KeyPair;
  readonly next?: KeyPair;
  readonly bundle: readonly string[];
  readonly leaves: Readonly<Record<string, KeyPair>>;
  /** When the next change is due, from now. */
  readonly againAfterMs: number;
}

/** How long a new CA is known before it signs: a kubelet brings a changed ConfigMap within two minutes. */
export const PUBLISHED_MS = 10 * 60_000;
/** As in KubeVirt; a bundle never grows without end. */
const MAX_BUNDLE = 50;

export function planCertificates(
  stored: StoredCertificates,
  settings: CertificateSettings,
  now: number,
): CertificatePlan {
  const { ca, next } = planCas(stored, settings, now);
  const bundle = [
    ...new Set([ca.certificate, ...(next === undefined ? [] : [next.certificate]), ...stored.bundle]),
  ]
    .filter((certificate) => validityOf(certificate).notAfter > now)
    .slice(0, MAX_BUNDLE);
  const leaves = Object.fromEntries(
    leafRequests(settings).map(([name, request]) => {
      const found = stored.leaves[name];
      const isGood =
        found !== undefined && isLeafGood(found.certificate, ca, request.names, settings.leaf, now);
      const validForMs = settings.leaf.durationMs;
      return [name, isGood ? found : issueCertificate(ca, { ...request, validForMs, now })];
    }),
  );
  return {
    ca,
    ...(next === undefined ? {} : { next }),
    bundle,
    leaves,
    againAfterMs: againAfter({ ca, next, leaves }, settings, now),
  };
}

function planCas(
  stored: StoredCertificates,
  settings: CertificateSettings,
  now: number,
): { readonly ca: KeyPair; readonly next?: KeyPair } {
  const fresh = (): KeyPair =>
    createCa({ commonName: 'kubevirt.io', validForMs: settings.ca.durationMs, now });
  const { ca, next } = stored;
  if (ca === undefined || validityOf(ca.certificate).notAfter <= now) return { ca: next ?? fresh() };
  if (next === undefined) return isDue(ca.certificate, settings.ca, now) ? { ca, next: fresh() } : { ca };
  return now >= signsFrom(next) ? { ca: next } : { ca, next };
}

function signsFrom(next: KeyPair): number {
  return validityOf(next.certificate).notBefore + PUBLISHED_MS;
}

/** Also when somebody shortened the lifetime: what lives longer than it may is replaced. */
function isDue(certificate: string, { durationMs, renewBeforeMs }: Lifetime, now: number): boolean {
  const { notBefore, notAfter } = validityOf(certificate);
  return notAfter - now < renewBeforeMs || now - notBefore > durationMs;
}

/** A leaf that need not be replaced: of this CA, for these names, and not near its end. */
export function isLeafGood(
  certificate: string,
  ca: Pick<KeyPair, 'certificate'>,
  names: readonly string[],
  lifetime: Lifetime,
  now: number,
): boolean {
  const parsed = new X509Certificate(certificate);
  const found = (parsed.subjectAltName ?? '')
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => name.slice(name.indexOf(':') + 1));
  return (
    parsed.verify(new X509Certificate(ca.certificate).publicKey) &&
    found.length === names.length &&
    names.every((name) => found.includes(name)) &&
    !isDue(certificate, lifetime, now)
  );
}

interface LeafRequest {
  readonly commonName: string;
  readonly names: readonly string[];
  readonly usages: readonly ('client' | 'server')[];
}

function leafRequests({
  namespace,
  webPage,
}: CertificateSettings): readonly (readonly [secret: string, LeafRequest])[] {
  const service = (name: string): string[] => [name, `${name}.${namespace}`, `${name}.${namespace}.svc`];
  const { virtApiServer, virtApiClient } = certificateNames;
  return [
    [SECRETS.virtApi, { commonName: virtApiServer, names: service('virt-api'), usages: ['server'] }],
    [SECRETS.virtApiClient, { commonName: virtApiClient, names: [], usages: ['client'] }],
    [
      SECRETS.controller,
      {
        commonName: 'kubevirt.io:system:node:virt-controller',
        names: service('virt-controller'),
        usages: ['server'],
      },
    ],
    ...(webPage ? [[SECRETS.webPage, WEB_PAGE(service('virt-ui'))] as const] : []),
  ];
}

/** Who forwards a port to it calls it localhost. */
const WEB_PAGE = (names: readonly string[]): LeafRequest => ({
  commonName: 'kubevirt.io:system:virt-ui',
  names: [...names, 'localhost'],
  usages: ['server'],
});

const SOONEST_MS = 1_000;

function againAfter(
  { ca, next, leaves }: Pick<CertificatePlan, 'ca' | 'next' | 'leaves'>,
  settings: CertificateSettings,
  now: number,
): number {
  const dueAt = (certificate: string, { durationMs, renewBeforeMs }: Lifetime): number => {
    const { notBefore, notAfter } = validityOf(certificate);
    return Math.min(notAfter - renewBeforeMs, notBefore + durationMs);
  };
  const times = [
    next === undefined ? dueAt(ca.certificate, settings.ca) : signsFrom(next),
    ...Object.values(leaves).map(({ certificate }) => dueAt(certificate, settings.leaf)),
  ];
  return Math.max(SOONEST_MS, Math.min(...times) - now);
}
