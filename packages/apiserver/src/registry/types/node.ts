/** Types of the node group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const nodeTypes = `
RuntimeClass
  kind string; apiVersion string; metadata ObjectMeta; handler string!; overhead Overhead;
  scheduling Scheduling;
Overhead
  podFixed {}quantity;
Scheduling
  nodeSelector {}string; tolerations []Toleration;
`;
