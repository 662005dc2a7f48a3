/**
 * Nodes that only answer: objects in the API with a program behind them that says what a kubelet and a virt-handler
 * would say, and runs nothing. It lives in the bench's own process, so that what it costs is not counted as the home's.
 */
import type { Node, Pod, VirtualMachineInstance } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { HOLLOW } from '../vm-load.ts';

const PREFIX = 'hollow-';
const HANDLER = 'system:serviceaccount:kubevirt:kubevirt-handler';
const RENEW_MS = 10_000;
const STALL_MS = 60_000;
const MERGE = { 'content-type': 'application/merge-patch+json' };
/** How many answers are on their way at once. */
const WORKERS = 16;

export class HollowNodes implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #names: readonly string[];
  readonly #stop = new AbortController();
  readonly #jobs: (() => Promise<void>)[] = [];
  readonly #running = new Set<string>();
  #busy = 0;
  #problem = 'nobody said why';
  #waiting: { readonly count: number; resolve(): void } | undefined;

  private constructor(client: KubeClient, namespace: string, count: number) {
    this.#client = client;
    this.#namespace = namespace;
    this.#names = Array.from({ length: count }, (_, i) => `${PREFIX}${i + 1}`);
  }

  /** Nodes like the first real one, each with room for 200 Pods. */
  static async start(client: KubeClient, namespace: string, count: number): Promise<HollowNodes> {
    const hollow = new HollowNodes(client, namespace, count);
    const [real] = (await client.list(resources.nodes)).items;
    if (real === undefined) throw new Error('the home has no node to take after');
    for (const name of hollow.#names) await hollow.#create(real, name);
    await hollow.#renew();
    const timer = setInterval(() => void hollow.#renew().catch(() => undefined), RENEW_MS);
    hollow.#stop.signal.addEventListener('abort', () => clearInterval(timer));
    hollow.#follow();
    return hollow;
  }

  /** Resolves when so many VMIs run; rejects when for a while no further one does. */
  async reached(count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting = { count, resolve };
    let seen = -1;
    const timer = setInterval(() => {
      if (seen === this.#running.size)
        reject(new Error(`${seen} of ${count} VMIs run, and no more do: ${this.#problem}`));
      seen = this.#running.size;
    }, STALL_MS);
    this.#tell();
    try {
      await promise;
    } finally {
      clearInterval(timer);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    return Promise.resolve();
  }

  async #create(real: Node, name: string): Promise<void> {
    const labels = { ...real.metadata?.labels, 'kubernetes.io/hostname': name, ...HOLLOW };
    const created = await this.#client.create(resources.nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels, annotations: { 'kubevirt.io/heartbeat': new Date().toISOString() } },
      spec: {},
    } as Node);
    const room = { ...real.status?.capacity, cpu: '64', memory: '512Gi', pods: '200' };
    const now = new Date().toISOString();
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Hollow',
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    };
    const status = { ...real.status, capacity: room, allocatable: room, conditions: [ready], images: [] };
    await this.#client.updateStatus(resources.nodes, { ...created, status } as Node);
    await this.#client.request({
      method: 'POST',
      path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
      body: JSON.stringify({ metadata: { name }, spec: this.#lease(name) }),
    });
  }

  #lease(holderIdentity: string): object {
    return {
      holderIdentity,
      leaseDurationSeconds: 40,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    };
  }

  async #renew(): Promise<void> {
    for (const name of this.#names) {
      const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
      const body = JSON.stringify({ spec: this.#lease(name) });
      await this.#client.request({ method: 'PATCH', path, headers: MERGE, body });
    }
  }

  #follow(): void {
    const { signal } = this.#stop;
    const of = { client: this.#client, namespace: this.#namespace };
    const pods = new Informer<Pod>({ ...of, resource: resources.pods });
    const vmis = new Informer<VirtualMachineInstance>({ ...of, resource: resources.virtualMachineInstances });
    const onPod = (pod: Pod): void => {
      if (pod.spec.nodeName?.startsWith(PREFIX) !== true) return;
      if (pod.metadata.deletionTimestamp === undefined && pod.status?.phase === 'Pending')
        this.#do(() => this.#runPod(pod));
    };
    const onVmi = (vmi: VirtualMachineInstance): void => {
      const { phase, nodeName } = vmi.status ?? {};
      if (phase === 'Running') this.#running.add(vmi.metadata?.name ?? '');
      this.#tell();
      if (phase === 'Scheduled' && nodeName?.startsWith(PREFIX) === true) this.#do(() => this.#runGuest(vmi));
    };
    pods.on({ add: onPod, update: onPod });
    vmis.on({ add: onVmi, update: onVmi });
    pods.start(signal);
    vmis.start(signal);
  }

  #runPod({ metadata, spec }: Pod): Promise<void> {
    const startedAt = new Date().toISOString();
    const status = {
      phase: 'Running',
      podIP: '10.255.0.1',
      podIPs: [{ ip: '10.255.0.1' }],
      startTime: startedAt,
      conditions: ['Initialized', 'ContainersReady', 'Ready', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: startedAt,
      })),
      containerStatuses: spec.containers.map(({ name, image = '' }) => ({
        ...{ name, image, imageID: image, ready: true, started: true, restartCount: 0 },
        state: { running: { startedAt } },
      })),
    };
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`;
    return this.#merge(path, { status });
  }

  /** As the virt-handler of its node, which is who may say that a guest runs. */
  #runGuest({ metadata, status }: VirtualMachineInstance): Promise<void> {
    const path = `/apis/kubevirt.io/v1/namespaces/${metadata?.namespace}/virtualmachineinstances/${metadata?.name}`;
    return this.#merge(
      path,
      { status: { phase: 'Running' } },
      {
        'impersonate-user': HANDLER,
        'impersonate-group': 'system:masters',
        [`impersonate-extra-${encodeURIComponent('authentication.kubernetes.io/node-name')}`]:
          status?.nodeName ?? '',
      },
    );
  }

  async #merge(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#client.request({
      method: 'PATCH',
      path,
      headers: { ...MERGE, ...headers },
      body: JSON.stringify(body),
    });
  }

  #tell(): void {
    if (this.#waiting !== undefined && this.#running.size >= this.#waiting.count) this.#waiting.resolve();
  }

  #do(job: () => Promise<void>): void {
    this.#jobs.push(job);
    this.#work();
  }

  #work(): void {
    while (this.#busy < WORKERS && this.#jobs.length > 0) {
      const job = this.#jobs.shift();
      this.#busy += 1;
      void job?.()
        // The object changed meanwhile, or the server is being restarted: the next event asks again.
        .catch((error: unknown) => {
          this.#problem = messageOf(error);
        })
        .finally(() => {
          this.#busy -= 1;
          this.#work();
        });
    }
  }
}
