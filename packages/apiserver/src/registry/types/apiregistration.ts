/** Types of the apiregistration group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const apiregistrationTypes = `
APIService
  kind string; apiVersion string; metadata ObjectMeta; spec APIServiceSpec+; status APIServiceStatus+;
APIServiceSpec
  caBundle bytes; group string; groupPriorityMinimum int32!; insecureSkipTLSVerify bool;
  service ApiregistrationV1ServiceReference; version string; versionPriority int32!;
ApiregistrationV1ServiceReference
  name string; namespace string; port int32*;
APIServiceStatus
  conditions []APIServiceCondition map:type patch:merge:type;
APIServiceCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
`;
