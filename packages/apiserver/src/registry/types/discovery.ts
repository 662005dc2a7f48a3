/** Types of the discovery group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const discoveryTypes = `
EndpointSlice
  kind string; apiVersion string; metadata ObjectMeta; addressType string!; endpoints []Endpoint~;
  ports []DiscoveryV1EndpointPort~;
Endpoint
  addresses []string!~ set; conditions EndpointConditions+; deprecatedTopology {}string;
  hints EndpointHints; hostname string*; nodeName string*; targetRef ObjectReference; zone string*;
EndpointConditions
  ready bool*; serving bool*; terminating bool*;
EndpointHints
  forNodes []ForNode; forZones []ForZone;
ForNode
  name string!;
ForZone
  name string!;
DiscoveryV1EndpointPort
  appProtocol string*; name string*; port int32*; protocol string*;
`;
