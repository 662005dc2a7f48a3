/** Opening a session with a token of the user's. It is sent once, and kept in no place of the page. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { onSessionEnd, openSession, type Session } from '../live/session.ts';
import { Command, Problem } from './parts.tsx';
import { sessionText } from '../texts/session.ts';

export function TokenForm({ onSession }: { onSession: (session: Session) => void }): JSX.Element {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const open = async (): Promise<void> => {
    setToken('');
    const answer = await openSession(token.trim());
    if ('problem' in answer) setProblem(answer.problem);
    else onSession(answer);
  };
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        void open().catch((error: unknown) => setProblem(String(error)));
      }}
    >
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <label>
        {sessionText.token}{' '}
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{sessionText.logIn}</button>
      <span class="faint">
        {sessionText.newToken} <Command text="kubectl create token ACCOUNT -n NAMESPACE" />
      </span>
    </form>
  );
}

/** Stands above the page when nobody knows the user any more; what is below stays as it is. */
export function SessionNotice({ session }: { session: Session }): JSX.Element | null {
  const [words, setWords] = useState<string>();
  useEffect(() => onSessionEnd(setWords), []);
  if (words === undefined) return null;
  return (
    <Problem>
      <p>{sessionText.ended(words)}</p>
      {session.opensWith === 'token' ? (
        // Another user begins anew: what may be done and seen is another's.
        <TokenForm onSession={({ user }) => user === session.user || location.reload()} />
      ) : (
        <p>{sessionText.renew}</p>
      )}
    </Problem>
  );
}
