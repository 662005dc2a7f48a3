/** A kubelet on this machine with an API in memory, an instance name and addresses of its own. */
import { systemClock } from '@podvisor/base';
import { mkdtempSync, readdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { Container, Pod, PodSpec } from '@podvisor/api';
import { type Log, resources } from '@podvisor/kube';
import {
  cgroupChildren,
  EMBEDDED_IMAGE_GRANT,
  EMBEDDED_LAUNCHER_IMAGE,
  type InstanceConfig,
  instancePaths,
  listLinks,
  listMounts,
} from '@podvisor/sys';
import { type KubeletContext, kubeletContext } from '../context.ts';
import { emptyMachine } from '../empty-machine.ts';
import { type Kubelet, startKubelet } from '../kubelet.ts';
import { restoreHost } from '../restore-host.ts';
import { MemoryApi, markDeleted } from './memory-api.ts';
import { rm } from 'node:fs/promises';

const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const loud: Log = {
  info: () => undefined,
  warn: (fields, message) => console.error(message, JSON.stringify(fields)),
  error: (fields, message) => console.error(message, JSON.stringify(fields)),
};

export class Harness {
  readonly api = new MemoryApi();
  readonly home = mkdtempSync(join(tmpdir(), 'podvisor-kubelet-'));
  readonly config: InstanceConfig;
  kubelet: Kubelet | undefined;

  /** `octet` keeps the addresses of tests apart: 10.251.<octet>.0/24; `netns` is the node's network. */
  constructor(octet: number, netns?: string) {
    const podCidr = `10.251.${octet}.0/24`;
    this.config = {
      name: `t${octet}`,
      apiPort: 0,
      virtApiPort: 0,
      podCidr,
      bridge: `pvt${octet}`,
      nodes: [
        {
          name: 'node1',
          address: `10.251.${octet}.1`,
          podCidr,
          handlerPort: 0,
          ...(netns === undefined ? {} : { netns }),
        },
      ],
    };
  }

  get context(): KubeletContext {
    const [node] = this.config.nodes;
    if (node === undefined) throw new Error('no node');
    return kubeletContext({
      node,
      config: this.config,
      paths: instancePaths(this.home),
      clock: systemClock,
      log: quiet,
    });
  }

  async start(): Promise<Kubelet> {
    const { node, config, paths, clock } = this.context;
    const log = process.env['PODVISOR_TEST_LOG'] === undefined ? quiet : loud;
    this.kubelet = await startKubelet({ client: this.api.client, node, config, paths, clock, log });
    return this.kubelet;
  }

  /** A Pod of one container from the host's root, unless `spec` says otherwise. */
  pod(name: string, container: Partial<Container>, spec: Partial<PodSpec> = {}): Pod {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'default',
        uid: randomUUID(),
        creationTimestamp: new Date().toISOString(),
        annotations: { [EMBEDDED_IMAGE_GRANT]: 'test' },
      },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 2,
        nodeName: 'node1',
        containers: [{ name: 'main', image: EMBEDDED_LAUNCHER_IMAGE, ...container }],
        ...spec,
      },
    };
  }

  create(pod: Pod): Pod {
    return this.api.put(resources.pods, pod);
  }

  /** Waits for a phase. */
  async phase(name: string, phase: string): Promise<Pod> {
    const found = await this.api.until(
      resources.pods,
      { namespace: 'default', name },
      (p) => p?.status?.phase === phase,
    );
    if (found === undefined) throw new Error(`${name} is gone`);
    return found;
  }

  async until(name: string, condition: (pod: Pod) => boolean): Promise<Pod> {
    const key = { namespace: 'default', name };
    const found = await this.api.until(resources.pods, key, (p) => p !== undefined && condition(p));
    if (found === undefined) throw new Error(`${name} is gone`);
    return found;
  }

  /** Deletes as the API server does, and waits until the kubelet has let go. */
  async delete(name: string, graceSeconds = 2): Promise<void> {
    const key = { namespace: 'default', name };
    const pod = this.api.find(resources.pods, key);
    if (pod === undefined) return;
    this.api.put(resources.pods, markDeleted(pod, graceSeconds));
    await this.api.until(resources.pods, key, (p) => p === undefined);
  }

  /** The object vanishes although nobody asked the kubelet. */
  forgetPod(name: string): void {
    this.api.remove(resources.pods, { namespace: 'default', name });
  }

  /** What of this instance is on the machine now. */
  async traces(): Promise<Readonly<Record<string, readonly string[]>>> {
    const links = await listLinks();
    return {
      mounts: listMounts()
        .map((m) => m.mountPoint)
        .filter((p) => p.startsWith(join(this.home, 'nodes'))),
      netns: readdirSync('/run/netns').filter((n) => n.startsWith(`${this.config.name}-`)),
      cgroups: cgroupChildren(`/podvisor/${this.config.name}`),
      veths: links.filter((l) => l.master === this.config.bridge).map((l) => l.ifname),
      pods: readdirSync(join(this.context.kubeletDir, 'pods')),
      containers: readdirSync(this.context.containersDir).filter((n) => n !== 'exits'),
    };
  }

  async close(): Promise<void> {
    await this.kubelet?.close();
    await emptyMachine(this.config, instancePaths(this.home), quiet, 0);
    await restoreHost(this.config, instancePaths(this.home));
    await rm(this.home, { recursive: true, force: true });
  }
}
