/** The network of a guest, link by link, live. */
import type { NetworkPath } from '@podvisor/api';
import type { JSX } from 'preact';
import { usePoll } from '../live/use-poll.ts';
import { boxesOf, silentGateways } from '../model/network.ts';
import { vmiPath } from '../model/units.ts';
import { Command, Problem, Status } from './parts.tsx';
import { commonText } from '../texts/common.ts';
import { networkText } from '../texts/network.ts';

const EVERY_MS = 2_000;

export function Network({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const { value, before, betweenMs, problem } = usePoll<NetworkPath>(
    vmiPath(namespace, name, 'networkpath'),
    EVERY_MS,
  );
  return (
    <>
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      {value === undefined && problem === undefined ? <p class="faint">{commonText.looking}</p> : null}
      {(value?.interfaces ?? []).map((picture) => (
        <section key={picture.name} aria-label={networkText.interface(picture.name)}>
          <h2>
            {picture.name} <span class="faint">{picture.binding}</span>
          </h2>
          {silentGateways(picture).map((address) => (
            <Problem key={address}>{networkText.silentGateway(address)}</Problem>
          ))}
          <ol class="links">
            {boxesOf(
              picture,
              before?.interfaces.find((other) => other.name === picture.name),
              betweenMs,
            ).map(({ title, state, tone, facts, traffic }) => (
              <li key={title}>
                <strong>{title}</strong> <Status text={state} tone={tone} />
                <div class="faint">{facts.join(' · ')}</div>
                {traffic === undefined ? null : (
                  <div>
                    {networkText.traffic(traffic.toGuest, traffic.fromGuest)}
                  </div>
                )}
              </li>
            ))}
          </ol>
          {picture.rules.length === 0 ? null : (
            <details>
              <summary>{networkText.rules(picture.rules.length)}</summary>
              <pre tabIndex={0}>
                {picture.rules
                  .map(({ chain, text, packets }) => `${chain}: ${text}${packets === undefined ? '' : `  ${networkText.packets(packets)}`}`)
                  .join('\n')}
              </pre>
            </details>
          )}
        </section>
      ))}
      <p class="faint">
        {commonText.sameInTerminal} <Command text={`virtctl net ${name} -n ${namespace} -w`} />
      </p>
    </>
  );
}
