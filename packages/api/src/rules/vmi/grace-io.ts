/**
 * GPUs of NVIDIA's Grace machines, which are handed to a guest together with their memory (GraceIOVirtualization).
 * They are known by the PCI ids that the cluster permits under the resource names that a guest asks for.
 */
import { architectureDefaults, type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import { annotations } from '../../names.ts';
import type { ObjectMeta, VMISpec } from '../../types/index.ts';
import { type Cause, invalid, type Rule, required, when } from '../rule.ts';

const NVIDIA = '10DE';
const GRACE_GPUS = ['2342', '2348', '2941'];

interface Request {
  readonly field: string;
  readonly resourceName: string;
}

export const graceIoRule: Rule<VMISpec> = {
  id: 'devices.graceIO',
  field: 'domain.devices.gpus[].deviceName, domain.devices.hostDevices[].deviceName',
  summary:
    'GPUs of NVIDIA Grace need the gates GraceIOVirtualization, PCINUMAAwareTopology and IOMMUFD, arm64, the machine virt and pinned CPUs, and exact PCI ids in permittedHostDevices.',
  check: (spec, { config, path }) => {
    const { ambiguous, grace } = graceRequests(spec, config, path);
    const isEnabled = isGateEnabled(config, 'GraceIOVirtualization');
    if (!isEnabled)
      return grace.map(({ field, resourceName }) =>
        invalid(
          field,
          `GraceIOVirtualization feature gate must be enabled for NVIDIA Grace GPU passthrough resource ${JSON.stringify(resourceName)}`,
        ),
      );
    return [
      ...ambiguous.map(({ field, resourceName }) =>
        invalid(
          field,
          `GraceIOVirtualization requires an exact pciVendorSelector for NVIDIA PCI host device resource ${JSON.stringify(resourceName)}`,
        ),
      ),
      ...(grace.length > 0 ? machineCauses(spec, config, path) : []),
    ];
  },
};

/** The annotations of a VMI, or of a template, next to a spec with such GPUs. */
export function graceAnnotationCauses(
  metadata: ObjectMeta,
  spec: VMISpec,
  config: ClusterConfig,
  path: string,
): readonly Cause[] {
  if (graceRequests(spec, config, 'spec').grace.length === 0) return [];
  const field = (name: string): string => `${path}.annotations[${name}]`;
  const { disablePCIHole64, placePCIDevicesOnRootComplex } = annotations;
  return [
    ...when(metadata.annotations?.[placePCIDevicesOnRootComplex] === 'true', () =>
      invalid(
        field(placePCIDevicesOnRootComplex),
        'GraceIOVirtualization is not compatible with placing PCI devices on the root complex',
      ),
    ),
    ...when(metadata.annotations?.[disablePCIHole64] === 'true', () =>
      invalid(field(disablePCIHole64), 'GraceIOVirtualization requires the 64-bit PCI hole'),
    ),
  ];
}

function machineCauses(spec: VMISpec, config: ClusterConfig, path: string): readonly Cause[] {
  const architecture = spec.architecture || config.defaultArchitecture;
  const machine = spec.domain.machine?.type || architectureDefaults(config, architecture).machineType;
  return [
    ...when(architecture !== 'arm64', () =>
      invalid(`${path}.architecture`, 'GraceIOVirtualization requires arm64 architecture'),
    ),
    ...when(!machine.startsWith('virt'), () =>
      invalid(`${path}.domain.machine.type`, 'GraceIOVirtualization requires "virt" machine type'),
    ),
    ...when(!spec.domain.cpu?.dedicatedCpuPlacement, () =>
      required(
        `${path}.domain.cpu.dedicatedCpuPlacement`,
        'GraceIOVirtualization requires dedicated CPU placement',
      ),
    ),
    ...(['PCINUMAAwareTopology', 'IOMMUFD'] as const).flatMap((gate) =>
      when(!isGateEnabled(config, gate), () =>
        invalid(
          `${path}.domain.devices`,
          `${gate} feature gate must be enabled when GraceIOVirtualization is used`,
        ),
      ),
    ),
  ];
}

/** Devices that are Grace GPUs, and those of NVIDIA whose permission does not say which GPU it means. */
function graceRequests(
  spec: VMISpec,
  config: ClusterConfig,
  path: string,
): { readonly grace: readonly Request[]; readonly ambiguous: readonly Request[] } {
  const permitted = config.configuration.permittedHostDevices?.pciHostDevices ?? [];
  const requests = (['gpus', 'hostDevices'] as const).flatMap((list) =>
    (spec.domain.devices[list] ?? []).flatMap(({ deviceName }, index): Request[] => {
      const field = `${path}.domain.devices.${list}[${index}].deviceName`;
      return deviceName ? [{ field, resourceName: deviceName }] : [];
    }),
  );
  const isGpu = ({ resourceName }: Request, matches: (product: string) => boolean): boolean => {
    const device = permitted.findLast(
      (entry) => entry.pciVendorSelector && entry.resourceName === resourceName,
    );
    const product = device && nvidiaProduct(device.pciVendorSelector);
    return product !== undefined && matches(product);
  };
  return {
    grace: requests.filter((request) => isGpu(request, (product) => GRACE_GPUS.includes(product))),
    ambiguous: requests.filter((request) => isGpu(request, (product) => product === '*')),
  };
}

/** The product id in `vendor:product` when the vendor is NVIDIA; `*` is any product. */
function nvidiaProduct(selector: string): string | undefined {
  const parts = selector.split(':').map((id) => id.trim().toUpperCase().replace(/^0X/, ''));
  const [vendor, product = ''] = parts;
  if (parts.length !== 2 || vendor !== NVIDIA) return undefined;
  return /^([\dA-F]{4}|\*)$/.test(product) ? product : undefined;
}
