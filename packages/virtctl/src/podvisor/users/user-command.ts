/** `podvisor user add|list|remove`: people who may use a part of the home, each with a kubeconfig of his own. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStatus } from '@podvisor/base';
import {
  defineResource,
  issueCertificate,
  KubeClient,
  kubeconfigText,
  readFileIfThere,
  resources,
} from '@podvisor/kube';
import { defaultHome, type InstancePaths, instancePaths, readInstanceConfig } from '@podvisor/sys';
import { table } from '../../output/table.ts';
import {
  bindingFor,
  checkUser,
  groupOf,
  missingNamespace,
  missingRole,
  type RoleBinding,
  subjectsWithout,
  USER_LABEL,
  type UserRequest,
  userRow,
  validityMs,
} from './user-plan.ts';

const bindings = defineResource<RoleBinding>('RoleBinding', 'rolebindings', 'rbac.authorization.k8s.io/v1');
const clusterBindings = defineResource<RoleBinding>(
  'ClusterRoleBinding',
  'clusterrolebindings',
  'rbac.authorization.k8s.io/v1',
  'Cluster',
);
const clusterRoles = defineResource('ClusterRole', 'clusterroles', 'rbac.authorization.k8s.io/v1', 'Cluster');

export interface AddUserFlags {
  readonly namespace: string;
  readonly role: string;
  readonly expires: string;
  readonly server?: string;
  readonly output?: string;
  readonly createNamespace?: boolean;
}

/** Makes the rights, then the key; a user that is there already in the namespace gets a new certificate. */
export async function addUser(name: string, flags: AddUserFlags): Promise<void> {
  const now = Date.now();
  const validForMs = validityMs(flags.expires);
  const { namespace, role } = flags;
  checkUser({ name, namespace });
  const paths = instancePaths(defaultHome());
  const ca = readCa(paths);
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const request = {
    name,
    namespace,
    role,
    number: randomBytes(6).toString('hex'),
    expires: now + validForMs,
  };
  if ((await client.find(clusterRoles, { name: role })) === undefined) throw new Error(missingRole(role));
  await requireNamespace(client, namespace, flags.createNamespace === true);
  await grant(client, request);
  const { apiPort } = readInstanceConfig(paths.home);
  const leaf = issueCertificate(ca, {
    commonName: name,
    organizations: [groupOf(request)],
    usages: ['client'],
    validForMs,
    now,
  });
  const text = kubeconfigText({
    name: `${name}@podvisor`,
    user: name,
    access: {
      server: flags.server ?? `https://127.0.0.1:${apiPort}`,
      ca: ca.certificate,
      ...leaf,
      namespace,
    },
  });
  if (flags.output === undefined) process.stdout.write(text);
  else writeFileSync(flags.output, text, { mode: 0o600, flag: 'wx' });
  console.error(
    `${name} may ${role} in namespace ${namespace} until ${new Date(now + validForMs).toISOString()}.`,
  );
}

/** A name that was mistyped shall not become a namespace in which somebody works alone. */
async function requireNamespace(client: KubeClient, name: string, isMade: boolean): Promise<void> {
  if ((await client.find(resources.namespaces, { name })) !== undefined) return;
  if (!isMade) {
    const { items } = await client.list(resources.namespaces, {});
    throw new Error(
      missingNamespace(
        name,
        items.map(({ metadata }) => metadata?.name ?? ''),
      ),
    );
  }
  await client.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  console.error(`Namespace ${name} was created.`);
}

async function grant(client: KubeClient, request: UserRequest): Promise<void> {
  const { name, namespace } = request;
  const binding = bindingFor(request);
  const key = { namespace, name: binding.metadata?.name ?? '' };
  // The role of a binding cannot be changed, and the certificate of before shall end with it.
  await client.delete(bindings, key).catch((error: unknown) => {
    if (!isStatus(error, 'NotFound')) throw error;
    console.error(`${name} is new in namespace ${namespace}.`);
  });
  await client.create(bindings, binding);
}

async function users(): Promise<readonly ReturnType<typeof userRow>[]> {
  const client = KubeClient.fromKubeconfig(instancePaths(defaultHome()).kubeconfig, 'podvisor');
  return (await client.list(bindings, { labelSelector: USER_LABEL })).items.map(userRow);
}

/** For completion. */
export async function userNames(): Promise<readonly string[]> {
  return [...new Set((await users()).map(({ name }) => name))];
}

export async function listUsers(): Promise<void> {
  const found = await users();
  if (found.length === 0) {
    console.log('No users. Add one with: podvisor user add NAME --namespace N');
    return;
  }
  const rows = found.map(({ name, namespace, role, expires }) => [name, namespace, role, expires]);
  console.log(table(['name', 'namespace', 'role', 'certificate expires'], rows));
}

/**
 * Takes the rights away, in one namespace or in all, also those that the user has bound to himself; what is in the
 * namespaces stays.
 */
export async function removeUser(name: string, flags: { readonly namespace?: string }): Promise<void> {
  const client = KubeClient.fromKubeconfig(instancePaths(defaultHome()).kubeconfig, 'podvisor');
  const { namespace } = flags;
  const kinds = namespace === undefined ? [bindings, clusterBindings] : [bindings];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await client.list(kind, namespace === undefined ? {} : { namespace });
      return items.map((binding) => ({ kind, binding, left: subjectsWithout(binding, name) }));
    }),
  );
  const named = found.flat().filter(({ left }) => left !== undefined);
  if (named.length === 0) throw new Error(`there is no user "${name}"; \`podvisor user list\` shows them`);
  for (const { kind, binding, left = [] } of named) {
    const { metadata } = binding;
    const key = { namespace: metadata?.namespace, name: metadata?.name ?? '' };
    if (left.length === 0) await client.delete(kind, key);
    else await client.update(kind, { ...binding, subjects: left });
  }
  console.log(
    namespace === undefined
      ? `${name} has no rights any more, and the kubeconfig is worthless. Service accounts and tokens that ${name} may have made stay: look for them in the namespaces.`
      : `${name} has no rights in namespace ${namespace} any more.`,
  );
}

function readCa(paths: InstancePaths): { readonly certificate: string; readonly key: string } {
  try {
    const [certificate, key] = ['ca.crt', 'ca.key'].map((file) => readFileIfThere(join(paths.pki, file)));
    if (certificate !== undefined && key !== undefined) return { certificate, key };
  } catch (error) {
    throw new Error(`the key of the home's CA cannot be read: run this as root (sudo podvisor user add …)`, {
      cause: error,
    });
  }
  throw new Error(`${paths.home} is not set up yet: run \`podvisor up\` first`);
}
