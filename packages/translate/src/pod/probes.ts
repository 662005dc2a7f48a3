/** Probes of the VMI, as probes of the compute container. */
import type { PodProbe, Probe, VirtualMachineInstance } from '@podvisor/api';

/** The domain needs this long before anything can answer. */
const START_ALLOWANCE_SECONDS = 10;
/** The probe inside the guest has the user's timeout; the one around it needs a little more. */
const EXEC_MARGIN_SECONDS = 1;

/** What Kubernetes would fill in. */
const PROBE_DEFAULTS = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
} as const;

/** A probe of the Pod from one of the VMI. */
export function podProbe(vmi: VirtualMachineInstance, probe: Probe | undefined): PodProbe | undefined {
  if (probe === undefined) return undefined;
  const { guestAgentPing, exec, httpGet, tcpSocket, ...timing } = probe;
  const insideGuest = guestAgentPing !== undefined || isForGuest(exec?.command);
  const timeout = timing.timeoutSeconds || PROBE_DEFAULTS.timeoutSeconds;
  return {
    ...PROBE_DEFAULTS,
    // A zero is as good as nothing.
    ...Object.fromEntries(Object.entries(timing).filter(([, value]) => value !== 0)),
    ...(exec === undefined ? {} : { exec }),
    ...(httpGet === undefined ? {} : { httpGet }),
    ...(tcpSocket === undefined ? {} : { tcpSocket }),
    ...(insideGuest ? { exec: { command: probeCommand(vmi, probe, timeout) } } : {}),
    initialDelaySeconds: (timing.initialDelaySeconds ?? 0) + START_ALLOWANCE_SECONDS,
    ...(insideGuest ? { timeoutSeconds: timeout + EXEC_MARGIN_SECONDS } : {}),
  };
}

/** A command that asks the agent by itself is left as it is. */
function isForGuest(command: readonly string[] | undefined): boolean {
  const [program] = command ?? [];
  return program !== undefined && program !== 'virt-probe';
}

function probeCommand(vmi: VirtualMachineInstance, probe: Probe, timeoutSeconds: number): readonly string[] {
  const domainName = `${vmi.metadata?.namespace ?? ''}_${vmi.metadata?.name ?? ''}`;
  const command = ['virt-probe', '--domainName', domainName, '--timeoutSeconds', String(timeoutSeconds)];
  if (probe.guestAgentPing !== undefined) return [...command, '--guestAgentPing'];
  const [program = '', ...args] = probe.exec?.command ?? [];
  return [...command, '--command', program, '--', ...args];
}
