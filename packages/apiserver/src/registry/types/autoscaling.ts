/** Types of the autoscaling group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const autoscalingTypes = `
HorizontalPodAutoscaler
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 HorizontalPodAutoscalerSpec!+;
  status=3 HorizontalPodAutoscalerStatus+;
HorizontalPodAutoscalerSpec
  maxReplicas=3 int32!; minReplicas=2 int32*; scaleTargetRef=1 CrossVersionObjectReference!;
  targetCPUUtilizationPercentage=4 int32*;
CrossVersionObjectReference
  apiVersion=3 string; kind=1 string!; name=2 string!;
HorizontalPodAutoscalerStatus
  currentCPUUtilizationPercentage=5 int32*; currentReplicas=3 int32!; desiredReplicas=4 int32!;
  lastScaleTime=2 time; observedGeneration=1 int64*;
V2HorizontalPodAutoscaler
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 V2HorizontalPodAutoscalerSpec!+;
  status=3 V2HorizontalPodAutoscalerStatus+;
V2HorizontalPodAutoscalerSpec
  behavior=5 V2HorizontalPodAutoscalerBehavior; maxReplicas=3 int32!; metrics=4 []V2MetricSpec;
  minReplicas=2 int32*; scaleTargetRef=1 V2CrossVersionObjectReference!+;
V2HorizontalPodAutoscalerBehavior
  scaleDown=2 V2HPAScalingRules; scaleUp=1 V2HPAScalingRules;
V2HPAScalingRules
  policies=2 []V2HPAScalingPolicy; selectPolicy=1 string*; stabilizationWindowSeconds=3 int32*;
  tolerance quantity;
V2HPAScalingPolicy
  periodSeconds=3 int32!; type=1 string!; value=2 int32!;
V2MetricSpec
  containerResource=7 V2ContainerResourceMetricSource; external=5 V2ExternalMetricSource;
  object=2 V2ObjectMetricSource; pods=3 V2PodsMetricSource; resource=4 V2ResourceMetricSource; type=1 string!;
V2ContainerResourceMetricSource
  container=3 string!; name=1 string!; target=2 V2MetricTarget!+;
V2MetricTarget
  averageUtilization=4 int32*; averageValue=3 quantity; type=1 string!; value=2 quantity;
V2ExternalMetricSource
  metric=1 V2MetricIdentifier!+; target=2 V2MetricTarget!+;
V2MetricIdentifier
  name=1 string!; selector=2 LabelSelector;
V2ObjectMetricSource
  describedObject=1 V2CrossVersionObjectReference!+; metric=3 V2MetricIdentifier!+; target=2 V2MetricTarget!+;
V2CrossVersionObjectReference
  apiVersion=3 string; kind=1 string!; name=2 string!;
V2PodsMetricSource
  metric=1 V2MetricIdentifier!+; target=2 V2MetricTarget!+;
V2ResourceMetricSource
  name=1 string!; target=2 V2MetricTarget!+;
V2HorizontalPodAutoscalerStatus
  conditions=6 []V2HorizontalPodAutoscalerCondition map:type patch:merge:type;
  currentMetrics=5 []V2MetricStatus; currentReplicas=3 int32; desiredReplicas=4 int32!; lastScaleTime=2 time;
  observedGeneration=1 int64*;
V2HorizontalPodAutoscalerCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string!; type=1 string!;
V2MetricStatus
  containerResource=7 V2ContainerResourceMetricStatus; external=5 V2ExternalMetricStatus;
  object=2 V2ObjectMetricStatus; pods=3 V2PodsMetricStatus; resource=4 V2ResourceMetricStatus; type=1 string!;
V2ContainerResourceMetricStatus
  container=3 string!; current=2 V2MetricValueStatus!+; name=1 string!;
V2MetricValueStatus
  averageUtilization=3 int32*; averageValue=2 quantity; value=1 quantity;
V2ExternalMetricStatus
  current=2 V2MetricValueStatus!+; metric=1 V2MetricIdentifier!+;
V2ObjectMetricStatus
  current=2 V2MetricValueStatus!+; describedObject=3 V2CrossVersionObjectReference!+;
  metric=1 V2MetricIdentifier!+;
V2PodsMetricStatus
  current=2 V2MetricValueStatus!+; metric=1 V2MetricIdentifier!+;
V2ResourceMetricStatus
  current=2 V2MetricValueStatus!+; name=1 string!;
`;
