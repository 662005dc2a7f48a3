/** What the list of installed objects depends on. */
import type { LocalObjectReference, NodePlacement } from '@podvisor/api';

export interface InstallSettings {
  /** Namespace of the components and of the KubeVirt object. */
  readonly namespace: string;
  /** PEM of every CA that certificates of virt-api may be signed by now. */
  readonly caBundle: string;
  readonly components: Components;
  readonly dataVolumes: DataVolumes;
}

/**
 * `filled`: DataVolumes are ours. `kept`: they were; nobody fills new ones, and their kinds stay, because claims go
 * with the DataVolumes that own them. `absent`: nothing of ours; CDI may be there.
 */
export type DataVolumes = 'filled' | 'kept' | 'absent';

/**
 * How the components run; the only thing in which the homes differ. On a cluster they are Pods; in the embedded home
 * they are processes of the machine, virt-api listens on its loopback, and no object makes them run.
 */
export type Components = ProcessComponents | PodComponents;

export interface ProcessComponents {
  readonly kind: 'processes';
  readonly virtApiPort: number;
}

export interface PodComponents {
  readonly kind: 'pods';
  /** Registry and path before the names of images. */
  readonly registry: string;
  readonly tag: string;
  readonly pullPolicy: string;
  readonly pullSecrets: readonly LocalObjectReference[];
  /** Of virt-api and of virt-controller. */
  readonly replicas: number;
  readonly infraPlacement: NodePlacement;
  readonly workloadPlacement: NodePlacement;
  /** The web page is installed as well. */
  readonly webPage: boolean;
  /** Pods without privileges have a user namespace of their own. */
  readonly userNamespaces: boolean;
  /** Further flags, by component. */
  readonly flags: Readonly<
    Partial<Record<'api' | 'controller' | 'handler', Readonly<Record<string, string>>>>
  >;
  /** Absent: no kinds of the Prometheus operator. */
  readonly monitoring?: Monitoring;
}

/** Objects of the Prometheus operator, where its kinds exist. */
export interface Monitoring {
  /** Namespace of the ServiceMonitor. */
  readonly namespace: string;
  /** Service account of Prometheus, and its namespace. */
  readonly account: { readonly name: string; readonly namespace: string };
  readonly kinds: readonly ('ServiceMonitor' | 'PrometheusRule')[];
  /** Where the page of an alert (`%s`) is; absent: its path in the repository. */
  readonly runbooks?: string;
}

/** The form in which Kubernetes carries PEM in `caBundle`. */
export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
