/** Which Hyper-V enlightenment needs which other one. Leaves first, so that one pass resolves chains. */
export const hypervDependencies = [
  { feature: 'evmcs', requires: 'vapic' },
  { feature: 'ipi', requires: 'vpindex' },
  { feature: 'tlbflush', requires: 'vpindex' },
  { feature: 'synictimer', requires: 'synic' },
  { feature: 'synic', requires: 'vpindex' },
] as const;
