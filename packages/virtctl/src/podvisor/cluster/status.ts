/** `podvisor cluster status`: the installation, its components, and what stands in the way. Exit code 1 if anything does. */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { resourceOf, stuckPod, wantsWebPage, withoutPods } from '@podvisor/virt-operator';
import pc from 'picocolors';
import { type ClusterFlags, clusterClient, kubeconfigFlag } from './access.ts';
import { isInstalled, progressLine } from './follow-kubevirt.ts';

type Workload = KubernetesObject & {
  readonly spec?: { readonly replicas?: number };
  readonly status?: Readonly<Record<string, number>>;
};
const COMPONENTS: readonly (readonly [kind: 'Deployment' | 'DaemonSet', name: string, isOptional?: true])[] =
  [
    ['Deployment', 'virt-operator'],
    ['Deployment', 'virt-api'],
    ['Deployment', 'virt-controller'],
    ['DaemonSet', 'virt-handler'],
    // Where DataVolumes are ours; that they are somebody else's, or wait, the KubeVirt object says.
    ['Deployment', 'virt-data-volumes', true],
  ];

export async function clusterStatus(flags: ClusterFlags): Promise<boolean> {
  const client = clusterClient(flags);
  const { namespace } = flags;
  const signal = AbortSignal.timeout(15_000);
  const kubevirts = await client.list(resources.kubeVirts, {}, signal).catch((error: unknown) => {
    if (isStatus(error, 'NotFound')) return { items: [] };
    throw error;
  });
  if (kubevirts.items.length === 0) {
    console.log(`Nothing is installed. Next: ./podvisor cluster install${kubeconfigFlag(flags)}`);
    return false;
  }
  for (const kubevirt of kubevirts.items) {
    const {
      observedKubeVirtVersion = '-',
      targetKubeVirtVersion = '-',
      targetKubeVirtRegistry = '-',
    } = kubevirt.status ?? {};
    console.log(
      `KubeVirt ${kubevirt.metadata?.namespace}/${kubevirt.metadata?.name}  ${progressLine(kubevirt)}`,
    );
    console.log(
      `  version ${observedKubeVirtVersion}, target ${targetKubeVirtVersion} from ${targetKubeVirtRegistry}`,
    );
  }
  const pods = (await client.list(resources.pods, { namespace, labelSelector: 'kubevirt.io' }, signal)).items;
  let isWell = kubevirts.items.every(isInstalled);
  const withPage = kubevirts.items.some(wantsWebPage) ? [['Deployment', 'virt-ui'] as const] : [];
  for (const [kind, name, isOptional] of [...COMPONENTS, ...withPage]) {
    const found = await client.find(resourceOf({ apiVersion: 'apps/v1', kind }), { namespace, name }, signal);
    if (found === undefined && isOptional) continue;
    const [ready, wanted] = found === undefined ? [0, undefined] : readyOf(found);
    const problem = stuckPod(pods, name) ?? withoutPods(found, pods);
    // A DaemonSet that no node may run has nobody who runs guests.
    const isReady = wanted !== undefined && wanted > 0 && ready >= wanted;
    isWell &&= isReady;
    const text = wanted === undefined ? 'not installed' : `${ready} of ${wanted} ready`;
    console.log(
      `${name.padEnd(18)} ${isReady ? pc.green(text) : pc.red(text)}${problem === undefined ? '' : `  ${problem}`}`,
    );
  }
  console.log(
    `Next: ${isWell ? 'kubectl apply -f examples/hello.yaml' : `./podvisor cluster doctor${kubeconfigFlag(flags)} ; kubectl -n ${namespace} get pods,events`}`,
  );
  return isWell;
}

function readyOf(object: KubernetesObject): readonly [ready: number, wanted: number] {
  const { kind, spec, status = {} } = object as Workload;
  return kind === 'DaemonSet'
    ? [status['numberReady'] ?? 0, status['desiredNumberScheduled'] ?? 0]
    : [status['readyReplicas'] ?? 0, spec?.replicas ?? 1];
}
