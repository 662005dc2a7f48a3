/** Types of the authorization group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const authorizationTypes = `
SubjectAccessReview
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 SubjectAccessReviewSpec!+;
  status=3 SubjectAccessReviewStatus+;
SubjectAccessReviewSpec
  extra=5 {}[]string; groups=4 []string; nonResourceAttributes=2 NonResourceAttributes;
  resourceAttributes=1 ResourceAttributes; uid=6 string; user=3 string;
NonResourceAttributes
  path=1 string; verb=2 string;
ResourceAttributes
  fieldSelector=8 FieldSelectorAttributes; group=3 string; labelSelector=9 LabelSelectorAttributes;
  name=7 string; namespace=1 string; resource=5 string; subresource=6 string; verb=2 string; version=4 string;
FieldSelectorAttributes
  rawSelector=1 string; requirements=2 []FieldSelectorRequirement;
FieldSelectorRequirement
  key=1 string!; operator=2 string!; values=3 []string;
LabelSelectorAttributes
  rawSelector=1 string; requirements=2 []LabelSelectorRequirement;
SubjectAccessReviewStatus
  allowed=1 bool!; denied=4 bool; evaluationError=3 string; reason=2 string;
SelfSubjectAccessReview
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 SelfSubjectAccessReviewSpec!+;
  status=3 SubjectAccessReviewStatus+;
SelfSubjectAccessReviewSpec
  nonResourceAttributes=2 NonResourceAttributes; resourceAttributes=1 ResourceAttributes;
LocalSubjectAccessReview
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 SubjectAccessReviewSpec!+;
  status=3 SubjectAccessReviewStatus+;
SelfSubjectRulesReview
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 SelfSubjectRulesReviewSpec!+;
  status=3 SubjectRulesReviewStatus+;
SelfSubjectRulesReviewSpec
  namespace=1 string;
SubjectRulesReviewStatus
  evaluationError=4 string; incomplete=3 bool!; nonResourceRules=2 []NonResourceRule!;
  resourceRules=1 []ResourceRule!;
NonResourceRule
  nonResourceURLs=2 []string; verbs=1 []string!;
ResourceRule
  apiGroups=2 []string; resourceNames=4 []string; resources=3 []string; verbs=1 []string!;
`;
