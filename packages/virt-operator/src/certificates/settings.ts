/** Lifetimes of certificates from the KubeVirt object, with KubeVirt's defaults: CA 7 days, leaves 1 day, a fifth left. */
import type { KubeVirt } from '@podvisor/api';
import { goDurationMs } from '@podvisor/base';
import { wantsWebPage } from '../install/web-page/choice.ts';
import type { CertificateSettings, Lifetime } from './plan.ts';

const DAY_MS = 86_400_000;
/** Below this a certificate would end while it is on its way. */
const SHORTEST_MS = 10 * 60_000;

export function certificateSettings(kubevirt: KubeVirt, namespace: string): CertificateSettings {
  const { ca, server, caRotateInterval, caOverlapInterval, certRotateInterval } =
    kubevirt.spec.certificateRotateStrategy?.selfSigned ?? {};
  return {
    namespace,
    ca: lifetime(ca?.duration ?? caRotateInterval, ca?.renewBefore ?? caOverlapInterval, 7 * DAY_MS),
    leaf: lifetime(server?.duration ?? certRotateInterval, server?.renewBefore, DAY_MS),
    webPage: wantsWebPage(kubevirt),
  };
}

function lifetime(
  duration: string | undefined,
  renewBefore: string | undefined,
  defaultMs: number,
): Lifetime {
  const durationMs = Math.max(SHORTEST_MS, goDurationMs(duration) ?? defaultMs);
  const renewBeforeMs = goDurationMs(renewBefore) ?? durationMs / 5;
  return { durationMs, renewBeforeMs: Math.min(renewBeforeMs, durationMs / 2) };
}
