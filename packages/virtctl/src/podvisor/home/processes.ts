/** The processes of the embedded home and how each is started. Pure. */
import { urlHost } from '@podvisor/base';
import {
  type Confinement,
  EMBEDDED_LAUNCHER_IMAGE,
  type InstanceConfig,
  type InstancePaths,
  PASST_SECCOMP_PROFILE,
  VIRTIOFS_SECCOMP_PROFILE,
} from '@podvisor/sys';
import { NODE_AGENT, unprivileged, VIRT_HANDLER } from './confinements.ts';

export interface ProcessSpec {
  readonly name: string;
  /** A file of `lib`, which Node runs; or, with its whole path, a program of the machine. */
  readonly program: string;
  readonly args: readonly string[];
  /** Node flags that fit its size. */
  readonly nodeFlags: readonly string[];
  /** What it may, whatever becomes of it. */
  readonly confinement: Confinement;
  /** The cluster node that it is part of, if it is part of one. */
  readonly node?: ProcessNode;
}

export interface ProcessNode {
  readonly name: string;
  readonly netns?: string;
  /** Its address is there only when the node agent has made the network between the nodes. */
  readonly awaitsNetwork: boolean;
}

/**
 * Flags of Node for a component: one thread collects garbage and compiles, others would only keep memory for it. Only
 * flags with which V8 takes Node's own modules as they come, compiled: `--expose-gc` and those of compilers are not
 * among them (processes.test.ts).
 */
export const SMALL_PROCESS: readonly string[] = [
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
  '--single-threaded-gc',
];

/** The control plane carries bursts: a larger young generation, collected beside the work. */
export const CONTROL_PLANE_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--v8-pool-size=1'];

/** In starting order: the first serves the rest. */
export function processesOf(config: InstanceConfig, paths: InstancePaths): readonly ProcessSpec[] {
  const kubeconfig = (who: string): string[] => ['--kubeconfig', `${paths.pki}/${who}.kubeconfig`];
  const cluster: ProcessSpec[] = [
    {
      name: 'node-agent',
      program: 'node-agent.mjs',
      nodeFlags: SMALL_PROCESS,
      args: ['--home', paths.home],
      confinement: NODE_AGENT,
    },
    {
      name: 'control-plane',
      program: 'control-plane.mjs',
      nodeFlags: CONTROL_PLANE_FLAGS,
      args: ['--home', paths.home],
      confinement: unprivileged('control-plane', config, paths),
    },
  ];
  if (config.bare === true) return cluster;
  return [
    ...cluster,
    {
      name: 'virt-api',
      program: 'virt-api.mjs',
      nodeFlags: SMALL_PROCESS,
      args: [
        ...kubeconfig('virt-api'),
        ...['--tls-dir', `${paths.pki}/virt-api`],
        ...['--listen', `127.0.0.1:${config.virtApiPort}`],
        ...['--namespace', 'kubevirt'],
        '--webhooks-need-certificate',
        ...['--state-key-file', `${paths.pki}/hibernation.key`],
      ],
      confinement: unprivileged('virt-api', config, paths),
    },
    {
      name: 'virt-controller',
      program: 'virt-controller.mjs',
      nodeFlags: SMALL_PROCESS,
      args: [
        ...kubeconfig('virt-controller'),
        ...['--namespace', 'kubevirt'],
        ...['--launcher-image', config.launcherImage ?? EMBEDDED_LAUNCHER_IMAGE],
        ...['--passt-seccomp-profile', PASST_SECCOMP_PROFILE],
        ...['--virtiofs-seccomp-profile', VIRTIOFS_SECCOMP_PROFILE],
        '--runtime-default-seccomp',
        // The supervisor runs one at a time, so its successor may take the lead at once.
        ...['--identity', `supervised-${config.name}`],
        ...['--tls-dir', `${paths.pki}/virt-controller`],
        // Further nodes are in namespaces of their own, so this port is free on the machine.
        ...['--metrics-listen', `127.0.0.1:${config.apiPort + 3}`],
      ],
      confinement: unprivileged('virt-controller', config, paths),
    },
    ...config.nodes.map((node) => {
      const host = config.nodeNetwork === undefined ? '127.0.0.1' : node.address;
      const address = `${urlHost(host)}:${node.handlerPort}`;
      return {
        node: {
          name: node.name,
          awaitsNetwork: config.nodeNetwork !== undefined,
          ...(node.netns === undefined ? {} : { netns: node.netns }),
        },
        confinement: VIRT_HANDLER,
        name: `virt-handler-${node.name}`,
        program: 'virt-handler.mjs',
        nodeFlags: SMALL_PROCESS,
        args: [
          ...kubeconfig(`virt-handler-${node.name}`),
          ...['--tls-dir', `${paths.pki}/virt-handler-${node.name}`],
          ...['--listen', address, '--advertise', address],
          ...['--node-name', node.name],
          ...['--kubelet-dir', paths.kubelet(node.name)],
          ...['--state-dir', paths.handler(node.name)],
          ...['--capabilities-cache-dir', `${paths.lib}/cache`],
          ...['--namespace', 'kubevirt'],
        ],
      };
    }),
  ];
}
