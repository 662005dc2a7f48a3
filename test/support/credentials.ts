/**
 * Every credential that a home has given out: certificates with their keys as they lie in its folder, and a
 * token of every service account. `kind` is the same for all nodes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeClient, loadKubeconfig, resources } from '@podvisor/kube';

export interface Credential {
  readonly kind: string;
  /** Which one of its kind. */
  readonly name: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly token?: string;
}

/** Certificates below `pki` that have a key, and those inside kubeconfigs. */
export function certificatesOf(home: string): readonly Credential[] {
  const pki = join(home, 'pki');
  const files = readdirSync(pki, { recursive: true, encoding: 'utf8' }).sort();
  const read = (file: string): string => readFileSync(join(pki, file), 'utf8');
  const pairs = files
    .filter((file) => file.endsWith('.crt') && existsSync(join(pki, file.replace(/crt$/, 'key'))))
    .map((file) => ({
      kind: kindOf(file.replace(/\.crt$/, '')),
      name: file,
      certificate: { cert: read(file), key: read(file.replace(/crt$/, 'key')) },
    }));
  const kubeconfigs = [...files.filter((file) => file.endsWith('.kubeconfig')), '../kubeconfig'].map(
    (file) => {
      const { certificate: cert = '', key = '' } = loadKubeconfig(join(pki, file));
      return { kind: `kubeconfig ${kindOf(file)}`, name: file, certificate: { cert, key } };
    },
  );
  return [...pairs, ...kubeconfigs];
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
