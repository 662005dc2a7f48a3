/**
 * Every credential that a home has given out: certificates with their keys as they lie in its folder, and a
 * token of every service account. `kind` is the same for all nodes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type KubeClient, loadKubeconfig, resources } from '@podvisor/kube';
import { entriesBelow } from '@podvisor/sys';

export interface Credential {
  readonly kind: string;
  /** Which one of its kind. */
  readonly name: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly token?: string;
  /** Where a token is sent otherwise than Kubernetes does. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Certificates below `pki` that have a key, those inside kubeconfigs, and the copies that parts of the home have. */
export function certificatesOf(home: string): readonly Credential[] {
  const parts = existsSync(join(home, 'parts')) ? readdirSync(join(home, 'parts')) : [];
  const folders = [join(home, 'pki'), ...parts.map((part) => join(home, 'parts', part, 'pki'))];
  return [
    ...folders.filter((folder) => existsSync(folder)).flatMap((folder) => credentialsIn(folder, home)),
    ofKubeconfig('clients/admin', join(home, 'kubeconfig'), home),
  ];
}

function credentialsIn(pki: string, home: string): Credential[] {
  const files = [...entriesBelow(pki)].map((entry) => join(entry.parentPath, entry.name)).sort();
  return files.flatMap((file) => {
    const kind = kindOf(relative(pki, file).replace(/\.(crt|kubeconfig)$/, ''));
    if (file.endsWith('.kubeconfig')) return [ofKubeconfig(`clients/${kind}`, file, home)];
    const keyFile = file.replace(/crt$/, 'key');
    if (!file.endsWith('.crt') || !existsSync(keyFile)) return [];
    const certificate = { cert: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    return [{ kind, name: relative(home, file), certificate }];
  });
}

/** A kubeconfig carries the client certificate of its name. */
function ofKubeconfig(kind: string, file: string, home: string): Credential {
  const { certificate: cert = '', key = '' } = loadKubeconfig(file);
  return { kind, name: relative(home, file), certificate: { cert, key } };
}

/** Node names are numbers in these tests: `node-1`. */
function kindOf(file: string): string {
  return file.replace(/node-\d+/, 'NODE');
}

/** A fresh token of every service account, as a Pod gets it; accounts that tenants make are one kind. */
export async function tokensOf(client: KubeClient): Promise<readonly Credential[]> {
  const { items } = await client.list(resources.serviceAccounts, {});
  return Promise.all(
    items.map(async ({ metadata }) => {
      const { namespace = '', name = '' } = metadata ?? {};
      const { status } = await client.request<{ readonly status: { readonly token: string } }>({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
        body: '{}',
      });
      const kind = name === 'default' ? 'token default' : `token ${namespace}/${name}`;
      return { kind, name: `${namespace}/${name}`, token: status.token };
    }),
  );
}

/** The token of an export, and one for an upload into a claim. */
export async function storageTokensOf(
  client: KubeClient,
  exportToken: string,
  claim: string,
): Promise<readonly Credential[]> {
  const { status } = await client.request<{ readonly status: { readonly token: string } }>({
    method: 'POST',
    path: '/apis/upload.cdi.kubevirt.io/v1beta1/namespaces/default/uploadtokenrequests',
    body: JSON.stringify({ metadata: { name: 'matrix', namespace: 'default' }, spec: { pvcName: claim } }),
  });
  return [
    { kind: 'token of an export', name: 'export', headers: { 'x-kubevirt-export-token': exportToken } },
    { kind: 'token for an upload', name: claim, token: status.token },
  ];
}
