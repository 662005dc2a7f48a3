/**
 * Our certificates on a cluster: keys are made here and stay here, virt-operator certifies them when it reads the
 * request in our Lease, and sends new ones in time. Files appear in the TLS directory as in the embedded home, whose
 * readers follow changes. Resolves with the first set; follows the Lease until the signal ends it.
 */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import {
  annotations,
  type CertificateAnswer,
  type CertificateRequestAnnotation,
  type Lease,
} from '@podvisor/api';
import { backoffMs, type Clock, messageOf, sleep } from '@podvisor/base';
import {
  Informer,
  type KubeClient,
  type Log,
  resources,
  writeKeyPair,
  writePrivateFile,
} from '@podvisor/kube';

export interface CertificatesByLeaseOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly nodeName: string;
  /** UID of our Pod. */
  readonly pod: string;
  readonly tlsDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Certificate → its files' name. */
const FILES = {
  server: 'server',
  migrationServer: 'migration-server',
  migrationClient: 'migration-client',
} as const;
type Purpose = keyof typeof FILES;
const PURPOSES = Object.keys(FILES) as Purpose[];

export async function certificatesByLease(
  options: CertificatesByLeaseOptions,
  signal: AbortSignal,
): Promise<void> {
  const { client, namespace, clock, log, tlsDir } = options;
  const keys = keysFor();
  const request: CertificateRequestAnnotation = { pod: options.pod, ...keys.public };
  const text = JSON.stringify(request);
  const id = createHash('sha256').update(text).digest('base64');
  const first = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => first.reject(signal.reason), { once: true });
  let used: string | undefined;
  const look = (lease: Lease): void => {
    const answer = lease.metadata?.annotations?.[annotations.certificates];
    if (answer === undefined || answer === used) return;
    try {
      const certificates = JSON.parse(answer) as CertificateAnswer;
      if (certificates.request !== id) return;
      writeSet(tlsDir, certificates, keys.private);
      used = answer;
      log.info({ node: options.nodeName }, 'certificates of this node were received');
      first.resolve();
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'the certificates in our Lease cannot be used');
    }
  };
  const informer = new Informer<Lease>({
    client,
    resource: resources.leases,
    namespace,
    fieldSelector: `metadata.name=${leaseName(options.nodeName)}`,
    clock,
    log,
  });
  informer.on({ add: look, update: look });
  informer.start(signal);
  await ask(options, text, signal);
  log.info({ node: options.nodeName }, 'waiting for virt-operator to certify the keys of this node');
  await first.promise;
}

function leaseName(node: string): string {
  return `virt-handler-${node}`;
}

async function ask(
  { client, namespace, nodeName, clock, log }: CertificatesByLeaseOptions,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace, name: leaseName(nodeName) };
  const metadata = { ...key, annotations: { [annotations.certificateRequest]: text } };
  for (let failures = 1; ; failures += 1) {
    try {
      if ((await client.find(resources.leases, key, signal)) === undefined)
        await client.create(resources.leases, { metadata, spec: { holderIdentity: nodeName } }, {}, signal);
      else await client.patch(resources.leases, key, { type: 'merge', body: { metadata } }, signal);
      return;
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ error: messageOf(error), failures }, 'certificates could not be asked for, trying again');
      await sleep(clock, backoffMs(failures, { firstMs: 200, maxMs: 10_000 }), signal);
    }
  }
}

function keysFor(): {
  readonly public: Record<Purpose, string>;
  readonly private: Record<Purpose, string>;
} {
  const pairs = PURPOSES.map((purpose) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      purpose,
      public: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  });
  const of = (side: 'public' | 'private'): Record<Purpose, string> => {
    const [server = '', migrationServer = '', migrationClient = ''] = pairs.map((pair) => pair[side]);
    return { server, migrationServer, migrationClient };
  };
  return { public: of('public'), private: of('private') };
}

/** The CAs go first: a certificate never comes before those who signed it are known. */
function writeSet(directory: string, answer: CertificateAnswer, keys: Record<Purpose, string>): void {
  writePrivateFile(join(directory, 'ca.crt'), answer.ca, 0o644);
  for (const purpose of PURPOSES)
    writeKeyPair(join(directory, FILES[purpose]), { certificate: answer[purpose], key: keys[purpose] });
}
