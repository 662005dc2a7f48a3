/** `<graphics>` and `<video>`. */
import type { Conversion, Part } from '../part.ts';

const VGA_MEMORY_KIB = 16384;

/** VNC on a unix socket and one display, unless the VMI is headless. */
export const graphicsPart: Part = {
  name: 'graphics',
  fields: ['spec.domain.devices.autoattachGraphicsDevice', 'spec.domain.devices.video'],
  convert: (input) => {
    if (input.spec.domain.devices.autoattachGraphicsDevice === false) return {};
    // An emulator of another architecture need not have a display; the console is always there.
    if (input.crossesArchitectures) return {};
    const socket = `${input.paths.guestSockets(input.uid)}/virt-vnc`;
    return {
      devices: {
        graphics: [{ type: 'vnc', listen: { type: 'socket', socket } }],
        videos: [{ model: { type: videoType(input), heads: 1, ...videoMemory(input) } }],
      },
    };
  },
};

function videoType({ spec, architecture, context }: Conversion): string {
  const wanted = spec.domain.devices.video?.type;
  if (wanted) return wanted;
  const efi = spec.domain.firmware?.bootloader?.efi !== undefined;
  return architecture.videoModel === 'vga' && efi && context.bochsForEfiGuests
    ? 'bochs'
    : architecture.videoModel;
}

/** Models that somebody chose get the memory of a VGA card, as does VGA itself. */
function videoMemory(input: Conversion): { readonly vram?: number } {
  const chosen = Boolean(input.spec.domain.devices.video?.type);
  return chosen || videoType(input) === 'vga' ? { vram: VGA_MEMORY_KIB } : {};
}
