/** The container that prints the serial console log, so that `kubectl logs` shows what the guest says. */
import type { Container, VirtualMachineInstance } from '@podvisor/api';
import { launcherVerbosity } from './environment.ts';
import { isGuaranteed } from './resources/memory-overhead.ts';
import { imagePullPolicy, type LauncherPodOptions } from './options.ts';
import { mountPaths } from './mount-paths.ts';
import { helperSecurity } from './security.ts';
import { supportResources } from './resources/support-resources.ts';

/** Runs beside compute from before its start until after its end; none without a log. */
export function consoleLogContainers(
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): readonly Container[] {
  const { autoattachSerialConsole, logSerialConsole } = vmi.spec.domain.devices;
  const wanted = logSerialConsole ?? !options.config.serialConsoleLogDisabled;
  if (autoattachSerialConsole === false || !wanted) return [];
  const own = supportResources(options.config.configuration, 'guest-console-log');
  const limits = { cpu: '15m', memory: '60M', ...own.limits };
  const requests = isGuaranteed(vmi.spec) ? limits : { cpu: '5m', memory: '35M', ...own.requests };
  return [
    {
      name: 'guest-console-log',
      image: options.launcherImage,
      command: ['/usr/lib/podvisor/virt-tail'],
      args: ['--logfile', `${mountPaths.guestSockets(vmi.metadata?.uid ?? '')}/virt-serial0-log`],
      env: [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: String(launcherVerbosity(vmi, options)) }],
      resources: { limits, requests },
      restartPolicy: 'Always',
      volumeMounts: [{ name: 'private', mountPath: mountPaths.privateDir, readOnly: true }],
      imagePullPolicy: imagePullPolicy(options),
      securityContext: helperSecurity,
    },
  ];
}
