/** What an installation consists of, and who keeps it so. */
export { COMPONENT_RIGHTS, EVENTS, FOLLOW, type PolicyRule, rule } from './install/component-rights.ts';
export type { Manifest } from './install/manifest.ts';
export { clusterRole, clusterRoleBinding, RBAC_GROUP, rbacObjects } from './install/rbac.ts';
export { resourceOf } from './install/resource-of.ts';
export { base64 } from './install/settings.ts';
export { installStrategy } from './install/strategy.ts';
export { type Deployment, type InstallState, plannedStatus, type StatusFacts } from './status/status.ts';
