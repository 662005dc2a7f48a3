/** The parts of apiextensions.k8s.io/v1 that our CRDs use. */
export type {
  CustomResourceColumnDefinition as PrinterColumn,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources as Subresources,
  JSONSchemaProps,
} from '../types/kubernetes/gen/kinds.ts';
