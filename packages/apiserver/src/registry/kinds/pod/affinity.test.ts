/** What Kubernetes refuses of a Pod's placement: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('placement', [
  ['spec.tolerations', [{ key: 'a', operator: 'Foo' }], ['NotSupported spec.tolerations[0].operator']],
  ['spec.tolerations', [{ key: 'a b' }], ['Invalid spec.tolerations[0].key']],
  ['spec.tolerations', [{ operator: 'Equal' }], ['Invalid spec.tolerations[0].operator']],
  [
    'spec.tolerations',
    [{ operator: 'Exists', value: 'x', key: 'a' }],
    ['Invalid spec.tolerations[0].operator'],
  ],
  ['spec.tolerations', [{ key: 'a', effect: 'Foo' }], ['NotSupported spec.tolerations[0].effect']],
  ['spec.tolerations', [{ key: 'a', value: 'b c' }], ['Invalid spec.tolerations[0].operator']],
  ['spec.tolerations', [{ key: 'a', tolerationSeconds: 5 }], ['Invalid spec.tolerations[0].effect']],
  [
    'spec.tolerations',
    [{ key: 'a', tolerationSeconds: 5, effect: 'NoSchedule' }],
    ['Invalid spec.tolerations[0].effect'],
  ],
  ['spec.tolerations', [{}], ['Invalid spec.tolerations[0].operator']],
  [
    'spec.tolerations',
    [{ key: 'a', operator: 'Gt', value: '5' }],
    ['NotSupported spec.tolerations[0].operator'],
  ],
  [
    'spec.affinity',
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
    ['Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'],
  ],
  [
    'spec.affinity',
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    ['Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a b', operator: 'Foo' }] }],
        },
      },
    },
    [
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key',
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
        },
      },
    },
    [
      'Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }],
        },
      },
    },
    [
      'Forbidden spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['x', 'y'] }] }],
        },
      },
    },
    [
      'Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] }],
        },
      },
    },
    [
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'a', operator: 'In', values: ['x'] }] }],
        },
      },
    },
    [
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'Exists' }] }],
        },
      },
    },
    [
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator',
    ],
  ],
  [
    'spec.affinity',
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['A', 'b'] }] },
          ],
        },
      },
    },
    [
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0]',
      'Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values',
    ],
  ],
  [
    'spec.affinity',
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } },
    [
      'Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
      'Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
      'Required spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
    ],
  ],
  [
    'spec.affinity',
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a b' }] } },
    ['Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey'],
  ],
  [
    'spec.affinity',
    {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: 'a',
            labelSelector: { matchExpressions: [{ key: 'x', operator: 'Foo' }] },
            namespaces: ['A'],
          },
        ],
      },
    },
    [
      'Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].operator',
      'Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace',
    ],
  ],
  [
    'spec.affinity',
    {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 0, podAffinityTerm: { topologyKey: 'x' } },
        ],
      },
    },
    ['Invalid spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight'],
  ],
  [
    'spec.affinity',
    {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, podAffinityTerm: {} }],
      },
    },
    [
      'Invalid spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey',
      'Invalid spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey',
      'Invalid spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight',
      'Required spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey',
    ],
  ],
  [
    'spec.affinity',
    {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', matchLabelKeys: ['a'] }],
      },
    },
    ['Forbidden spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys'],
  ],
  [
    'spec.affinity',
    {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'a', labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] },
        ],
      },
    },
    ['Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]'],
  ],
  [
    'spec.topologySpreadConstraints',
    [{}],
    [
      'Invalid spec.topologySpreadConstraints[0].maxSkew',
      'NotSupported spec.topologySpreadConstraints[0].whenUnsatisfiable',
      'Required spec.topologySpreadConstraints[0].topologyKey',
    ],
  ],
  [
    'spec.topologySpreadConstraints',
    [{ maxSkew: 0, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }],
    ['Invalid spec.topologySpreadConstraints[0].maxSkew'],
  ],
  [
    'spec.topologySpreadConstraints',
    [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'Foo' }],
    ['NotSupported spec.topologySpreadConstraints[0].whenUnsatisfiable'],
  ],
  [
    'spec.topologySpreadConstraints',
    [
      { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
      { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    ['Duplicate spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}'],
  ],
  [
    'spec.topologySpreadConstraints',
    [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1 }],
    ['Invalid spec.topologySpreadConstraints[0].minDomains'],
  ],
  [
    'spec.topologySpreadConstraints',
    [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', minDomains: 0 }],
    ['Invalid spec.topologySpreadConstraints[0].minDomains'],
  ],
  [
    'spec.topologySpreadConstraints',
    [
      {
        maxSkew: 1,
        topologyKey: 'a',
        whenUnsatisfiable: 'DoNotSchedule',
        nodeAffinityPolicy: 'x',
        nodeTaintsPolicy: 'y',
      },
    ],
    [
      'NotSupported spec.topologySpreadConstraints[0].nodeAffinityPolicy',
      'NotSupported spec.topologySpreadConstraints[0].nodeTaintsPolicy',
    ],
  ],
  [
    'spec.topologySpreadConstraints',
    [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a b'] }],
    ['Forbidden spec.topologySpreadConstraints[0].matchLabelKeys'],
  ],
  [
    'spec.topologySpreadConstraints',
    [
      {
        maxSkew: 1,
        topologyKey: 'a',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
      },
    ],
    ['Required spec.topologySpreadConstraints[0].labelSelector.matchExpressions[0].values'],
  ],
]);
