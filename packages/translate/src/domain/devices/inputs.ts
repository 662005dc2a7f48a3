/** `<input>`: tablets, and keyboards where the board has none. */
import { ConversionError, type Conversion, type Part } from '../part.ts';

/** Pointer devices of the spec and the keyboard of the architecture. */
export const inputsPart: Part = {
  name: 'inputs',
  fields: ['spec.domain.devices.inputs', 'spec.domain.devices.autoattachGraphicsDevice'],
  convert: (input) => ({ devices: { inputs: [...fromSpec(input), ...withScreen(input)] } }),
};

function fromSpec({
  spec,
}: Conversion): { type: string; bus: string; model?: string; alias: { name: string } }[] {
  return (spec.domain.devices.inputs ?? []).map(({ name, type, bus = '' }, index) => {
    const field = `spec.domain.devices.inputs[${index}]`;
    if (bus !== '' && bus !== 'virtio' && bus !== 'usb') {
      throw new ConversionError(`input contains unsupported bus ${bus}`, `${field}.bus`);
    }
    if (type !== 'tablet')
      throw new ConversionError(`input contains unsupported type ${type}`, `${field}.type`);
    return {
      type,
      bus: bus || 'usb',
      ...(bus === 'virtio' ? { model: 'virtio' } : {}),
      alias: { name: `ua-${name}` },
    };
  });
}

/** PCs have PS/2; other boards get what is missing as soon as there is a screen. */
function withScreen({ spec, architecture }: Conversion): { type: string; bus: string }[] {
  const { autoattachGraphicsDevice, inputs = [] } = spec.domain.devices;
  if (autoattachGraphicsDevice === false) return [];
  return architecture.screenInputs.filter(({ type }) => !inputs.some((input) => input.type === type));
}
