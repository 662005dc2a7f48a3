/**
 * Which kubeconfig is in force, and what the flags change in it. `$KUBECONFIG` may list several files; the
 * first that names something wins, as with kubectl.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ClusterAccess, KubeconfigError, parseKubeconfig } from '@podvisor/kube';
import { defaultHome, instancePaths } from '@podvisor/sys';
import { fromYaml, toYaml } from '../output/yaml.ts';
import { listOf, type Plain, plainOf, textOf } from '../plain.ts';
import type { AccessFlags } from './flags.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The files in force: `--kubeconfig`, `$KUBECONFIG`, `~/.kube/config`, the embedded home's own. */
export function kubeconfigPaths(flags: AccessFlags, env: Environment): readonly string[] {
  if (flags.kubeconfig !== undefined) return [flags.kubeconfig];
  const listed = (env['KUBECONFIG'] ?? '').split(':').filter((path) => path !== '' && existsSync(path));
  if (listed.length > 0) return listed;
  const usual = [join(homedir(), '.kube/config'), instancePaths(defaultHome()).kubeconfig];
  return usual.filter((path) => existsSync(path)).slice(0, 1);
}

/** Reads the files in force and applies the flags. */
export function clusterAccess(flags: AccessFlags, env: Environment): ClusterAccess {
  const paths = kubeconfigPaths(flags, env);
  if (paths.length === 0) {
    if (flags.server !== undefined) return withFlags({ server: flags.server }, flags);
    const named = env['KUBECONFIG'] ?? '';
    if (named !== '')
      throw new KubeconfigError(
        `$KUBECONFIG names ${named}, which is not there, or is in a directory that this user may not look into`,
      );
    throw new KubeconfigError(
      'no cluster is configured: start one with `podvisor up`, or give --kubeconfig or $KUBECONFIG',
    );
  }
  const merged = paths.map(readDocument).reduce(mergeDocuments);
  const path = paths[0] ?? '';
  if (listOf(merged['contexts']).length === 0 && flags.cluster === undefined)
    throw new KubeconfigError(
      `${path} names no cluster: is it a kubeconfig? \`podvisor up\` writes one for its home and says where`,
    );
  return withFlags(parseKubeconfig(toYaml(chooseContext(merged, flags)), { path }), flags);
}

function readDocument(path: string): Plain {
  try {
    return absolutePaths(plainOf(fromYaml(readFileSync(path, 'utf8'))), dirname(path));
  } catch (error) {
    throw new KubeconfigError(`kubeconfig ${path} cannot be read`, { cause: error });
  }
}

/** First file first: what it names is not named again by a later one. */
function mergeDocuments(first: Plain, second: Plain): Plain {
  const names = (list: unknown): ReadonlySet<unknown> =>
    new Set(listOf(list).map((entry) => plainOf(entry)['name']));
  const lists = ['clusters', 'users', 'contexts'].map((key) => {
    const taken = names(first[key]);
    const rest = listOf(second[key]).filter((entry) => !taken.has(plainOf(entry)['name']));
    return [key, [...listOf(first[key]), ...rest]] as const;
  });
  const current = textOf(first['current-context']) ?? textOf(second['current-context']);
  return { ...Object.fromEntries(lists), ...(current === undefined ? {} : { 'current-context': current }) };
}

const FILE_KEYS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** File references of a kubeconfig count from its own directory; after merging they would not. */
function absolutePaths(document: Plain, directory: string): Plain {
  const resolved = (entry: unknown): Plain =>
    Object.fromEntries(
      Object.entries(plainOf(entry)).map(([key, value]) => [
        key,
        key === 'cluster' || key === 'user'
          ? typeof value === 'object'
            ? resolved(value)
            : value
          : FILE_KEYS.includes(key) && textOf(value) !== undefined
            ? resolve(directory, String(value))
            : value,
      ]),
    );
  return {
    ...document,
    clusters: listOf(document['clusters']).map(resolved),
    users: listOf(document['users']).map(resolved),
  };
}

/** The document with a context that says what `--context`, `--cluster` and `--user` say. */
function chooseContext(document: Plain, flags: AccessFlags): Plain {
  const name = flags.context ?? textOf(document['current-context']) ?? '';
  const entries = listOf(document['contexts']).map(plainOf);
  const chosen = entries.find((entry) => entry['name'] === name);
  if (chosen === undefined && (flags.cluster === undefined || flags.context !== undefined))
    return { ...document, 'current-context': name };
  const context = {
    ...plainOf(chosen?.['context']),
    ...(flags.cluster === undefined ? {} : { cluster: flags.cluster }),
    ...(flags.user === undefined ? {} : { user: flags.user }),
  };
  return { ...document, contexts: [{ name: 'chosen', context }], 'current-context': 'chosen' };
}

function withFlags(access: ClusterAccess, flags: AccessFlags): ClusterAccess {
  const file = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : readFileSync(path, 'utf8');
  const signIn = flags.token !== undefined || flags.username !== undefined;
  return {
    ...access,
    server: (flags.server ?? access.server).replace(/\/+$/, ''),
    // A token of the command line is meant to replace what the kubeconfig says, not to compete with it.
    ...(signIn
      ? {
          token: flags.token,
          tokenFile: undefined,
          certificate: undefined,
          key: undefined,
          username: flags.username,
          password: flags.password,
        }
      : {}),
    ca: file(flags.certificateAuthority) ?? access.ca,
    ...(flags.clientCertificate === undefined ? {} : { certificate: file(flags.clientCertificate) }),
    ...(flags.clientKey === undefined ? {} : { key: file(flags.clientKey) }),
    tlsServerName: flags.tlsServerName ?? access.tlsServerName,
    insecureSkipTlsVerify: flags.insecureSkipTlsVerify ?? access.insecureSkipTlsVerify,
    namespace: flags.namespace ?? access.namespace,
  };
}

/** Names of the contexts of the files in force; none when they cannot be read. */
export function contextNames(flags: AccessFlags, env: Environment): readonly string[] {
  try {
    const documents = kubeconfigPaths(flags, env).map(readDocument);
    return documents.flatMap((document) =>
      listOf(document['contexts']).flatMap((entry) => textOf(plainOf(entry)['name']) ?? []),
    );
  } catch {
    return [];
  }
}
