/** Asks a component whether it is ready, from its node's network, as a kubelet asks a container. */
import { request } from 'node:https';
import { connect as tlsConnect } from 'node:tls';
import { messageOf } from '@podvisor/base';
import type { HomeComponent } from '@podvisor/home-contract';
import type { KubeletContext } from '../context.ts';
import { dialComponent } from './dial.ts';

const TIMEOUT_MS = 2_000;

/** Undefined: it is; otherwise why not. */
export function notReady(
  { endpoint, readyPath }: Pick<HomeComponent, 'endpoint' | 'readyPath'>,
  context: Pick<KubeletContext, 'nodeNetns'>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const call = request(
      {
        host: endpoint.host,
        port: endpoint.port,
        path: readyPath,
        headers: { 'user-agent': 'kube-probe/1.36' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        agent: false,
        rejectUnauthorized: false,
        // Certificates are for the names of Services; the address is the machine's own.
        createConnection: () =>
          tlsConnect({
            socket: dialComponent(endpoint, context),
            rejectUnauthorized: false,
          }),
      },
      (response) => {
        response.destroy();
        const { statusCode = 0 } = response;
        resolve(statusCode < 400 ? undefined : `${readyPath} answers ${statusCode}`);
      },
    );
    call.on('error', (error) => resolve(messageOf(error)));
    call.end();
  });
}
