/**
 * kubeconfig files: which server, which CA, who we are. Reading takes inline data and file references
 * alike; writing never replaces a file that somebody else wrote.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { stripEnd } from '@podvisor/base';
import { CORE_SCHEMA, dump, load } from 'js-yaml';
import { readFileIfThere, writePrivateFile } from './private-file.ts';

/** What a client needs to know to talk to one API server. PEM text throughout. */
export interface ClusterAccess {
  /** `https://host:port`, maybe with a path prefix. */
  readonly server: string;
  readonly ca?: string;
  /** Client certificate and key. */
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
  /** Read again while running: the token of a Pod's service account rotates. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly tlsServerName?: string;
  /** Namespace of the context. */
  readonly namespace?: string;
}

/** The kubeconfig cannot be used; the message says which file and why. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

type Fields = Record<string, unknown>;

/** Reads a kubeconfig file; `context` overrides its current context. */
export function loadKubeconfig(path: string, context?: string): ClusterAccess {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`kubeconfig ${path} cannot be read`, { cause: error });
  }
  return parseKubeconfig(text, { path, context });
}

/** Reads the text of a kubeconfig; relative file references are taken from the directory of `path`. */
export function parseKubeconfig(
  text: string,
  { path, context }: { readonly path: string; readonly context?: string },
): ClusterAccess {
  const document = fieldsOf(load(text, { schema: CORE_SCHEMA }));
  const contextName = context ?? textOf(document['current-context']) ?? '';
  const chosen = named(document['contexts'], contextName, 'context', path);
  const cluster = named(document['clusters'], textOf(chosen['cluster']) ?? '', 'cluster', path);
  const userName = textOf(chosen['user']);
  const user = userName === undefined ? {} : named(document['users'], userName, 'user', path);
  const server = textOf(cluster['server']);
  if (server === undefined) throw new KubeconfigError(`kubeconfig ${path}: cluster has no server`);
  if (user['exec'] !== undefined || user['auth-provider'] !== undefined) {
    throw new KubeconfigError(
      `kubeconfig ${path}: user ${userName} signs in by a credential plugin, which is not supported; use a client certificate or a token`,
    );
  }
  const pem = (from: Fields, key: string): string | undefined => {
    const data = textOf(from[`${key}-data`]);
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    const file = textOf(from[key]);
    return file === undefined ? undefined : readFileSync(resolve(dirname(path), file), 'utf8');
  };
  const tokenFile = textOf(user['tokenFile']);
  return {
    server: stripEnd(server, '/'),
    ca: pem(cluster, 'certificate-authority'),
    certificate: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
    token: textOf(user['token']),
    tokenFile: tokenFile === undefined ? undefined : resolve(dirname(path), tokenFile),
    username: textOf(user['username']),
    password: textOf(user['password']),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    tlsServerName: textOf(cluster['tls-server-name']),
    namespace: textOf(chosen['namespace']),
  };
}

const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The access that Kubernetes gives to every Pod. Throws when this process does not run in one. */
export function loadInClusterAccess(env: NodeJS.ProcessEnv = process.env): ClusterAccess {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (host === undefined || port === undefined) {
    throw new KubeconfigError('not in a Pod (KUBERNETES_SERVICE_HOST is not set): pass --kubeconfig');
  }
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: readFileSync(`${SERVICE_ACCOUNT_DIR}/ca.crt`, 'utf8'),
    tokenFile: `${SERVICE_ACCOUNT_DIR}/token`,
    namespace: readFileSync(`${SERVICE_ACCOUNT_DIR}/namespace`, 'utf8').trim(),
  };
}

/** Content of a kubeconfig to write. */
export interface KubeconfigContent {
  /** Name of cluster and context, e.g. `podvisor`. */
  readonly name: string;
  readonly user: string;
  readonly access: ClusterAccess;
}

const MARK = '# Written by podvisor; a file without this line is never overwritten.';

/** Writes a kubeconfig, mode 0600, in one rename. Throws when the path holds a file that is not ours. */
export function writeKubeconfig(path: string, content: KubeconfigContent): void {
  const before = readFileIfThere(path);
  if (before !== undefined && !before.startsWith(MARK)) {
    throw new KubeconfigError(
      `${path} exists and was not written by podvisor: move it away or choose another path`,
    );
  }
  const text = kubeconfigText(content);
  if (text === before) return;
  writePrivateFile(path, text);
}

/** The text of a kubeconfig, with all keys inside. */
export function kubeconfigText({ name, user, access }: KubeconfigContent): string {
  const base64 = (pem: string | undefined): string | undefined =>
    pem === undefined ? undefined : Buffer.from(pem).toString('base64');
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: access.server, 'certificate-authority-data': base64(access.ca) } }],
    users: [
      {
        name: user,
        user: {
          'client-certificate-data': base64(access.certificate),
          'client-key-data': base64(access.key),
          token: access.token,
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user, namespace: access.namespace } }],
    'current-context': name,
  };
  return `${MARK}\n${dump(JSON.parse(JSON.stringify(document)), { lineWidth: -1 })}`;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The entry `{name, <kind>: {...}}` of a kubeconfig list. */
function named(list: unknown, name: string, kind: string, path: string): Fields {
  const entry = (Array.isArray(list) ? list : []).map(fieldsOf).find((item) => item['name'] === name);
  if (entry === undefined) throw new KubeconfigError(`kubeconfig ${path} has no ${kind} named "${name}"`);
  return fieldsOf(entry[kind]);
}
