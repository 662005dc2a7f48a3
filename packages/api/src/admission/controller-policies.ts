/**
 * Which Secrets virt-controller may make, as a ValidatingAdmissionPolicy: those of an export, in the export's
 * namespace and owned by it. A right to create Secrets cannot be limited by name, and a Secret of another type
 * would be more than a Secret (a token of any service account).
 */
import { serviceAccounts, serviceAccountUser } from '../names.ts';
import type { KubernetesObject } from '../types/index.ts';

const NAME = 'virt-controller-secrets.kubevirt.io';

/** The policy and its binding for an installation in `namespace`. */
export function controllerPolicies(namespace: string): KubernetesObject[] {
  const labels = { 'kubevirt.io': '' };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: NAME, labels },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['*'], operations: ['CREATE'], resources: ['secrets'] },
        ],
      },
      matchConditions: [
        {
          name: 'from-virt-controller',
          expression: `request.userInfo.username == '${serviceAccountUser(namespace, serviceAccounts.controller)}'`,
        },
      ],
      validations: [
        {
          expression: "!has(object.type) || object.type == '' || object.type == 'Opaque'",
          message: 'virt-controller makes Opaque Secrets only',
          reason: 'Forbidden',
        },
        {
          expression:
            "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, o.kind == 'VirtualMachineExport' && o.apiVersion.startsWith('export.kubevirt.io/'))",
          message: 'virt-controller makes Secrets of exports only',
          reason: 'Forbidden',
        },
      ],
    },
  };
  const binding = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: NAME, labels },
    spec: { policyName: NAME, validationActions: ['Deny'] },
  };
  return [policy, binding];
}
