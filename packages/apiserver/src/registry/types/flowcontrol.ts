/** Types of the flowcontrol group, in the notation of ../notation.ts. Facts of the Kubernetes 1.36 API. */
export const flowcontrolTypes = `
FlowSchema
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 FlowSchemaSpec+; status=3 FlowSchemaStatus+;
FlowSchemaSpec
  distinguisherMethod=3 FlowDistinguisherMethod; matchingPrecedence=2 int32!;
  priorityLevelConfiguration=1 PriorityLevelConfigurationReference!+; rules=4 []PolicyRulesWithSubjects;
FlowDistinguisherMethod
  type=1 string!;
PriorityLevelConfigurationReference
  name=1 string!;
PolicyRulesWithSubjects
  nonResourceRules=3 []NonResourcePolicyRule; resourceRules=2 []ResourcePolicyRule;
  subjects=1 []FlowcontrolV1Subject!;
NonResourcePolicyRule
  nonResourceURLs=6 []string!; verbs=1 []string!;
ResourcePolicyRule
  apiGroups=2 []string!; clusterScope=4 bool; namespaces=5 []string~; resources=3 []string!;
  verbs=1 []string!;
FlowcontrolV1Subject
  group=3 GroupSubject; kind=1 string!; serviceAccount=4 ServiceAccountSubject; user=2 UserSubject;
GroupSubject
  name=1 string!;
ServiceAccountSubject
  name=2 string!; namespace=1 string!;
UserSubject
  name=1 string!;
FlowSchemaStatus
  conditions=1 []FlowSchemaCondition map:type patch:merge:type;
FlowSchemaCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string; type=1 string;
PriorityLevelConfiguration
  kind string; apiVersion string; metadata=1 ObjectMeta; spec=2 PriorityLevelConfigurationSpec+;
  status=3 PriorityLevelConfigurationStatus+;
PriorityLevelConfigurationSpec
  exempt=3 ExemptPriorityLevelConfiguration; limited=2 LimitedPriorityLevelConfiguration; type=1 string!;
ExemptPriorityLevelConfiguration
  lendablePercent=2 int32*; nominalConcurrencyShares=1 int32*;
LimitedPriorityLevelConfiguration
  borrowingLimitPercent=4 int32*; lendablePercent=3 int32*; limitResponse=2 LimitResponse+;
  nominalConcurrencyShares=1 int32*;
LimitResponse
  queuing=2 QueuingConfiguration; type=1 string!;
QueuingConfiguration
  handSize=2 int32!; queueLengthLimit=3 int32!; queues=1 int32!;
PriorityLevelConfigurationStatus
  conditions=1 []PriorityLevelConfigurationCondition map:type patch:merge:type;
PriorityLevelConfigurationCondition
  lastTransitionTime=3 time; message=5 string; reason=4 string; status=2 string; type=1 string;
`;
