/** The three answers to one question: what does the system make of this VMI? Pure. */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import {
  type ClaimFacts,
  ConversionError,
  type Domain,
  domainToXml,
  explainedDomainXml,
  launcherDomain,
  LauncherPodError,
  renderLauncherPod,
} from '@podvisor/translate';
import { InputError } from './documents.ts';
import { explainPod, type PodReason } from './explain-pod.ts';
import { converterContext, podOptions, type RenderHost } from './host.ts';

export interface Rendering {
  readonly vmi: VirtualMachineInstance;
  readonly pod: Pod;
  readonly domain: Domain;
  readonly xml: string;
  /** The XML with its reasons beside it. */
  readonly explainedXml: string;
  readonly podReasons: readonly PodReason[];
}

/** Throws InputError when the VMI asks for something that cannot be made. */
export function renderVmi(
  vmi: VirtualMachineInstance,
  host: RenderHost,
  claims: Readonly<Record<string, ClaimFacts>>,
  where: string,
): Rendering {
  const context = converterContext(vmi, host, claims);
  const options = podOptions(vmi, host, claims);
  try {
    const pod = renderLauncherPod(vmi, options);
    const domain = launcherDomain(vmi, context);
    return {
      vmi,
      pod,
      domain,
      xml: domainToXml(domain),
      explainedXml: explainedDomainXml(vmi, context),
      podReasons: explainPod(vmi, pod, options),
    };
  } catch (error) {
    if (error instanceof ConversionError) {
      throw new InputError(
        where,
        `${error.field === undefined ? '' : `field ${error.field}: `}${error.message}`,
      );
    }
    if (error instanceof LauncherPodError) throw new InputError(where, error.message);
    throw error;
  }
}
