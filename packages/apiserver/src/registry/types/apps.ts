/** Types of the apps group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const appsTypes = `
Deployment
  kind string; apiVersion string; metadata ObjectMeta; spec DeploymentSpec+;
  status DeploymentStatus+;
DeploymentSpec
  minReadySeconds int32; paused bool; progressDeadlineSeconds int32*; replicas int32*;
  revisionHistoryLimit int32*; selector LabelSelector!~;
  strategy DeploymentStrategy+ patch:retainKeys; template PodTemplateSpec!+;
DeploymentStrategy
  rollingUpdate RollingUpdateDeployment; type string;
RollingUpdateDeployment
  maxSurge intOrString*; maxUnavailable intOrString*;
DeploymentStatus
  availableReplicas int32; collisionCount int32*;
  conditions []DeploymentCondition map:type patch:merge:type; observedGeneration int64;
  readyReplicas int32; replicas int32; terminatingReplicas int32*; unavailableReplicas int32;
  updatedReplicas int32;
DeploymentCondition
  lastTransitionTime time~; lastUpdateTime time~; message string; reason string; status string!;
  type string!;
ReplicaSet
  kind string; apiVersion string; metadata ObjectMeta; spec ReplicaSetSpec+;
  status ReplicaSetStatus+;
ReplicaSetSpec
  minReadySeconds int32; replicas int32*; selector LabelSelector!~; template PodTemplateSpec+;
ReplicaSetStatus
  availableReplicas int32; conditions []ReplicaSetCondition map:type patch:merge:type;
  fullyLabeledReplicas int32; observedGeneration int64; readyReplicas int32; replicas int32!;
  terminatingReplicas int32*;
ReplicaSetCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
DaemonSet
  kind string; apiVersion string; metadata ObjectMeta; spec DaemonSetSpec+; status DaemonSetStatus+;
DaemonSetSpec
  minReadySeconds int32; revisionHistoryLimit int32*; selector LabelSelector!~;
  template PodTemplateSpec!+; updateStrategy DaemonSetUpdateStrategy+;
DaemonSetUpdateStrategy
  rollingUpdate RollingUpdateDaemonSet; type string;
RollingUpdateDaemonSet
  maxSurge intOrString*; maxUnavailable intOrString*;
DaemonSetStatus
  collisionCount int32*; conditions []DaemonSetCondition map:type patch:merge:type;
  currentNumberScheduled int32!; desiredNumberScheduled int32!; numberAvailable int32;
  numberMisscheduled int32!; numberReady int32!; numberUnavailable int32; observedGeneration int64;
  updatedNumberScheduled int32;
DaemonSetCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
StatefulSet
  kind string; apiVersion string; metadata ObjectMeta; spec StatefulSetSpec+;
  status StatefulSetStatus+;
StatefulSetSpec
  minReadySeconds int32; ordinals StatefulSetOrdinals;
  persistentVolumeClaimRetentionPolicy StatefulSetPersistentVolumeClaimRetentionPolicy;
  podManagementPolicy string; replicas int32*; revisionHistoryLimit int32*; selector LabelSelector!~;
  serviceName string!; template PodTemplateSpec!+; updateStrategy StatefulSetUpdateStrategy+;
  volumeClaimTemplates []PersistentVolumeClaim;
StatefulSetOrdinals
  start int32!;
StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted string; whenScaled string;
StatefulSetUpdateStrategy
  rollingUpdate RollingUpdateStatefulSetStrategy; type string;
RollingUpdateStatefulSetStrategy
  maxUnavailable intOrString*; partition int32*;
StatefulSetStatus
  availableReplicas int32!; collisionCount int32*;
  conditions []StatefulSetCondition map:type patch:merge:type; currentReplicas int32;
  currentRevision string; observedGeneration int64; readyReplicas int32; replicas int32!;
  updateRevision string; updatedReplicas int32;
StatefulSetCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
ControllerRevision
  kind string; apiVersion string; metadata ObjectMeta; data any; revision int64!;
`;
