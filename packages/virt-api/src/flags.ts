/** The command line of virt-api. */
import { parseArgs } from 'node:util';
import { parseHostPort } from '@podvisor/base';

export interface Flags {
  /** Absent: `$KUBECONFIG`, or the Pod's service account. */
  readonly kubeconfig?: string;
  /** Directory with `server.{crt,key} client.{crt,key} ca.crt`. */
  readonly tlsDir: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly namespace: string;
  /** Webhooks answer only the API server, which must show its front-proxy certificate to them. */
  readonly webhooksNeedCertificate: boolean;
  /** Installation's key of hibernated states; a file that need not be there. */
  readonly stateKeyFile?: string | undefined;
  /** How long requests are answered after we were told to end: until nobody is sent here any more. */
  readonly leaveMs: number;
}

/** Throws an error for people when something is missing or wrong. */
export function parseFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      'tls-dir': { type: 'string' },
      listen: { type: 'string', default: '127.0.0.1:8443' },
      namespace: { type: 'string', default: 'kubevirt' },
      'webhooks-need-certificate': { type: 'boolean', default: false },
      'state-key-file': { type: 'string' },
      'leave-seconds': { type: 'string', default: '0' },
    },
  });
  const tlsDir = values['tls-dir'];
  if (tlsDir === undefined) throw new Error('--tls-dir is required');
  const leaveSeconds = Number(values['leave-seconds']);
  if (!(leaveSeconds >= 0))
    throw new Error(`--leave-seconds must be a number, not "${values['leave-seconds']}"`);
  return {
    kubeconfig: values.kubeconfig,
    tlsDir,
    listen: parseHostPort('--listen', values.listen),
    namespace: values.namespace,
    webhooksNeedCertificate: values['webhooks-need-certificate'],
    stateKeyFile: values['state-key-file'],
    leaveMs: leaveSeconds * 1000,
  };
}
