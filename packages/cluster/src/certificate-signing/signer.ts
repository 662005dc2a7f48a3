/** Signs approved CertificateSigningRequests. Runs in the node agent, which has the key of the CA; nobody else does. */
import type { CertificateSigningRequest } from '@podvisor/api';
import { messageOf, rfc3339, type Clock } from '@podvisor/base';
import {
  certifyKey,
  defineResource,
  Informer,
  type KeyPair,
  type KubeClient,
  type Log,
} from '@podvisor/kube';
import { planSigning } from './decide.ts';

const requests = defineResource<CertificateSigningRequest>(
  'CertificateSigningRequest',
  'certificatesigningrequests',
  'certificates.k8s.io/v1',
  'Cluster',
);

export interface CertificateSignerOptions {
  readonly client: KubeClient;
  /** Read when something is signed: it may have been renewed. */
  readonly ca: () => KeyPair;
  readonly clock: Clock;
  readonly log: Log;
}

/** Follows requests until the signal ends it. */
export function runCertificateSigner(options: CertificateSignerOptions, signal: AbortSignal): void {
  const { client, log } = options;
  const informer = new Informer({ client, log, resource: requests });
  const look = (csr: CertificateSigningRequest): void => {
    answer(csr, options, signal).catch((error: unknown) => {
      // A write that met another's brings the newer object, and with it the next look.
      if (!signal.aborted)
        log.warn({ csr: csr.metadata?.name, error: messageOf(error) }, 'a certificate could not be signed');
    });
  };
  informer.on({ add: look, update: look });
  informer.start(signal);
}

async function answer(
  csr: CertificateSigningRequest,
  { client, ca, clock, log }: CertificateSignerOptions,
  signal: AbortSignal,
): Promise<void> {
  const plan = planSigning(csr);
  if (plan.kind === 'none') return;
  const { name = '', resourceVersion } = csr.metadata ?? {};
  const now = clock.now();
  const write = (status: object): Promise<unknown> =>
    client.patch(
      requests,
      { name },
      { type: 'merge', subresource: 'status', body: { metadata: { resourceVersion }, status } },
      signal,
    );
  if (plan.kind === 'fail') {
    const time = rfc3339(now);
    const failed = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: plan.message,
      lastUpdateTime: time,
      lastTransitionTime: time,
    };
    await write({ conditions: [...(csr.status?.conditions ?? []), failed] });
    return;
  }
  const { request, usage, validForMs } = plan;
  const { commonName, organizations, dnsNames, addresses, publicKey } = request;
  const certificate = certifyKey(ca(), publicKey, {
    commonName,
    organizations,
    names: [...dnsNames, ...addresses],
    usages: [usage],
    validForMs,
    now,
  });
  await write({ certificate: Buffer.from(certificate).toString('base64') });
  log.info({ csr: name, signer: csr.spec.signerName, subject: request.commonName }, 'certificate signed');
}
