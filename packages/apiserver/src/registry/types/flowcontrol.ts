/** Types of the flowcontrol group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const flowcontrolTypes = `
FlowSchema
  kind string; apiVersion string; metadata ObjectMeta; spec FlowSchemaSpec+;
  status FlowSchemaStatus+;
FlowSchemaSpec
  distinguisherMethod FlowDistinguisherMethod; matchingPrecedence int32!;
  priorityLevelConfiguration PriorityLevelConfigurationReference!+; rules []PolicyRulesWithSubjects;
FlowDistinguisherMethod
  type string!;
PriorityLevelConfigurationReference
  name string!;
PolicyRulesWithSubjects
  nonResourceRules []NonResourcePolicyRule; resourceRules []ResourcePolicyRule;
  subjects []FlowcontrolV1Subject!;
NonResourcePolicyRule
  nonResourceURLs []string!; verbs []string!;
ResourcePolicyRule
  apiGroups []string!; clusterScope bool; namespaces []string~; resources []string!; verbs []string!;
FlowcontrolV1Subject
  group GroupSubject; kind string!; serviceAccount ServiceAccountSubject; user UserSubject;
GroupSubject
  name string!;
ServiceAccountSubject
  name string!; namespace string!;
UserSubject
  name string!;
FlowSchemaStatus
  conditions []FlowSchemaCondition map:type patch:merge:type;
FlowSchemaCondition
  lastTransitionTime time; message string; reason string; status string; type string;
PriorityLevelConfiguration
  kind string; apiVersion string; metadata ObjectMeta; spec PriorityLevelConfigurationSpec+;
  status PriorityLevelConfigurationStatus+;
PriorityLevelConfigurationSpec
  exempt ExemptPriorityLevelConfiguration; limited LimitedPriorityLevelConfiguration; type string!;
ExemptPriorityLevelConfiguration
  lendablePercent int32*; nominalConcurrencyShares int32*;
LimitedPriorityLevelConfiguration
  borrowingLimitPercent int32*; lendablePercent int32*; limitResponse LimitResponse+;
  nominalConcurrencyShares int32*;
LimitResponse
  queuing QueuingConfiguration; type string!;
QueuingConfiguration
  handSize int32!; queueLengthLimit int32!; queues int32!;
PriorityLevelConfigurationStatus
  conditions []PriorityLevelConfigurationCondition map:type patch:merge:type;
PriorityLevelConfigurationCondition
  lastTransitionTime time; message string; reason string; status string; type string;
`;
