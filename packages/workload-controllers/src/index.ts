/** Kubernetes' own controllers, as the embedded home needs them. */
export { STORES_NOTHING } from './served-resources.ts';
export { type SharedCaches, startControllers } from './start.ts';
export type { StorageObjects } from './storage-objects.ts';
export { resolveSource } from './volume/data-volume-source.ts';
export { defaultClass, PROVISIONER, usersOf } from './volume/reconcile.ts';
