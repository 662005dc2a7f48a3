/** What several views say. */
export const commonText = {
  product: 'Podvisor',
  inTerminal: 'In a terminal:',
  sameInTerminal: 'The same in a terminal:',
  looking: 'Looking …',
  loading: (what: string) => `Loading ${what} …`,
  notLoaded: (what: string) => `${what} could not be loaded; is the page's server still running?`,
  viewFailed: (words: string) =>
    `This view cannot be shown (${words}). The others can; nothing has happened to your VMs.`,
  showCommands: 'Show commands',
  mayNot: 'You may not do this',
  mayNotIn: (where: string) => `You may not do this in ${where}`,
  sure: (label: string, names: string, command: string) => `${label} ${names}?\n\n${command}`,
  forbidden: (what: string, words: string) => `You may not see ${what} here: ${words}`,
  behind: (what: string, words: string) =>
    `The connection is lost; ${what} may have changed meanwhile. Trying again … (${words})`,
  choose: 'choose',
  fillIn: 'Fill in the form first',
  none: 'none',
  nothingHere: 'None.',
  delete: 'Delete',
  cancel: 'Cancel',
  /** Columns that several tables have. */
  actions: 'Actions',
  name: 'Name',
  namespace: 'Namespace',
  node: 'Node',
  size: 'Size',
  state: 'State',
  status: 'Status',
  why: 'Why',
};

/** What went wrong between the page and its server, for want of the server's own words. */
export const connectionText = {
  brokeOff: 'the connection broke off',
  cancelled: 'cancelled',
  watchFailed: 'the watch failed',
  endlessLine: 'the server sent a line without an end',
  answered: (code: number) => `the server answered ${code}`,
};

export const eventsText = {
  title: 'Events',
  what: 'events',
  headings: ['When', 'Object', 'Reason', 'Message'],
  times: (count: number) => `(${count} times)`,
};
