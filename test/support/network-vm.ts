/** A VM whose web page is its own view of its network, made anew for each visitor. */
import type { Interface, Network, VirtualMachine } from '@podvisor/api';

export function networkVm(
  name: string,
  interfaces: readonly Interface[],
  networks: readonly Network[],
): VirtualMachine {
  const page = [
    '#!/bin/sh',
    String.raw`printf "Content-type:text/plain\r\n\r\n"`,
    'ip addr',
    'ip route',
    'ip -6 route',
    'cat /etc/resolv.conf',
  ];
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
            memory: { guest: '160Mi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'cloud-init', disk: { bus: 'virtio' } },
              ],
              interfaces,
            },
          },
          networks,
          terminationGracePeriodSeconds: 0,
          volumes: [
            { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
            {
              name: 'cloud-init',
              cloudInitNoCloud: {
                userData: [
                  '#cloud-config',
                  'password: hello',
                  'runcmd:',
                  '  - mkdir -p /www/cgi-bin',
                  ...page.map((line) => `  - echo '${line}' >> /www/cgi-bin/net`),
                  '  - chmod 755 /www/cgi-bin/net',
                  '  - httpd -p 80 -h /www',
                  '  - httpd -p 81 -h /www',
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
