/** A button for one action: greyed with the reason where the user may not, with the command it stands for. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMayAll } from '../live/access.ts';
import { send } from '../live/requests.ts';
import type { Action, Target } from '../model/action.ts';
import { ShownCommand } from './show-commands.tsx';
import { commonText } from '../texts/common.ts';

export interface ActionButtonProps<T extends Target> {
  readonly action: Action<T>;
  /** Those that it fits; at least one. */
  readonly rows: readonly T[];
  readonly onProblem: (words: string | undefined) => void;
}

export function ActionButton<T extends Target>({ action, rows, onProblem }: ActionButtonProps<T>): JSX.Element {
  const namespaces = [...new Set(rows.map(({ namespace = '' }) => namespace))];
  const may = useMayAll(namespaces.map((namespace) => action.right(namespace)));
  const [isBusy, setBusy] = useState(false);
  const command = rows.map((row) => action.command(row)).join('\n');
  const run = async (): Promise<void> => {
    const names = rows.map(({ name }) => name).join(', ');
    if (action.isGrave && !confirm(commonText.sure(action.label, names, command))) return;
    setBusy(true);
    onProblem(undefined);
    const refused: string[] = [];
    for (const row of rows)
      await send(action.request(row)).catch((error: unknown) =>
        refused.push(`${row.name}: ${error instanceof Error ? error.message : String(error)}`),
      );
    setBusy(false);
    if (refused.length > 0) onProblem(refused.join(' · '));
  };
  return (
    <>
    <button
      type="button"
      class={action.isGrave ? 'grave' : ''}
      disabled={may !== true || isBusy}
      title={may === false ? mayNot(namespaces) : command}
      onClick={() => void run()}
    >
      {action.label}
      {rows.length > 1 ? ` ${rows.length}` : ''}
    </button>
    <ShownCommand text={command} />
    </>
  );
}

function mayNot(namespaces: readonly string[]): string {
  return namespaces.join() === '' ? commonText.mayNot : commonText.mayNotIn(namespaces.join(', '));
}

/** The actions that fit an object, side by side. */
export function ActionBar<T extends Target>({
  actions,
  row,
  onProblem,
}: {
  readonly actions: readonly Action<T>[];
  readonly row: T;
  readonly onProblem: (words: string | undefined) => void;
}): JSX.Element {
  return (
    <span class="bar tight">
      {actions
        .filter(({ fits }) => fits(row))
        .map((action) => (
          <ActionButton key={action.id} action={action} rows={[row]} onProblem={onProblem} />
        ))}
    </span>
  );
}
