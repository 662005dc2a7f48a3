/** A home without nodes: enough for tests of what is installed, and in which order. */
export const TEST_CONFIG = {
  name: 'test',
  apiPort: 6443,
  virtApiPort: 6444,
  podCidr: '10.88.0.0/16',
  bridge: 'pv-test',
  nodes: [],
};
