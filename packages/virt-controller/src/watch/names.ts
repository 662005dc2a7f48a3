/** Names of our own that are not part of KubeVirt's API. */

/** On a start revision: finds the revisions of one VM without reading a whole namespace. */
export const VM_UID_LABEL = 'podvisor.io/vm-uid';

/** Kubernetes' finalizer of `--cascade=orphan`. */
export const ORPHAN_FINALIZER = 'orphan';
