/** Types of the authentication group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const authenticationTypes = `
TokenReview
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 TokenReviewSpec!+;
  status=3 TokenReviewStatus+;
TokenReviewSpec
  audiences=2 []string; token=1 string!;
TokenReviewStatus
  audiences=4 []string; authenticated=1 bool; error=3 string; user=2 UserInfo+;
UserInfo
  extra=4 {}[]string; groups=3 []string; uid=2 string; username=1 string;
SelfSubjectReview
  kind string; apiVersion string; metadata=1 ObjectMeta; status=2 SelfSubjectReviewStatus+;
SelfSubjectReviewStatus
  userInfo=1 UserInfo+;
`;
