/**
 * Certificates of virt-handlers. Each makes its keys itself and asks by its Lease, which only a credential of its own
 * node can write (`handlerPolicies`); the answer, which is no secret, is written beside the request. The addresses are
 * those of its Pod as the API server has them, not those that it claims. Pure but for the signature.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import {
  annotations,
  type CertificateAnswer,
  certificateNames,
  type Lease,
  nodeUnit,
  parseCertificateRequest,
  type Pod,
} from '@podvisor/api';
import { certifyKey, type KeyPair } from '@podvisor/kube';
import { type CertificateSettings, isLeafGood } from './plan.ts';

const PREFIX = 'virt-handler-';

/** The node whose virt-handler keeps this Lease; undefined: it is another Lease. */
export function nodeOfLease(lease: Lease): string | undefined {
  const { name = '' } = lease.metadata ?? {};
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

export interface IdentityFacts {
  /** Of the node of the Lease: the virt-handler Pod there. */
  readonly pod: Pod | undefined;
  readonly ca: KeyPair;
  readonly bundle: readonly string[];
  readonly settings: CertificateSettings;
}

/** The answer that is due on the Lease; undefined when none is asked for, none can be given, or it is there. */
export function planIdentity(lease: Lease, facts: IdentityFacts, now: number): CertificateAnswer | undefined {
  const node = nodeOfLease(lease);
  const text = lease.metadata?.annotations?.[annotations.certificateRequest];
  const request = text === undefined ? undefined : parseCertificateRequest(text);
  if (node === undefined || text === undefined || request === undefined) return undefined;
  const names = (facts.pod?.status?.podIPs ?? []).map(({ ip }) => ip);
  // The Pod that asks may be newer than the one we see.
  if (facts.pod?.metadata.uid !== request.pod || names.length === 0) return undefined;
  const request64 = createHash('sha256').update(text).digest('base64');
  const old = answerOf(lease);
  const ca = facts.bundle.join('');
  if (old?.request === request64 && old.ca === ca && isGood(old, names, facts, now)) return undefined;
  const keys = keysOf(request);
  if (keys === undefined) return undefined;
  const certify = (
    key: KeyObject,
    commonName: string,
    usage: 'client' | 'server',
    forNames: readonly string[],
  ) =>
    certifyKey(facts.ca, key, {
      commonName,
      organizationalUnits: [nodeUnit(node)],
      names: forNames,
      usages: [usage],
      validForMs: facts.settings.leaf.durationMs,
      now,
    });
  const { handlerServer, migrationServer, migrationClient } = certificateNames;
  return {
    request: request64,
    ca,
    server: certify(keys.server, handlerServer, 'server', names),
    migrationServer: certify(keys.migrationServer, migrationServer, 'server', names),
    migrationClient: certify(keys.migrationClient, migrationClient, 'client', []),
  };
}

function answerOf(lease: Lease): CertificateAnswer | undefined {
  try {
    return JSON.parse(lease.metadata?.annotations?.[annotations.certificates] ?? '') as CertificateAnswer;
  } catch {
    // None, or somebody broke it: it is made anew.
    return undefined;
  }
}

function isGood(
  answer: CertificateAnswer,
  names: readonly string[],
  facts: IdentityFacts,
  now: number,
): boolean {
  const { ca, settings } = facts;
  try {
    return (
      isLeafGood(answer.server, ca, names, settings.leaf, now) &&
      isLeafGood(answer.migrationServer, ca, names, settings.leaf, now) &&
      isLeafGood(answer.migrationClient, ca, [], settings.leaf, now)
    );
  } catch {
    // Not a certificate.
    return false;
  }
}

type Keys = Record<'server' | 'migrationServer' | 'migrationClient', KeyObject>;

/** Undefined when one of them is no key of the kind that we use. */
function keysOf(request: Record<keyof Keys, string>): Keys | undefined {
  const read = (key: string): KeyObject => {
    const found = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    if (found.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not a key on P-256');
    return found;
  };
  try {
    return {
      server: read(request.server),
      migrationServer: read(request.migrationServer),
      migrationClient: read(request.migrationClient),
    };
  } catch {
    return undefined;
  }
}
