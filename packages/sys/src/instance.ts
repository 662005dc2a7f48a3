/** Where an instance of the embedded home keeps its things, and how it was set up. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface InstanceNode {
  readonly name: string;
  /** Address of the node that Pods and other nodes reach, of the first family. */
  readonly address: string;
  /** IPv6 address of the node, when Pods have both families. */
  readonly address6?: string;
  /** Network of the node's Pods, of the first family. */
  readonly podCidr: string;
  /** IPv6 network of the node's Pods, when they have both families. */
  readonly podCidr6?: string;
  /** Port of this node's virt-handler. */
  readonly handlerPort: number;
  /** Network namespace of the node; absent: the machine's own. */
  readonly netns?: string;
  /** The machine's end of the cable between the node and the node bridge; only with a namespace. */
  readonly link?: string;
}

/** The network between nodes that have namespaces of their own, and the machine. */
export interface NodeNetwork {
  /** Name of the Linux bridge on the machine that the nodes' cables end at. */
  readonly bridge: string;
  /** The machine's address on it: where nodes find the API server and the way out. */
  readonly address: string;
  readonly cidr: string;
  /** The same of IPv6, when Pods have both families. */
  readonly address6?: string;
  readonly cidr6?: string;
}

/** `home/config.json`. */
export interface InstanceConfig {
  /** Short name (at most 8 characters) that bridge, namespace and table names carry. */
  readonly name: string;
  readonly apiPort: number;
  readonly virtApiPort: number;
  /** Network of all Pods: an IPv4 /16, or an IPv6 /64 where Pods have nothing else. */
  readonly podCidr: string;
  /** IPv6 network of all Pods, when they have both families. */
  readonly podCidr6?: string;
  /** Name of the Linux bridge that Pods are plugged into. */
  readonly bridge: string;
  /** Present when a node has a namespace of its own. */
  readonly nodeNetwork?: NodeNetwork;
  readonly nodes: readonly InstanceNode[];
  /** Image that VMs run from; absent: programs of the machine (`EMBEDDED_LAUNCHER_IMAGE`). */
  readonly launcherImage?: string;
  /** A cluster and nothing of KubeVirt's: what runs VMs is installed as on any cluster. */
  readonly bare?: boolean;
}

/** The networks of Pods, one for each family that they have, the first family first. */
export function podCidrs({
  podCidr,
  podCidr6,
}: Pick<InstanceNode, 'podCidr' | 'podCidr6'>): readonly string[] {
  return podCidr6 === undefined ? [podCidr] : [podCidr, podCidr6];
}

/** Addresses of a node, or of the machine among them, in the same order. */
export function nodeAddresses({
  address,
  address6,
}: Pick<InstanceNode, 'address' | 'address6'>): readonly string[] {
  return address6 === undefined ? [address] : [address, address6];
}

/** The image name that stands for "the host's own root file system" in the embedded home. */
export const EMBEDDED_LAUNCHER_IMAGE = 'podvisor.local/virt-launcher:embedded';

/** Components whose Pods can run from the same root, each started by its entry point. */
const EMBEDDED_COMPONENTS = [
  ...['virt-operator', 'virt-api', 'virt-controller', 'virt-handler', 'virt-ui'],
  // Its Pods name their command.
  'virt-importer',
] as const;
/** Registry and tag under which they are known; nothing is ever pulled from it. */
export const EMBEDDED_REGISTRY = 'podvisor.local';
export const EMBEDDED_TAG = 'embedded';

/** `embedded-…` is the same under the name of another version: an update can be tried without a registry. */
const EMBEDDED = /^podvisor\.local\/([a-z-]+):embedded(?:-[a-z0-9.]{1,32})?$/;

/** The program that an embedded image starts; the launcher's starts none of its own. Undefined: another image. */
export function embeddedProgram(reference: string): string | undefined {
  const name = EMBEDDED.exec(reference)?.[1];
  return name === 'virt-launcher' ? '' : EMBEDDED_COMPONENTS.find((component) => component === name);
}

export function isEmbeddedImage(reference: string): boolean {
  return embeddedProgram(reference) !== undefined;
}

/** Annotation of a Pod that may run the images above: who granted it. Only the API server's admission sets it. */
export const EMBEDDED_IMAGE_GRANT = 'podvisor.io/embedded-image-granted-to';

/** Seccomp profile below `seccomp/` of every kubelet: RuntimeDefault and the user namespace that passt hides in. */
export const PASST_SECCOMP_PROFILE = 'podvisor/passt.json';

/** The same for virtiofsd, which makes itself a root directory. */
export const VIRTIOFS_SECCOMP_PROFILE = 'podvisor/virtiofs.json';

export interface InstancePaths {
  readonly home: string;
  readonly config: string;
  readonly kubeconfig: string;
  readonly pki: string;
  /** All that the control plane may write: the store, its audit log. */
  readonly controlPlane: string;
  readonly store: string;
  readonly lib: string;
  readonly images: string;
  readonly volumes: string;
  readonly snapshots: string;
  readonly logs: string;
  readonly run: string;
  /** What the node agent tells the control plane, and its listener. */
  readonly machine: string;
  /** Prometheus of a home with monitoring: its configuration and its data. */
  readonly monitoring: string;
  /** What is handed to a part of the home that is not root: its keys. */
  part(component: string): string;
  kubelet(node: string): string;
  containers(node: string): string;
  handler(node: string): string;
}

/** `$PODVISOR_HOME`, or `/var/lib/podvisor`. */
export function defaultHome(): string {
  return process.env['PODVISOR_HOME'] ?? '/var/lib/podvisor';
}

export function instancePaths(home: string): InstancePaths {
  const at = (...parts: string[]): string => join(home, ...parts);
  return {
    home,
    config: at('config.json'),
    kubeconfig: at('kubeconfig'),
    pki: at('pki'),
    controlPlane: at('control-plane'),
    store: at('control-plane', 'store.db'),
    lib: at('lib'),
    images: at('images'),
    volumes: at('volumes'),
    snapshots: at('snapshots'),
    logs: at('logs'),
    run: at('run'),
    machine: at('parts', 'control-plane', 'machine'),
    monitoring: at('monitoring'),
    part: (component) => at('parts', component),
    kubelet: (node) => at('nodes', node, 'kubelet'),
    containers: (node) => at('nodes', node, 'containers'),
    handler: (node) => at('nodes', node, 'handler'),
  };
}

/** Reads `home/config.json`; throws with the path and the fix when it is missing. */
export function readInstanceConfig(home: string): InstanceConfig {
  const path = instancePaths(home).config;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as InstanceConfig;
  } catch (error) {
    throw new Error(`${path} cannot be read: run \`podvisor up\` first`, { cause: error });
  }
}
