/**
 * The scalar and metadata vocabulary that all kinds share: the TypeScript names of the
 * OpenAPI formats (a quantity, a date-time …) and the parts of Kubernetes' ObjectMeta.
 * The schema generator maps each alias here to one OpenAPI type.
 */

import type { ObjectMeta } from './gen/kinds.ts';

/** A Kubernetes quantity such as `100m`, `2`, `1Gi`. */
export type Quantity = string | number;
/** A port number or name, a count or a percentage. */
export type IntOrString = string | number;
/** Any JSON value; the schema keeps its unknown fields. */
export type Json = unknown;
/** An object without fields: its presence is the message. */
export type EmptyObject = Readonly<Record<string, never>>;
/** RFC 3339 time. */
export type Time = string;
/** Bytes, base64-encoded. */
export type Base64 = string;
/** Integer without a declared width. */
export type Int = number;
/** 32-bit integer. */
export type Int32 = number;
/** 64-bit integer (kept as a JavaScript number: the API's values stay below 2^53). */
export type Int64 = number;

export type { ObjectMeta, OwnerReference } from './gen/kinds.ts';

/** What every Kubernetes object carries. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** Metadata inside a template: the schema keeps it whole and does not look into it. */
export type EmbeddedObjectMeta = ObjectMeta;
