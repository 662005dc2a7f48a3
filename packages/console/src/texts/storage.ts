/** Claims, imports and uploads. */
export const storageText = {
  title: 'Storage',
  what: 'claims',
  claims: 'Claims',
  headings: ['Namespace', 'Name', 'State', 'Size', 'Class', 'Used by', 'Actions'],
  importTitle: 'Import a disk image',
  import: 'Import',
  url: 'URL',
  examples: { namespace: 'default', name: 'debian', url: 'https:// or docker://', size: '10Gi' },
};

export const uploadText = {
  title: 'Upload a disk image',
  waiting: 'Waiting for a file, or the rest of one:',
  sameFile: 'Choose the same file again, and what is there already is not sent twice.',
  file: 'File',
  fields: { namespace: 'Namespace', name: 'Claim', size: 'Size' },
  /** For who hears it without what stands above. */
  fieldNames: {
    namespace: 'Namespace of the upload',
    name: 'Claim of the upload',
    size: 'Size of the upload',
  },
  upload: 'Upload',
  done: (file: string, claim: string) => `${file} is in claim ${claim}.`,
  again: (words: string) => `${words}. The claim waits: upload again to go on.`,
  allSent: 'All was sent; waiting until it is in the claim.',
  failed: (name: string) => `the DataVolume ${name} failed`,
  progress: (sent: string, total: string) => `${sent} of ${total}`,
};
