/** Labels and annotations of the catalogue's objects, as people select by them (`kubectl get … -l`). */

export const CATALOGUE_API_VERSION = 'instancetype.kubevirt.io/v1beta1';

/** Who made the objects: `-l instancetype.kubevirt.io/vendor=podvisor.io` finds the whole catalogue. */
export const VENDOR = 'podvisor.io';

/** The full name of a label of instance types and preferences. */
export const label = (name: string): string => `instancetype.kubevirt.io/${name}`;
