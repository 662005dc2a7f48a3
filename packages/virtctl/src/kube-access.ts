/** One command's access to its cluster: client and namespace, from the flags, the environment and the kubeconfig. */
import type { KubeClient } from '@podvisor/kube';
import type { Command } from 'commander';
import { CommandClient } from './access/command-client.ts';
import { type AccessFlags, accessFlags } from './access/flags.ts';
import { clusterAccess } from './access/kubeconfig.ts';
import type { Shell } from './shell.ts';

export type { AccessFlags } from './access/flags.ts';

export interface Session {
  readonly client: KubeClient;
  /** `--namespace`, else the context's, else `default`. */
  readonly namespace: string;
}

/** Opens the access that `command`'s flags describe. Nothing is sent yet. */
export function openSession(command: Command, shell: Shell): Session {
  const flags = accessFlags(command);
  const access = clusterAccess(flags, shell.env);
  return { client: new CommandClient(access, flags), namespace: access.namespace ?? 'default' };
}

/** A client for these flags and this process' environment. */
export function connect(flags: AccessFlags): KubeClient {
  return new CommandClient(clusterAccess(flags, process.env), flags);
}

/** Namespace for these flags and this process' environment. */
export function namespaceOf(flags: AccessFlags): string {
  return flags.namespace ?? clusterAccess(flags, process.env).namespace ?? 'default';
}
