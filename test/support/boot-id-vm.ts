/** A VM whose web page is its boot id: the same page after a fault means that the guest never noticed. */
import type { VirtualMachine } from '@podvisor/api';

/** `nodeSelector`: labels of the node that it must run on. */
export function bootIdVm(name: string, nodeSelector: Readonly<Record<string, string>> = {}): VirtualMachine {
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
            memory: { guest: '192Mi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'cloud-init', disk: { bus: 'virtio' } },
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          nodeSelector,
          networks: [{ name: 'default', pod: {} }],
          terminationGracePeriodSeconds: 10,
          volumes: [
            { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
            {
              name: 'cloud-init',
              cloudInitNoCloud: {
                userData: [
                  '#cloud-config',
                  'password: hello',
                  'runcmd:',
                  '  - mkdir -p /www',
                  '  - cat /proc/sys/kernel/random/boot_id > /www/index.html',
                  '  - httpd -p 80 -h /www',
                  '',
                ].join('\n'),
              },
            },
          ],
        },
      },
    },
  };
}
