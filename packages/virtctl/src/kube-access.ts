/** Which cluster a command talks to: flags first, then the environment, then the embedded home. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KubeClient } from '@podvisor/kube';
import { defaultHome, instancePaths } from '@podvisor/sys';

export interface AccessFlags {
  readonly kubeconfig?: string;
  readonly namespace?: string;
}

/** The kubeconfig in force: `--kubeconfig`, `$KUBECONFIG`, `~/.kube/config`, the embedded home's own. */
export function kubeconfigPath(flags: AccessFlags): string {
  const candidates = [
    process.env['KUBECONFIG'],
    join(homedir(), '.kube/config'),
    instancePaths(defaultHome()).kubeconfig,
  ];
  const found =
    flags.kubeconfig ?? candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
  if (found === undefined)
    throw new Error(
      'no cluster is configured: start one with `podvisor up`, or give --kubeconfig or $KUBECONFIG',
    );
  return found;
}

export function connect(flags: AccessFlags): KubeClient {
  return KubeClient.fromKubeconfig(kubeconfigPath(flags), 'virtctl');
}

/** Namespace of a command; `default` as kubectl without a context's namespace. */
export function namespaceOf(flags: AccessFlags): string {
  return flags.namespace ?? 'default';
}
