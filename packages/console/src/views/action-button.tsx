/** A button for one action: greyed with the reason where the user may not, with the command it stands for. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMayAll } from '../live/access.ts';
import { send } from '../live/requests.ts';
import { type Action, rightsOf, type Target } from '../model/action.ts';
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
  const may = useMayAll(rightsOf(action, rows));
  const hindrances = rows.map((row) => action.hindrance?.(row) ?? '');
  // Of many the server tells which it refuses.
  const hindrance = hindrances.every((words) => words !== '') ? (hindrances[0] ?? '') : '';
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
      disabled={may !== true || isBusy || hindrance !== ''}
      title={may === false ? mayNot(namespaces) : hindrance === '' ? command : hindrance}
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
export function ActionBar<T extends Target>({ actions, row, onProblem }: ActionBarProps<T>): JSX.Element | null {
  const fitting = actions.filter(({ fits }) => fits(row));
  if (fitting.length === 0) return null;
  return (
    <span class="bar tight">
      {fitting.map((action) => (
        <ActionButton key={action.id} action={action} rows={[row]} onProblem={onProblem} />
      ))}
    </span>
  );
}

export interface ActionBarProps<T extends Target> {
  readonly actions: readonly Action<T>[];
  readonly row: T;
  readonly onProblem: (words: string | undefined) => void;
}

/** The button of a form: there from the beginning, and grey until the form is filled in. */
export function FormButton<T extends Target>({
  action,
  row,
  onProblem,
}: {
  readonly action: Action<T>;
  readonly row: T;
  readonly onProblem: (words: string | undefined) => void;
}): JSX.Element {
  if (action.fits(row)) return <ActionBar actions={[action]} row={row} onProblem={onProblem} />;
  return (
    <button type="button" disabled title={commonText.fillIn}>
      {action.label}
    </button>
  );
}
