/**
 * Weak settings of a home, as `doctor` names them. `weakSettings` decides on facts, `homeFacts` reads them
 * from the disk, `grantFacts` from the API server when it runs.
 */
import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { KubernetesObject } from '@podvisor/api';
import { defineResource, KubeClient } from '@podvisor/kube';
import { entriesBelow, imageBeside, instancePaths } from '@podvisor/sys';
import { fromYaml } from '../../output/yaml.ts';
import type { Check } from './doctor.ts';
import { openModes } from '../home/home-modes.ts';

export interface HomeFacts {
  /** Files and folders that other users can read, in words. */
  readonly open: readonly string[];
  /** Texts; undefined: no such file. */
  readonly encryption: string | undefined;
  readonly auditPolicy: string | undefined;
  readonly certificates: readonly CertificateFacts[];
  /** Files that several nodes share. */
  readonly shared: readonly string[];
  /** Files of the home can share blocks: claims are directories there, without a limit. */
  readonly unlimited: readonly string[];
}

export interface CertificateFacts {
  readonly file: string;
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly notAfter: number;
}

/** A role that is given to everybody, or to anybody. */
export interface GrantFacts {
  readonly binding: string;
  readonly role: string;
  readonly group: string;
}

const WEEK_MS = 7 * 86_400_000;
/** Those that a cluster needs to be found at all. */
const HARMLESS_ROLES = new Set(['system:public-info-viewer']);
const ANYBODY = new Set(['system:unauthenticated', 'system:anonymous']);
const EVERYBODY = new Set([...ANYBODY, 'system:authenticated', 'system:serviceaccounts', 'system:nodes']);
const POWERFUL_ROLES = new Set(['cluster-admin', 'admin', 'edit', 'system:node']);

/** One check for each setting. `grants` is undefined while the API server cannot be asked. Pure. */
export function weakSettings(
  facts: HomeFacts,
  grants: readonly GrantFacts[] | undefined,
  now: number,
): readonly Check[] {
  return [
    modeCheck(facts),
    encryptionCheck(facts),
    nodeCheck(facts),
    expiryCheck(facts, now),
    auditCheck(facts),
    limitCheck(facts),
    ...(grants === undefined ? [] : [grantCheck(grants)]),
  ];
}

function check(what: string, good: string, problem: string | undefined, fix: string): Check {
  return problem === undefined
    ? { level: 'PASS', what, found: good }
    : { level: 'WARN', what, found: problem, fix };
}

function listed(items: readonly string[]): string {
  return items.length <= 3
    ? items.join(', ')
    : `${items.slice(0, 3).join(', ')} and ${items.length - 3} more`;
}

function modeCheck({ open }: HomeFacts): Check {
  const problem =
    open.length === 0 ? undefined : `other users of this machine can read the home: ${listed(open)}`;
  return check('home files', 'only the owner can read the home', problem, './podvisor up mends the modes');
}

function encryptionCheck({ encryption }: HomeFacts): Check {
  const fix = 'put a provider aesgcm first for "secrets" in pki/encryption.yaml, and restart';
  const problem =
    encryption === undefined
      ? 'there is no pki/encryption.yaml: Secrets are not encrypted yet, or the keys are lost'
      : sealsSecrets(encryption)
        ? undefined
        : 'Secrets lie in the store in plain text';
  return check('encryption', 'Secrets are encrypted in the store', problem, fix);
}

function sealsSecrets(text: string): boolean {
  const { resources = [] } = (fromYaml(text) ?? {}) as {
    readonly resources?: readonly { readonly resources?: string[]; readonly providers?: object[] }[];
  };
  const rule = resources.find(({ resources: names = [] }) =>
    names.some((n) => n === 'secrets' || n === '*.*'),
  );
  return Object.keys(rule?.providers?.[0] ?? {})[0] === 'aesgcm';
}

function nodeCheck({ shared, certificates }: HomeFacts): Check {
  const masters = certificates.filter(
    ({ subject }) => subject.includes('CN=system:node:') && subject.includes('O=system:masters'),
  );
  const all = [...shared, ...masters.map(({ file }) => `${file} (system:masters)`)];
  const problem = all.length === 0 ? undefined : `credentials of an older version: ${listed(all)}`;
  return check(
    'node identity',
    'each node has credentials of its own',
    problem,
    './podvisor up replaces them; VMs keep running',
  );
}

function expiryCheck({ certificates }: HomeFacts, now: number): Check {
  const ended = certificates.filter(({ notAfter }) => notAfter <= now);
  const ending = certificates.filter(({ notAfter }) => notAfter > now && notAfter < now + WEEK_MS);
  const fix = './podvisor up renews them; a running home does so every day';
  if (ended.length > 0)
    return {
      level: 'FAIL',
      what: 'certificates',
      found: `no longer valid: ${listed(ended.map(({ file }) => file))}`,
      fix,
    };
  const problem =
    ending.length === 0 ? undefined : `valid for less than a week: ${listed(ending.map(({ file }) => file))}`;
  return check('certificates', `${certificates.length} certificates are valid`, problem, fix);
}

function auditCheck({ auditPolicy }: HomeFacts): Check {
  const levels = auditPolicy === undefined ? ['Metadata'] : levelsOf(auditPolicy);
  const problem = levels.every((level) => level === 'None')
    ? 'audit-policy.yaml notes nothing: nobody can tell later who changed what'
    : undefined;
  return check(
    'audit',
    'changes and reads of Secrets are noted',
    problem,
    'remove audit-policy.yaml, or give it a rule of level Metadata',
  );
}

function limitCheck({ unlimited }: HomeFacts): Check {
  const problem =
    unlimited.length === 0
      ? undefined
      : `volumes of an earlier version hold as much as the disk does: ${listed(unlimited)}`;
  const fix = 'clone each into a new claim, which has its size, and delete the old one';
  return check('claims', 'claims hold no more than they ask for', problem, fix);
}

function levelsOf(text: string): readonly string[] {
  const { rules = [] } = (fromYaml(text) ?? {}) as {
    readonly rules?: readonly { readonly level?: string }[];
  };
  return rules.map(({ level = 'None' }) => level);
}

function grantCheck(grants: readonly GrantFacts[]): Check {
  const weak = grants.filter(
    ({ role, group }) =>
      (ANYBODY.has(group) && !HARMLESS_ROLES.has(role)) || (EVERYBODY.has(group) && POWERFUL_ROLES.has(role)),
  );
  const problem =
    weak.length === 0
      ? undefined
      : `${listed(weak.map(({ binding, role, group }) => `${binding} gives ${role} to ${group}`))}`;
  return check(
    'access',
    'nothing is given to anonymous users',
    problem,
    'kubectl delete the binding, or name its subjects',
  );
}

/** What lies on the disk; undefined: there is no home. */
export function homeFacts(home: string): HomeFacts | undefined {
  const paths = instancePaths(home);
  if (!existsSync(paths.config)) return undefined;
  const text = (path: string): string | undefined =>
    existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  return {
    open: openModes(paths).map(({ path, mode }) => `${path} is 0${mode.toString(8)}`),
    encryption: text(join(paths.pki, 'encryption.yaml')),
    auditPolicy: text(join(home, 'audit-policy.yaml')),
    certificates: certificatesIn(paths.pki),
    shared: ['virt-handler', 'virt-handler.kubeconfig', 'clients/virt-handler.crt']
      .filter((file) => existsSync(join(paths.pki, file)))
      .map((file) => `pki/${file}`),
    unlimited: unlimitedVolumes(paths.volumes),
  };
}

/** Volumes of mode Filesystem that are no file system of their own. A disk for a block device is root's alone. */
function unlimitedVolumes(volumes: string): readonly string[] {
  if (!existsSync(volumes)) return [];
  const isDevice = (path: string): boolean =>
    (statSync(join(path, 'disk.img'), { throwIfNoEntry: false })?.mode ?? 0o777) % 0o100 === 0;
  return readdirSync(volumes)
    .filter((name) => /^pvc-[0-9a-f-]+$/.test(name))
    .filter((name) => !existsSync(imageBeside(join(volumes, name))) && !isDevice(join(volumes, name)));
}

function certificatesIn(pki: string): CertificateFacts[] {
  if (!existsSync(pki)) return [];
  return [...entriesBelow(pki)]
    .filter((entry) => entry.isFile() && entry.name.endsWith('.crt'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { subject, validTo } = new X509Certificate(readFileSync(path));
      return { file: relative(dirname(pki), path), subject, notAfter: Date.parse(validTo) };
    });
}

interface Binding extends KubernetesObject {
  readonly roleRef?: { readonly name?: string };
  readonly subjects?: readonly { readonly kind?: string; readonly name?: string }[];
}

/** Bindings of the whole cluster; undefined when the API server does not answer. */
export async function grantFacts(kubeconfig: string): Promise<readonly GrantFacts[] | undefined> {
  if (!existsSync(kubeconfig)) return undefined;
  const bindings = defineResource<Binding>(
    'ClusterRoleBinding',
    'clusterrolebindings',
    'rbac.authorization.k8s.io/v1',
    'Cluster',
  );
  const client = KubeClient.fromKubeconfig(kubeconfig, 'podvisor');
  try {
    const { items } = await client.list(bindings, {}, AbortSignal.timeout(3_000));
    return items.flatMap(({ metadata, roleRef, subjects = [] }) =>
      subjects.map(({ name = '' }) => ({
        binding: metadata?.name ?? '',
        role: roleRef?.name ?? '',
        group: name,
      })),
    );
  } catch {
    return undefined; // the home is down: its files are all there is to look at
  } finally {
    await client.close();
  }
}
