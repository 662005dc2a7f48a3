/**
 * Makes the certificates and kubeconfigs of the embedded home exist and be good: creates what is missing,
 * renews what is near its end, names the wrong hosts, or was signed by another CA. Idempotent: when all is
 * well nothing is written. The CLI calls it before it starts anything, the node agent once a day.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, parse } from 'node:path';
import {
  createCa,
  isNearExpiry,
  issueCertificate,
  type KeyPair,
  readKeyPair,
  writeKeyPair,
  writeKubeconfig,
  writePrivateFile,
} from '@podvisor/kube';
import { urlHost } from '@podvisor/base';
import type { InstanceConfig, InstancePaths } from '@podvisor/sys';
import {
  CAS,
  type CaName,
  type ClientIdentity,
  clientIdentities,
  leafIdentities,
  type LeafIdentity,
} from './identities.ts';

/** Where the certificates lie. All paths are absolute. */
export interface Pki {
  readonly ca: string;
  readonly caKey: string;
  readonly frontProxyCa: string;
  readonly kubevirtCa: string;
  readonly apiServer: { readonly certificate: string; readonly key: string };
  readonly frontProxyClient: { readonly certificate: string; readonly key: string };
  readonly uploadProxy: { readonly certificate: string; readonly key: string };
  /** Signs upload tokens (HS256). */
  readonly uploadKey: string;
  /** Signs service account tokens (ES256). */
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  /** Keys of what is encrypted in the store (`homeEncryption`). */
  readonly encryption: string;
  /** The admin's, at the top of the home. */
  readonly adminKubeconfig: string;
  kubeconfig(client: string): string;
}

/** The paths alone; nothing is read. */
export function pkiPaths(paths: InstancePaths): Pki {
  const at = (file: string): string => join(paths.pki, file);
  const pair = (file: string): { certificate: string; key: string } => ({
    certificate: at(`${file}.crt`),
    key: at(`${file}.key`),
  });
  return {
    ca: at('ca.crt'),
    caKey: at('ca.key'),
    frontProxyCa: at('front-proxy-ca.crt'),
    kubevirtCa: at('kubevirt-ca.crt'),
    apiServer: pair('apiserver'),
    frontProxyClient: pair('front-proxy-client'),
    uploadProxy: pair('upload-proxy'),
    uploadKey: at('upload-token.key'),
    serviceAccountKey: at('sa.key'),
    serviceAccountPublicKey: at('sa.pub'),
    encryption: at('encryption.yaml'),
    adminKubeconfig: paths.kubeconfig,
    kubeconfig: (client) => (client === 'admin' ? paths.kubeconfig : at(`${client}.kubeconfig`)),
  };
}

/** See the top of the file. Returns the files that were written or removed, relative to the home. */
export function ensurePki(
  paths: InstancePaths,
  config: InstanceConfig,
  now: number = Date.now(),
): { readonly pki: Pki; readonly written: readonly string[] } {
  const written: string[] = [];
  mkdirSync(paths.pki, { recursive: true });
  chmodSync(paths.pki, 0o700);
  const cas = {
    ca: ensureCa(paths, 'ca', now, written),
    'front-proxy-ca': ensureCa(paths, 'front-proxy-ca', now, written),
    'kubevirt-ca': ensureCa(paths, 'kubevirt-ca', now, written),
  };
  for (const identity of leafIdentities(config)) {
    ensureLeaf(paths, identity, cas[identity.ca], now, written);
    const directory = dirname(identity.file);
    if (directory !== '.')
      ensureFile(paths, join(directory, 'ca.crt'), cas[identity.ca].certificate, written);
  }
  ensureServiceAccountKey(paths, written);
  ensureHibernationKey(paths, written);
  // Kubeconfigs come last, that of the last node's virt-handler at the very end: whoever sees it finds everything else.
  for (const identity of clientIdentities(config)) {
    const leaf = ensureLeaf(paths, identity, cas.ca, now, written);
    ensureKubeconfig(paths, config, identity, leaf, cas.ca);
  }
  removeFormer(paths, config, written);
  return { pki: pkiPaths(paths), written };
}

/** Never changed once it is there: states that were encrypted with it could not be woken. */
function ensureHibernationKey(paths: InstancePaths, written: string[]): void {
  const name = 'hibernation.key';
  const path = join(paths.pki, name);
  if (existsSync(path)) return;
  writePrivateFile(path, randomBytes(32).toString('hex'));
  written.push(`pki/${name}`);
}

function ensureCa(paths: InstancePaths, name: CaName, now: number, written: string[]): KeyPair {
  const base = join(paths.pki, name);
  const found = readKeyPair(base);
  if (found !== undefined && !isNearExpiry(found.certificate, now)) return found;
  const made = createCa({ commonName: CAS[name], now });
  writeKeyPair(base, made);
  written.push(`pki/${name}.crt`);
  return made;
}

function ensureLeaf(
  paths: InstancePaths,
  identity: LeafIdentity,
  ca: KeyPair,
  now: number,
  written: string[],
): KeyPair {
  const base = join(paths.pki, identity.file);
  const found = readKeyPair(base);
  if (found !== undefined && isGood(found, identity, ca, now)) return found;
  const made = issueCertificate(ca, { ...identity, now });
  writeKeyPair(base, made);
  written.push(`pki/${identity.file}.crt`);
  return made;
}

function isGood(pair: KeyPair, identity: LeafIdentity, ca: KeyPair, now: number): boolean {
  const certificate = new X509Certificate(pair.certificate);
  if (isNearExpiry(pair.certificate, now)) return false;
  if (!certificate.verify(new X509Certificate(ca.certificate).publicKey)) return false;
  // Whole, and no more than that: what one of an older version says too much is taken from it.
  if (certificate.subject !== subjectOf(identity)) return false;
  if (certificate.keyUsage.join() !== identity.usages.map((usage) => USAGES[usage]).join()) return false;
  const names = identity.names ?? [];
  if ((certificate.subjectAltName?.split(', ').length ?? 0) !== names.length) return false;
  return names.every((name) =>
    isIP(name) === 0 ? certificate.checkHost(name) !== undefined : certificate.checkIP(name) !== undefined,
  );
}

/** Extended key usages, as Node tells them. */
const USAGES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** A subject as Node tells it. */
function subjectOf({ commonName, organizations = [], organizationalUnits = [] }: LeafIdentity): string {
  return [
    ...organizations.map((organization) => `O=${organization}`),
    ...organizationalUnits.map((unit) => `OU=${unit}`),
    `CN=${commonName}`,
  ].join('\n');
}

/** What nodes had that are gone, and what all nodes shared in older versions. */
function removeFormer(paths: InstancePaths, config: InstanceConfig, written: string[]): void {
  const known = new Set([
    ...leafIdentities(config).map(({ file }) => dirname(file)),
    ...clientIdentities(config).flatMap(({ kubeconfig, file }) => [`${kubeconfig}.kubeconfig`, file]),
  ]);
  const isOfNode = (name: string): boolean => /^(kubelet-|virt-handler)/.test(name);
  const remove = (file: string): void => {
    rmSync(join(paths.pki, file), { recursive: true });
    written.push(`pki/${file}`);
  };
  for (const name of readdirSync(paths.pki)) if (isOfNode(name) && !known.has(name)) remove(name);
  for (const name of readdirSync(join(paths.pki, 'clients')))
    if (isOfNode(name) && !known.has(`clients/${parse(name).name}`)) remove(`clients/${name}`);
}

function ensureKubeconfig(
  paths: InstancePaths,
  config: InstanceConfig,
  identity: ClientIdentity,
  leaf: KeyPair,
  ca: KeyPair,
): void {
  const host = identity.onNode === true ? config.nodeNetwork?.address : undefined;
  writeKubeconfig(pkiPaths(paths).kubeconfig(identity.kubeconfig), {
    name: 'podvisor',
    user: identity.kubeconfig,
    access: {
      server: `https://${urlHost(host ?? '127.0.0.1')}:${config.apiPort}`,
      ca: ca.certificate,
      certificate: leaf.certificate,
      key: leaf.key,
    },
  });
}

function ensureServiceAccountKey(paths: InstancePaths, written: string[]): void {
  const { serviceAccountKey, serviceAccountPublicKey } = pkiPaths(paths);
  const found = readText(serviceAccountKey);
  const key =
    found ??
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
  if (found === undefined) {
    writePrivateFile(serviceAccountKey, key);
    written.push('pki/sa.key');
  }
  if (readText(serviceAccountPublicKey) !== undefined && found !== undefined) return;
  const publicKey = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' }).toString();
  writePrivateFile(serviceAccountPublicKey, publicKey, 0o644);
}

function ensureFile(paths: InstancePaths, file: string, text: string, written: string[]): void {
  const path = join(paths.pki, file);
  if (readText(path) === text) return;
  writePrivateFile(path, text, 0o644);
  written.push(`pki/${file}`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
