/** Types of the networking group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const networkingTypes = `
Ingress
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 IngressSpec+; status=3 IngressStatus+;
IngressSpec
  defaultBackend=1 IngressBackend; ingressClassName=4 string*; rules=3 []IngressRule; tls=2 []IngressTLS;
IngressBackend
  resource=3 TypedLocalObjectReference; service=4 IngressServiceBackend;
IngressServiceBackend
  name=1 string!; port=2 ServiceBackendPort+;
ServiceBackendPort
  name=1 string; number=2 int32;
IngressRule
  host=1 string; http=2.1 HTTPIngressRuleValue;
HTTPIngressRuleValue
  paths=1 []HTTPIngressPath!;
HTTPIngressPath
  backend=2 IngressBackend!+; path=1 string; pathType=3 string!;
IngressTLS
  hosts=1 []string; secretName=2 string;
IngressStatus
  loadBalancer=1 IngressLoadBalancerStatus+;
IngressLoadBalancerStatus
  ingress=1 []IngressLoadBalancerIngress;
IngressLoadBalancerIngress
  hostname=2 string; ip=1 string; ports=4 []IngressPortStatus;
IngressPortStatus
  error=3 string*; port=1 int32!; protocol=2 string!;
IngressClass
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 IngressClassSpec+;
IngressClassSpec
  controller=1 string; parameters=2 IngressClassParametersReference;
IngressClassParametersReference
  apiGroup=1 string*; kind=2 string!; name=3 string!; namespace=5 string*; scope=4 string*;
NetworkPolicy
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 NetworkPolicySpec+;
NetworkPolicySpec
  egress=3 []NetworkPolicyEgressRule; ingress=2 []NetworkPolicyIngressRule; podSelector=1 LabelSelector+;
  policyTypes=4 []string;
NetworkPolicyEgressRule
  ports=1 []NetworkPolicyPort; to=2 []NetworkPolicyPeer;
NetworkPolicyPort
  endPort=3 int32*; port=2 intOrString*; protocol=1 string*;
NetworkPolicyPeer
  ipBlock=3 IPBlock; namespaceSelector=2 LabelSelector; podSelector=1 LabelSelector;
IPBlock
  cidr=1 string!; except=2 []string;
NetworkPolicyIngressRule
  from=2 []NetworkPolicyPeer; ports=1 []NetworkPolicyPort;
IPAddress
  kind string; apiVersion string; metadata ObjectMeta; spec IPAddressSpec!+;
IPAddressSpec
  parentRef ParentReference!;
ParentReference
  group string; name string!; namespace string; resource string!;
ServiceCIDR
  kind string; apiVersion string; metadata ObjectMeta; spec ServiceCIDRSpec+; status ServiceCIDRStatus+;
ServiceCIDRSpec
  cidrs []string;
ServiceCIDRStatus
  conditions []Condition map:type;
`;
