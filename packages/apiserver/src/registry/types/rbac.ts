/** Types of the rbac group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const rbacTypes = `
Role
  kind string; apiVersion string; metadata ObjectMeta; rules []PolicyRule~;
PolicyRule
  apiGroups []string; nonResourceURLs []string; resourceNames []string; resources []string;
  verbs []string!;
RoleBinding
  kind string; apiVersion string; metadata ObjectMeta; roleRef RoleRef!+; subjects []RbacV1Subject;
RoleRef atomic
  apiGroup string!; kind string!; name string!;
RbacV1Subject atomic
  apiGroup string; kind string!; name string!; namespace string;
ClusterRole
  kind string; apiVersion string; metadata ObjectMeta; aggregationRule AggregationRule;
  rules []PolicyRule~;
AggregationRule
  clusterRoleSelectors []LabelSelector;
ClusterRoleBinding
  kind string; apiVersion string; metadata ObjectMeta; roleRef RoleRef!+; subjects []RbacV1Subject;
`;
