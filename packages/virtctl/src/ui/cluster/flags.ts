/** The command line of virt-ui. */
import { parseArgs } from 'node:util';
import { parseHostPort } from '@podvisor/base';

export interface Flags {
  readonly listen: { readonly host: string; readonly port: number };
  /** Directory with `server.crt` and `server.key`. */
  readonly tlsDir: string;
  /** File with the CA that the API server is known by. */
  readonly apiServerCa: string;
  readonly apiServer: string;
}

/** Throws an error for people when something is missing or wrong. */
export function parseFlags(args: readonly string[], env: NodeJS.ProcessEnv): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      listen: { type: 'string', default: '127.0.0.1:8443' },
      'tls-dir': { type: 'string' },
      'api-server-ca': { type: 'string' },
      'api-server': { type: 'string' },
    },
  });
  const required = (name: 'tls-dir' | 'api-server-ca'): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`--${name} is required`);
    return value;
  };
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const inPod =
    host === undefined ? undefined : `https://${host.includes(':') ? `[${host}]` : host}:${port ?? 443}`;
  const apiServer = values['api-server'] ?? inPod;
  if (apiServer === undefined) throw new Error('not in a Pod: pass --api-server=https://HOST:PORT');
  return {
    listen: parseHostPort('--listen', values.listen),
    tlsDir: required('tls-dir'),
    apiServerCa: required('api-server-ca'),
    apiServer,
  };
}
