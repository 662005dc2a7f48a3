/** Rules of the KubeVirt object, each with an object that breaks it. */
import { validateKubeVirtCreate, validateKubeVirtDelete, validateKubeVirtUpdate } from '../other/kubevirt.ts';
import type { KindRow } from './other.ts';

// Only the part that matters is there.
const kubevirt = (spec: object) => validateKubeVirtUpdate({ spec } as never, { spec: {} } as never);
const configured = (configuration: object) => kubevirt({ configuration });

export const kubeVirtRows: readonly KindRow[] = [
  ['KubeVirt', '', 'There is one KubeVirt object.', () => validateKubeVirtCreate([{} as never])],
  [
    'KubeVirt',
    'spec.uninstallStrategy',
    'BlockUninstallIfWorkloadsExist protects what runs.',
    () =>
      validateKubeVirtDelete(
        {
          spec: { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' },
          status: { phase: 'Deployed' },
        } as never,
        'Virtual Machines',
      ),
  ],
  [
    'KubeVirt',
    'spec.configuration.developerConfiguration.featureGates',
    'A gate is not both on and off.',
    () =>
      configured({
        developerConfiguration: { featureGates: ['HostDisk'], disabledFeatureGates: ['HostDisk'] },
      }),
  ],
  [
    'KubeVirt',
    'spec.configuration.virtTemplateDeployment.enabled',
    'Templates are deployed while their gate is on.',
    () =>
      configured({
        developerConfiguration: { disabledFeatureGates: ['Template'] },
        virtTemplateDeployment: { enabled: true },
      }),
  ],
  [
    'KubeVirt',
    'spec.configuration.roleAggregationStrategy',
    'Roles are left apart while the gate OptOutRoleAggregation is on.',
    () =>
      configured({
        developerConfiguration: { disabledFeatureGates: ['OptOutRoleAggregation'] },
        roleAggregationStrategy: 'Manual',
      }),
  ],
  [
    'KubeVirt',
    'spec.configuration.migrations.maxDowntimeMs',
    'A longest downtime is set while one of its gates is on.',
    () => configured({ migrations: { maxDowntimeMs: 100 } }),
  ],
  [
    'KubeVirt',
    'spec.configuration.tlsConfiguration.ciphers',
    'Ciphers go with TLS 1.2, and are known.',
    () => configured({ tlsConfiguration: { ciphers: ['TLS_AES_128_GCM_SHA256'] } }),
  ],
  [
    'KubeVirt',
    'spec.configuration.seccompConfiguration',
    'A custom seccomp profile is the runtime’s or a file, not both.',
    () => configured({ seccompConfiguration: { virtualMachineInstanceProfile: {} } }),
  ],
  [
    'KubeVirt',
    'spec.configuration.additionalGuestMemoryOverheadRatio',
    'The ratio is a number of at least 1.0.',
    () => configured({ additionalGuestMemoryOverheadRatio: '0.5' }),
  ],
  [
    'KubeVirt',
    'spec.certificateRotateStrategy',
    'Certificates live no longer than their CA, and are renewed before they end.',
    () =>
      kubevirt({
        certificateRotateStrategy: { selfSigned: { ca: { duration: '1h' }, server: { duration: '2h' } } },
      }),
  ],
  [
    'KubeVirt',
    'spec.customizeComponents.patches',
    'A patch is JSON.',
    () => kubevirt({ customizeComponents: { patches: [{ patch: 'x' }] } }),
  ],
  [
    'KubeVirt',
    'spec.infra.replicas',
    'The control plane has at least one replica.',
    () => kubevirt({ infra: { replicas: 0 } }),
  ],
];
