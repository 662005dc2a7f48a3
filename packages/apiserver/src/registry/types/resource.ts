/** Types of the resource group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const resourceTypes = `
DeviceClass
  kind string; apiVersion string; metadata ObjectMeta; spec DeviceClassSpec!+;
DeviceClassSpec
  config []DeviceClassConfiguration; extendedResourceName string; selectors []DeviceSelector;
DeviceClassConfiguration
  opaque OpaqueDeviceConfiguration;
OpaqueDeviceConfiguration
  driver string!; parameters any!;
DeviceSelector
  cel CELDeviceSelector;
CELDeviceSelector
  expression string!;
ResourceV1ResourceClaim
  kind string; apiVersion string; metadata ObjectMeta; spec ResourceClaimSpec!+; status ResourceClaimStatus+;
ResourceClaimSpec
  devices DeviceClaim+;
DeviceClaim
  config []DeviceClaimConfiguration; constraints []DeviceConstraint; requests []DeviceRequest~;
DeviceClaimConfiguration
  opaque OpaqueDeviceConfiguration; requests []string;
DeviceConstraint
  distinctAttribute string; matchAttribute string*; requests []string;
DeviceRequest
  exactly ExactDeviceRequest; firstAvailable []DeviceSubRequest; name string!;
ExactDeviceRequest
  adminAccess bool*; allocationMode string; capacity CapacityRequirements; count int64;
  deviceClassName string!; selectors []DeviceSelector; tolerations []DeviceToleration;
CapacityRequirements
  requests {}string;
DeviceToleration
  effect string; key string; operator string; tolerationSeconds int64*; value string;
DeviceSubRequest
  allocationMode string; capacity CapacityRequirements; count int64; deviceClassName string!; name string!;
  selectors []DeviceSelector; tolerations []DeviceToleration;
ResourceClaimStatus
  allocation AllocationResult; devices []AllocatedDeviceStatus;
  reservedFor []ResourceClaimConsumerReference patch:merge:uid;
AllocationResult
  allocationTimestamp time; devices DeviceAllocationResult+; nodeSelector NodeSelector;
DeviceAllocationResult
  config []DeviceAllocationConfiguration; results []DeviceRequestAllocationResult;
DeviceAllocationConfiguration
  opaque OpaqueDeviceConfiguration; requests []string; source string!;
DeviceRequestAllocationResult
  adminAccess bool*; bindingConditions []string; bindingFailureConditions []string; consumedCapacity {}string;
  device string!; driver string!; pool string!; request string!; shareID string;
  tolerations []DeviceToleration;
AllocatedDeviceStatus
  conditions []Condition~; data any; device string!; driver string!; networkData NetworkDeviceData;
  pool string!; shareID string;
NetworkDeviceData
  hardwareAddress string; interfaceName string; ips []string;
ResourceClaimConsumerReference
  apiGroup string; name string!; resource string!; uid string!;
ResourceClaimTemplate
  kind string; apiVersion string; metadata ObjectMeta; spec ResourceClaimTemplateSpec!+;
ResourceClaimTemplateSpec
  metadata ObjectMeta; spec ResourceClaimSpec!+;
ResourceSlice
  kind string; apiVersion string; metadata ObjectMeta; spec ResourceSliceSpec!+;
ResourceSliceSpec
  allNodes bool*; devices []Device~; driver string!; nodeName string; nodeSelector NodeSelector;
  perDeviceNodeSelection bool*; pool ResourcePool!+; sharedCounters []CounterSet;
Device
  allNodes bool*; allowMultipleAllocations bool*; attributes {}DeviceAttribute; bindingConditions []string;
  bindingFailureConditions []string; bindsToNode bool*; capacity {}DeviceCapacity;
  consumesCounters []DeviceCounterConsumption; name string!;
  nodeAllocatableResourceMappings {}NodeAllocatableResourceMapping; nodeName string;
  nodeSelector NodeSelector; taints []DeviceTaint;
DeviceAttribute
  bool bool*; bools []bool; int int64*; ints []int64; string string; strings []string; version string;
  versions []string;
DeviceCapacity
  requestPolicy CapacityRequestPolicy; value quantity!;
CapacityRequestPolicy
  default string; validRange CapacityRequestPolicyRange; validValues []string;
CapacityRequestPolicyRange
  max string; min string!; step string;
DeviceCounterConsumption
  counterSet string!; counters {}Counter!;
Counter
  value quantity!;
NodeAllocatableResourceMapping
  allocationMultiplier string; capacityKey string;
DeviceTaint
  effect string!; key string!; timeAdded time; value string;
ResourcePool
  generation int64!; name string!; resourceSliceCount int64!;
CounterSet
  counters {}Counter!; name string!;
`;
