/** What an installation consists of, and who keeps it so. */
export { COMPONENT_RIGHTS, EVENTS, FOLLOW, type PolicyRule, rule } from './install/component-rights.ts';
export type { Manifest } from './install/manifest.ts';
export { clusterRole, clusterRoleBinding, RBAC_GROUP, rbacObjects } from './install/rbac.ts';
export { dataVolumeConfig, dataVolumeDefinitions } from './install/data-volumes/definitions.ts';
export {
  anything,
  type Definition,
  definitionOf,
  object,
  quantity,
  type Schema,
  text,
  texts,
  time,
} from './install/definition.ts';
export { differs } from './install/differs.ts';
export { resourceOf } from './install/resource-of.ts';
export { base64 } from './install/settings.ts';
export { installStrategy, KUBEVIRT_CRD } from './install/strategy.ts';
export { type Deployment, type InstallState, plannedStatus, type StatusFacts } from './status/status.ts';
export { unsupportedVersion, type Version } from './cluster-facts.ts';
export { kubevirtObject, operatorObjects } from './install/operator-objects.ts';
export { isOwned } from './install/ownership.ts';
export { stuckPod, withoutPods } from './reconcile/rollout.ts';
export { applyCatalogue, catalogueChanges, isCatalogueEnabled } from './catalogue/apply-catalogue.ts';
export { runOperator } from './run-operator.ts';
export { wantsWebPage } from './install/web-page/choice.ts';
