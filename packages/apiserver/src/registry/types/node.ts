/** Types of the node group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const nodeTypes = `
RuntimeClass
  kind string; apiVersion string; metadata=1 ObjectMeta; handler=2 string!; overhead=3 Overhead;
  scheduling=4 Scheduling;
Overhead
  podFixed=1 {}quantity;
Scheduling
  nodeSelector=1 {}string; tolerations=2 []Toleration;
`;
