/**
 * Names that clients, Services and scripts see: labels, annotations, finalizers, conditions, phases and
 * event reasons. They are part of the API, so they are written once, here, and byte for byte as KubeVirt
 * has them (misspellings included). Names that begin with `podvisor.io/` are ours.
 */
export * from './names/annotations.ts';
export * from './names/conditions.ts';
export * from './names/identities.ts';
export * from './names/labels.ts';
export * from './names/phases.ts';
