/** The rules of built-in kinds, by `group/plural`. A kind without rules is stored as it is. */
import type { KindRules } from '../definition.ts';
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './access.ts';
import * as admission from './admission.ts';
import { autoscalerRules, autoscalerV1Rules } from './autoscaler/rules.ts';
import { configMapRules, secretRules } from './config.ts';
import { crdRules } from './crd.ts';
import { cronJobRules } from './batch/cron-job.ts';
import { jobRules } from './batch/job.ts';
import { namespaceRules } from './namespace.ts';
import { ingressClassRules, ingressRules } from './network/ingress.ts';
import { networkPolicyRules } from './network/policy.ts';
import { budgetRules } from './disruption-budget.ts';
import { eventRules, eventsGroupRules } from './event.ts';
import { leaseRules } from './lease.ts';
import { nodeRules } from './node.ts';
import { podRules } from './pod/index.ts';
import { limitRangeRules, quotaRules } from './quota.ts';
import { serviceRules } from './service.ts';
import * as simple from './simple.ts';
import { volumeRules } from './persistent-volume.ts';
import { claimRules, storageClassRules } from './volume.ts';
import * as workloads from './workloads.ts';
import { WARNINGS } from '../warnings/kinds.ts';

const RULES: Readonly<Record<string, KindRules>> = {
  '/componentstatuses': simple.componentStatusRules,
  '/configmaps': configMapRules,
  '/endpoints': simple.endpointsRules,
  '/events': eventRules,
  'events.k8s.io/events': eventsGroupRules,
  '/limitranges': limitRangeRules,
  '/namespaces': namespaceRules,
  '/nodes': nodeRules,
  '/persistentvolumeclaims': claimRules,
  '/persistentvolumes': volumeRules,
  '/pods': podRules,
  '/podtemplates': workloads.podTemplateRules,
  '/replicationcontrollers': workloads.replicationControllerRules,
  '/resourcequotas': quotaRules,
  '/secrets': secretRules,
  '/services': serviceRules,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': admission.mutatingConfigurationRules,
  'admissionregistration.k8s.io/validatingadmissionpolicies': admission.policyRules,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': admission.policyBindingRules,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': admission.validatingConfigurationRules,
  'apiextensions.k8s.io/customresourcedefinitions': crdRules,
  'apiregistration.k8s.io/apiservices': simple.apiServiceRules,
  'apps/controllerrevisions': simple.controllerRevisionRules,
  'apps/daemonsets': workloads.daemonSetRules,
  'apps/deployments': workloads.deploymentRules,
  'apps/replicasets': workloads.replicaSetRules,
  'apps/statefulsets': workloads.statefulSetRules,
  'autoscaling/horizontalpodautoscalers': autoscalerRules,
  'autoscaling/horizontalpodautoscalers@v1': autoscalerV1Rules,
  'batch/cronjobs': cronJobRules,
  'batch/jobs': jobRules,
  'certificates.k8s.io/certificatesigningrequests': simple.csrRules,
  'coordination.k8s.io/leases': leaseRules,
  'discovery.k8s.io/endpointslices': simple.endpointSliceRules,
  'networking.k8s.io/ingressclasses': ingressClassRules,
  'networking.k8s.io/ingresses': ingressRules,
  'networking.k8s.io/networkpolicies': networkPolicyRules,
  'node.k8s.io/runtimeclasses': simple.runtimeClassRules,
  'policy/poddisruptionbudgets': budgetRules,
  'rbac.authorization.k8s.io/clusterrolebindings': clusterRoleBindingRules,
  'rbac.authorization.k8s.io/clusterroles': clusterRoleRules,
  'rbac.authorization.k8s.io/rolebindings': roleBindingRules,
  'rbac.authorization.k8s.io/roles': roleRules,
  'scheduling.k8s.io/priorityclasses': simple.priorityClassRules,
  'storage.k8s.io/csidrivers': simple.csiDriverRules,
  'storage.k8s.io/storageclasses': storageClassRules,
};

/** Kinds of which Kubernetes takes no PUT that does not say which version it replaces. */
const CONDITIONAL: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  'coordination.k8s.io/leases',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'node.k8s.io/runtimeclasses',
  'policy/poddisruptionbudgets',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/volumeattachments',
]);

/** Rules of a version that differs come before those of the kind. */
export function rulesOf(group: string, plural: string, version: string): KindRules {
  const kind = `${group}/${plural}`;
  const rules = RULES[`${kind}@${version}`] ?? RULES[kind] ?? {};
  const warnings = WARNINGS[kind];
  return {
    ...rules,
    ...(warnings === undefined ? {} : { warnings }),
    ...(CONDITIONAL.has(kind) ? { requiresVersionOnUpdate: true } : {}),
  };
}
