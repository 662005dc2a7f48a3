/** Types of the apps group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const appsTypes = `
Deployment
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 DeploymentSpec+; status=3 DeploymentStatus+;
DeploymentSpec
  minReadySeconds=5 int32; paused=7 bool; progressDeadlineSeconds=9 int32*; replicas=1 int32*;
  revisionHistoryLimit=6 int32*; selector=2 LabelSelector!~; strategy=4 DeploymentStrategy+ patch:retainKeys;
  template=3 PodTemplateSpec!+;
DeploymentStrategy
  rollingUpdate=2 RollingUpdateDeployment; type=1 string;
RollingUpdateDeployment
  maxSurge=2 intOrString*; maxUnavailable=1 intOrString*;
DeploymentStatus
  availableReplicas=4 int32; collisionCount=8 int32*;
  conditions=6 []DeploymentCondition map:type patch:merge:type; observedGeneration=1 int64;
  readyReplicas=7 int32; replicas=2 int32; terminatingReplicas=9 int32*; unavailableReplicas=5 int32;
  updatedReplicas=3 int32;
DeploymentCondition
  lastTransitionTime=7 time~; lastUpdateTime=6 time~; message=5 string; reason=4 string; status=2 string!;
  type=1 string!;
ReplicaSet
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 ReplicaSetSpec+; status=3 ReplicaSetStatus+;
ReplicaSetSpec
  minReadySeconds=4 int32; replicas=1 int32*; selector=2 LabelSelector!~; template=3 PodTemplateSpec+;
ReplicaSetStatus
  availableReplicas=5 int32; conditions=6 []ReplicaSetCondition map:type patch:merge:type;
  fullyLabeledReplicas=2 int32; observedGeneration=3 int64; readyReplicas=4 int32; replicas=1 int32!;
  terminatingReplicas=7 int32*;
ReplicaSetCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string!; type=1 string!;
DaemonSet
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 DaemonSetSpec+; status=3 DaemonSetStatus+;
DaemonSetSpec
  minReadySeconds=4 int32; revisionHistoryLimit=6 int32*; selector=1 LabelSelector!~;
  template=2 PodTemplateSpec!+; updateStrategy=3 DaemonSetUpdateStrategy+;
DaemonSetUpdateStrategy
  rollingUpdate=2 RollingUpdateDaemonSet; type=1 string;
RollingUpdateDaemonSet
  maxSurge=2 intOrString*; maxUnavailable=1 intOrString*;
DaemonSetStatus
  collisionCount=9 int32*; conditions=10 []DaemonSetCondition map:type patch:merge:type;
  currentNumberScheduled=1 int32!; desiredNumberScheduled=3 int32!; numberAvailable=7 int32;
  numberMisscheduled=2 int32!; numberReady=4 int32!; numberUnavailable=8 int32; observedGeneration=5 int64;
  updatedNumberScheduled=6 int32;
DaemonSetCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string!; type=1 string!;
StatefulSet
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 StatefulSetSpec+; status=3 StatefulSetStatus+;
StatefulSetSpec
  minReadySeconds=9 int32; ordinals=11 StatefulSetOrdinals;
  persistentVolumeClaimRetentionPolicy=10 StatefulSetPersistentVolumeClaimRetentionPolicy;
  podManagementPolicy=6 string; replicas=1 int32*; revisionHistoryLimit=8 int32*; selector=2 LabelSelector!~;
  serviceName=5 string!; template=3 PodTemplateSpec!+; updateStrategy=7 StatefulSetUpdateStrategy+;
  volumeClaimTemplates=4 []PersistentVolumeClaim;
StatefulSetOrdinals
  start=1 int32!;
StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted=1 string; whenScaled=2 string;
StatefulSetUpdateStrategy
  rollingUpdate=2 RollingUpdateStatefulSetStrategy; type=1 string;
RollingUpdateStatefulSetStrategy
  maxUnavailable=2 intOrString*; partition=1 int32*;
StatefulSetStatus
  availableReplicas=11 int32!; collisionCount=9 int32*;
  conditions=10 []StatefulSetCondition map:type patch:merge:type; currentReplicas=4 int32;
  currentRevision=6 string; observedGeneration=1 int64; readyReplicas=3 int32; replicas=2 int32!;
  updateRevision=7 string; updatedReplicas=5 int32;
StatefulSetCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string!; type=1 string!;
ControllerRevision
  kind string; apiVersion string; metadata=1 ObjectMeta; data=2 any; revision=3 int64!;
`;
