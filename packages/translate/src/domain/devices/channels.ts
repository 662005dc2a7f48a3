/** Virtio channels: the guest agent always, downward metrics on request. */
import type { Part } from '../part.ts';

/** Channels between guest and launcher. */
export const channelsPart: Part = {
  name: 'channels',
  fields: ['spec.domain.devices.downwardMetrics'],
  convert: ({ spec, paths }) => ({
    devices: {
      channels: [
        { type: 'unix', target: { type: 'virtio', name: 'org.qemu.guest_agent.0' } },
        ...(spec.domain.devices.downwardMetrics === undefined
          ? []
          : [
              {
                type: 'unix',
                source: {
                  mode: 'bind',
                  path: paths.downwardMetricsSocket,
                },
                target: { type: 'virtio', name: 'org.github.vhostmd.1' },
              },
            ]),
      ],
    },
  }),
};
