/** Types of the policy group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const policyTypes = `
PodDisruptionBudget
  kind string; apiVersion string; metadata ObjectMeta; spec PodDisruptionBudgetSpec+;
  status PodDisruptionBudgetStatus+;
PodDisruptionBudgetSpec
  maxUnavailable intOrString*; minAvailable intOrString*; selector LabelSelector;
  unhealthyPodEvictionPolicy string*;
PodDisruptionBudgetStatus
  conditions []Condition map:type patch:merge:type; currentHealthy int32!; desiredHealthy int32!;
  disruptedPods {}time; disruptionsAllowed int32!; expectedPods int32!; observedGeneration int64;
`;
