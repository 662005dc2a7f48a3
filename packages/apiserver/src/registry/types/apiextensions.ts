/** Types of the apiextensions group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const apiextensionsTypes = `
CustomResourceDefinition
  kind string; apiVersion string; metadata ObjectMeta; spec CustomResourceDefinitionSpec!+;
  status CustomResourceDefinitionStatus+;
CustomResourceDefinitionSpec
  conversion CustomResourceConversion; group string!; names CustomResourceDefinitionNames!+;
  preserveUnknownFields bool; scope string!; versions []CustomResourceDefinitionVersion!;
CustomResourceConversion
  strategy string!; webhook WebhookConversion;
WebhookConversion
  clientConfig ApiextensionsV1WebhookClientConfig; conversionReviewVersions []string!;
ApiextensionsV1WebhookClientConfig
  caBundle bytes; service ApiextensionsV1ServiceReference; url string*;
ApiextensionsV1ServiceReference
  name string!; namespace string!; path string*; port int32*;
CustomResourceDefinitionNames
  categories []string; kind string!; listKind string; plural string!; shortNames []string; singular string;
CustomResourceDefinitionVersion
  additionalPrinterColumns []CustomResourceColumnDefinition; deprecated bool*; deprecationWarning string*;
  name string!; schema CustomResourceValidation; selectableFields []SelectableField; served bool!;
  storage bool!; subresources CustomResourceSubresources;
CustomResourceColumnDefinition
  description string; format string; jsonPath string!; name string!; priority int32; type string!;
CustomResourceValidation
  openAPIV3Schema JSONSchemaProps;
JSONSchemaProps
  $ref string*; $schema string; additionalItems any*; additionalProperties any*; allOf []JSONSchemaProps;
  anyOf []JSONSchemaProps; default any*; definitions {}JSONSchemaProps; dependencies {}any;
  description string; enum []any; example any; exclusiveMaximum bool; exclusiveMinimum bool;
  externalDocs ExternalDocumentation; format string; id string; items any; maxItems int64*; maxLength int64*;
  maxProperties int64*; maximum double*; minItems int64*; minLength int64*; minProperties int64*;
  minimum double*; multipleOf double*; not JSONSchemaProps; nullable bool; oneOf []JSONSchemaProps;
  pattern string; patternProperties {}JSONSchemaProps; properties {}JSONSchemaProps; required []string;
  title string; type string; uniqueItems bool; x-kubernetes-embedded-resource bool;
  x-kubernetes-int-or-string bool; x-kubernetes-list-map-keys []string; x-kubernetes-list-type string*;
  x-kubernetes-map-type string*; x-kubernetes-preserve-unknown-fields bool*;
  x-kubernetes-validations []ValidationRule;
ExternalDocumentation
  description string; url string*;
ValidationRule
  fieldPath string; message string; messageExpression string; optionalOldSelf bool*; reason string;
  rule string!;
SelectableField
  jsonPath string!;
CustomResourceSubresources
  scale CustomResourceSubresourceScale; status any;
CustomResourceSubresourceScale
  labelSelectorPath string; specReplicasPath string!; statusReplicasPath string!;
CustomResourceDefinitionStatus
  acceptedNames CustomResourceDefinitionNames+; conditions []CustomResourceDefinitionCondition~ map:type;
  observedGeneration int64; storedVersions []string~;
CustomResourceDefinitionCondition
  lastTransitionTime time; message string; observedGeneration int64; reason string; status string!;
  type string!;
`;
