/** Command-line flags of virt-handler. */
import { parseArgs } from 'node:util';
import { HANDLER_STATE_DIR } from '@podvisor/api';

export interface Flags {
  /** Absent: the Pod's service account. */
  readonly kubeconfig?: string;
  readonly tlsDir: string;
  /** UID of our Pod: certificates are asked for by our Lease and put into `tlsDir`. Absent: they are there. */
  readonly certificatesForPod?: string;
  readonly listen: { readonly address: string; readonly port: number };
  /** `IP:PORT` under which virt-api reaches us. */
  readonly advertise: string;
  /** Address that other nodes migrate to; nothing listens on it unless a VM is on its way here. */
  readonly migrationAddress: string;
  readonly nodeName: string;
  readonly kubeletDir: string;
  /** Where the root directory of the node is seen: a container's own `/dev` does not show devices that come later. */
  readonly hostRoot: string;
  readonly stateDir: string;
  readonly capabilitiesCacheDir: string;
  /** What ask-node has found out, where libvirt and QEMU are in another image; absent: we ask ourselves. */
  readonly nodeAnswerFile?: string;
  readonly namespace: string;
}

export function parseFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kubeconfig: { type: 'string' },
      'tls-dir': { type: 'string' },
      'certificates-by-lease': { type: 'string' },
      listen: { type: 'string', default: '0.0.0.0:8186' },
      advertise: { type: 'string' },
      'migration-address': { type: 'string' },
      'node-name': { type: 'string' },
      'kubelet-dir': { type: 'string', default: '/var/lib/kubelet' },
      'host-root': { type: 'string', default: '/' },
      'state-dir': { type: 'string', default: HANDLER_STATE_DIR },
      'capabilities-cache-dir': { type: 'string' },
      'node-answer': { type: 'string' },
      namespace: { type: 'string', default: 'kubevirt' },
    },
  });
  const required = (name: 'tls-dir' | 'node-name'): string => {
    const value = values[name];
    if (value === undefined || value === '') throw new Error(`--${name} is missing`);
    return value;
  };
  const separator = values.listen.lastIndexOf(':');
  const port = Number(values.listen.slice(separator + 1));
  if (separator < 0 || !Number.isInteger(port))
    throw new Error(`--listen ${values.listen} is not ADDRESS:PORT`);
  const advertise = values.advertise ?? values.listen;
  const host = advertise.slice(0, advertise.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
  return {
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    tlsDir: required('tls-dir'),
    certificatesForPod: values['certificates-by-lease'],
    listen: { address: values.listen.slice(0, separator).replace(/^\[(.*)\]$/, '$1'), port },
    advertise,
    migrationAddress: values['migration-address'] ?? host,
    nodeName: required('node-name'),
    kubeletDir: values['kubelet-dir'],
    hostRoot: values['host-root'],
    stateDir: values['state-dir'],
    capabilitiesCacheDir: values['capabilities-cache-dir'] ?? `${values['state-dir']}/capabilities-cache`,
    ...(values['node-answer'] === undefined ? {} : { nodeAnswerFile: values['node-answer'] }),
    namespace: values.namespace,
  };
}
