/** Types of the batch group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const batchTypes = `
Job
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 JobSpec+; status=3 JobStatus+;
JobSpec
  activeDeadlineSeconds=3 int64*; backoffLimit=7 int32*; backoffLimitPerIndex=12 int32*;
  completionMode=9 string*; completions=2 int32*; managedBy=15 string*; manualSelector=5 bool*;
  maxFailedIndexes=13 int32*; parallelism=1 int32*; podFailurePolicy=11 PodFailurePolicy;
  podReplacementPolicy=14 string*; selector=4 LabelSelector; successPolicy=16 SuccessPolicy; suspend=10 bool*;
  template=6 PodTemplateSpec!+; ttlSecondsAfterFinished=8 int32*;
PodFailurePolicy
  rules=1 []PodFailurePolicyRule!;
PodFailurePolicyRule
  action=1 string!; onExitCodes=2 PodFailurePolicyOnExitCodesRequirement;
  onPodConditions=3 []PodFailurePolicyOnPodConditionsPattern;
PodFailurePolicyOnExitCodesRequirement
  containerName=1 string*; operator=2 string!; values=3 []int32!;
PodFailurePolicyOnPodConditionsPattern
  status=2 string!; type=1 string!;
SuccessPolicy
  rules=1 []SuccessPolicyRule!;
SuccessPolicyRule
  succeededCount=2 int32*; succeededIndexes=1 string*;
JobStatus
  active=4 int32; completedIndexes=7 string; completionTime=3 time;
  conditions=1 []JobCondition patch:merge:type; failed=6 int32; failedIndexes=10 string*; ready=9 int32*;
  startTime=2 time; succeeded=5 int32; terminating=11 int32*;
  uncountedTerminatedPods=8 UncountedTerminatedPods;
JobCondition
  lastProbeTime=3 time; lastTransitionTime=4 time; message=6 string; reason=5 string; status=2 string!;
  type=1 string!;
UncountedTerminatedPods
  failed=2 []string; succeeded=1 []string;
CronJob
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 CronJobSpec!+; status=3 CronJobStatus+;
CronJobSpec
  concurrencyPolicy=3 string; failedJobsHistoryLimit=7 int32*; jobTemplate=5 JobTemplateSpec!+;
  schedule=1 string!; startingDeadlineSeconds=2 int64*; successfulJobsHistoryLimit=6 int32*; suspend=4 bool*;
  timeZone=8 string*;
JobTemplateSpec
  metadata=1 ObjectMeta+; spec=2 JobSpec+;
CronJobStatus
  active=1 []ObjectReference; lastScheduleTime=4 time; lastSuccessfulTime=5 time;
`;
