/** The command line of virt-operator. */
import { parseArgs } from 'node:util';
import { parseHostPort } from '@podvisor/base';
import { type OperatorImage, parseOperatorImage } from './install/settings-of.ts';

export interface Flags {
  /** Absent: `$KUBECONFIG`, or the Pod's service account. */
  readonly kubeconfig?: string;
  readonly namespace: string;
  /** From which the images of the components follow, where the KubeVirt object names none. Absent: that of our Pod. */
  readonly image?: OperatorImage;
  /** Of metrics and probes; absent: no listener. */
  readonly metricsListen?: { readonly host: string; readonly port: number };
}

/** Throws an error for people when something is missing or wrong. */
export function parseFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
      image: { type: 'string' },
      'metrics-listen': { type: 'string' },
    },
  });
  const listen = values['metrics-listen'];
  return {
    ...(listen === undefined ? {} : { metricsListen: parseHostPort('--metrics-listen', listen) }),
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    namespace: values.namespace,
    ...(values.image === undefined ? {} : { image: parseOperatorImage(values.image) }),
  };
}
