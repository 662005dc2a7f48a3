/** The table of VMs, and what can be done to a VM. */
export const vmsText = {
  title: 'Virtual machines',
  what: 'VMs',
  filter: 'Filter by name, namespace, status, node, address or label',
  filterExample: 'name, namespace, status, node or label=value',
  count: (shown: number, all: number) => `${shown} of ${all}`,
  newVm: 'New VM',
  chosen: 'Chosen',
  headings: ['Name', 'Namespace', 'Status', 'Node', 'Address', 'CPUs', 'Memory'],
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
