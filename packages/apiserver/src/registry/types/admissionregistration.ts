/** Types of the admissionregistration group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const admissionregistrationTypes = `
MutatingWebhookConfiguration
  kind string; apiVersion string; metadata=1 ObjectMeta;
  webhooks=2 []MutatingWebhook map:name patch:merge:name;
MutatingWebhook
  admissionReviewVersions=8 []string!; clientConfig=2 AdmissionregistrationV1WebhookClientConfig!+;
  failurePolicy=4 string*; matchConditions=12 []MatchCondition map:name patch:merge:name;
  matchPolicy=9 string*; name=1 string!; namespaceSelector=5 LabelSelector; objectSelector=11 LabelSelector;
  reinvocationPolicy=10 string*; rules=3 []RuleWithOperations; sideEffects=6 string!; timeoutSeconds=7 int32*;
AdmissionregistrationV1WebhookClientConfig
  caBundle=2 bytes; service=1 AdmissionregistrationV1ServiceReference; url=3 string*;
AdmissionregistrationV1ServiceReference
  name=2 string!; namespace=1 string!; path=3 string*; port=4 int32*;
MatchCondition
  expression=2 string!; name=1 string!;
RuleWithOperations
  apiGroups=2.1 []string; apiVersions=2.2 []string; operations=1 []string; resources=2.3 []string;
  scope=2.4 string*;
ValidatingWebhookConfiguration
  kind string; apiVersion string; metadata=1 ObjectMeta;
  webhooks=2 []ValidatingWebhook map:name patch:merge:name;
ValidatingWebhook
  admissionReviewVersions=8 []string!; clientConfig=2 AdmissionregistrationV1WebhookClientConfig!+;
  failurePolicy=4 string*; matchConditions=11 []MatchCondition map:name patch:merge:name;
  matchPolicy=9 string*; name=1 string!; namespaceSelector=5 LabelSelector; objectSelector=10 LabelSelector;
  rules=3 []RuleWithOperations; sideEffects=6 string!; timeoutSeconds=7 int32*;
ValidatingAdmissionPolicy
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ValidatingAdmissionPolicySpec+;
  status=3 ValidatingAdmissionPolicyStatus+;
ValidatingAdmissionPolicySpec
  auditAnnotations=5 []AuditAnnotation; failurePolicy=4 string*;
  matchConditions=6 []MatchCondition map:name patch:merge:name; matchConstraints=2 MatchResources;
  paramKind=1 ParamKind; validations=3 []Validation; variables=7 []Variable map:name patch:merge:name;
AuditAnnotation
  key=1 string!; valueExpression=2 string!;
MatchResources atomic
  excludeResourceRules=4 []NamedRuleWithOperations; matchPolicy=7 string*; namespaceSelector=1 LabelSelector;
  objectSelector=2 LabelSelector; resourceRules=3 []NamedRuleWithOperations;
NamedRuleWithOperations atomic
  apiGroups=2.2.1 []string; apiVersions=2.2.2 []string; operations=2.1 []string; resourceNames=1 []string;
  resources=2.2.3 []string; scope=2.2.4 string*;
ParamKind atomic
  apiVersion=1 string; kind=2 string;
Validation
  expression=1 string!; message=2 string; messageExpression=4 string; reason=3 string*;
Variable
  expression=2 string!; name=1 string!;
ValidatingAdmissionPolicyStatus
  conditions=3 []Condition map:type; observedGeneration=1 int64; typeChecking=2 TypeChecking;
TypeChecking
  expressionWarnings=1 []ExpressionWarning;
ExpressionWarning
  fieldRef=2 string!; warning=3 string!;
ValidatingAdmissionPolicyBinding
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ValidatingAdmissionPolicyBindingSpec!+;
ValidatingAdmissionPolicyBindingSpec
  matchResources=3 MatchResources; paramRef=2 ParamRef; policyName=1 string!;
  validationActions=4 []string! set;
ParamRef atomic
  name=1 string; namespace=2 string; parameterNotFoundAction=4 string*; selector=3 LabelSelector;
MutatingAdmissionPolicy
  kind string; apiVersion string; metadata ObjectMeta; spec MutatingAdmissionPolicySpec+;
MutatingAdmissionPolicySpec
  failurePolicy string*; matchConditions []MatchCondition map:name patch:merge:name;
  matchConstraints MatchResources; mutations []Mutation; paramKind ParamKind; reinvocationPolicy string*;
  variables []Variable map:name patch:merge:name;
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
