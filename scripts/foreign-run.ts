/** `test.ts --cluster KUBECONFIG`: which test files run on a cluster of somebody else, and whether it is ready for them. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KubeClient, resources } from '@podvisor/kube';

export interface Words {
  readonly kubeconfig?: string;
  readonly areas: readonly string[];
}

/** The flag and the areas of a command line. Pure. */
export function wordsOf(args: readonly string[]): Words {
  const at = args.findIndex((arg) => arg === '--cluster' || arg.startsWith('--cluster='));
  const word = args[at];
  if (word === undefined) return { areas: args };
  const isOne = word.startsWith('--cluster=');
  const kubeconfig = isOne ? word.slice('--cluster='.length) : args[at + 1];
  if (kubeconfig === undefined || kubeconfig === '') throw new Error('--cluster needs a kubeconfig file');
  return { kubeconfig, areas: args.toSpliced(at, isOne ? 1 : 2) };
}

/** End-to-end tests that open their home by `openHome` run on any cluster; the others need the embedded one. */
export function splitFiles(
  files: readonly string[],
  textOf: (file: string) => string,
): { readonly onCluster: readonly string[]; readonly embedded: readonly string[] } {
  const systems = files.filter((file) => /^test\/(e2e|faults)\//.test(file));
  const opens = (file: string): boolean => textOf(file).includes('openHome()');
  return { onCluster: systems.filter(opens), embedded: systems.filter((file) => !opens(file)) };
}

export const readTest =
  (root: string) =>
  (file: string): string =>
    readFileSync(join(root, file), 'utf8');

/** Tells test processes about the cluster (test/support/home.ts reads it). Throws when nothing could run there. */
export async function prepareCluster(kubeconfig: string): Promise<string> {
  const path = resolve(kubeconfig);
  const client = KubeClient.fromKubeconfig(path, 'podvisor-test');
  const signal = AbortSignal.timeout(15_000);
  const [nodes, kubevirts, version] = await Promise.all([
    client.list(resources.nodes, {}, signal),
    client.list(resources.kubeVirts, {}, signal),
    client.request<{ gitVersion?: string }>({ method: 'GET', path: '/version' }, signal),
  ]);
  await client.close();
  if (!kubevirts.items.some(({ status }) => status?.phase === 'Deployed'))
    throw new Error(`no Podvisor is Deployed there: ./podvisor cluster status --kubeconfig ${kubeconfig}`);
  process.env['PODVISOR_TEST_CLUSTER'] = path;
  process.env['PODVISOR_TEST_CLUSTER_NODES'] = String(nodes.items.length);
  return `Kubernetes ${version.gitVersion}, ${nodes.items.length} nodes`;
}
