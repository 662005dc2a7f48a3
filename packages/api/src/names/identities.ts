/** Who our components and guests are: service accounts, users, devices that a Pod asks for. */

/** Service accounts of our components. */
export const serviceAccounts = {
  api: 'kubevirt-apiserver',
  controller: 'kubevirt-controller',
  handler: 'kubevirt-handler',
  operator: 'kubevirt-operator',
} as const;

/** Service account of the component that fills DataVolumes, where it is installed. VMs are none of its business. */
export const dataVolumesAccount = 'kubevirt-data-volumes';

/** Service account of the web page, where it is installed. It may do nothing: users bring their own rights. */
export const webPageAccount = 'kubevirt-ui';

/** `system:serviceaccount:<namespace>:<name>`. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The groups of every service account of a namespace; who was authenticated is in `system:authenticated` too. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Extra field of a user: the node that a Pod's token, or a certificate of the embedded home, belongs to. */
export const NODE_NAME_EXTRA = 'authentication.kubernetes.io/node-name';

/** Extended resources of the device plugins. */
export const deviceResources = {
  kvm: 'devices.kubevirt.io/kvm',
  tun: 'devices.kubevirt.io/tun',
  vhostNet: 'devices.kubevirt.io/vhost-net',
  vhostVsock: 'devices.kubevirt.io/vhost-vsock',
  sev: 'devices.kubevirt.io/sev',
} as const;

/** Uid and gid of QEMU in a launcher Pod. */
export const nonRootUser = 107;
