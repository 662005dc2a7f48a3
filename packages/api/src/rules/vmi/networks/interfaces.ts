/** Interfaces: name, model, addresses, state and DHCP options. Bindings and ports have files of their own. */
import type { Interface, Network, VMISpec } from '../../../types/index.ts';
import { isIPv4, isPciAddress, macAddressProblem } from '../../addresses.ts';
import {
  type Cause,
  duplicate,
  invalid,
  notSupported,
  type Rule,
  type RuleContext,
  when,
} from '../../rule.ts';

const MODELS = ['e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139', 'virtio'];
const STATES = ['', 'up', 'down', 'absent'];

type InterfaceCheck = (
  nic: Interface,
  field: string,
  spec: VMISpec,
  context: RuleContext,
) => readonly Cause[];

/** A check that runs for every interface, with its path. */
export function eachInterface(check: InterfaceCheck): Rule<VMISpec>['check'] {
  return (spec, context) =>
    (spec.domain.devices.interfaces ?? []).flatMap((nic, index) =>
      check(nic, `${context.path}.domain.devices.interfaces[${index}]`, spec, context),
    );
}

/** The network of an interface; of two with one name (itself an error) the last counts. */
export function networkOf(nic: Interface, spec: VMISpec): Network | undefined {
  return spec.networks?.findLast((network) => network.name === nic.name);
}

export const interfaceStateRules: readonly Rule<VMISpec>[] = [
  {
    id: 'interfaces.state',
    field: 'domain.devices.interfaces[].state',
    summary:
      'State is up, down or absent; SR-IOV knows no link state, and only a bridged secondary network goes absent.',
    check: eachInterface(({ bridge, name, sriov, state = '' }, field, spec) => {
      const own = `${field}.state`;
      const quoted = `"${name}" interface's state "${state}"`;
      const isDefault =
        spec.networks?.find((network) => network.pod || network.multus?.default)?.name === name;
      return [
        ...when(!STATES.includes(state), () =>
          invalid(own, `logical ${name} interface state value is unsupported: ${state}`),
        ),
        ...when((state === 'up' || state === 'down') && sriov, () =>
          invalid(own, `${quoted} is not supported for SR-IOV NICs`),
        ),
        ...when(state === 'absent' && !bridge, () =>
          invalid(own, `${quoted} is supported only for bridge binding`),
        ),
        ...when(state === 'absent' && isDefault, () =>
          invalid(own, `${quoted} is not supported on default networks`),
        ),
      ];
    }),
  },
];

/** One network for each interface, and the other way round. */
export const interfacePairRules: readonly Rule<VMISpec>[] = [
  {
    id: 'interfaces.name.unique',
    field: 'domain.devices.interfaces[].name',
    summary: 'One interface per network.',
    check: (spec, { path }) =>
      (spec.domain.devices.interfaces ?? []).flatMap(({ name }, index, all) =>
        when(all.findIndex((other) => other.name === name) < index, () =>
          duplicate(
            `${path}.domain.devices.interfaces[${index}].name`,
            'Only one interface can be connected to one specific network',
          ),
        ),
      ),
  },
  {
    id: 'interfaces.network',
    field: 'domain.devices.interfaces[].name',
    summary: 'Every interface has a network of its name.',
    check: eachInterface(({ name }, field, spec) =>
      when(!spec.networks?.some((network) => network.name === name), () =>
        invalid(`${field}.name`, `${field}.name '${name}' not found.`),
      ),
    ),
  },
];

export const interfaceRules: readonly Rule<VMISpec>[] = [
  {
    id: 'interfaces.name.characters',
    field: 'domain.devices.interfaces[].name',
    summary: 'The name of an interface has letters, digits, dashes and underscores only.',
    check: eachInterface(({ name }, field) =>
      when(!/^[A-Za-z0-9_-]+$/.test(name), () =>
        invalid(
          `${field}.name`,
          'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)',
        ),
      ),
    ),
  },
  {
    id: 'interfaces.model',
    field: 'domain.devices.interfaces[].model',
    summary: 'The model is virtio, e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139.',
    check: eachInterface(({ model }, field) =>
      when(model && !MODELS.includes(model), () =>
        notSupported(`${field}.model`, `interface ${field}.name uses model ${model} that is not supported.`),
      ),
    ),
  },
  {
    id: 'interfaces.macAddress',
    field: 'domain.devices.interfaces[].macAddress',
    summary: 'A MAC address has six bytes.',
    check: eachInterface(({ macAddress }, field) => {
      const problem = macAddress ? macAddressProblem(macAddress) : undefined;
      return when(problem, () => invalid(`${field}.macAddress`, `interface ${field}.name has ${problem}.`));
    }),
  },
  {
    id: 'interfaces.pciAddress',
    field: 'domain.devices.interfaces[].pciAddress',
    summary: 'A PCI address is domain:bus:slot.function, such as 0000:81:01.0.',
    check: eachInterface(({ pciAddress }, field) =>
      when(pciAddress && !isPciAddress(pciAddress), () =>
        invalid(`${field}.pciAddress`, `interface ${field}.name has malformed PCI address (${pciAddress}).`),
      ),
    ),
  },
];

export const dhcpOptionRules: readonly Rule<VMISpec>[] = [
  {
    id: 'interfaces.dhcpOptions.privateOptions',
    field: 'domain.devices.interfaces[].dhcpOptions.privateOptions',
    summary: 'Private DHCP options are numbered 224 to 254, each once.',
    check: eachInterface(({ dhcpOptions }, _field, _spec, { path }) => {
      const numbers = (dhcpOptions?.privateOptions ?? []).map(({ option }) => option);
      return [
        ...when(new Set(numbers).size < numbers.length, () =>
          invalid(path, 'Found Duplicates: you have provided duplicate DHCPPrivateOptions'),
        ),
        ...numbers
          .filter((number) => number < 224 || number > 254)
          .map(() =>
            invalid(path, 'provided DHCPPrivateOptions are out of range, must be in range 224 to 254'),
          ),
      ];
    }),
  },
  {
    id: 'interfaces.dhcpOptions.ntpServers',
    field: 'domain.devices.interfaces[].dhcpOptions.ntpServers',
    summary: 'NTP servers are IPv4 addresses.',
    check: eachInterface(({ dhcpOptions }, field) =>
      (dhcpOptions?.ntpServers ?? []).flatMap((server, index) =>
        when(!isIPv4(server), () =>
          invalid(
            `${field}.dhcpOptions.ntpServers[${index}]`,
            'NTP servers must be a list of valid IPv4 addresses.',
          ),
        ),
      ),
    ),
  },
];
