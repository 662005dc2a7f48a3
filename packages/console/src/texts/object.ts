/** The object of a VM, and the form of a new one. */
export const objectText = {
  asServerHas: 'The VM and its VMI as the server has them',
  nothingNew: 'A restart would change nothing.',
  restartBrings: 'What a restart would bring',
  headings: ['Field', 'Runs with', 'Would start with'],
  nothing: 'nothing',
  yaml: 'YAML',
  changedMeanwhile:
    'The VM has changed since you began; the server will say so when you save. Nothing you typed is lost.',
  conflict: (words: string) =>
    `Somebody else changed this VM meanwhile. Your text is kept: put your changes on the newest, and save again. (${words})`,
  takeUp: 'Put my changes on the newest',
  yamlOf: (name: string) => `YAML of ${name}`,
  wouldTake: 'The server would take it.',
  saved: 'Saved.',
  check: 'Check',
  save: 'Save',
  mayNotChange: (namespace: string) => `You may not change VMs in ${namespace}`,
};

export const newVmText = {
  title: 'New VM',
  form: 'the form',
  yaml: 'YAML of the new VM',
  create: 'Create',
  mayNotMake: (namespace: string) => `You may not make VMs in ${namespace}`,
  sources: {
    image: 'an image',
    url: 'an address (a claim is made and filled)',
    claim: 'a claim',
  },
  from: {
    image: 'Image of its disk',
    url: 'Address of its disk image',
    claim: 'Claim with its disk',
  },
  diskFrom: 'Its disk comes from',
  diskSize: 'Size of its disk',
  instancetype: 'Instance type',
  preference: 'Preference',
  cpus: 'CPUs',
  memory: 'Memory',
  network: 'Network (masquerade, bridge, passt, or a NetworkAttachmentDefinition)',
  sshKey: 'SSH key (guests with cloud-init)',
  userData: 'Cloud-init user data',
};
