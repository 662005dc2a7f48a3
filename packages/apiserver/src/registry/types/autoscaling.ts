/** Types of the autoscaling group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const autoscalingTypes = `
HorizontalPodAutoscaler
  kind string; apiVersion string; metadata ObjectMeta; spec HorizontalPodAutoscalerSpec!+;
  status HorizontalPodAutoscalerStatus+;
HorizontalPodAutoscalerSpec
  maxReplicas int32!; minReplicas int32*; scaleTargetRef CrossVersionObjectReference!;
  targetCPUUtilizationPercentage int32*;
CrossVersionObjectReference
  apiVersion string; kind string!; name string!;
HorizontalPodAutoscalerStatus
  currentCPUUtilizationPercentage int32; currentReplicas int32!; desiredReplicas int32!;
  lastScaleTime time; observedGeneration int64;
V2HorizontalPodAutoscaler
  kind string; apiVersion string; metadata ObjectMeta; spec V2HorizontalPodAutoscalerSpec!+;
  status V2HorizontalPodAutoscalerStatus+;
V2HorizontalPodAutoscalerSpec
  behavior V2HorizontalPodAutoscalerBehavior; maxReplicas int32!; metrics []V2MetricSpec;
  minReplicas int32*; scaleTargetRef V2CrossVersionObjectReference!+;
V2HorizontalPodAutoscalerBehavior
  scaleDown V2HPAScalingRules; scaleUp V2HPAScalingRules;
V2HPAScalingRules
  policies []V2HPAScalingPolicy; selectPolicy string*; stabilizationWindowSeconds int32*;
  tolerance quantity;
V2HPAScalingPolicy
  periodSeconds int32!; type string!; value int32!;
V2MetricSpec
  containerResource V2ContainerResourceMetricSource; external V2ExternalMetricSource;
  object V2ObjectMetricSource; pods V2PodsMetricSource; resource V2ResourceMetricSource;
  type string!;
V2ContainerResourceMetricSource
  container string!; name string!; target V2MetricTarget!+;
V2MetricTarget
  averageUtilization int32*; averageValue quantity; type string!; value quantity;
V2ExternalMetricSource
  metric V2MetricIdentifier!+; target V2MetricTarget!+;
V2MetricIdentifier
  name string!; selector LabelSelector;
V2ObjectMetricSource
  describedObject V2CrossVersionObjectReference!+; metric V2MetricIdentifier!+; target V2MetricTarget!+;
V2CrossVersionObjectReference
  apiVersion string; kind string!; name string!;
V2PodsMetricSource
  metric V2MetricIdentifier!+; target V2MetricTarget!+;
V2ResourceMetricSource
  name string!; target V2MetricTarget!+;
V2HorizontalPodAutoscalerStatus
  conditions []V2HorizontalPodAutoscalerCondition map:type patch:merge:type;
  currentMetrics []V2MetricStatus; currentReplicas int32; desiredReplicas int32!; lastScaleTime time;
  observedGeneration int64*;
V2HorizontalPodAutoscalerCondition
  lastTransitionTime time; message string; reason string; status string!; type string!;
V2MetricStatus
  containerResource V2ContainerResourceMetricStatus; external V2ExternalMetricStatus;
  object V2ObjectMetricStatus; pods V2PodsMetricStatus; resource V2ResourceMetricStatus;
  type string!;
V2ContainerResourceMetricStatus
  container string!; current V2MetricValueStatus!+; name string!;
V2MetricValueStatus
  averageUtilization int32*; averageValue quantity; value quantity;
V2ExternalMetricStatus
  current V2MetricValueStatus!+; metric V2MetricIdentifier!+;
V2ObjectMetricStatus
  current V2MetricValueStatus!+; describedObject V2CrossVersionObjectReference!+;
  metric V2MetricIdentifier!+;
V2PodsMetricStatus
  current V2MetricValueStatus!+; metric V2MetricIdentifier!+;
V2ResourceMetricStatus
  current V2MetricValueStatus!+; name string!;
`;
