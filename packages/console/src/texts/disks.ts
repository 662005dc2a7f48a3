/** The disks of a VM. */
export const disksText = {
  headings: ['Name', 'From', 'Device', 'Size', 'State', 'Actions'],
  grow: 'Grow a disk',
  disk: 'Disk',
  newSize: 'New size',
  sizeExample: '20Gi',
  plug: 'Plug a claim',
  claim: 'Claim',
  fromClaim: (name: string) => `claim ${name}`,
  fromDataVolume: (name: string) => `data volume ${name}`,
  fromImage: (name: string) => `image ${name}`,
};

export const diskActionLabels = { unplug: 'Unplug', plug: 'Plug', grow: 'Grow' };
