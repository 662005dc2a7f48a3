/** The frame of the page, and who uses it. */
export const sessionText = {
  pages: 'Pages',
  titleOf: (title: string) => `${title} · Podvisor`,
  vms: 'VMs',
  nodes: 'Nodes',
  migrations: 'Migrations',
  storage: 'Storage',
  events: 'Events',
  cluster: 'Cluster',
  allNamespaces: 'all',
  usedKey:
    'This page was opened before with this key, or without one. Run the command again for a new address.',
  token: 'Token',
  logIn: 'Log in',
  logOut: 'Log out',
  newToken: 'A new one:',
  ended: (words: string) => `You are not known any more: ${words}. Nothing that you typed is lost.`,
  renew: 'Renew the credentials of your kubeconfig, and run the command again for a new address.',
};
