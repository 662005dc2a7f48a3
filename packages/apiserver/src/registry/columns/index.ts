/** How built-in kinds are shown in Tables, by `group/plural`; name and creation time unless given. */
import { eventConversion } from '../event-conversion.ts';
import type { Printer } from '../definition.ts';
import { autoscalerPrinter } from './autoscaler.ts';
import * as core from './core.ts';
import * as groups from './groups.ts';
import { plainPrinter } from './plain.ts';
import * as rare from './rare.ts';

const PRINTERS: Readonly<Record<string, Printer>> = {
  '/componentstatuses': rare.componentStatusPrinter,
  '/configmaps': core.configMapPrinter,
  '/endpoints': core.endpointsPrinter,
  '/events': core.eventPrinter,
  '/namespaces': core.namespacePrinter,
  '/nodes': core.nodePrinter,
  '/persistentvolumeclaims': core.claimPrinter,
  '/persistentvolumes': core.volumePrinter,
  '/pods': core.podPrinter,
  '/podtemplates': rare.podTemplatePrinter,
  '/replicationcontrollers': rare.replicationControllerPrinter,
  '/resourcequotas': core.quotaPrinter,
  '/secrets': core.secretPrinter,
  '/serviceaccounts': core.agePrinter,
  '/services': core.servicePrinter,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': groups.webhooksPrinter,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': groups.webhooksPrinter,
  'admissionregistration.k8s.io/validatingadmissionpolicies': rare.policyPrinter,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': rare.policyBindingPrinter,
  'apiregistration.k8s.io/apiservices': groups.apiServicePrinter,
  'apps/controllerrevisions': rare.controllerRevisionPrinter,
  'apps/daemonsets': groups.daemonSetPrinter,
  'apps/deployments': groups.deploymentPrinter,
  'apps/replicasets': groups.replicaSetPrinter,
  'apps/statefulsets': groups.statefulSetPrinter,
  'autoscaling/horizontalpodautoscalers': autoscalerPrinter,
  'batch/cronjobs': groups.cronJobPrinter,
  'batch/jobs': groups.jobPrinter,
  'certificates.k8s.io/certificatesigningrequests': groups.csrPrinter,
  'coordination.k8s.io/leases': groups.leasePrinter,
  'discovery.k8s.io/endpointslices': groups.slicePrinter,
  'events.k8s.io/events': {
    ...core.eventPrinter,
    cells: (event, nowMs) => core.eventPrinter.cells(eventConversion.toStorage(event), nowMs),
  },
  'flowcontrol.apiserver.k8s.io/flowschemas': rare.flowSchemaPrinter,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': rare.priorityLevelPrinter,
  'networking.k8s.io/ingressclasses': rare.ingressClassPrinter,
  'networking.k8s.io/ipaddresses': rare.ipAddressPrinter,
  'networking.k8s.io/servicecidrs': rare.serviceCidrPrinter,
  'networking.k8s.io/ingresses': groups.ingressPrinter,
  'networking.k8s.io/networkpolicies': groups.networkPolicyPrinter,
  'node.k8s.io/runtimeclasses': rare.runtimeClassPrinter,
  'policy/poddisruptionbudgets': groups.budgetPrinter,
  'rbac.authorization.k8s.io/clusterrolebindings': groups.bindingPrinter,
  'rbac.authorization.k8s.io/rolebindings': groups.bindingPrinter,
  'scheduling.k8s.io/priorityclasses': groups.priorityClassPrinter,
  'resource.k8s.io/deviceclasses': rare.onlyAgePrinter,
  'resource.k8s.io/resourceclaimtemplates': rare.onlyAgePrinter,
  'storage.k8s.io/csidrivers': rare.csiDriverPrinter,
  'storage.k8s.io/csinodes': rare.csiNodePrinter,
  'storage.k8s.io/volumeattachments': rare.attachmentPrinter,
  'storage.k8s.io/volumeattributesclasses': rare.attributesClassPrinter,
  'storage.k8s.io/storageclasses': groups.storageClassPrinter,
};

export function printerOf(group: string, plural: string): Printer {
  return PRINTERS[`${group}/${plural}`] ?? plainPrinter;
}
