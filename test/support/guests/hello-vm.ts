/** A VM of the hello guest that does on its first boot what a test needs of it. */
import type { Interface, Network, VirtualMachine } from '@podvisor/api';

export interface HelloVm {
  readonly name: string;
  readonly memory: string;
  readonly interfaces: readonly Interface[];
  readonly networks: readonly Network[];
  /** Labels of the node that it must run on. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly graceSeconds: number;
  /** Shell commands of the first boot, one a line. */
  readonly commands: readonly string[];
  /** Cloud-init network data; DHCP without it. */
  readonly networkData?: string | undefined;
}

export function helloVm(want: HelloVm): VirtualMachine {
  const { name, memory, interfaces, networks, nodeSelector, graceSeconds, commands, networkData } = want;
  const runcmd = commands.map((command) => `  - ${command}`);
  const userData = ['#cloud-config', 'password: hello', 'runcmd:', ...runcmd, ''].join('\n');
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { app: name } },
        spec: {
          domain: {
            memory: { guest: memory },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'cloud-init', disk: { bus: 'virtio' } },
              ],
              interfaces,
            },
          },
          ...(nodeSelector === undefined ? {} : { nodeSelector }),
          networks,
          terminationGracePeriodSeconds: graceSeconds,
          volumes: [
            { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
            {
              name: 'cloud-init',
              cloudInitNoCloud: { userData, ...(networkData === undefined ? {} : { networkData }) },
            },
          ],
        },
      },
    },
  };
}
