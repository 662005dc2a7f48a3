import { fixedCredentials, KubeClient } from '@podvisor/kube';
import type { ApiServer } from '@podvisor/apiserver';

/** A client for a part of this process: who its certificate (PEM) says, connected in memory. */
export function innerClient(
  server: Pick<ApiServer, 'admit'>,
  certificate: string,
  userAgent: string,
): KubeClient {
  const dial = server.admit(certificate);
  return new KubeClient({ credentials: fixedCredentials({ server: 'http://in-process' }), userAgent, dial });
}
