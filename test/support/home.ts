/**
 * Where an end-to-end test runs: in a home of its own, or with `./podvisor test --cluster KUBECONFIG` on a cluster that
 * somebody else made, where Podvisor is installed. A file that opens its home here runs on both.
 */
import type { TestContext } from 'node:test';
import { ForeignCluster } from './foreign-cluster.ts';
import { Instance } from './instance.ts';

/** Set by scripts/foreign-run.ts. */
const kubeconfig = process.env['PODVISOR_TEST_CLUSTER'];

/** Whether this run is on somebody else's cluster. */
export const isForeign = kubeconfig !== undefined;

export async function openHome(): Promise<Instance> {
  return kubeconfig === undefined ? Instance.prepare() : await ForeignCluster.open(kubeconfig);
}

/** For a test that looks into the home itself: true on somebody else's cluster, where it is skipped with this reason. */
export function needsEmbedded(t: TestContext, why: string): boolean {
  if (isForeign) t.skip(`needs the embedded home: ${why}`);
  return isForeign;
}

/** For a test that needs several nodes: true when the cluster has fewer. An embedded home has as many as it is asked for. */
export function lacksNodes(t: TestContext, wanted: number): boolean {
  const found = Number(process.env['PODVISOR_TEST_CLUSTER_NODES'] ?? 1);
  const isShort = isForeign && found < wanted;
  if (isShort) t.skip(`needs ${wanted} nodes; the cluster has ${found}`);
  return isShort;
}

/** For a test that needs what not every cluster has: true where it is not there. An embedded home has everything. */
export function lacks(t: TestContext, isThere: boolean, what: string): boolean {
  const isMissing = isForeign && !isThere;
  if (isMissing) t.skip(`needs ${what}, which the cluster does not have`);
  return isMissing;
}
