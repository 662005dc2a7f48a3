/** The command line of virt-controller. */
import { parseArgs } from 'node:util';
import { parseHostPort } from '@podvisor/base';

export interface Flags {
  /** Absent: `$KUBECONFIG`, or the Pod's service account. */
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly launcherImage: string;
  /** Seccomp profile on the nodes for launcher Pods with passt; absent: none is named. */
  readonly passtSeccompProfile?: string;
  /** The same for virtiofs containers. */
  readonly virtiofsSeccompProfile?: string;
  /** The nodes' RuntimeDefault seccomp profile lets everything through that a launcher needs: all Pods name it. */
  readonly runtimeDefaultSeccomp: boolean;
  /** A virt-operator runs as well, and tells its metrics itself. */
  readonly withOperator: boolean;
  /** Name in the leader lease; one that stays the same takes the lead again at once after a crash. */
  readonly identity?: string;
  /** Certificate of the metrics listener; absent: self-signed. */
  readonly tlsDir?: string;
  /** `host:port` of metrics and probes; absent: no listener. */
  readonly metricsListen?: { readonly host: string; readonly port: number };
}

/** Throws an error for people when something is missing or wrong. */
export function parseFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
      'launcher-image': { type: 'string' },
      'passt-seccomp-profile': { type: 'string' },
      'virtiofs-seccomp-profile': { type: 'string' },
      'runtime-default-seccomp': { type: 'boolean', default: false },
      'with-operator': { type: 'boolean', default: false },
      identity: { type: 'string' },
      'metrics-listen': { type: 'string' },
      'tls-dir': { type: 'string' },
    },
  });
  const launcherImage = values['launcher-image'];
  if (launcherImage === undefined) throw new Error('--launcher-image is required');
  return {
    kubeconfig: values.kubeconfig,
    namespace: values.namespace,
    launcherImage,
    passtSeccompProfile: values['passt-seccomp-profile'],
    virtiofsSeccompProfile: values['virtiofs-seccomp-profile'],
    runtimeDefaultSeccomp: values['runtime-default-seccomp'],
    withOperator: values['with-operator'],
    identity: values.identity,
    tlsDir: values['tls-dir'],
    metricsListen:
      values['metrics-listen'] === undefined
        ? undefined
        : parseHostPort('--metrics-listen', values['metrics-listen']),
  };
}
