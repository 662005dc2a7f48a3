/** Types of the storage group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const storageTypes = `
StorageClass
  kind string; apiVersion string; metadata=1 ObjectMeta; allowVolumeExpansion=6 bool*;
  allowedTopologies=8 []TopologySelectorTerm; mountOptions=5 []string; parameters=3 {}string;
  provisioner=2 string!; reclaimPolicy=4 string*; volumeBindingMode=7 string*;
TopologySelectorTerm atomic
  matchLabelExpressions=1 []TopologySelectorLabelRequirement;
TopologySelectorLabelRequirement
  key=1 string!; values=2 []string!;
CSIDriver
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 CSIDriverSpec!+;
CSIDriverSpec
  attachRequired=1 bool*; fsGroupPolicy=5 string*; nodeAllocatableUpdatePeriodSeconds int64*;
  podInfoOnMount=2 bool*; preventPodSchedulingIfMissing bool*; requiresRepublish=7 bool*;
  seLinuxMount=8 bool*; serviceAccountTokenInSecrets bool*; storageCapacity=4 bool*;
  tokenRequests=6 []StorageV1TokenRequest; volumeLifecycleModes=3 []string;
StorageV1TokenRequest
  audience=1 string!; expirationSeconds=2 int64*;
CSINode
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 CSINodeSpec!+;
CSINodeSpec
  drivers=1 []CSINodeDriver! map:name patch:merge:name;
CSINodeDriver
  allocatable=4 VolumeNodeResources; name=1 string!; nodeID=2 string!; topologyKeys=3 []string~;
VolumeNodeResources
  count=1 int32*;
VolumeAttachment
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 VolumeAttachmentSpec!+;
  status=3 VolumeAttachmentStatus+;
VolumeAttachmentSpec
  attacher=1 string!; nodeName=3 string!; source=2 VolumeAttachmentSource!+;
VolumeAttachmentSource
  inlineVolumeSpec=2 PersistentVolumeSpec; persistentVolumeName=1 string*;
VolumeAttachmentStatus
  attachError=3 VolumeError; attached=1 bool!; attachmentMetadata=2 {}string; detachError=4 VolumeError;
VolumeError
  errorCode int32*; message=2 string; time=1 time;
CSIStorageCapacity
  kind string; apiVersion string; metadata=1 ObjectMeta; capacity=4 quantity; maximumVolumeSize=5 quantity;
  nodeTopology=2 LabelSelector; storageClassName=3 string!;
VolumeAttributesClass
  kind string; apiVersion string; metadata ObjectMeta; driverName string!; parameters {}string;
`;
