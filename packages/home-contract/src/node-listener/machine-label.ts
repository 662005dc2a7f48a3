/** Nodes of one machine share its storage: local volumes are reachable from all that carry the same value. */
export const MACHINE_LABEL = 'podvisor.io/machine';
