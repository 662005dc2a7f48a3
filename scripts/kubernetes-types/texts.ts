/** What `kubectl explain` says of Kubernetes' types that stand in our CRDs, by described type. */
import type { TypeTexts } from './emit.ts';

export const texts: Readonly<Record<string, TypeTexts>> = {
  Affinity: {
    text: 'Which nodes and neighbours a Pod wants or avoids.',
    fields: {
      nodeAffinity: 'Nodes that the Pod wants.',
      podAffinity: 'Pods that it wants near.',
      podAntiAffinity: 'Pods that it wants far.',
    },
  },
  ExecAction: {
    text: 'A command.',
    fields: {
      command: 'The command and its arguments.',
    },
  },
  HTTPGetAction: {
    text: 'A page asked for over HTTP.',
    fields: {
      host: 'Host to ask; the guest when unset.',
      httpHeaders: 'Headers to send.',
      path: 'Path of the page.',
      port: 'Port, by number or name.',
      scheme: 'HTTP (default) or HTTPS.',
    },
  },
  HTTPHeader: {
    text: 'A header.',
    fields: {
      name: 'Its name.',
      value: 'Its value.',
    },
  },
  LabelSelector: {
    text: 'Objects whose labels meet all requirements.',
    fields: {
      matchExpressions: 'Requirements on labels.',
      matchLabels: 'Labels and their values.',
    },
  },
  LocalObjectReference: {
    text: 'An object of the same namespace.',
    fields: {
      name: 'Its name.\n@default ""',
    },
  },
  NodeAffinity: {
    text: 'Nodes that a Pod wants.',
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution: 'Nodes that are better than others.',
      requiredDuringSchedulingIgnoredDuringExecution: 'Nodes that are possible at all.',
    },
  },
  NodeSelector: {
    text: 'Nodes that meet one of the terms.',
    fields: {
      nodeSelectorTerms: 'The terms.',
    },
  },
  NodeSelectorTerm: {
    text: 'Nodes that meet all requirements.',
    fields: {
      matchExpressions: 'Requirements on labels.',
      matchFields: 'Requirements on fields: metadata.name.',
    },
  },
  ObjectFieldSelector: {
    text: 'A field of an object.',
    fields: {
      apiVersion: 'API version that the path is written in.',
      fieldPath: 'Path of the field.',
    },
  },
  PersistentVolumeClaimSpec: {
    text: 'A PersistentVolumeClaim.',
    fields: {
      accessModes: 'Access modes.',
      dataSource: 'Object that fills the claim.',
      dataSourceRef: 'Object that fills the claim, also of other namespaces.',
      resources: 'Size of the claim.',
      selector: 'Volumes that may be bound.',
      storageClassName: "Storage class; the cluster's default when unset.",
      volumeAttributesClassName: 'Attributes class of the volume.',
      volumeMode: 'Filesystem or Block.',
      volumeName: 'Volume to bind.',
    },
  },
  PodAffinity: {
    text: 'Pods to be near to, or far from.',
    fields: {
      preferredDuringSchedulingIgnoredDuringExecution: 'Pods that matter more or less.',
      requiredDuringSchedulingIgnoredDuringExecution: 'Pods that decide.',
    },
  },
  PodAffinityTerm: {
    text: 'Pods, and what near means.',
    fields: {
      labelSelector: 'Labels of the Pods.',
      matchLabelKeys: 'Labels that must equal those of the new Pod.',
      mismatchLabelKeys: 'Labels that must differ from those of the new Pod.',
      namespaceSelector: 'Labels of their namespaces.',
      namespaces: "Their namespaces; the Pod's own when unset.",
      topologyKey: 'Node label whose equal value means near.',
    },
  },
  PodDNSConfig: {
    text: 'DNS servers, search domains and options.',
    fields: {
      nameservers: 'Addresses of servers, at most 3.',
      options: 'Options of the resolver.',
      searches: 'Search domains, at most 6.',
    },
  },
  PodDNSConfigOption: {
    text: 'An option of the resolver.',
    fields: {
      name: 'Its name.',
      value: 'Its value.',
    },
  },
  PodResourceClaim: {
    text: 'A resource claim of a Pod; one of the references is set.',
    fields: {
      name: 'Name by which the spec refers to it.',
      resourceClaimName: 'A claim that exists.',
      resourceClaimTemplateName: 'A template from which a claim is made.',
    },
  },
  PreferredSchedulingTerm: {
    text: 'Nodes that are better than others.',
    fields: {
      preference: 'The nodes.',
      weight: 'How much better, from 1 to 100.',
    },
  },
  ResourceFieldSelector: {
    text: 'A request or limit of a container.',
    fields: {
      containerName: 'The container.',
      divisor: 'What the value is divided by.',
      resource: 'The resource, such as limits.cpu.',
    },
  },
  ResourceRequirementsWithoutClaims: {
    text: 'Requests and limits.',
    fields: {
      limits: 'The most that may be used.',
      requests: 'What is sure to be there.',
    },
  },
  SelectorRequirement: {
    text: 'A requirement on one key.',
    fields: {
      key: 'The key.',
      operator: 'In, NotIn, Exists, DoesNotExist, and for nodes Gt and Lt.',
      values: 'The values, for In, NotIn, Gt and Lt.',
    },
  },
  StandardCondition: {
    text: 'One aspect of the state.',
    fields: {
      lastTransitionTime: 'When it last changed.',
      message: 'What happened, for people.\n@maxLength 32768',
      observedGeneration: 'Generation of the spec that it is about.\n@minimum 0',
      reason:
        'Why, in one word.\n@maxLength 1024\n@minLength 1\n@pattern ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      status: 'True, False or Unknown.',
      type: 'What it is about.\n@maxLength 316\n@pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\u002f)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    },
  },
  TCPSocketAction: {
    text: 'A TCP connection.',
    fields: {
      host: 'Host to connect to; the guest when unset.',
      port: 'Port, by number or name.',
    },
  },
  Toleration: {
    text: 'A taint that a Pod puts up with.',
    fields: {
      effect: 'NoSchedule, PreferNoSchedule or NoExecute; all when empty.',
      key: 'Key of the taint; all when empty.',
      operator: 'Equal (default) or Exists.',
      tolerationSeconds: 'Seconds that the Pod stays after a NoExecute taint; forever when unset.',
      value: 'Value of the taint, for Equal.',
    },
  },
  TopologySpreadConstraint: {
    text: 'How Pods are spread over domains.',
    fields: {
      labelSelector: 'Pods that are counted.',
      matchLabelKeys: 'Labels that must equal those of the new Pod.',
      maxSkew: 'How uneven it may get.',
      minDomains: 'Number of domains that there should be.',
      nodeAffinityPolicy: 'Whether nodes that affinity rules out count: Honor or Ignore.',
      nodeTaintsPolicy: 'Whether tainted nodes count: Honor or Ignore.',
      topologyKey: 'Node label whose value names the domain.',
      whenUnsatisfiable: 'DoNotSchedule or ScheduleAnyway.',
    },
  },
  TypedLocalObjectReference: {
    text: 'An object of the same namespace, of any kind.',
    fields: {
      apiGroup: 'Its API group.',
      kind: 'Its kind.',
      name: 'Its name.',
    },
  },
  TypedObjectReference: {
    text: 'An object of any namespace and kind.',
    fields: {
      apiGroup: 'Its API group.',
      kind: 'Its kind.',
      name: 'Its name.',
      namespace: 'Its namespace.',
    },
  },
  WeightedPodAffinityTerm: {
    text: 'Pods that matter more or less.',
    fields: {
      podAffinityTerm: 'The Pods.',
      weight: 'How much, from 1 to 100.',
    },
  },
};
