/** Types of the storage group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const storageTypes = `
StorageClass
  kind string; apiVersion string; metadata ObjectMeta; allowVolumeExpansion bool*;
  allowedTopologies []TopologySelectorTerm; mountOptions []string; parameters {}string;
  provisioner string!; reclaimPolicy string*; volumeBindingMode string*;
TopologySelectorTerm atomic
  matchLabelExpressions []TopologySelectorLabelRequirement;
TopologySelectorLabelRequirement
  key string!; values []string!;
CSIDriver
  kind string; apiVersion string; metadata ObjectMeta; spec CSIDriverSpec!+;
CSIDriverSpec
  attachRequired bool*; fsGroupPolicy string*; nodeAllocatableUpdatePeriodSeconds int64*;
  podInfoOnMount bool*; preventPodSchedulingIfMissing bool*; requiresRepublish bool*;
  seLinuxMount bool*; serviceAccountTokenInSecrets bool*; storageCapacity bool*;
  tokenRequests []StorageV1TokenRequest; volumeLifecycleModes []string;
StorageV1TokenRequest
  audience string!; expirationSeconds int64*;
CSINode
  kind string; apiVersion string; metadata ObjectMeta; spec CSINodeSpec!+;
CSINodeSpec
  drivers []CSINodeDriver! map:name patch:merge:name;
CSINodeDriver
  allocatable VolumeNodeResources; name string!; nodeID string!; topologyKeys []string~;
VolumeNodeResources
  count int32*;
VolumeAttachment
  kind string; apiVersion string; metadata ObjectMeta; spec VolumeAttachmentSpec!+;
  status VolumeAttachmentStatus+;
VolumeAttachmentSpec
  attacher string!; nodeName string!; source VolumeAttachmentSource!+;
VolumeAttachmentSource
  inlineVolumeSpec PersistentVolumeSpec; persistentVolumeName string*;
VolumeAttachmentStatus
  attachError VolumeError; attached bool!; attachmentMetadata {}string; detachError VolumeError;
VolumeError
  errorCode int32*; message string; time time;
CSIStorageCapacity
  kind string; apiVersion string; metadata ObjectMeta; capacity quantity; maximumVolumeSize quantity;
  nodeTopology LabelSelector; storageClassName string!;
VolumeAttributesClass
  kind string; apiVersion string; metadata ObjectMeta; driverName string!; parameters {}string;
`;
