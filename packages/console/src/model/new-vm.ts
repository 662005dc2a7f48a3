/** The object that the form of a new VM stands for. Pure. */

export interface NewVm {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly cores: number;
  readonly memory: string;
  readonly sshKey: string;
}

export const emptyForm: NewVm = {
  name: '',
  namespace: 'default',
  image: 'podvisor.local/hello:1',
  cores: 1,
  memory: '192Mi',
  sshKey: '',
};

export function vmOf({ name, namespace, image, cores, memory, sshKey }: NewVm): object {
  const key = sshKey.trim();
  const userData = `#cloud-config\n${JSON.stringify({ ssh_authorized_keys: [key] })}\n`;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { 'kubevirt.io/vm': name } },
        spec: {
          domain: {
            cpu: { cores },
            memory: { guest: memory },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                ...(key === '' ? [] : [{ name: 'cloudinit', disk: { bus: 'virtio' } }]),
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [
            { name: 'root', containerDisk: { image } },
            ...(key === '' ? [] : [{ name: 'cloudinit', cloudInitNoCloud: { userData } }]),
          ],
        },
      },
    },
  };
}
