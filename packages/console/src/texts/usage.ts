/** Charts of what a guest uses. */
export const usageText = {
  cpu: 'CPU',
  ofOneCpu: 'of one CPU',
  percent: (value: string) => `${value} %`,
  memory: 'Memory',
  used: 'used',
  unknown: '…',
  disks: 'Disks',
  read: 'read',
  written: 'written',
  network: 'Network',
  received: 'received',
  sent: 'sent',
  since: (time: string) => `From ${time}, an hour at most, as long as the guest runs where it is.`,
  now: 'Now, in a terminal:',
};

export const unitsText = {
  perSecond: (amount: string) => `${amount}/s`,
  toGo: (time: string) => `about ${time} to go`,
};
