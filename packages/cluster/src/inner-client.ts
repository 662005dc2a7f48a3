import { fixedCredentials, KubeClient, loadKubeconfig } from '@podvisor/kube';
import type { ApiServer } from './apiserver/index.ts';

/** A client for a part of this process: who its kubeconfig says, connected in memory. */
export function innerClient(
  server: Pick<ApiServer, 'admit'>,
  kubeconfig: string,
  userAgent: string,
): KubeClient {
  const { certificate } = loadKubeconfig(kubeconfig);
  if (certificate === undefined) throw new Error(`${kubeconfig}: no client certificate`);
  const dial = server.admit(certificate);
  return new KubeClient({ credentials: fixedCredentials({ server: 'http://in-process' }), userAgent, dial });
}
