/**
 * What a VM start costs on a cluster of somebody else: VMI create → Running beside a plain Pod of the same image with as
 * many containers and image volumes, in turns; what the API server was asked to write for the one and the other, by its
 * own count; and the memory of each component, as kubelets tell it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Container, Pod } from '@podvisor/api';
import { Informer, KubeClient, resources } from '@podvisor/kube';
import { describeWrites, type Writes, writesBetween, writesIn } from './api-writes.ts';
import { median, NAMESPACE, type Onlooker, startAndDelete, type Timeline } from './start.ts';

const COMPONENTS = ['virt-operator', 'virt-api', 'virt-controller', 'virt-handler'];

export async function benchClusterStart(args: readonly string[]): Promise<void> {
  const options = { cluster: { type: 'string' }, runs: { type: 'string', default: '7' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const runs = Number(values.runs);
  const client = KubeClient.fromKubeconfig(values.cluster, 'podvisor-bench');
  const launchers: Pod[] = [];
  await startAndDelete(client, 'warm-up', { onLauncher: (pod) => launchers.push(pod) });
  const launcher = launchers.at(-1);
  if (launcher === undefined) throw new Error('no launcher Pod was seen');
  await podStart(client, plainPod(launcher, 'plain-warm-up'));

  const vmis: Timeline[] = [];
  const pods: number[] = [];
  const [podWrites, vmiWrites] = [new WriteCount(client), new WriteCount(client)];
  for (let run = 0; run < runs; run += 1) {
    pods.push(await podStart(client, plainPod(launcher, `plain-${run}`), podWrites));
    vmis.push(await startAndDelete(client, `bench-${run}`, vmiWrites));
  }
  const [pod, vmi] = [median(pods), median(vmis.map(({ runningMs }) => runningMs))];
  const list = (values: readonly number[]): string => values.map((ms) => ms.toFixed(0)).join(' ');
  console.log(`plain Pod create → Running: ${pod.toFixed(0)} ms (${list(pods)})`);
  console.log(
    `VMI create → Running:       ${vmi.toFixed(0)} ms (${list(vmis.map((r) => r.runningMs))}) = Pod + ${((vmi - pod) / 1000).toFixed(2)} s (target ≤ 1.0)`,
  );
  for (const label of new Set(vmis.flatMap(({ steps }) => [...steps.keys()])))
    console.log(
      `  ${label.padEnd(28)} ${median(vmis.map(({ steps }) => steps.get(label) ?? Number.NaN)).toFixed(0)}`,
    );
  console.log(`VMI delete → gone:          ${median(vmis.map(({ goneMs }) => goneMs)).toFixed(0)} ms`);
  console.log(
    `versions of the VMI seen from creation to Running: ${Math.max(...vmis.map(({ versions }) => versions.length))}`,
  );
  console.log(`API writes from creation to ${SETTLED_MS / 1000} s after Running, mean of the runs:`);
  console.log(`  plain Pod: ${describeWrites(podWrites.runs)}`);
  console.log(`  VMI:       ${describeWrites(vmiWrites.runs)}`);
  await componentMemory(client);
  await client.close();
}

/** What follows upon Running (a status of the Pod, an event) has been written by then. */
const SETTLED_MS = 3000;

/**
 * Counts what the API server writes from before a start until a moment after it. Of several API servers only the one
 * that answers is asked; what others in the cluster write meanwhile is counted along.
 */
class WriteCount implements Onlooker {
  readonly runs: Writes[] = [];
  #before: Writes = new Map();
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  readonly beforeStart = async (): Promise<void> => {
    // The end of the start before is still being written.
    await sleep(SETTLED_MS);
    this.#before = await this.#look();
  };

  readonly whenRunning = async (): Promise<void> => {
    await sleep(SETTLED_MS);
    this.runs.push(writesBetween(this.#before, await this.#look()));
  };

  async #look(): Promise<Writes> {
    const { body } = await this.#client.raw({
      method: 'GET',
      path: '/metrics',
      headers: { accept: 'text/plain' },
    });
    return writesIn(body.toString('utf8'));
  }
}

/**
 * A Pod that does nothing, with the containers and images of a launcher: also those that run beside its own from before
 * they start, because a kubelet takes a look, once a second, between the one and the other. Pure.
 */
function plainPod(launcher: Pod, name: string): Pod {
  const images = (launcher.spec.volumes ?? []).filter((volume) => 'image' in volume);
  const idle = ({ name: container, image }: Container): Container => ({
    name: container,
    image,
    command: ['/bin/sh', '-c', 'while :; do read -r line; sleep 1000; done'],
    volumeMounts: images.map((volume) => ({ name: volume.name, mountPath: `/images/${volume.name}` })),
  });
  const beside = (launcher.spec.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      terminationGracePeriodSeconds: 0,
      volumes: images,
      initContainers: beside.map((container) => ({ ...idle(container), restartPolicy: 'Always' })),
      containers: launcher.spec.containers.map(idle),
    },
  } as Pod;
}

/** Milliseconds until a watch shows all containers running; the Pod is gone when it resolves. */
async function podStart(client: KubeClient, pod: Pod, onlooker: Onlooker = {}): Promise<number> {
  const stop = new AbortController();
  const { name = '' } = pod.metadata;
  const running = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const look = ({ metadata, status }: Pod): void => {
    if (metadata.name !== name) return;
    if (status?.phase === 'Running') running.resolve();
    if (status?.phase === 'Failed') running.reject(new Error(`Pod ${name} failed`));
  };
  const pods = new Informer<Pod>({ client, resource: resources.pods, namespace: NAMESPACE });
  pods.on({ add: look, update: look, delete: ({ metadata }) => metadata.name === name && gone.resolve() });
  pods.start(stop.signal);
  await pods.synced();
  await onlooker.beforeStart?.();
  const startedAt = performance.now();
  await client.create(resources.pods, pod);
  await running.promise;
  const tookMs = performance.now() - startedAt;
  await onlooker.whenRunning?.();
  await client.delete(resources.pods, { namespace: NAMESPACE, name });
  await gone.promise;
  stop.abort();
  return tookMs;
}

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string };
    readonly containers?: readonly { readonly memory?: { readonly rssBytes?: number } }[];
  }[];
}

async function componentMemory(client: KubeClient): Promise<void> {
  console.log('RSS by the kubelets (MiB):');
  const nodes = await client.list(resources.nodes, {});
  for (const { metadata } of nodes.items) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary`;
    const { pods } = await client.request<Summary>({ method: 'GET', path });
    for (const { podRef, containers = [] } of pods) {
      if (!COMPONENTS.some((component) => podRef.name.startsWith(component))) continue;
      const bytes = containers.reduce((sum, { memory }) => sum + (memory?.rssBytes ?? 0), 0);
      console.log(`  ${podRef.name.padEnd(36)} ${(bytes / 1024 / 1024).toFixed(0)} on ${metadata.name}`);
    }
  }
}
