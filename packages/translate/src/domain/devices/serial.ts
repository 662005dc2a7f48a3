/** The serial console: a unix socket that the launcher reads. */
import type { Part } from '../part.ts';

/** Serial port 0, with a log file where the cluster keeps one. */
export const serialPart: Part = {
  name: 'serial',
  fields: ['spec.domain.devices.autoattachSerialConsole', 'spec.domain.devices.logSerialConsole'],
  convert: ({ uid, spec, context, paths }) => {
    const devices = spec.domain.devices;
    if (devices.autoattachSerialConsole === false) return {};
    const path = `${paths.guestSockets(uid)}/virt-serial0`;
    const logged = devices.logSerialConsole ?? context.serialConsoleLog ?? false;
    return {
      devices: {
        serials: [
          {
            type: 'unix',
            source: { mode: 'bind', path },
            ...(logged ? { log: { file: `${path}-log`, append: 'on' } } : {}),
            target: { port: 0 },
          },
        ],
        consoles: [{ type: 'pty', target: { type: 'serial', port: 0 } }],
      },
    };
  },
};
