/** The parts of apiextensions.k8s.io/v1 that our CRDs use. */
import type { KubernetesObject, ObjectMeta } from '../types/kubernetes/meta.ts';

/** A structural OpenAPI v3 schema. */
export interface JSONSchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaProps;
  readonly additionalProperties?: JSONSchemaProps;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message?: string }[];
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  /** 1 = only with `-o wide`. */
  readonly priority?: number;
}

export interface Subresources {
  readonly status?: Readonly<Record<string, never>>;
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

export interface CustomResourceDefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: JSONSchemaProps };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

export interface CustomResourceDefinition extends KubernetesObject {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly conversion: { readonly strategy: 'None' };
    readonly versions: readonly CustomResourceDefinitionVersion[];
  };
}
