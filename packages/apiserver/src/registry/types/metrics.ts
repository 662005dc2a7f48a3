/** Types of metrics.k8s.io, in the notation of ../notation.ts. Facts of the Kubernetes API. */
export const metricsTypes = `
NodeMetrics
  kind string; apiVersion string; metadata ObjectMeta; timestamp time~; window string!; usage {}quantity;
PodMetrics
  kind string; apiVersion string; metadata ObjectMeta; timestamp time~; window string!;
  containers []ContainerMetrics!;
ContainerMetrics
  name string!; usage {}quantity;
`;
