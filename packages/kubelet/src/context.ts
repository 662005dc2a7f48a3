/** What every part of one node's kubelet shares. */
import { join } from 'node:path';
import type { Clock } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { type InstanceConfig, type InstanceNode, type InstancePaths, netnsPath } from '@podvisor/sys';

export interface KubeletOptions {
  readonly node: InstanceNode;
  readonly config: InstanceConfig;
  readonly paths: InstancePaths;
  readonly clock: Clock;
  readonly log: Log;
}

export interface KubeletContext extends KubeletOptions {
  /** `pods/`, `device-plugins/`, `seccomp/` as on any node. */
  readonly kubeletDir: string;
  /** Bundles, logs and records of containers, by Pod UID. */
  readonly containersDir: string;
  /** Where conmon leaves exit codes, named after container ids. */
  readonly exitDir: string;
  /** State of runc; in /run, because it means nothing after a reboot. */
  readonly runcRoot: string;
  /** Path of the node's network namespace; undefined: the machine's own. */
  readonly nodeNetns: string | undefined;
}

export function kubeletContext(options: KubeletOptions): KubeletContext {
  const { node, config, paths } = options;
  const containersDir = paths.containers(node.name);
  return {
    ...options,
    kubeletDir: paths.kubelet(node.name),
    containersDir,
    exitDir: join(containersDir, 'exits'),
    runcRoot: join('/run/podvisor', config.name, node.name, 'runc'),
    nodeNetns: node.netns === undefined || node.netns.startsWith('/') ? node.netns : netnsPath(node.netns),
  };
}

/** Directory of a Pod as virt-handler and other node agents know it. */
export function podDirectory(context: KubeletContext, uid: string): string {
  return join(context.kubeletDir, 'pods', uid);
}

/** Directory of a Pod's containers. */
export function podContainersDirectory(context: KubeletContext, uid: string): string {
  return join(context.containersDir, uid);
}

/** Control groups around those of the Pods: of all instances on the machine, and of this one. */
export function podsCgroups({ config }: Pick<KubeletContext, 'config'>): readonly [string, string] {
  return ['/podvisor', `/podvisor/${config.name}`];
}

/** Control group that holds the groups of all containers of a Pod. */
export function podCgroup(context: KubeletContext, uid: string): string {
  return `${podsCgroups(context)[1]}/${uid}`;
}

/** Name of a Pod's network namespace in /run/netns. */
export function podNetnsName(context: KubeletContext, uid: string): string {
  return `${context.config.name}-${uid}`;
}

/** Where a Pod's user namespace is bound, if it has one. In /run, as namespaces end with the machine. */
export function podUserNamespace(context: KubeletContext, uid: string): string {
  return join(context.runcRoot, '..', 'users', uid);
}
