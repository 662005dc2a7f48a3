/** Readiness and liveness probes. */
import type { Probe, VMISpec } from '../../types/index.ts';
import { type Cause, invalid, type Rule, required, when } from '../rule.ts';

const PROBES = ['readinessProbe', 'livenessProbe'] as const;

export const probeRules: readonly Rule<VMISpec>[] = [
  {
    id: 'probes.handler',
    field: 'readinessProbe, livenessProbe',
    summary: 'A probe has exactly one handler: httpGet, tcpSocket, exec or guestAgentPing.',
    check: (spec, { path }) =>
      PROBES.flatMap((name) => {
        const probe = spec[name];
        return probe ? checkHandlers(probe, `${path}.${name}`) : [];
      }),
  },
  {
    id: 'probes.network',
    field: 'readinessProbe, livenessProbe',
    summary: 'A probe over the network needs the Pod network.',
    check: (spec, { path }) => {
      if (spec.networks?.some((network) => network.pod)) return [];
      return PROBES.flatMap((name) =>
        (['httpGet', 'tcpSocket'] as const).flatMap((handler) => {
          const field = `${path}.${name}.${handler}`;
          return when(spec[name]?.[handler], () =>
            invalid(field, `${field} is only allowed if the Pod Network is attached`),
          );
        }),
      );
    },
  },
];

function checkHandlers(probe: Probe, field: string): readonly Cause[] {
  const { exec, guestAgentPing, httpGet, tcpSocket } = probe;
  const count = [httpGet, tcpSocket, exec, guestAgentPing].filter((handler) => handler !== undefined).length;
  if (count > 1) return [invalid(field, `${field} must have exactly one probe type set`)];
  return when(count === 0, () =>
    required(
      field,
      `either ${field}.tcpSocket, ${field}.exec or ${field}.httpGet must be set if a ${field} is specified`,
    ),
  );
}
