/** Types of the networking group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const networkingTypes = `
Ingress
  kind string; apiVersion string; metadata ObjectMeta; spec IngressSpec+; status IngressStatus+;
IngressSpec
  defaultBackend IngressBackend; ingressClassName string*; rules []IngressRule; tls []IngressTLS;
IngressBackend
  resource TypedLocalObjectReference; service IngressServiceBackend;
IngressServiceBackend
  name string!; port ServiceBackendPort+;
ServiceBackendPort
  name string; number int32;
IngressRule
  host string; http HTTPIngressRuleValue;
HTTPIngressRuleValue
  paths []HTTPIngressPath!;
HTTPIngressPath
  backend IngressBackend!+; path string; pathType string!;
IngressTLS
  hosts []string; secretName string;
IngressStatus
  loadBalancer IngressLoadBalancerStatus+;
IngressLoadBalancerStatus
  ingress []IngressLoadBalancerIngress;
IngressLoadBalancerIngress
  hostname string; ip string; ports []IngressPortStatus;
IngressPortStatus
  error string*; port int32!; protocol string!;
IngressClass
  kind string; apiVersion string; metadata ObjectMeta; spec IngressClassSpec+;
IngressClassSpec
  controller string; parameters IngressClassParametersReference;
IngressClassParametersReference
  apiGroup string*; kind string!; name string!; namespace string*; scope string*;
NetworkPolicy
  kind string; apiVersion string; metadata ObjectMeta; spec NetworkPolicySpec+;
NetworkPolicySpec
  egress []NetworkPolicyEgressRule; ingress []NetworkPolicyIngressRule; podSelector LabelSelector+;
  policyTypes []string;
NetworkPolicyEgressRule
  ports []NetworkPolicyPort; to []NetworkPolicyPeer;
NetworkPolicyPort
  endPort int32*; port intOrString*; protocol string*;
NetworkPolicyPeer
  ipBlock IPBlock; namespaceSelector LabelSelector; podSelector LabelSelector;
IPBlock
  cidr string!; except []string;
NetworkPolicyIngressRule
  from []NetworkPolicyPeer; ports []NetworkPolicyPort;
IPAddress
  kind string; apiVersion string; metadata ObjectMeta; spec IPAddressSpec!+;
IPAddressSpec
  parentRef ParentReference!;
ParentReference
  group string; name string!; namespace string; resource string!;
ServiceCIDR
  kind string; apiVersion string; metadata ObjectMeta; spec ServiceCIDRSpec+;
  status ServiceCIDRStatus+;
ServiceCIDRSpec
  cidrs []string;
ServiceCIDRStatus
  conditions []Condition map:type;
`;
