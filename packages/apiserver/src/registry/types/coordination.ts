/** Types of the coordination group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const coordinationTypes = `
Lease
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 LeaseSpec+;
LeaseSpec
  acquireTime=3 microtime; holderIdentity=1 string*; leaseDurationSeconds=2 int32*; leaseTransitions=5 int32*;
  preferredHolder=7 string*; renewTime=4 microtime; strategy=6 string*;
`;
