/** Types of the admissionregistration group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const admissionregistrationTypes = `
MutatingWebhookConfiguration
  kind string; apiVersion string; metadata ObjectMeta;
  webhooks []MutatingWebhook map:name patch:merge:name;
MutatingWebhook
  admissionReviewVersions []string!; clientConfig AdmissionregistrationV1WebhookClientConfig!+;
  failurePolicy string*; matchConditions []MatchCondition map:name patch:merge:name;
  matchPolicy string*; name string!; namespaceSelector LabelSelector; objectSelector LabelSelector;
  reinvocationPolicy string*; rules []RuleWithOperations; sideEffects string!; timeoutSeconds int32*;
AdmissionregistrationV1WebhookClientConfig
  caBundle bytes; service AdmissionregistrationV1ServiceReference; url string*;
AdmissionregistrationV1ServiceReference
  name string!; namespace string!; path string*; port int32*;
MatchCondition
  expression string!; name string!;
RuleWithOperations
  apiGroups []string; apiVersions []string; operations []string; resources []string; scope string*;
ValidatingWebhookConfiguration
  kind string; apiVersion string; metadata ObjectMeta;
  webhooks []ValidatingWebhook map:name patch:merge:name;
ValidatingWebhook
  admissionReviewVersions []string!; clientConfig AdmissionregistrationV1WebhookClientConfig!+;
  failurePolicy string*; matchConditions []MatchCondition map:name patch:merge:name;
  matchPolicy string*; name string!; namespaceSelector LabelSelector; objectSelector LabelSelector;
  rules []RuleWithOperations; sideEffects string!; timeoutSeconds int32*;
ValidatingAdmissionPolicy
  kind string; apiVersion string; metadata ObjectMeta; spec ValidatingAdmissionPolicySpec+;
  status ValidatingAdmissionPolicyStatus+;
ValidatingAdmissionPolicySpec
  auditAnnotations []AuditAnnotation; failurePolicy string*;
  matchConditions []MatchCondition map:name patch:merge:name; matchConstraints MatchResources;
  paramKind ParamKind; validations []Validation; variables []Variable map:name patch:merge:name;
AuditAnnotation
  key string!; valueExpression string!;
MatchResources atomic
  excludeResourceRules []NamedRuleWithOperations; matchPolicy string*;
  namespaceSelector LabelSelector; objectSelector LabelSelector;
  resourceRules []NamedRuleWithOperations;
NamedRuleWithOperations atomic
  apiGroups []string; apiVersions []string; operations []string; resourceNames []string;
  resources []string; scope string*;
ParamKind atomic
  apiVersion string; kind string;
Validation
  expression string!; message string; messageExpression string; reason string*;
Variable
  expression string!; name string!;
ValidatingAdmissionPolicyStatus
  conditions []Condition map:type; observedGeneration int64; typeChecking TypeChecking;
TypeChecking
  expressionWarnings []ExpressionWarning;
ExpressionWarning
  fieldRef string!; warning string!;
ValidatingAdmissionPolicyBinding
  kind string; apiVersion string; metadata ObjectMeta; spec ValidatingAdmissionPolicyBindingSpec!+;
ValidatingAdmissionPolicyBindingSpec
  matchResources MatchResources; paramRef ParamRef; policyName string!; validationActions []string! set;
ParamRef atomic
  name string; namespace string; parameterNotFoundAction string*; selector LabelSelector;
MutatingAdmissionPolicy
  kind string; apiVersion string; metadata ObjectMeta; spec MutatingAdmissionPolicySpec+;
MutatingAdmissionPolicySpec
  failurePolicy string*; matchConditions []MatchCondition map:name patch:merge:name;
  matchConstraints MatchResources; mutations []Mutation; paramKind ParamKind;
  reinvocationPolicy string*; variables []Variable map:name patch:merge:name;
Mutation
  applyConfiguration ApplyConfiguration; jsonPatch JSONPatch; patchType string!;
ApplyConfiguration
  expression string;
JSONPatch
  expression string;
MutatingAdmissionPolicyBinding
  kind string; apiVersion string; metadata ObjectMeta; spec MutatingAdmissionPolicyBindingSpec+;
MutatingAdmissionPolicyBindingSpec
  matchResources MatchResources; paramRef ParamRef; policyName string;
`;
