/** The embedded kubelet: real Pods on this machine. README.md tells how. */
export { emptyMachine } from './empty-machine.ts';
export { ImageStore } from './images/store.ts';
export { killContainers } from './kill-containers.ts';
export { type Kubelet, startKubelet } from './kubelet.ts';
export { setUpMachineNetwork } from './network/machine-network.ts';
export { restoreHostNetwork } from './network/node-network.ts';
export { restoreHost } from './restore-host.ts';
export { readDialPolicy } from './images/dial-policy.ts';
