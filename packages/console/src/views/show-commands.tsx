/** Whether the commands that actions stand for are shown beside them: for who has no mouse to rest on a button. */
import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Command } from './parts.tsx';

/** The page gives it once, at its top. */
export const ShowCommands = createContext(false);

export function ShownCommand({ text }: { text: string }): JSX.Element | null {
  return useContext(ShowCommands) ? <Command text={text} /> : null;
}
