/**
 * Pods of virtual machines and of their exports are made by virt-controller, and nobody else says of a Pod that it is
 * one (CVE-2025-64435). What a Pod is, is in its labels and owners, which whoever may create Pods writes as he likes; only
 * the API server knows who he is. Everything else of such a Pod is changed by whoever may.
 */
import { deepEqual } from '@podvisor/base';
import { labels } from '../../names.ts';
import { ownerKinds, saidOwners, saySameOwners } from '../../ownership.ts';
import type { Pod } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';

/** Values of the label `kubevirt.io` of Pods that run guests, or hold or serve their claims. */
export const guardedPodApps: readonly string[] = ['virt-launcher', 'hotplug-disk', 'virt-export'];
/** Kinds of owners that such Pods have. */
export const guardedPodOwners: readonly string[] = [ownerKinds.vmi.kind, ownerKinds.export.kind];
/** Labels that say which guest a Pod is for. */
export const guardedPodLabels: readonly string[] = [labels.createdBy, labels.migrationJobUID];

/** What the Pod claims to be for us; empty for everybody else's. */
function identityOf(pod: Pod): readonly string[] {
  const own = pod.metadata.labels ?? {};
  const app = own[labels.app];
  const owners = saidOwners(pod).filter(({ kind }) => guardedPodOwners.includes(kind));
  return [
    ...(app !== undefined && guardedPodApps.includes(app) ? [`label ${labels.app}=${app}`] : []),
    ...guardedPodLabels.filter((key) => Object.hasOwn(own, key)).map((key) => `label ${key}=${own[key]}`),
    ...owners.map((owner) => `owner ${owner.apiVersion} ${owner.kind} ${owner.name} ${owner.uid}`),
  ];
}

/** Whether somebody may make or change the Pod so. `old` undefined: it is made. */
export function validatePodIdentity(pod: Pod, old: Pod | undefined, isController: boolean): Admission {
  if (isController) return admissionOf([]);
  const now = identityOf(pod);
  const before = old === undefined ? [] : identityOf(old);
  // With an identity of ours, all owners count: one more could take the Pod along when it goes.
  const sameOwners = now.length === 0 || old === undefined || saySameOwners(pod, old);
  if (deepEqual(now, before) && sameOwners) return admissionOf([]);
  const [what] = [...now.filter((claim) => !before.includes(claim)), ...before, 'owner'];
  return refusal(`Pods of virtual machines are made and owned by virt-controller only: ${what}`, 403);
}
