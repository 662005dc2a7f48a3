/** Kubernetes' own controllers, as the embedded home needs them. */
export { STORES_NOTHING } from './served-resources.ts';
export { type SharedCaches, startControllers } from './start.ts';
export type { StorageObjects } from './storage-objects.ts';
