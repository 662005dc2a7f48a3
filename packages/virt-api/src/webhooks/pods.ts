/** Pods that say they belong to a virtual machine: the rule of @podvisor/api. */
import { type Pod, serviceAccounts, serviceAccountUser, validatePodIdentity } from '@podvisor/api';
import type { Webhook } from './context.ts';

export const validatePods: Webhook = ({ object, oldObject, user }, { namespace }) => {
  const isController = user === serviceAccountUser(namespace, serviceAccounts.controller);
  // The API server has checked that they are Pods.
  const admission = validatePodIdentity(object as Pod, oldObject as Pod | undefined, isController);
  return { kind: 'validated', ...admission };
};
