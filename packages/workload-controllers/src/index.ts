/** Kubernetes' own controllers, as the embedded home needs them. */
export {
  CONTROLLER_ACCOUNTS,
  CONTROLLER_RIGHTS,
  type ControllerAccount,
  controllerRoles,
  CONTROLLERS_NAMESPACE,
  TEMPLATE_CONTROLLERS,
} from './rights.ts';
export { STORES_NOTHING } from './served-resources.ts';
export { type SharedCaches, startControllers } from './start.ts';
export type { StorageObjects } from './storage-objects.ts';
