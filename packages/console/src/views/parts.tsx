/** Small pieces that several views use. */
import { type ComponentChildren, type JSX, toChildArray } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Snapshot } from '../live/collection.ts';
import type { Tone } from '../model/rows.ts';
import { commonText } from '../texts/common.ts';

export function Status({ text, tone }: { text: string; tone: Tone }): JSX.Element {
  return <span class={`tone ${tone}`}>{text}</span>;
}

/** Says when what is shown may be old, or may not be seen. */
export function Freshness({
  snapshot,
  what,
}: {
  snapshot: Pick<Snapshot<unknown>, 'state' | 'problem'>;
  what: string;
}): JSX.Element | null {
  switch (snapshot.state) {
    case 'live':
      return null;
    case 'loading':
      return <p class="faint">{commonText.loading(what)}</p>;
    case 'forbidden':
      return (
        <p class="notice bad" role="alert">
          {commonText.forbidden(what, snapshot.problem ?? '')}
        </p>
      );
    case 'behind':
      return (
        <p class="notice" role="status">
          {commonText.behind(what, snapshot.problem ?? '')}
        </p>
      );
  }
}

/** What went wrong, brought before the eyes of who is elsewhere on the page. */
export function Problem({ children }: { children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div class="notice bad" role="alert" ref={place}>
      {children}
    </div>
  );
}

export function Command({ text }: { text: string }): JSX.Element {
  return <code class="command">{text}</code>;
}

/** A point in time by the clock and the habits of who looks; the server's own word when the pointer rests on it. */
export function When({ at }: { at: string }): JSX.Element | null {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return null;
  return (
    <time dateTime={at} title={at}>
      {time.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' })}
    </time>
  );
}

/** A table with its headings; `children` are its rows. `state`: of what they come from; while that is not known, that
 * there is none is not said. */
export function Table({
  headings,
  state = 'live',
  children,
}: {
  headings: readonly string[];
  state?: Snapshot<unknown>['state'];
  children: ComponentChildren;
}): JSX.Element | null {
  if (toChildArray(children).length === 0) return state === 'live' ? <p class="faint">{commonText.nothingHere}</p> : null;
  return (
    // Wider than a telephone: it scrolls by itself, also by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="scrolls" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** What an object says about itself. `heading`: of the column of their types. */
export function ConditionsTable({
  heading,
  conditions,
}: {
  heading: string;
  conditions: readonly Condition[];
}): JSX.Element {
  return (
    <Table headings={[heading, commonText.status, commonText.why]}>
      {conditions.map(({ type, status, reason, message }) => (
        <tr key={type}>
          <td>{type}</td>
          <td>{status}</td>
          <td class="long">
            {reason} {message}
          </td>
        </tr>
      ))}
    </Table>
  );
}
