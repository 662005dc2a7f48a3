/** Types of the batch group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const batchTypes = `
Job
  kind string; apiVersion string; metadata ObjectMeta; spec JobSpec+; status JobStatus+;
JobSpec
  activeDeadlineSeconds int64*; backoffLimit int32*; backoffLimitPerIndex int32*;
  completionMode string*; completions int32*; managedBy string*; manualSelector bool*;
  maxFailedIndexes int32*; parallelism int32*; podFailurePolicy PodFailurePolicy;
  podReplacementPolicy string*; selector LabelSelector; successPolicy SuccessPolicy; suspend bool*;
  template PodTemplateSpec!+; ttlSecondsAfterFinished int32*;
PodFailurePolicy
  rules []PodFailurePolicyRule!;
PodFailurePolicyRule
  action string!; onExitCodes PodFailurePolicyOnExitCodesRequirement;
  onPodConditions []PodFailurePolicyOnPodConditionsPattern;
PodFailurePolicyOnExitCodesRequirement
  containerName string*; operator string!; values []int32!;
PodFailurePolicyOnPodConditionsPattern
  status string!; type string!;
SuccessPolicy
  rules []SuccessPolicyRule!;
SuccessPolicyRule
  succeededCount int32*; succeededIndexes string*;
JobStatus
  active int32; completedIndexes string; completionTime time;
  conditions []JobCondition patch:merge:type; failed int32; failedIndexes string*; ready int32*;
  startTime time; succeeded int32; terminating int32*;
  uncountedTerminatedPods UncountedTerminatedPods;
JobCondition
  lastProbeTime time; lastTransitionTime time; message string; reason string; status string!;
  type string!;
UncountedTerminatedPods
  failed []string; succeeded []string;
CronJob
  kind string; apiVersion string; metadata ObjectMeta; spec CronJobSpec!+; status CronJobStatus+;
CronJobSpec
  concurrencyPolicy string; failedJobsHistoryLimit int32*; jobTemplate JobTemplateSpec!+;
  schedule string!; startingDeadlineSeconds int64*; successfulJobsHistoryLimit int32*; suspend bool*;
  timeZone string*;
JobTemplateSpec
  metadata ObjectMeta+; spec JobSpec+;
CronJobStatus
  active []ObjectReference; lastScheduleTime time; lastSuccessfulTime time;
`;
