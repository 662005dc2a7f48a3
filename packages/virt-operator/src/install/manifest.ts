import type { KubernetesObject } from '@podvisor/api';

/** Any object; fields beside the metadata are its own affair. */
export type Manifest = KubernetesObject & Readonly<Record<string, unknown>>;
