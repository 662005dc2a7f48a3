/** What the domain of this launcher's guest is made of: the words of virt-handler, and what was found in the Pod. Pure. */
import type { ConverterContext } from '@podvisor/translate';
import type { BuildOptions } from '../domain-manager/context.ts';
import type { LauncherFlags } from '../flags.ts';

/** What only this Pod knows. */
export type FoundInPod = Pick<
  ConverterContext,
  'volumes' | 'efi' | 'sriovDevices' | 'hostDevices' | 'gpus' | 'hostArchitecture'
> & {
  /** QEMU of this Pod needs the script (decision 010). */
  readonly hasEmulatorScript: boolean;
};

export function launcherContext(
  flags: Pick<LauncherFlags, 'paths' | 'uid' | 'allowEmulation' | 'allowCrossArchitectures'>,
  options: BuildOptions,
  { hasEmulatorScript, ...found }: FoundInPod,
): ConverterContext {
  const { paths, uid, allowEmulation, allowCrossArchitectures } = flags;
  return {
    ...options,
    ...found,
    allowEmulation: options.allowEmulation || allowEmulation,
    allowCrossArchitectures,
    uid,
    paths,
    ...(hasEmulatorScript ? { emulator: paths.emulator } : {}),
  };
}
