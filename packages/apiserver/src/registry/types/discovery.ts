/** Types of the discovery group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const discoveryTypes = `
EndpointSlice
  kind string; apiVersion string; metadata=1 ObjectMeta; addressType=4 string!; endpoints=2 []Endpoint~;
  ports=3 []DiscoveryV1EndpointPort~;
Endpoint
  addresses=1 []string!~ set; conditions=2 EndpointConditions+; deprecatedTopology=5 {}string;
  hints=8 EndpointHints; hostname=3 string*; nodeName=6 string*; targetRef=4 ObjectReference; zone=7 string*;
EndpointConditions
  ready=1 bool*; serving=2 bool*; terminating=3 bool*;
EndpointHints
  forNodes=2 []ForNode; forZones=1 []ForZone;
ForNode
  name=1 string!;
ForZone
  name=1 string!;
DiscoveryV1EndpointPort
  appProtocol=4 string*; name=1 string*; port=3 int32*; protocol=2 string*;
`;
