/** Small pieces that several views use. */
import type { ComponentChildren, JSX } from 'preact';
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

export function Problem({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <p class="notice bad" role="alert">
      {children}
    </p>
  );
}

export function Command({ text }: { text: string }): JSX.Element {
  return <code class="command">{text}</code>;
}

/** A table with its headings; `children` are its rows. */
export function Table({
  headings,
  children,
}: {
  headings: readonly string[];
  children: ComponentChildren;
}): JSX.Element {
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
          <td>
            {reason} {message}
          </td>
        </tr>
      ))}
    </Table>
  );
}
