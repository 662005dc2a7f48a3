/** Charts of what a guest uses. */
export const usageText = {
  cpu: 'CPU',
  ofOneCpu: 'of one CPU',
  percent: (value: string) => `${value} %`,
  memory: 'Memory',
  used: 'used',
  disks: 'Disks',
  read: 'read',
  written: 'written',
  network: 'Network',
  received: 'received',
  sent: 'sent',
  since: 'Since these charts were opened first, at most an hour. Now, in a terminal:',
};

export const unitsText = {
  perSecond: (amount: string) => `${amount}/s`,
  toGo: (time: string) => `about ${time} to go`,
};
