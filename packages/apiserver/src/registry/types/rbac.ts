/** Types of the rbac group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const rbacTypes = `
Role
  kind string; apiVersion string; metadata=1 ObjectMeta; rules=2 []PolicyRule~;
PolicyRule
  apiGroups=2 []string; nonResourceURLs=5 []string; resourceNames=4 []string; resources=3 []string;
  verbs=1 []string!;
RoleBinding
  kind string; apiVersion string; metadata=1 ObjectMeta; roleRef=3 RoleRef!+; subjects=2 []RbacV1Subject;
RoleRef atomic
  apiGroup=1 string!; kind=2 string!; name=3 string!;
RbacV1Subject atomic
  apiGroup=2 string; kind=1 string!; name=3 string!; namespace=4 string;
ClusterRole
  kind string; apiVersion string; metadata=1 ObjectMeta; aggregationRule=3 AggregationRule;
  rules=2 []PolicyRule~;
AggregationRule
  clusterRoleSelectors=1 []LabelSelector;
ClusterRoleBinding
  kind string; apiVersion string; metadata=1 ObjectMeta; roleRef=3 RoleRef!+; subjects=2 []RbacV1Subject;
`;
