/** `<input>`: tablets, and keyboards where the board has none. */
import { ConversionError, type Conversion, type Part } from './part.ts';

/** Pointer devices of the spec and the keyboard of the architecture. */
export const inputsPart: Part = {
  name: 'inputs',
  fields: ['spec.domain.devices.inputs', 'spec.domain.devices.autoattachGraphicsDevice'],
  convert: (input) => ({ devices: { inputs: [...fromSpec(input), ...keyboard(input)] } }),
};

function fromSpec({ spec }: Conversion): { type: string; bus: string; model?: string; alias: { name: string } }[] {
  return (spec.domain.devices.inputs ?? []).map(({ name, type, bus = '' }, index) => {
    const field = `spec.domain.devices.inputs[${index}]`;
    if (bus !== '' && bus !== 'virtio' && bus !== 'usb') {
      throw new ConversionError(`input contains unsupported bus ${bus}`, `${field}.bus`);
    }
    if (type !== 'tablet') throw new ConversionError(`input contains unsupported type ${type}`, `${field}.type`);
    return {
      type,
      bus: bus || 'usb',
      ...(bus === 'virtio' ? { model: 'virtio' } : {}),
      alias: { name: `ua-${name}` },
    };
  });
}

/** PCs have a PS/2 keyboard; other boards get one as soon as there is a screen to type at. */
function keyboard({ spec, architecture }: Conversion): { type: string; bus: string }[] {
  if (architecture.keyboard === undefined || spec.domain.devices.autoattachGraphicsDevice === false) return [];
  return [{ type: 'keyboard', bus: architecture.keyboard }];
}
