/** Types of the authentication group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const authenticationTypes = `
TokenReview
  kind string; apiVersion string; metadata ObjectMeta; spec TokenReviewSpec!+;
  status TokenReviewStatus+;
TokenReviewSpec
  audiences []string; token string!;
TokenReviewStatus
  audiences []string; authenticated bool; error string; user UserInfo+;
UserInfo
  extra {}[]string; groups []string; uid string; username string;
SelfSubjectReview
  kind string; apiVersion string; metadata ObjectMeta; status SelfSubjectReviewStatus+;
SelfSubjectReviewStatus
  userInfo UserInfo+;
`;
