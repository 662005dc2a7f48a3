/** The disks of a VM. */
export const disksText = {
  headings: ['Name', 'From', 'Device', 'Size', 'State', 'Actions'],
  fileSystems: 'File systems of the guest',
  fileSystemHeadings: ['Mounted at', 'Kind', 'Disk', 'Used'],
  usedOf: (place: string) => `used of ${place}`,
  usedWords: (used: string, total: string, percent: number) => `${used} of ${total}, ${percent} %`,
  noAgent: 'Not known: the agent of the guest (qemu-guest-agent) tells of none.',
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
