/** What the control plane and the node agent of the embedded home agree on: who asks whom for what, and which Pods stand for the home's processes. */
export {
  COMPONENT_NAMESPACE,
  COMPONENT_PORT,
  componentsOf,
  type Endpoint,
  type HomeComponent,
} from './home-components/components.ts';
export { componentWorkloads, imageOf, mirrorPod, standsForProcess } from './home-components/objects.ts';
export { MACHINE_LABEL } from './node-listener/machine-label.ts';
export type {
  ContainerProcess,
  ExecOptions,
  LogOptions,
  NodeProxy,
  PodRef,
} from './node-listener/node-proxy.ts';
export type { ContainerReading, NodeReading, PodReading, Reading } from './node-listener/readings.ts';
export { RemoteNodeProxy } from './node-listener/remote-node-proxy.ts';
export { RemoteVolumeData } from './node-listener/remote-volume-data.ts';
export { startNodeListener } from './node-listener/server.ts';
export {
  type Content,
  type CopyProgress,
  type NewVolume,
  snapshotNameFor,
  TOO_LONG,
  type VolumeData,
  type VolumeMode,
  volumeNameFor,
} from './node-listener/volume-data.ts';
