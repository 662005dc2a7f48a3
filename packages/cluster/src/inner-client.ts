import { fixedCredentials, KubeClient } from '@podvisor/kube';
import type { ApiServer } from '@podvisor/apiserver';
import { type ControllerAccount, CONTROLLERS_NAMESPACE } from '@podvisor/workload-controllers';

/** A client for a part of this process: who its certificate (PEM) says, connected in memory. */
export function innerClient(
  server: Pick<ApiServer, 'admit'>,
  certificate: string,
  userAgent: string,
): KubeClient {
  return over(server.admit(certificate), userAgent);
}

/** A client for one controller of this process. */
export function controllerClient(
  server: Pick<ApiServer, 'admitAccount'>,
  account: ControllerAccount,
): KubeClient {
  return over(server.admitAccount(CONTROLLERS_NAMESPACE, account), `podvisor-${account}`);
}

function over(dial: ReturnType<ApiServer['admit']>, userAgent: string): KubeClient {
  return new KubeClient({ credentials: fixedCredentials({ server: 'http://in-process' }), userAgent, dial });
}
