/** Types of the scheduling group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const schedulingTypes = `
PriorityClass
  kind string; apiVersion string; metadata ObjectMeta; description string; globalDefault bool;
  preemptionPolicy string*; value int32!;
`;
