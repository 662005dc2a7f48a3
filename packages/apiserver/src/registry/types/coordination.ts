/** Types of the coordination group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const coordinationTypes = `
Lease
  kind string; apiVersion string; metadata ObjectMeta; spec LeaseSpec+;
LeaseSpec
  acquireTime microtime; holderIdentity string*; leaseDurationSeconds int32*;
  leaseTransitions int32*; preferredHolder string*; renewTime microtime; strategy string*;
`;
