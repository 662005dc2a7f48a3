/** Types of the authorization group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const authorizationTypes = `
SubjectAccessReview
  kind string; apiVersion string; metadata ObjectMeta; spec SubjectAccessReviewSpec!+;
  status SubjectAccessReviewStatus+;
SubjectAccessReviewSpec
  extra {}[]string; groups []string; nonResourceAttributes NonResourceAttributes;
  resourceAttributes ResourceAttributes; uid string; user string;
NonResourceAttributes
  path string; verb string;
ResourceAttributes
  fieldSelector FieldSelectorAttributes; group string; labelSelector LabelSelectorAttributes;
  name string; namespace string; resource string; subresource string; verb string; version string;
FieldSelectorAttributes
  rawSelector string; requirements []FieldSelectorRequirement;
FieldSelectorRequirement
  key string!; operator string!; values []string;
LabelSelectorAttributes
  rawSelector string; requirements []LabelSelectorRequirement;
SubjectAccessReviewStatus
  allowed bool!; denied bool; evaluationError string; reason string;
SelfSubjectAccessReview
  kind string; apiVersion string; metadata ObjectMeta; spec SelfSubjectAccessReviewSpec!+;
  status SubjectAccessReviewStatus+;
SelfSubjectAccessReviewSpec
  nonResourceAttributes NonResourceAttributes; resourceAttributes ResourceAttributes;
LocalSubjectAccessReview
  kind string; apiVersion string; metadata ObjectMeta; spec SubjectAccessReviewSpec!+;
  status SubjectAccessReviewStatus+;
SelfSubjectRulesReview
  kind string; apiVersion string; metadata ObjectMeta; spec SelfSubjectRulesReviewSpec!+;
  status SubjectRulesReviewStatus+;
SelfSubjectRulesReviewSpec
  namespace string;
SubjectRulesReviewStatus
  evaluationError string; incomplete bool!; nonResourceRules []NonResourceRule!;
  resourceRules []ResourceRule!;
NonResourceRule
  nonResourceURLs []string; verbs []string!;
ResourceRule
  apiGroups []string; resourceNames []string; resources []string; verbs []string!;
`;
