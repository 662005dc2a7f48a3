/** The table of VMs, and what can be done to a VM. */
export const vmsText = {
  title: 'Virtual machines',
  what: 'VMs',
  filter: 'Filter by name, namespace, status, node, address or label',
  filterExample: 'name, namespace, status, node or label=value',
  count: (shown: number, all: number) => `${shown} of ${all}`,
  newVm: 'New VM',
  none: 'There is no VM yet.',
  noneFits: 'No VM fits the filter.',
  byStatus: 'Only VMs with this status',
  allNodes: 'all',
  onNode: (node: string, count: number) => `${node} (${count})`,
  withChosen: (count: number) => (count === 1 ? '1 VM chosen:' : `${count} VMs chosen:`),
  chooseAll: 'Choose all that are shown',
  headings: {
    name: 'Name',
    namespace: 'Namespace',
    status: 'Status',
    node: 'Node',
    address: 'Address',
    cpus: 'CPUs',
    memory: 'Memory',
  },
  choose: (name: string) => `Choose ${name}`,
};

export const vmActionLabels = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  pause: 'Pause',
  unpause: 'Unpause',
  migrate: 'Migrate',
  clone: 'Clone',
};
