/** The embedded kubelet: real Pods on this machine. README.md tells how. */
export { emptyMachine } from './empty-machine.ts';
export { ImageStore } from './images/store.ts';
export { type Image, ImageError } from './images/types.ts';
export { type Kubelet, type StartKubeletOptions, startKubelet } from './kubelet.ts';
export { restoreHost } from './restore-host.ts';
