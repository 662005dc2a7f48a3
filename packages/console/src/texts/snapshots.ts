/** Snapshots of a VM, and exports. */
export const snapshotsText = {
  what: 'snapshots',
  headings: ['Name', 'Taken', 'State', 'Notes', 'Actions'],
  stoppedBefore: 'A VM is stopped before a snapshot of it is restored, and before it is exported itself.',
};

export const snapshotActionLabels = { take: 'Take a snapshot', restore: 'Restore' };

export const exportsText = {
  title: 'Exports',
  what: 'exports',
  headings: ['Name', 'Of', 'State', 'Ends', 'Files', 'Actions'],
  mayNotSave: (namespace: string) =>
    `You may not read Secrets or reach Services in ${namespace}, which saving needs.`,
  export: 'Export',
  exportVm: 'Export this VM',
};
