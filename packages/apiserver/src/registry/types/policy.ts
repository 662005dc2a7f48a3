/** Types of the policy group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const policyTypes = `
PodDisruptionBudget
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 PodDisruptionBudgetSpec+;
  status=3 PodDisruptionBudgetStatus+;
PodDisruptionBudgetSpec
  maxUnavailable=3 intOrString*; minAvailable=1 intOrString*; selector=2 LabelSelector patch:replace;
  unhealthyPodEvictionPolicy=4 string*;
PodDisruptionBudgetStatus
  conditions=7 []Condition map:type patch:merge:type; currentHealthy=4 int32!; desiredHealthy=5 int32!;
  disruptedPods=2 {}time; disruptionsAllowed=3 int32!; expectedPods=6 int32!; observedGeneration=1 int64;
`;
