/** Types of the scheduling group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const schedulingTypes = `
PriorityClass
  kind string; apiVersion string; metadata=1 ObjectMeta; description=4 string; globalDefault=3 bool;
  preemptionPolicy=5 string*; value=2 int32!;
`;
