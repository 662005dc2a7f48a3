/** The kind by which further Pod networks are declared (Network Plumbing Working Group, version 1). */
import type { Manifest } from '@podvisor/virt-operator';

const GROUP = 'k8s.cni.cncf.io';
const PLURAL = 'network-attachment-definitions';

export function networkDefinitionsCrd(): Manifest {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${PLURAL}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {
        plural: PLURAL,
        singular: 'network-attachment-definition',
        kind: 'NetworkAttachmentDefinition',
        listKind: 'NetworkAttachmentDefinitionList',
        shortNames: ['net-attach-def'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'A network that Pods may join beside their own.',
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: {
                  type: 'object',
                  properties: {
                    config: {
                      type: 'string',
                      description: 'Configuration of one CNI plugin or of a chain of them, as JSON.',
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
}
