/**
 * The components of KubeVirt in the embedded home: processes of the machine, which clients look for as Pods,
 * Deployments and a DaemonSet. One table says which process stands behind which of them. Pure.
 */
import type { InstanceConfig, InstanceNode } from '@podvisor/sys';

export const COMPONENT_NAMESPACE = 'kubevirt';

/** On Pods and workloads: the process of the home that they stand for. No container belongs to them. */
export const PROCESS_ANNOTATION = 'podvisor.io/process-of-home';

/** Where clients find `/healthz` and metrics of a component's Pod. */
export const COMPONENT_PORT = 8443;

export type ComponentName = 'virt-operator' | 'virt-api' | 'virt-controller' | 'virt-handler';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly network: 'machine' | 'node';
}

export interface HomeComponent {
  readonly name: ComponentName;
  readonly podName: string;
  /** Names the log (`logs/<process>.log`) and the pid file (`run/<process>.pid`). */
  readonly process: string;
  /** Where the process listens, with TLS: on the machine, or in the network of its node. */
  readonly endpoint: Endpoint;
  /** Path that answers 200 when the process is ready. */
  readonly readyPath: string;
}

/** Those whose Pods are shown on a node: every node has its virt-handler, the first one the others too. */
export function componentsOf(config: InstanceConfig, node: InstanceNode): readonly HomeComponent[] {
  // There they are Pods like any others.
  if (config.bare === true) return [];
  const on = (port: number): Endpoint => ({ host: LOOPBACK, port, network: 'machine' });
  const at = (name: ComponentName, process: string, endpoint: Endpoint, readyPath: string) => ({
    name,
    podName: `${name}-${node.name}`,
    process,
    endpoint,
    readyPath,
  });
  const { apiPort, virtApiPort } = config;
  const handlerHost = config.nodeNetwork === undefined ? LOOPBACK : node.address;
  const handler: Endpoint = { host: handlerHost, port: node.handlerPort, network: 'node' };
  const central =
    config.nodes[0]?.name === node.name
      ? [
          // What virt-operator does on a cluster, the control plane does here.
          at('virt-operator', 'control-plane', on(apiPort), '/readyz'),
          at('virt-api', 'virt-api', on(virtApiPort), '/readyz'),
          at('virt-controller', 'virt-controller', on(controllerPort(config)), '/healthz'),
        ]
      : [];
  return [...central, at('virt-handler', `virt-handler-${node.name}`, handler, '/healthz')];
}

const LOOPBACK = '127.0.0.1';

/** Where virt-controller serves probes and metrics; further nodes have namespaces of their own, so it is free. */
function controllerPort({ apiPort }: InstanceConfig): number {
  return apiPort + 3;
}
