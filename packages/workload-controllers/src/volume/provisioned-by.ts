/** Annotation of a volume: the provisioner that made it, and that alone may take its data away. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
