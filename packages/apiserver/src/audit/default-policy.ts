/**
 * What is noted in a home without a policy of its own: who changed what, who read Secrets, and who went
 * into a Pod or a guest; never contents. Left out is what the parts of a cluster write all the time.
 */
export const DEFAULT_AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: None
  resources:
  - {group: coordination.k8s.io, resources: [leases]}
  - {group: "", resources: [events]}
  - {group: events.k8s.io, resources: [events]}
  - {group: authorization.k8s.io}
  - {group: authentication.k8s.io, resources: [tokenreviews, selfsubjectreviews]}
- level: Metadata
  resources:
  - {group: "", resources: [secrets, pods/exec, pods/attach, pods/portforward, pods/proxy, services/proxy, nodes/proxy]}
  - {group: subresources.kubevirt.io, resources: ["*"]}
- level: Metadata
  verbs: [create, update, patch, delete, deletecollection]
`;
