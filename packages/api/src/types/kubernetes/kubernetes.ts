/** Kubernetes' types that stand in our CRDs, made from the embedded API server's description (decision 020). */
export type * from './gen/embedded.ts';
